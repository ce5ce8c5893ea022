import type { Bug, Frame, Wait } from './bug.js'
import type { EventLog } from './events.js'
import { grown } from './growing.js'
import type { LocationTable, Site, ThreadTable } from './names.js'
import type { Platform, PlatformKey } from './platform.js'
import type { PointSet } from './points.js'

/**
 * Events of an execution after which it is cut, however few its transitions are; machines whose transitions can be long
 * ask when there are more. Well beyond what a test does, and what memory has room for.
 */
export const MOST_EVENTS = 3_000_000

export const THREAD_ABSENT = 0
export const THREAD_LIVE = 1
export const THREAD_DONE = 2

/** The operation each thread will do next, by thread index. Valid whenever the machine calls `Driver.next`. */
export class PendingOperations {
  /** `THREAD_ABSENT`, `THREAD_LIVE` or `THREAD_DONE`. */
  status = new Uint8Array(16)
  kind = new Uint8Array(16)
  /** The object, or -1 when there is none or it is not known yet. */
  location = new Int32Array(16)
  site = new Int32Array(16)

  /** Makes room for that many threads. */
  ensure(threads: number): void {
    if (threads <= this.status.length) return
    const size = Math.max(threads, this.status.length * 2)
    this.status = grown(this.status, size)
    this.kind = grown(this.kind, size)
    this.location = grown(this.location, size)
    this.site = grown(this.site, size)
  }
}

/** What `Driver.next` may answer instead of a thread: see `Machine.goesAlone`. */
export const ALONE = -2

/** The one who gives the orders: implemented by the runner, called by the machine. */
export interface Driver {
  /** Which alternative of the pending operation to take; set by `next`, 0 unless the operation has several. */
  value: number
  /**
   * Called when every live thread is stopped before its pending operation. Returns the thread to run, or -1 to end
   * the execution. The thread returned has `alternatives(thread) > value`.
   */
  next(): number
  /** Which thread `next` goes on naming as long as it is the only one left and can go on in one way only; -1 for none. */
  readonly alone?: number
  /**
   * Of machines that do all that this thread does up to the end of the program at once: tells how many steps that is, how
   * many events there are up to the end of each, from `eventEnd[from]` on, and a number that stands for just these steps.
   * The events are logged when `log` is called, if ever, before the next execution. False: `next` must be asked for each.
   */
  goAlone?(steps: number, eventEnd: Int32Array, from: number, tail: number, log: () => void): boolean
  /** Called now and then in a transition that goes on for long; what it throws ends the execution. */
  pause?(): void
  /** The machine gives the execution up: a transition took too long. Nothing is known of what would have followed. */
  cut?(): void
  /**
   * Of drivers that compare states: called after `next` when it named another thread than before, every thread being
   * stopped. True ends the execution. `snapshot` copies all on which it depends what the program can still do; null where
   * a machine cannot tell.
   */
  switched?(snapshot: () => Int32Array | null): boolean
}

/** Who can run, in index order; filled in by machines that can tell of all threads at once. */
export interface RunnableThreads {
  /** The thread of the last transition, or -1. */
  readonly previous: number
  count: number
  readonly thread: Int32Array
  /** Which alternative of its operation: 0, since each has one. */
  readonly value: Int32Array
  /** Where the previous one is among them, or -1. */
  stay: number
  /** Threads that have not ended. */
  live: number
}

/** Capability: an execution can begin in the middle. Never needed for correctness. */
export interface Checkpointing {
  /**
   * Asked right before `run`: the execution to come begins with the same `shared` transitions, taken in the same way, as
   * the last one, which this driver ran to its end. Answers how many of them `run` leaves out: everything is then as it
   * was after them, and `next` is asked for the one that follows. 0: it begins at the beginning.
   */
  goBack(driver: Driver, shared: number): number
}

/** Capability: what the program runs on can be varied. */
export interface PlatformControl {
  /** As it is now, as far as this machine can vary it. */
  readonly settings: Partial<Platform>
  /** Those of them that this program cannot have otherwise. */
  readonly fixed?: readonly PlatformKey[]
  /** Changes some of it for the executions to come. The hash changes with it: schedules of one do not fit the other. */
  use(changes: Partial<Platform>): void
}

/**
 * Capability: several words can be accessed in one step (a copy). Whoever cannot tell whether such an access raced must
 * assume it. Where its site is a point with `words`, it is made word by word.
 */
export interface LongAccesses {
  /** One was made in some execution. */
  readonly seen: boolean
  /** Names of the sites where one was made, so far. */
  readonly sites: readonly string[]
  /** Those among them that stayed in one step although their words were points: they cannot be split. */
  readonly unsplit: readonly string[]
}

/** One thing that a thread printed: the arguments of one call, whatever the library buffers. */
export interface Output {
  readonly thread: number
  /** Index of the site that printed, or -1. */
  readonly site: number
  /** `stdout`, `stderr`. */
  readonly stream: string
  readonly text: string
  /** Events logged before it, by then: which transition it was printed in. */
  readonly at: number
  /** Innermost first; only while `Inspection.keepsStacks`. */
  readonly frames?: readonly Frame[]
}

/** Capability: shows more than names, for reports and replays. */
export interface Inspection {
  /** When true, bugs tell the call stacks of what led to them. That is slower: for replays. */
  keepsStacks: boolean
  /**
   * The thread's call stack with lines, innermost first, beginning with `site` (its pending operation unless given).
   * Valid as long as `pending` is, and for the thread that failed until the next run.
   */
  framesOf(thread: number, site?: number): readonly Frame[]
  /** What a memory location holds now, for people; undefined where that cannot be told. */
  valueAt(location: number): string | undefined
  /** The local variable that a location lies in, if it is on a stack. */
  localAt(location: number): LocalVariable | undefined
}

