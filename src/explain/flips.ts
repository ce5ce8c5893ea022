import { Runner } from '../execution/runner.js'
import type { Trace } from '../execution/trace.js'
import { sameBug } from '../machine/bug.js'
import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import { announcedMode } from '../machine/operation.js'
import { dependent } from '../ordering/dependence.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { type Choices, type Failure, type Limits, stretchesOf } from './failure.js'
import { GuidedSchedule } from './guided-schedule.js'

/**
 * Two operations of different threads whose order can be reversed. Of the later one only its thread is sure to be known:
 * a thread that was stopped at the end may never have done it.
 */
export interface ConflictOrder {
  /** Transition, as all numbers here. */
  readonly first: number
  /** The number of transitions if the second never happened. */
  readonly second: number
  readonly firstThread: number
  readonly secondThread: number
  /** Where the two meet; -1 when they do not, and one only ended the execution. */
  readonly location: number
}

/** What became of an execution in which something was changed. */
export type Outcome = 'passes' | 'same-bug' | 'other'

export interface Tried extends Choices {
  readonly outcome: Outcome
}

/** In longer executions only the latest conflicts are looked at: all of them would be too many pairs. */
const longestWhole = 2000

/** How many steps a thread that is let go first may take before others have their turn. */
const longestTurn = 500

/** Runs a failing schedule and the schedules near it. */
export class Neighbours {
  private readonly runner: Runner
  private left: number

  constructor(
    private readonly machine: Machine,
    private readonly failure: Failure,
    private readonly limits: Limits,
  ) {
    this.runner = new Runner(machine, { maxSteps: 2 * failure.thread.length + 1000 })
    this.left = limits.maxExecutions
  }

  get isSpent(): boolean {
    return this.left <= 0 || this.limits.outOfTime()
  }

  /** Every pair of operations of this execution whose order can be reversed by itself, the last ones first. */
  orders(choices: Choices): { orders: ConflictOrder[]; before: (a: number, b: number) => boolean } {
    const { machine, runner } = this
    const hb = new HappensBefore(machine)
    const orders: ConflictOrder[] = []
    runner.run(new GuidedSchedule(stretchesOf(choices), true))
    this.left--
    const { trace } = runner
    const isShort = trace.length <= longestWhole
    const seen = new Set<string>()
    const add = (first: number, second: number, secondThread: number) => {
      const key = `${first} ${second} ${secondThread}`
      if (seen.has(key)) return
      seen.add(key)
      const firstThread = trace.thread[first]
      const location = this.meetingPlace(trace, first, second, secondThread)
      orders.push({ first, second, firstThread, secondThread, location })
    }
    while (hb.depth < trace.length) {
      hb.add(trace)
      const second = hb.depth - 1
      for (let i = 0; i < hb.raceCount; i++) add(hb.races[i], second, trace.thread[second])
      // Not only the latest: what lies in between may have to stay as it is.
      if (isShort) hb.eachConflict((first) => add(first, second, trace.thread[second]))
    }
    if (runner.status === 'failed') {
      const last = trace.length - 1
      for (const first of hb.racesOfFailure()) add(first, last, trace.thread[last])
    }
    const { pending, threads } = machine
    for (let thread = 0; thread < threads.count; thread++) {
      if (pending.status[thread] !== THREAD_LIVE) continue
      hb.weighPending(thread, machine.alternatives(thread) > 0)
      for (let i = 0; i < hb.raceCount; i++) add(hb.races[i], trace.length, thread)
      if (isShort && hb.raceCount > 0) hb.eachConflict((first) => add(first, trace.length, thread))
    }
    orders.sort((a, b) => b.second - a.second || b.first - a.first)
    return { orders, before: (a, b) => hb.ordered(a, b) }
  }

  private meetingPlace(trace: Trace, first: number, second: number, thread: number): number {
    const { machine } = this
    const { location, mode } = trace.events
    const later: [number, number][] = []
    if (second < trace.length) {
      for (let i = trace.eventStart(second); i < trace.eventEnd[second]; i++)
        later.push([location[i], mode[i]])
    }
    const { pending } = machine
    if (
      pending.status[thread] === THREAD_LIVE &&
      pending.location[thread] >= 0 &&
      second >= trace.length - 1
    ) {
      later.push([pending.location[thread], announcedMode[pending.kind[thread]]])
    }
    for (let i = trace.eventStart(first); i < trace.eventEnd[first]; i++) {
      for (const [at, how] of later) {
        if (dependent(machine.locations, location[i], mode[i], at, how)) return location[i]
      }
    }
    return -1
  }

  /** Runs the execution with one order reversed and all else, as far as it goes, as it was. */
  reverse(
    choices: Choices,
    { first, second, secondThread }: ConflictOrder,
    before: (a: number, b: number) => boolean,
  ): Tried {
    const { thread, value } = choices
    const end = Math.min(second, thread.length)
    const early: number[] = []
    const late: number[] = [first]
    for (let i = first + 1; i < end; i++) (before(first, i) ? late : early).push(i)
    const order = [
      ...Array.from({ length: first }, (_, i) => i),
      ...early,
      -1,
      ...late,
      ...Array.from({ length: Math.max(0, thread.length - end - 1) }, (_, i) => end + 1 + i),
    ]
    return this.run({
      thread: Int32Array.from(order, (i) => (i < 0 ? secondThread : thread[i])),
      value: Int32Array.from(order, (i) => (i < 0 ? (second < thread.length ? value[second] : 0) : value[i])),
    })
  }

  /** Runs the execution with another thread, as far as it can go, before one transition. */
  letFirst({ thread, value }: Choices, transition: number, other: number): Tried {
    const whole = new Array<number>(longestTurn).fill(other)
    return this.run({
      thread: Int32Array.from([...thread.slice(0, transition), ...whole, ...thread.slice(transition)]),
      value: Int32Array.from([
        ...value.slice(0, transition),
        ...whole.map(() => 0),
        ...value.slice(transition),
      ]),
    })
  }

  /** Runs the program with each thread, in this order, as far ahead of those after it as it can be. */
  byPriority(threads: readonly number[]): Tried {
    const turns = threads.flatMap((thread) => new Array<number>(longestTurn).fill(thread))
    return this.run({ thread: Int32Array.from(turns), value: new Int32Array(turns.length) })
  }

  /** Runs the execution with another alternative at one transition. */
  chooseOther({ thread, value }: Choices, transition: number, other: number): Tried {
    const changed = value.slice()
    changed[transition] = other
    return this.run({ thread, value: changed })
  }

  private run(choices: Choices): Tried {
    const { machine, runner } = this
    this.left--
    runner.run(new GuidedSchedule(stretchesOf(choices)))
    const { bug, trace, status } = runner
    const isPass = bug === null && status === 'completed' && !machine.assumptionFailed
    const outcome = isPass ? 'passes' : bug !== null && sameBug(bug, this.failure.bug) ? 'same-bug' : 'other'
    return { thread: trace.thread.slice(0, trace.length), value: trace.value.slice(0, trace.length), outcome }
  }
}
