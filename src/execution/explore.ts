import type { Bug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { type ExecutionCounts, noExecutions } from './counts.js'
import type { Observer } from './observer.js'
import { OverdueError, Runner } from './runner.js'
import type { Strategy } from './strategy.js'

export interface ExploreOptions {
  readonly machine: Machine
  readonly strategy: Strategy
  readonly observers?: readonly Observer[]
  readonly maxSteps?: number
  /** Executions (blocked ones included) after which to stop. */
  readonly maxExecutions?: number
  /** Asked now and then; true ends the search between two executions. */
  readonly outOfTime?: () => boolean
  /** See `RunnerOptions`. */
  readonly isOverdue?: (() => boolean) | undefined
  readonly keepGoing?: boolean
  /** Bugs that count as none. */
  readonly ignores?: (bug: Bug) => boolean
  /** Called after every execution that was not a rerun. */
  readonly onExecution?: (runner: Runner) => void
}

export interface Exploration extends ExecutionCounts {
  /** Executions with a bug. */
  failures: number
  /** The bug found first, and the schedule that shows it. */
  firstBug: { bug: Bug; thread: Int32Array; value: Int32Array; preemptions: number; execution: number } | null
  /** The strategy has nothing left. */
  exhausted: boolean
  /** The last execution was given up in the middle: see `OverdueError`. */
  isAbandoned: boolean
}

/** Steps after which the clock is asked again, and what starting an execution costs, in steps. */
const workPerLook = 2000
const workPerRun = 50

/** Runs executions until the strategy has nothing left, a bug is found, or a limit is met. */
export function explore(options: ExploreOptions): Exploration {
  const { machine, strategy, keepGoing = false, maxExecutions = Infinity, outOfTime, onExecution } = options
  const runner = new Runner(machine, {
    ...(options.maxSteps === undefined ? {} : { maxSteps: options.maxSteps }),
    observers: options.observers ?? [],
    isOverdue: options.isOverdue,
  })
  const result: Exploration = {
    ...noExecutions,
    failures: 0,
    firstBug: null,
    exhausted: false,
    isAbandoned: false,
  }
  // The clock is asked by work done, so that neither long executions nor reruns, which count for nothing, delay it.
  let work = workPerLook
  for (let n = 0; n < maxExecutions; ) {
    if (work >= workPerLook) {
      if (outOfTime?.()) return result
      work = 0
    }
    try {
      if (!runner.run(strategy)) {
        result.exhausted = true
        return result
      }
    } catch (error) {
      if (!(error instanceof OverdueError)) throw error
      result.isAbandoned = true
      return result
    }
    work += workPerRun + runner.trace.length
    if (strategy.rerun) continue
    n++
    result.steps += runner.trace.length
    const isBug = runner.bug !== null && options.ignores?.(runner.bug) !== true
    if (runner.status === 'blocked') result.blocked++
    else if (runner.isCutForNow) result.postponed++
    // What follows a round that goes on for ever was not seen, should the bug be ignored.
    else if (runner.status === 'cut' && !isBug) {
      result.cut++
      if (runner.isCutEarly) result.cutEarly++
    } else if (runner.bug === null && machine.assumptionFailed) result.stoppedByAssume++
    else result.executions++
    if (runner.unfinished > result.unfinished) result.unfinished = runner.unfinished
    if (isBug && runner.bug !== null) {
      result.failures++
      const { trace } = runner
      result.firstBug ??= {
        bug: runner.bug,
        thread: trace.thread.slice(0, trace.length),
        value: trace.value.slice(0, trace.length),
        preemptions: trace.preemptions,
        execution: n,
      }
    }
    onExecution?.(runner)
    if (isBug && !keepGoing) return result
  }
  return result
}