export interface LocalVariable {
  /** Whose stack it is on. */
  readonly thread: number
  /** As that thread's functions call it now; undefined where that cannot be told. */
  readonly name: string | undefined
  /** It is a container or the like: what is stored there tells nothing by itself. */
  readonly isOpaque: boolean
}

/**
 * Runs one program, one thread at a time, under orders.
 *
 * Protocol. `run(driver)` starts from the initial state and calls `driver.next()` whenever all threads are stopped;
 * it then runs the thread named, from its pending operation up to, not including, that thread's next preemption
 * point, and asks again. That stretch is a *transition*. A thread also stops
 *  - before an operation it cannot do now (it is then not enabled), whatever the points are; if it would not have
 *    stopped there otherwise, it logs a `probe` of the object;
 *  - before `join`, inside a wait that can end by itself, and before a wait where the platform has spurious wake-ups;
 *  - after an operation that let another thread run (create, wake, post, last barrier arrival), whatever the points
 *    are: otherwise all it does next would seem to happen before the other's first step;
 *  - before `yield`, `choose` with more than one value, and any operation that has alternatives.
 * `run` returns when `next` returned -1, when a thread failed (`bug` is then set), or when the program ended.
 *
 * The machine is inverted (it calls, and is not called per step) so that a thread that goes on costs one call and no
 * switch: on the wasm machine only a real change of thread unwinds a stack.
 *
 * Everything visible is canonical: thread, location and site indexes come from tables whose names do not depend on
 * the interleaving, and two executions that differ only in the order of independent operations show equal names,
 * values and pending operations.
 */
export interface Machine {
  /** Name of the program, for people. */
  readonly name: string
  /** Hash of all that decides its behaviour; a schedule recorded on another hash is refused. */
  readonly hash: string
  readonly threads: ThreadTable
  readonly locations: LocationTable
  readonly sites: readonly Site[]
  readonly pending: PendingOperations
  readonly events: EventLog
  /** When false, the machine need not fill `events`: set by the runner for strategies and observers that read none. */
  footprints: boolean
  /**
   * A transition may do more than its pending operation announces, even where every operation is a point;
   * `transactions`: only the body of a transaction does, which is one alternative.
   */
  readonly isCompound: boolean | 'transactions'
  /**
   * What happens depends on more than the order of synchronisation and of accesses that race: an invariant is watched,
   * which sees every write, freed memory is reused, or regions without interrupts, whose order is not explored for its own
   * sake, hide races. Only points everywhere tell all orders then.
   */
  readonly needsEverywhere: boolean
  /** Set by `run` when a thread failed, else null. */
  readonly bug: Bug | null
  /**
   * A thread has stopped for ever because an assumption of the program does not hold. The execution is then of no
   * further interest: that nobody can run is no deadlock, and the checks at the end do not apply.
   */
  readonly assumptionFailed: boolean
  /** What the program printed in this execution so far. */
  readonly output: string
  /** The same, operation by operation; absent where a machine cannot tell who printed what. */
  readonly outputs?: readonly Output[]

  // What some machines can do besides; whoever makes use of one asks whether it is there.
  readonly checkpoints?: Checkpointing
  readonly platform?: PlatformControl
  readonly longAccesses?: LongAccesses
  readonly inspection?: Inspection
  /**
   * Of machines that can do transitions from memory which the program has done before: whether they may, set by the
   * runner. Only a rerun, which is to show that the program is deterministic, must be a real one.
   */
  mayRecall?: boolean

  /** The points in use. */
  readonly points: PointSet
  /** The preemption points of the executions to come. */
  usePoints(points: PointSet): void
  run(driver: Driver): void
  /**
   * How many ways the pending operation of a live thread can go now: 0 if it must wait, 1 for most, n for
   * `choose(n)` or a signal with n waiters. A timed operation is never 0: run while it would have to wait, it times
   * out. `processExit` counts as enabled; the runner keeps it for when nothing else is.
   */
  alternatives(thread: number): number
  /**
   * The same for all live threads at once, but those about to end the program. False: they have to be asked one by one.
   * Never if one of them has several alternatives or nobody can run.
   */
  collect?(into: RunnableThreads): boolean
  /**
   * The same as a set of at most 31 threads, a bit each; 0 where it has to be asked for otherwise. Cheaper than all the
   * options where nobody looks at them.
   */
  readonly ableThreads?: number
  /**
   * It may do at once all that a thread does which is left alone: `Driver.next` then answers `ALONE`, and the machine
   * calls `goAlone`, or asks again.
   */
  readonly goesAlone?: boolean
  /** Canonical name of an alternative (`1`, `wakes 0.2`); what schedules hold. */
  alternativeName(thread: number, value: number): string
  /** Runs the at-end checks of a completed execution. */
  checkEnd(): Bug | null
  /** What a thread that is not enabled waits for. */
  waitOf(thread: number): Wait
  /** Function names on the thread's stack, innermost first. */
  stackOf(thread: number): readonly string[]
  /** Name of an object, for people. */
  describeLocation(location: number): string
  /**
   * Canonical text of the shared state, for tests and comparisons; not for the hot path. It may rest on the events:
   * states taken with footprints and without do not compare.
   */
  finalState(): string
}
