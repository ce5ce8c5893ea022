import type { Forecast, Outlook } from '../estimators/index.js'
import { asNondeterminism, checkDeterminism } from '../execution/determinism.js'
import { explore } from '../execution/explore.js'
import type { Observer } from '../execution/observer.js'
import { Runner } from '../execution/runner.js'
import type { Strategy } from '../execution/strategy.js'
import { type Bug, sameBug } from '../machine/bug.js'
import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import type { PointSet } from '../machine/points.js'
import type { OptionOrder } from '../strategies/option-order.js'
import type { StrategyOptions } from '../strategies/registry.js'
import { type Counters, noCounters, union } from './counters.js'
import { DebugLog } from './debug-log.js'
import { DeepCheck } from './deep-check.js'
import { type Ignored, ignoredAs } from './ignored.js'

/** What to explore, and how. Plain data. */
export interface SearchPlan {
  readonly points: PointSet
  /** Strategy with its argument: `optimal`, `pct:3`. */
  readonly strategy: string
  readonly order: OptionOrder
  readonly bound?: number | undefined
  readonly seed: number
  /** Options that only this strategy has; not saved with a search. */
  readonly options?: StrategyOptions | undefined
  /** Executions, redundant and cut ones included, after which to stop. */
  readonly maxExecutions?: number | undefined
  readonly maxSteps?: number | undefined
  readonly keepGoing: boolean
  /** Bugs to step over. */
  readonly ignore?: readonly Ignored[] | undefined
  /** How many of the first executions are run twice to check that the program is deterministic. */
  readonly selfCheck: number
  /** Look at what the search rests on after every execution: see `DeepCheck`. */
  readonly isCheckedDeeply?: boolean | undefined
  /** Path of a file to write every execution to: see `DebugLog`. */
  readonly debugFile?: string | undefined
}

/** A bug as a search has seen it, by indexes of the machine at hand. */
export interface SeenFailure {
  readonly bug: Bug
  /** The choices that show it, as indexes; of the executions with this bug, one with fewest preemptions. */
  thread: Int32Array
  value: Int32Array
  /** The points that the choices are made at. */
  points: PointSet
  preemptions: number
  /** Number of the execution that showed it first, from 1. */
  readonly execution: number
  /** How many executions showed it. */
  count: number
}

export type StopReason =
  /** The strategy has nothing left. */
  | 'exhausted'
  | 'bug'
  /** The number of executions asked for is reached. */
  | 'executions'
  | 'budget'
  | 'memory'
  /** It had as much time as it was given, and others are to have theirs. */
  | 'patience'
  | 'interrupted'

export interface SearchResult extends Counters {
  stopped: StopReason
  /** The last execution was given up in the middle: the search can be neither continued nor saved. */
  isAbandoned?: boolean
  /** See `Strategy.completedBound`. */
  completedBound?: number | undefined
  /** See `Strategy.coarse`. */
  coarse?: boolean | undefined
  /** What was still to come when this was written; undefined where that cannot be estimated. */
  outlook?: Outlook | undefined
  /** Distinct by kind and place, in the order found. */
  readonly bugs: SeenFailure[]
}

export interface SearchControl {
  /** Asked between slices: why to end now, or null to go on. */
  readonly stopReason?: () => StopReason | null
  /** Asked now and then between executions; true ends the slice. */
  readonly isSpent?: () => boolean
  /** Asked now and then during executions: true gives the one under way up. */
  readonly isOverdue?: (() => boolean) | undefined
  /** Watch every execution, self-check reruns included. */
  readonly observers?: readonly Observer[]
  /** Watches the search; made with its strategy, and as old as the search. */
  readonly forecast?: Forecast | undefined
  /** Seconds the search took before, if it is being resumed. */
  readonly secondsBefore?: number
  /** Called a few times per second, between executions. */
  readonly onProgress?: (soFar: SearchResult) => void
  /** Waited for between slices; by default only until others had their turn. */
  readonly pause?: (soFar: SearchResult) => Promise<void>
}

const sliceMs = 50

/**
 * Explores until the strategy has nothing left, a bug is found, or time, executions or patience run out. Works in
 * slices, so that signals and timers of the process are served between them. The machine has the points that the
 * strategy was made for; the search may add some.
 */
