import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { EnabledThreads } from './enabled-threads.js'
import type { Status, Trace } from './trace.js'

/** A moment where something not determined by the program is decided. Reused: read it, do not keep it. */
export class ChoicePoint {
  /** Transitions done so far. */
  depth = 0
  /** Number of options, at least 1. */
  count = 0
  /** Option i runs `thread[i]` with alternative `value[i]`; ordered by thread index, then value. */
  thread = new Int32Array(64)
  value = new Int32Array(64)
  /** The thread of the last transition, or -1 at the beginning. */
  previous = -1
  /** First option of the previous thread, or -1 if it cannot go on. */
  stay = -1
  /** The previous thread gives the processor away by itself: leaving it is no preemption. */
  voluntary = false
  /** Threads that have not ended, where options are collected anew. */
  live = 0
  /** Set by a strategy that need not be asked again as long as that thread is alone and can go on in one way only. */
  isLetGo = false

  constructor(
    readonly machine: Machine,
    /** The execution so far. */
    readonly trace: Trace,
  ) {}

  /** For so many options in all. */
  makeRoom(options: number): void {
    if (options <= this.thread.length) return
    for (const key of ['thread', 'value'] as const) this[key] = grown(this[key], 2 * options)
  }

  add(thread: number, value: number): void {
    const i = this.count
    if (i === this.thread.length) this.makeRoom(i + 1)
    this.thread[i] = thread
    this.value[i] = value
    this.count = i + 1
  }

  /** Whether taking option i is a preemption. */
  preempts(option: number): boolean {
    return this.stay >= 0 && !this.voluntary && this.thread[option] !== this.previous
  }
}

/** Choices made in advance: followed without asking. */
export interface Script {
  readonly thread: Int32Array
  readonly value: Int32Array
  readonly length: number
  /**
   * That many of them are certain to be the first choices of the execution before, which the same strategy made. Without
   * it, whoever wants to know compares.
   */
  readonly shared?: number
}

export const emptyScript: Script = { thread: new Int32Array(0), value: new Int32Array(0), length: 0 }

/** What `Strategy.nominate` answers where it has to see all options. */
export const PASS = -2

/** JSON-able. */
export type Saved = { readonly [key: string]: unknown }

/**
 * Decides every nondeterministic choice. Lives across executions.
 *
 * Protocol, per execution: `begin`; the runner then follows `script` to its end without asking; `choose` for every
 * later choice point; `end` once, whatever happened. Between `end` and `begin`, `save` may be called.
 */
export interface Strategy {
  /** As in the registry, with arguments: `pct:3`. */
  readonly name: string
  /** Reads the events of transitions; without it machines may leave them out. */
  readonly footprints: boolean
  /**
   * The execution under way repeats the last one to check something, which observers need not see; or the one that
   * has just ended turned out to be one seen before. Either way it counts for nothing.
   */
  readonly rerun?: boolean
  /**
   * Sites of accesses of several words (copies) that raced although they run as one step, so that finer interleavings
   * exist than were explored; undefined when the strategy cannot tell. Kept where every transition should be one
   * operation.
   */
  readonly longRaces?: ReadonlySet<number> | undefined
  /** Some of them cannot be split; see `splitting.ts`. */
  readonly coarse?: boolean
  /** Steps after which executions are cut for now, if the run does not cut them sooner. */
  readonly maxSteps?: number | undefined
  /** How often the search has begun anew. */
  readonly restarts?: number
  /**
   * Of a bounded search: the largest bound explored completely, -1 for none, Infinity once nothing was left out. It stays
   * where it is once an execution was cut: what comes later in that one was not seen.
   */
  readonly completedBound?: number | undefined
  /** Of samplers that look: about which part of the latest executions showed something new. */
  readonly novelty?: number | undefined
  /** Of a part of a search: the depth at which it begins. The points above belong to the whole. */
  readonly root?: number
  /** The strategy that this one is around, if it is. */
  readonly inner?: Strategy
  /**
   * Of strategies around one: who decides the execution under way, if this one has no part in it. Looked at after `begin`:
   * `script`, `goesOn`, `runsOn`, `nominate`, `expected` and `choose` are then asked of that one, so that layers cost nothing per choice.
   */
  readonly decider?: Strategy | undefined
  /** Valid from `begin` to the end of the execution. */
  readonly script: Script
  /**
   * Of schedules that are followed to their end: the execution was given up because they say no more. Either its threads
   * go round for ever there, or the program does not do what it did, and this is thrown.
   */
  readonly usedUp?: Error | null
  /**
   * Of samplers: asked before the options are gathered, with the thread that ran last and can go on in one way. True: it
   * does, and nobody is asked. The options of those that have this may be found by what changed since the last choice
   * (`EnabledThreads`).
   */
  goesOn?(thread: number, depth: number): boolean
  /**
   * Of those: asked before options are listed, with the threads that have come to another operation since it was last asked.
   * A thread that can go on in one way and does, or -1.
   */
  runsOn?(enabled: EnabledThreads, depth: number): number
  /**
   * Of samplers that can choose without a list of options: asked instead of `choose` where threads can run, each in one way.
   * Draws as `choose` would. The thread that is to run, or -1, before anything is drawn, to be asked for an option.
   */
  pickThread?(enabled: EnabledThreads, machine: Machine): number
  /** Of those: a thread has come to another operation. */
  arrives?(thread: number): void
  /** Called before each execution; false means nothing is left to explore. */
  begin(): boolean
  /**
   * Of strategies that know who goes on without seeing all options, which takes time to gather: asked before `choose`, with a
   * point that has none. Adds one to it and answers 0; -1 to give the execution up; `PASS`: `choose` is asked.
   */
  nominate?(point: ChoicePoint): number
  /**
   * Of those: choices that the execution begins with. As many of them as the last execution began with, too, may have been made
   * already when it is asked first; it is asked for the others.
   */
  readonly expected?: Script
  /** An option of the point, or -1 to give the execution up as redundant. */
  choose(point: ChoicePoint): number
  /** Sees the finished execution. */
  end(trace: Trace, status: Status): void
  /**
   * Of depth-first searches, between `end` and `begin`: how many branches known so far, not begun yet, leave the last
   * execution at that depth. What estimators go by.
   */
  untried?(depth: number): number
  /** Everything needed to continue exactly; read back by the strategy's registry entry. */
  save(): Saved
}

/** Who decides the execution that the strategy has begun. */
export function deciderOf(strategy: Strategy): Strategy {
  let decider = strategy
  for (let next = decider.decider; next !== undefined; next = decider.decider) decider = next
  return decider
}

/** The strategy inside all that is around it. */
export function innermost(strategy: Strategy): Strategy {
  return strategy.inner ? innermost(strategy.inner) : strategy
}
