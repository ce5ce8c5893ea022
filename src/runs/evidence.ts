import { defaultMaxSteps } from '../execution/runner.js'
import { includesPoints, type NamedPointKind, type PointSet } from '../machine/points.js'
import { findStrategy } from '../strategies/index.js'
import type { StrategyPromise } from '../strategies/registry.js'
import type { Counters } from './counters.js'
import { isJob } from './deepening.js'
import type { Run } from './run.js'
import type { StopReason } from './search.js'
import { isWhole, type SearchRecord } from './search-record.js'

/** What a search was to explore. */
export interface Extent {
  /** A strategy of the registry, with its argument. */
  readonly strategy: string
  readonly promise: StrategyPromise
  readonly points: PointSet
  readonly bound?: number | undefined
  /** What the bound counts. */
  readonly boundUnit?: string | undefined
  /** See `StrategyEntry.everyPrefix`. */
  readonly everyPrefix?: boolean | undefined
}

/** One search as a verdict sees it. */
export interface SearchEvidence extends Extent {
  /** For people. */
  readonly title: string
  /** The strategy has nothing left. */
  readonly isDone: boolean
  /** Done with, it stands for all that the run was to explore. */
  readonly reachesGoal: boolean
  readonly executions: number
  readonly cut: number
  /** Of those, before the limit of steps. */
  readonly cutEarly: number
  /** Largest bound done with, -1 for none; see `Strategy.completedBound`. */
  readonly completedBound: number
  /** Why it was given up, if it was. */
  readonly givenUp?: string | undefined
}

/** All that a verdict rests on. */
export interface Evidence extends Counters {
  readonly goal: Extent
  readonly stopped: StopReason
  readonly foundBug: boolean
  /** Those on the usual platform. */
  readonly searches: readonly SearchEvidence[]
  readonly maxSteps: number
  readonly seed: number
  /** An access of several words raced that could not be split. */
  readonly coarse: boolean
  /** See `Machine.needsEverywhere`. */
  readonly needsEverywhere: boolean
}

export function evidenceOf(run: Run, stopped: StopReason): Evidence {
  const { settings, plan, maxSteps = defaultMaxSteps } = run
  const { points, bound, seed } = settings
  const searches = run.searches.filter((search) => search.platform === undefined)
  return {
    ...run.counters,
    goal: {
      strategy: plan.goal.strategy,
      promise: plan.goal.promise,
      points,
      bound,
      boundUnit: plan.goal.bounds,
      everyPrefix: plan.goal.everyPrefix,
    },
    stopped,
    foundBug: run.bugs.length > 0,
    searches: searches.map((search) => searchEvidence(run, search)),
    maxSteps,
    seed,
    coarse: searches.some((search) => search.coarse),
    needsEverywhere: settings.program.machine.needsEverywhere,
  }
}

function searchEvidence(run: Run, search: SearchRecord): SearchEvidence {
  const { promise, bounds, everyPrefix } = findStrategy(search.strategy).entry
  return {
    strategy: search.strategy,
    promise,
    points: search.points,
    bound: run.settings.bound,
    boundUnit: bounds,
    everyPrefix,
    title: search.title,
    isDone: search.status === 'complete',
    reachesGoal: promise !== 'sample' && reachesGoal(run, search),
    executions: search.counters.executions,
    cut: search.counters.cut,
    cutEarly: search.counters.cutEarly,
    completedBound: search.completedBound,
    givenUp: search.status === 'crashed' ? search.reason : undefined,
  }
}

/**
 * Whether the state space of a search holds everything that the run was to explore: its points are among those of the
 * search, or the search is the maximal one of deepening, and every access known to race is a point of it.
 */
function reachesGoal({ settings, deepening, knowledge }: Run, search: SearchRecord): boolean {
  if (!isJob(search)) return includesPoints(search.points, settings.points)
  if (deepening === null || search !== deepening.board.maximal) return false
  const races = deepening.board.racyAccesses.map((access) => access.race)
  const kinds: NamedPointKind[] = knowledge.needsRelease ? ['release'] : []
  return includesPoints(search.points, { ...search.points, kinds, races })
}

/** Every schedule was explored, or is one of a class that was. */
export function coversEverySchedule(run: Run): boolean {
  return run.searches.some(
    (search) =>
      search.platform === undefined &&
      findStrategy(search.strategy).entry.promise !== 'sample' &&
      run.settings.bound === undefined &&
      run.settings.points.kinds.includes('everywhere') &&
      isWhole(search) &&
      reachesGoal(run, search),
  )
}
