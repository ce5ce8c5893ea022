import {
  type ChoicePoint,
  emptyScript,
  type Saved,
  type Script,
  type Strategy,
} from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import { type Machine, THREAD_DONE, THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { locationsMeet } from '../ordering/dependence.js'
import { asBefore, type Continuation } from './continuation.js'
import { optionOf, type Turn } from './turns.js'

/** Finds an access among the events of a transition: its index, or -1. */
export type AccessFinder = (trace: Trace, transition: number) => number

/** Two accesses of an execution, and where to begin to exchange them. */
export interface Exchange {
  /** What comes before: followed as it was. */
  readonly prefix: Script
  /** The thread whose access came first. */
  readonly first: number
  /** The one whose access came second. */
  readonly second: number
  readonly isFirst: AccessFinder
  readonly isSecond: AccessFinder
  /** What the first touches, and whether some transition does. */
  readonly location: number
  readonly touches: (trace: Trace, transition: number) => boolean
  /** What threads other than the first did between the two accesses. */
  readonly between: readonly Turn[]
  /** Steps that the others may take while the first thread is held back. */
  readonly patience: number
  /** Steps that the whole execution may have. */
  readonly maxSteps: number
}

/** What became of holding the first thread back. */
export type Hold =
  /** The second access was done. */
  | 'reached'
  /** Nobody but the thread held back could go on. */
  | 'blocked'
  /** The second thread ended without doing the access. */
  | 'elsewhere'
  /** Its patience was used up. */
  | 'timeout'
  /** The execution failed or ended before anything of that. */
  | 'ended'

/** Steps after which others get a turn, where the second thread does not come to its access. */
const quantum = 20

abstract class Steered implements Strategy {
  abstract readonly name: string
  readonly footprints = true
  readonly script: Script
  readonly maxSteps: number
  /** Transitions looked at so far. */
  private seen: number

  constructor(
    protected readonly machine: Machine,
    protected readonly exchange: Exchange,
    protected readonly continuation: Continuation,
  ) {
    this.script = exchange.prefix.length === 0 ? emptyScript : exchange.prefix
    this.maxSteps = exchange.maxSteps
    this.seen = exchange.prefix.length
  }

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    this.lookAt(point.trace)
    return this.decide(point)
  }

  end(trace: Trace): void {
    this.lookAt(trace)
  }

  save(): Saved {
    return {}
  }

  protected abstract decide(point: ChoicePoint): number
  protected abstract transition(trace: Trace, transition: number): void

  private lookAt(trace: Trace): void {
    for (; this.seen < trace.length; this.seen++) this.transition(trace, this.seen)
  }
}

/**
 * The other order (Portend, algorithm 1): up to the first access, which is held back until the second was done; then as the
 * continuation says. What stands between keeps the order it had. The first access follows at once, or whenever the
 * continuation has it; in any case before a third thread comes to touch the same object.
 */
export class Alternate extends Steered {
  readonly name = 'alternate'
  hold: Hold = 'ended'
  /** Index of the event of the second access, or -1. */
  reachedAt = -1
  /** What was done from the hold on. */
  readonly turns: Turn[] = []
  /** Index in `turns` of the second access, or of the end of the hold; and of the first access; or their number. */
  secondTurn = -1
  firstTurn = -1
  /** Number of events before the step of the first access, and after it; -1 if it was not done. */
  firstEvents: readonly [number, number] = [-1, -1]
  /** How many turns of the hold must stay before the first access wherever that is moved: a third thread's accesses. */
  thirdTurns = 0
  /** Where the second thread stood when nobody but the thread held back could go on: what it waits for, in words. */
  waitsFor: { readonly object: string; readonly spinning: boolean; readonly site: number } | null = null
  /** Index of the first event after the hold ended. */
  releasedAt = -1
  private phase: 'hold' | 'release' | 'after' = 'hold'
  private readonly wishes: Turn[]
  private turnOf: number
  private left: number

  constructor(
    machine: Machine,
    exchange: Exchange,
    continuation: Continuation,
    private readonly options: {
      /** Second accesses before this event do not count: they were idle rounds of a loop. */
      readonly notBefore: number
      /** The first access need not follow at once. */
      readonly isLoose: boolean
    },
  ) {
    super(machine, exchange, continuation)
    this.wishes = [...exchange.between]
    this.turnOf = exchange.second
    // What the second thread did before is what it needs, unless it loops.
    this.left = Math.max(3 * quantum, 2 * exchange.between.length)
  }

  override end(trace: Trace): void {
    super.end(trace)
    if (this.secondTurn < 0) this.secondTurn = this.turns.length
    if (this.firstTurn < 0) this.firstTurn = this.turns.length
  }

  protected transition(trace: Trace, transition: number): void {
    const { exchange } = this
    const thread = trace.thread[transition]
    this.turns.push({ thread, value: trace.value[transition] })
    if (this.phase === 'hold') this.whileHeld(trace, transition, thread)
    else if (this.firstTurn < 0 && thread === exchange.first && exchange.isFirst(trace, transition) >= 0) {
      this.firstTurn = this.turns.length - 1
      this.firstEvents = [trace.eventStart(transition), trace.eventEnd[transition]]
      this.phase = 'after'
    }
  }

