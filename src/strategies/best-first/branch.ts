import type { Trace } from '../../execution/trace.js'
import type { Machine } from '../../machine/machine.js'

/** What partial-order reduction says of a branch; smaller is better. */
export const Need = {
  /** It reverses a race. */
  direct: 0,
  /** Added only to be safe: another thread may have to run first, or what is left is a release. */
  conservative: 1,
  /** DPOR would not go there. */
  none: 2,
} as const

/** A way to leave an execution that has just ended: what priority functions judge. Reused: do not keep it. */
export interface Branch {
  readonly machine: Machine
  /** The execution it leaves, complete. */
  readonly trace: Trace
  /** The step at which it leaves. */
  readonly step: number
  /** What it does there instead. */
  readonly thread: number
  readonly value: number
  /** The thread that ran just before, or -1. */
  readonly previous: number
  /** Whether that thread could have gone on and did not give way. */
  readonly preempts: boolean
  /** Preemptions up to and including this one. */
  readonly preemptions: number
  /** See `Need`. */
  readonly need: number
  /** The sleep set says that it leads nowhere new. */
  readonly asleep: boolean
  /** What `PriorityFunction.tag` said of `thread` at that step, and of `previous` (0 if there is none). */
  readonly tag: number
  readonly previousTag: number
}

/** Says how promising a branch is. Only the order of the search depends on it, never what is found in the end. */
export interface PriorityFunction {
  readonly name: string
  /** `priority` returns an integer from 0, the most promising, up to, not including, this. At most 65 536. */
  readonly levels: number
  /** Reads the events of `branch.trace`. */
  readonly footprints?: boolean
  /**
   * Called at every choice point for the threads that may run and the one that ran: what `priority` will need to know
   * about a thread standing there, since it is asked only after the execution has ended.
   */
  tag?(machine: Machine, thread: number): number
  priority(branch: Branch): number
}
