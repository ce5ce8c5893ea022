import type { Bug } from '../machine/bug.js'
import { grown } from '../machine/growing.js'
import { ALONE, type Driver, type Machine, MOST_EVENTS, THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { Choices, canContinue, givesWay } from './choices.js'
import { findCycle } from './cycle.js'
import { diagnoseStuck } from './deadlock.js'
import type { EnabledThreads } from './enabled-threads.js'
import type { Observer } from './observer.js'
import { deciderOf, emptyScript, PASS, type Script, type Strategy } from './strategy.js'
import { type Status, Trace } from './trace.js'

/** The program did not do under a schedule what it did when the schedule was made. */
export class DivergenceError extends Error {
  override readonly name = 'DivergenceError'
  constructor(
    readonly step: number,
    readonly expected: string,
    readonly found: string,
  ) {
    super(`step ${step}: expected ${expected}, found ${found}`)
  }
}

/** Time is up, and the execution under way was given up in the middle: its strategy can neither go on nor be saved. */
export class OverdueError extends Error {
  override readonly name = 'OverdueError'
}

const noObservers: readonly Observer[] = []
const isReading = ({ footprints }: Observer) => footprints

/** Choices between two looks at the clock: fewer in a long execution, where one choice of `graphs` may take many milliseconds. */
const choicesPerLook = (depth: number) => (depth < 2048 ? 64 : 8)

export interface RunnerOptions {
  /** Asked now and then during an execution; true gives it up with an `OverdueError`. */
  readonly isOverdue?: (() => boolean) | undefined
  /** Transitions after which an execution is cut. */
  readonly maxSteps?: number
  readonly observers?: readonly Observer[]
}

export const defaultMaxSteps = 100_000

/** An execution whose steps are long is cut when it did so many times as much as one with that many steps. */
const eventsPerStep = 20
const leastEvents = 500_000

/** Runs one execution after another on a machine, under a strategy. */
export class Runner implements Driver {
  value = 0
  /** The thread that goes on without anybody being asked as long as it is alone, or -1. */
  alone = -1
  readonly trace: Trace
  status: Status = 'completed'
  /** The bug of the last execution, or null. */
  bug: Bug | null = null
  /** The last execution was cut at a limit of the strategy's, which will go on with it. */
  isCutForNow = false
  /** The last execution was cut before the limit of steps: one of them took too long, or all of them did too much. */
  isCutEarly = false
  /** Threads that had not ended when the program did, in the last execution. */
  unfinished = 0

  private readonly choices: Choices
  private readonly maxSteps: number
  private readonly isOverdue: (() => boolean) | undefined
  /** Events after which an execution is cut, however few its steps. */
  private readonly mostEvents: number
  /** Steps after which the execution under way is cut. */
  private limit = 0
  private readonly observers: readonly Observer[]
  /** Those of the execution under way that see every transition. */
  private stepWatchers: readonly Observer[] = []
  private readonly allStepWatchers: readonly Observer[]
  private strategy!: Strategy
  /** Who decides the execution under way. */
  private decider!: Strategy
  private script: Script = emptyScript
  /** Transitions that have ended: observers see each once. */
  private closed = 0
  /** Per transition: switches and preemptions before it. */
  private switchesBefore = new Int32Array(256)
  private preemptionsBefore = new Int32Array(256)

  constructor(
    readonly machine: Machine,
    options: RunnerOptions = {},
  ) {
    this.trace = new Trace(machine.events)
    this.choices = new Choices(machine, this.trace)
    this.maxSteps = options.maxSteps ?? defaultMaxSteps
    this.isOverdue = options.isOverdue
    this.mostEvents = Math.min(Math.max(leastEvents, eventsPerStep * this.maxSteps), MOST_EVENTS)
    this.observers = options.observers ?? []
    this.allStepWatchers = this.observers.filter(({ transition }) => transition !== undefined)
  }

  /** One execution. False when the strategy has nothing left; otherwise `status`, `bug` and `trace` tell of it. */
  run(strategy: Strategy): boolean {
    if (!strategy.begin()) return false
    const goesOn = this.strategy === strategy
    this.strategy = strategy
    const decider = (this.decider = deciderOf(strategy))
    this.limit = Math.min(this.maxSteps, strategy.maxSteps ?? Infinity)
    this.script = decider.script
    const { machine, trace } = this
    // A rerun counts for nothing: observers saw that execution already.
    const observers = strategy.rerun ? noObservers : this.observers
    this.stepWatchers = strategy.rerun ? noObservers : this.allStepWatchers
    this.status = 'completed'
    this.bug = null
    this.unfinished = 0
    this.isCutForNow = false
    this.isCutEarly = false
    this.alone = -1
    this.choices.begin(decider.goesOn !== undefined)
    // Observers may look at some executions only.
    machine.footprints = strategy.footprints || this.observers.some(isReading)
    machine.mayRecall = strategy.rerun !== true
    const shared = this.sharedSteps(goesOn)
    trace.clear()
    for (const observer of observers) observer.begin?.(machine, trace)
    const kept = shared < 0 ? 0 : machine.checkpoints!.goBack(this, shared)
    trace.length = this.closed = kept
    trace.shared = Math.max(0, shared)
    trace.preemptions = kept === 0 ? 0 : this.preemptionsBefore[kept]
    trace.switches = kept === 0 ? 0 : this.switchesBefore[kept]
    machine.run(this)
    this.close()
    if (trace.length < this.script.length) throw this.endedEarly()
    if (machine.bug !== null) {
      this.status = 'failed'
      this.bug = machine.bug
    } else if (this.status === 'completed' && !machine.assumptionFailed) {
      this.countUnfinished()
      this.bug = machine.checkEnd()
    }
    strategy.end(trace, this.status)
    for (const observer of observers) observer.end?.(trace, this.status)
    this.lookAtEnd(strategy)
    return true
  }

  /** An execution that was cut may be one that goes round for ever; one whose choices are used up must be. */
  private lookAtEnd(strategy: Strategy): void {
    if (this.status === 'cut' && strategy.rerun !== true) this.lookForCycle(false)
    else if (this.status === 'blocked' && strategy.usedUp && !this.lookForCycle(true)) throw strategy.usedUp
  }

  /** Whether the execution, which did not end, goes round for ever. The trace then ends where that shows. */
  private lookForCycle(atEnd: boolean): boolean {
    const { machine, trace } = this
    const cycle = findCycle(machine, trace, atEnd, () => this.pause())
    if (cycle === null) return false
    this.bug = cycle.bug
    this.isCutForNow = false
    trace.length = cycle.length
    trace.preemptions = this.preemptionsBefore[cycle.length - 1]
    trace.switches = this.switchesBefore[cycle.length - 1]
    return true
  }

  /**
   * How many steps the execution to come has in common with the last one; -1 if it must begin at the beginning: it is not
   * known how it begins, or somebody watches every transition.
   */
  private sharedSteps(isSameStrategy: boolean): number {
    const { machine, trace } = this
    const script = this.decider.expected ?? this.script
    if (machine.checkpoints === undefined || script.length === 0) return -1
    if (this.stepWatchers.length > 0) return -1
    // Of steps that were done at once, nothing was kept but their number.
    const length = Math.min(script.length, trace.length, trace.tailStart)
    let shared = isSameStrategy ? Math.min(script.shared ?? 0, length) : 0
    while (
      shared < length &&
      script.thread[shared] === trace.thread[shared] &&
      script.value[shared] === trace.value[shared]
    )
      shared++
    return shared
  }

  pause(): void {
    if (this.isOverdue?.()) throw new OverdueError('time is up')
  }

  cut(): void {
    this.status = 'cut'
    this.isCutEarly = true
  }

  next(): number {
    const { trace } = this
    const depth = trace.length
    if (depth % choicesPerLook(depth) === 0 && depth > 0) this.pause()
    this.close()
    const script = this.script
    if (depth < script.length) return this.follow(script.thread[depth], script.value[depth])
    if (this.alone >= 0) {
      if (this.isAlone(this.alone)) return this.take(this.alone, 0, false)
      this.alone = -1
    }
    if (this.choices.enabled !== null) {
      const onward = this.onward(this.choices.enabled)
      if (onward >= 0) return this.take(onward, 0, this.couldHaveStayed(onward, this.choices.enabled))
    }
    if (this.decider.nominate !== undefined) {
      const answer = this.nominee(this.decider)
      if (answer !== PASS) return answer
    }
    const point = this.choices.next()
    if (point.count === 0) return this.stop()
    if (this.isAtLimit()) return -1
    const option = this.decider.choose(point)
    if (option < 0) {
      this.status = 'blocked'
      return -1
    }
    if (point.isLetGo) {
      this.alone = point.thread[option]
      if (this.machine.goesAlone) return ALONE
    }
    return this.take(point.thread[option], point.value[option], point.stay >= 0 && !point.voluntary)
  }

  /** Whether the execution has to be cut here. */
  private isAtLimit(): boolean {
    const { length: depth, events } = this.trace
    if (depth < this.limit && events.count <= this.mostEvents) return false
    this.status = 'cut'
    this.isCutEarly = depth < this.limit
    this.isCutForNow = depth < this.maxSteps && events.count <= this.mostEvents
    return true
  }

  /** Asks a strategy that may know who goes on without seeing all options. */
  private nominee(decider: Strategy): number {
    const { length: depth, events } = this.trace
    // Whether nobody can run, which is no cut, is seen where all options are.
    if (depth >= this.limit || events.count > this.mostEvents) return PASS
    const point = this.choices.clearPoint()
    const option = decider.nominate!(point)
    if (option === PASS) return PASS
    if (option < 0) {
      this.status = 'blocked'
      return -1
    }
    return this.take(point.thread[option], point.value[option], this.couldStay(point.thread[option]))
  }

  /** Whether a thread that was let go is still the only one left, can go on in one way, and no limit is reached. */
  private isAlone(thread: number): boolean {
    const { machine, trace } = this
    if (trace.length >= this.limit || trace.events.count > this.mostEvents) return false
    const { status } = machine.pending
    const threads = machine.threads.count
    for (let t = 0; t < threads; t++) if (status[t] === THREAD_LIVE && t !== thread) return false
    return status[thread] === THREAD_LIVE && machine.alternatives(thread) === 1
  }

  /** A thread that goes on without a choice among options, the one that ran last before others; -1 if there is none. */
  private onward(enabled: EnabledThreads): number {
    const { machine, trace, decider } = this
    const { length: depth } = trace
    if (depth >= this.limit || trace.events.count > this.mostEvents) return -1
    if (depth > 0) {
      const last = trace.thread[depth - 1]
      const { status, kind } = machine.pending
      const isThere = status[last] === THREAD_LIVE && kind[last] !== Op.processExit
      if (isThere && machine.alternatives(last) === 1 && decider.goesOn!(last, depth)) return last
    }
    if (decider.runsOn === undefined) return -1
    enabled.update()
    return decider.runsOn(enabled, depth)
  }

  goAlone(steps: number, eventEnd: Int32Array, from: number, tail: number, log: () => void): boolean {
    this.close()
    const { trace } = this
    const first = trace.length
    const start = trace.events.count
    if (first + steps > this.limit || start + eventEnd[from + steps - 1] > this.mostEvents) return false
    if (this.stepWatchers.length > 0) return false
    this.enter(first)
    if (first > 0 && trace.thread[first - 1] !== this.alone) trace.switches++
    trace.endWith(this.alone, steps, eventEnd, from, tail, log)
    this.closed = trace.length
    return true
  }

  /** Ends the transition under way: its events are those logged so far. */
  private close(): void {
    const { trace } = this
    const last = trace.length - 1
    if (last < this.closed) return
    this.closed = trace.length
    trace.eventEnd[last] = trace.events.count
    const { stepWatchers } = this
    for (let i = 0; i < stepWatchers.length; i++) stepWatchers[i].transition!(trace, last)
  }

  /** Whether it is a preemption to leave the thread that ran last for this one. */
  private couldStay(thread: number): boolean {
    const { trace, machine } = this
    if (trace.length === 0) return false
    const previous = trace.thread[trace.length - 1]
    return previous !== thread && canContinue(machine, previous) && !givesWay(machine, previous)
  }

  /** The same where it is known who can run. */
  private couldHaveStayed(thread: number, enabled: EnabledThreads): boolean {
    const { trace, machine } = this
    if (trace.length === 0) return false
    const previous = trace.thread[trace.length - 1]
    return previous !== thread && enabled.includes(previous) && !givesWay(machine, previous)
  }

  private take(thread: number, value: number, couldStay: boolean): number {
    const { trace } = this
    const depth = trace.length
    this.choices.enabled?.runs(thread)
    this.enter(depth)
    if (depth > 0) {
      const previous = trace.thread[depth - 1]
      if (previous !== thread) {
        trace.switches++
        if (couldStay) trace.preemptions++
      }
    }
    trace.push(thread, value)
    this.value = value
    return thread
  }

  /** A transition is about to be made. */
  private enter(depth: number): void {
    const { trace } = this
    if (depth === this.switchesBefore.length) this.grow()
    this.switchesBefore[depth] = trace.switches
    this.preemptionsBefore[depth] = trace.preemptions
  }

  private grow(): void {
    const size = this.switchesBefore.length * 2
    this.switchesBefore = grown(this.switchesBefore, size)
    this.preemptionsBefore = grown(this.preemptionsBefore, size)
  }

  private follow(thread: number, value: number): number {
    const { machine, trace } = this
    if (
      thread < machine.threads.count &&
      machine.pending.status[thread] === THREAD_LIVE &&
      machine.alternatives(thread) > value
    ) {
      return this.take(thread, value, this.couldStay(thread))
    }
    const found = this.choices.describe()
    throw new DivergenceError(
      trace.length,
      `thread ${machine.threads.names[thread] ?? thread}${value > 0 ? ` with alternative ${value}` : ''} to be able to run`,
      found.length === 0 ? 'no thread that can' : `only ${found.join(', ')}`,
    )
  }

  /** The program ended before its script did. */
  private endedEarly(): DivergenceError {
    const { machine, trace, script } = this
    const name = machine.threads.names[script.thread[trace.length]]
    const found =
      machine.bug === null ? 'the end of the program' : `${machine.bug.kind}: ${machine.bug.message}`
    return new DivergenceError(trace.length, `thread ${name} to be able to run`, found)
  }

  /** Nobody can run: either all have ended, or those that have not are stuck. */
  private stop(): number {
    const { machine } = this
    if (machine.assumptionFailed) return -1
    const { status } = machine.pending
    for (let thread = 0; thread < machine.threads.count; thread++) {
      if (status[thread] !== THREAD_LIVE) continue
      this.status = 'stuck'
      this.bug = this.choices.leftBehind ?? diagnoseStuck(machine)
      break
    }
    return -1
  }

  private countUnfinished(): void {
    const { pending, threads } = this.machine
    let unfinished = 0
    for (let thread = 0; thread < threads.count; thread++) {
      if (pending.status[thread] === THREAD_LIVE && pending.kind[thread] !== Op.processExit) unfinished++
    }
    this.unfinished = unfinished
  }
}
