import { isEverywhere } from '../machine/points.js'
import { findStrategy } from '../strategies/index.js'
import type { RunPlan, RunSettings } from './plan.js'
import type { SearchPlan } from './search.js'
import type { SearchRecord } from './search-record.js'

/** How one search of a run is to be made: as the user asks, with its own strategy, points and limits. */
export function searchPlan(
  search: SearchRecord,
  settings: RunSettings,
  maxSteps: number | undefined,
  maxExecutions: number,
): SearchPlan {
  const { order, bound, seed, options, keepGoing, ignore, selfCheck, isCheckedDeeply, debugFile } = settings
  return {
    points: search.points,
    strategy: search.strategy,
    order,
    bound,
    seed,
    options,
    maxSteps,
    ...(maxExecutions === Infinity ? {} : { maxExecutions }),
    keepGoing,
    ignore,
    selfCheck: search.saved ? 0 : selfCheck,
    isCheckedDeeply,
    debugFile,
  }
}

/**
 * Where every access is a point, races do not tell where to add some: they are only worth a mention. Samples do tell,
 * but many of them the same.
 */
export function isPastRaces({ strategy, points }: SearchRecord, { goal }: RunPlan): boolean {
  const isSampled = findStrategy(strategy).entry.promise === 'sample'
  return isEverywhere(points) && (isSampled || strategy === goal.strategy)
}