  private whileHeld(trace: Trace, transition: number, thread: number): void {
    const { exchange } = this
    if (thread !== exchange.second) {
      if (exchange.touches(trace, transition)) this.thirdTurns = this.turns.length
      return
    }
    const event = exchange.isSecond(trace, transition)
    if (event < 0 || event < this.options.notBefore) return
    this.reachedAt = event
    this.secondTurn = this.turns.length - 1
    this.endHold('reached', trace)
    this.phase = 'release'
  }

  protected decide(point: ChoicePoint): number {
    if (this.phase === 'hold') {
      const option = this.whileHolding(point)
      if (option >= 0) return option
    }
    if (this.phase === 'release') return this.release(point)
    return this.continuation.choose(point)
  }

  private release(point: ChoicePoint): number {
    const { exchange, machine } = this
    const first = optionOf(point, exchange.first)
    if (first >= 0 && !this.options.isLoose) return first
    const option = this.continuation.choose(point)
    const thread = point.thread[option]
    if (first < 0 || thread === exchange.second || thread === exchange.first) return option
    return locationsMeet(machine.locations, machine.pending.location[thread], exchange.location)
      ? first
      : option
  }

  private endHold(hold: Hold, trace: Trace): void {
    this.hold = hold
    this.releasedAt = trace.events.count
    if (hold !== 'reached') this.secondTurn = this.turns.length
    this.phase = 'after'
  }

  private whileHolding(point: ChoicePoint): number {
    const { exchange, machine } = this
    if (hasEnded(machine, exchange.second)) this.endHold('elsewhere', point.trace)
    else if (this.turns.length >= exchange.patience) this.endHold('timeout', point.trace)
    else {
      const option = this.pick(point)
      if (option >= 0) return option
      this.endHold('blocked', point.trace)
      if (machine.pending.status[exchange.second] === THREAD_LIVE) {
        const { object, spinning = false, site } = machine.waitOf(exchange.second)
        this.waitsFor = { object, spinning, site }
      }
    }
    return -1
  }

  /** An option of another thread than the one held back: as it was, then the second thread, then all in turn. */
  private pick(point: ChoicePoint): number {
    const { first } = this.exchange
    while (this.wishes.length > 0) {
      const wish = this.wishes.shift()!
      const option = optionOf(point, wish.thread, wish.value)
      if (option >= 0) return option
    }
    if (this.left > 0) {
      const option = optionOf(point, this.turnOf)
      if (option >= 0) {
        this.left--
        return option
      }
    }
    this.left = quantum
    let other = -1
    for (let k = 0; k < point.count; k++) {
      if (point.thread[k] === first) continue
      if (point.thread[k] > this.turnOf) return this.turnTo(point, k)
      if (other < 0) other = k
    }
    return other < 0 ? -1 : this.turnTo(point, other)
  }

  private turnTo(point: ChoicePoint, option: number): number {
    this.turnOf = point.thread[option]
    this.left--
    return option
  }
}

/**
 * The order as it was seen, and everything else as in an alternate: all its turns, with the first access moved before the
 * second. They differ in nothing but that, so that what else becomes of them is due to it.
 */
export class Counterpart extends Steered {
  readonly name = 'counterpart'
  private phase: 'lead' | 'first' | 'follow' = 'lead'
  private at = 0
  private readonly lead: readonly Turn[]
  private readonly rest: readonly Turn[]

  constructor(machine: Machine, exchange: Exchange, alternate: Alternate) {
    super(machine, exchange, asBefore([]))
    const { turns, firstTurn, thirdTurns } = alternate
    this.lead = turns.slice(0, thirdTurns)
    this.rest = turns.filter(
      ({ thread }, i) => i >= thirdTurns && (i > firstTurn || thread !== exchange.first),
    )
  }

  protected transition(trace: Trace, transition: number): void {
    const { exchange } = this
    if (this.phase !== 'first' || trace.thread[transition] !== exchange.first) return
    if (exchange.isFirst(trace, transition) >= 0) this.next('follow')
  }

  protected decide(point: ChoicePoint): number {
    const { exchange } = this
    if (this.phase === 'lead') {
      const option = this.follow(point, this.lead)
      if (option >= 0) return option
      this.next('first')
    }
    if (this.phase === 'first') {
      const option = optionOf(point, exchange.first)
      if (option >= 0) return option
      this.next('follow')
    }
    const option = this.follow(point, this.rest)
    return option >= 0 ? option : this.continuation.choose(point)
  }

  private next(phase: 'first' | 'follow'): void {
    this.phase = phase
    this.at = 0
  }

  private follow(point: ChoicePoint, turns: readonly Turn[]): number {
    for (; this.at < turns.length; this.at++) {
      const { thread, value } = turns[this.at]
      const option = optionOf(point, thread, value)
      if (option >= 0) {
        this.at++
        return option
      }
      // Who has to wait now waits for the first thread, most likely: its lock is released later.
      const first = hasEnded(point.machine, thread) ? -1 : optionOf(point, this.exchange.first)
      if (first >= 0) return first
    }
    return -1
  }
}

function hasEnded(machine: Machine, thread: number): boolean {
  const { status, kind } = machine.pending
  return status[thread] === THREAD_DONE || (status[thread] === THREAD_LIVE && kind[thread] === Op.processExit)
}