export async function runSearch(
  machine: Machine,
  plan: SearchPlan,
  strategy: Strategy,
  control: SearchControl,
): Promise<SearchResult> {
  const checked = checkDeterminism(strategy, machine, plan.selfCheck)
  const result: SearchResult = { ...noCounters, stopped: 'exhausted', bugs: [] }
  const deepCheck = plan.isCheckedDeeply ? new DeepCheck(machine, plan.strategy, strategy) : null
  const debugLog = plan.debugFile ? new DebugLog(machine, plan.strategy, strategy, plan.debugFile) : null
  const observers = [
    ...(control.observers ?? []),
    ...(control.forecast ? [control.forecast] : []),
    ...(deepCheck || debugLog ? [{ footprints: true }] : []),
  ]
  let ran = 0
  const nameIgnored = (bug: Bug) => ignoredAs(bug, plan.ignore ?? [], machine)
  const onExecution = (runner: Runner) => {
    ran++
    debugLog?.note(runner)
    deepCheck?.check(runner)
    const as = runner.bug && nameIgnored(runner.bug)
    if (as) result.ignored = { ...result.ignored, [as]: (result.ignored[as] ?? 0) + 1 }
    else if (runner.bug !== null) collectBug(result, runner, ran)
    if (runner.unfinished > 0)
      result.unfinishedThreads = union(result.unfinishedThreads, unfinishedNow(runner))
  }
  const stop = (reason: StopReason) => {
    if (checked.owesRerun && !result.isAbandoned) {
      naming(() =>
        new Runner(machine, plan.maxSteps === undefined ? {} : { maxSteps: plan.maxSteps }).run(checked),
      )
    }
    result.stopped = reason
    result.completedBound = strategy.completedBound
    result.coarse = strategy.coarse
    return result
  }
  for (;;) {
    const reason = control.stopReason?.() ?? null
    if (reason !== null) return stop(reason)
    const left = (plan.maxExecutions ?? Infinity) - ran
    if (left <= 0) return stop('executions')
    const sliceStart = performance.now()
    const part = naming(() =>
      explore({
        machine,
        strategy: checked,
        keepGoing: plan.keepGoing,
        ignores: (bug) => nameIgnored(bug) !== undefined,
        maxExecutions: left,
        isOverdue: control.isOverdue,
        outOfTime: () => performance.now() - sliceStart > sliceMs || (control.isSpent?.() ?? false),
        onExecution,
        observers,
        ...(plan.maxSteps === undefined ? {} : { maxSteps: plan.maxSteps }),
      }),
    )
    result.seconds += (performance.now() - sliceStart) / 1000
    result.executions += part.executions
    result.blocked += part.blocked
    result.postponed += part.postponed
    result.stoppedByAssume += part.stoppedByAssume
    result.cut += part.cut
    result.cutEarly += part.cutEarly
    result.steps += part.steps
    result.unfinished = Math.max(result.unfinished, part.unfinished)
    if (part.isAbandoned) {
      result.isAbandoned = true
      return stop('budget')
    }
    if (part.exhausted) return stop('exhausted')
    result.outlook = control.forecast?.outlook((control.secondsBefore ?? 0) + result.seconds)
    if (part.failures > 0 && !plan.keepGoing) return stop('bug')
    control.onProgress?.(result)
    await (control.pause?.(result) ?? new Promise(setImmediate))
  }
}

/** A divergence inside a search means that the program is not deterministic. */
function naming<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw asNondeterminism(error)
  }
}

/** Threads that had not ended when the program did, in the execution that just ended. */
function unfinishedNow({ machine: { pending, threads } }: Runner): string[] {
  const labels: string[] = []
  for (let t = 0; t < threads.count; t++) {
    if (pending.status[t] === THREAD_LIVE && pending.kind[t] !== Op.processExit)
      labels.push(threads.labelOf(t))
  }
  return labels
}

/** One entry per kind and place; the schedule kept is one with fewest preemptions. */
function collectBug(result: SearchResult, runner: Runner, execution: number): void {
  const { bug, trace } = runner
  if (bug === null) return
  const known = result.bugs.find((b) => sameBug(b.bug, bug))
  if (known === undefined) {
    result.bugs.push({
      bug,
      thread: trace.thread.slice(0, trace.length),
      value: trace.value.slice(0, trace.length),
      points: runner.machine.points,
      preemptions: trace.preemptions,
      execution,
      count: 1,
    })
    return
  }
  known.count++
  if (trace.preemptions < known.preemptions) {
    known.thread = trace.thread.slice(0, trace.length)
    known.value = trace.value.slice(0, trace.length)
    known.points = runner.machine.points
    known.preemptions = trace.preemptions
  }
}
