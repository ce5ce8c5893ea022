import { type Forecast, forecastOf } from '../estimators/index.js'
import { defaultMaxSteps } from '../execution/runner.js'
import type { Saved, Strategy } from '../execution/strategy.js'
import { UserError } from '../files/user-error.js'
import type { Machine } from '../machine/machine.js'
import type { ObjectKind } from '../machine/names.js'
import { formatPoints, type PointSet } from '../machine/points.js'
import { createStrategy, findStrategy, loadStrategy, StrategyError } from '../strategies/index.js'
import { splitting } from '../strategies/splitting.js'
import { stepwise } from '../strategies/stepwise.js'
import { type Counters, pickCounters } from './counters.js'
import type { SearchPlan } from './search.js'

/**
 * A search between two executions, as plain data. Strategies save indexes of threads and locations; `threads` and
 * `locations` hold their names in the order of those indexes, so that another process can translate them.
 */
export interface SavedSearch {
  /** The search may have added some to those of its plan. */
  readonly points: PointSet
  /** Of the whole search so far. */
  readonly counters: Counters
  readonly threads: readonly string[]
  readonly locations: readonly (readonly [ObjectKind, string])[]
  readonly state: Saved
  /** Of `Forecast.save`; null for searches that are not depth first. */
  readonly forecast: Saved | null
}

/** A search between two executions, in this process. */
export interface SearchState {
  readonly strategy: Strategy
  readonly forecast: Forecast | undefined
}

export function saveSearch(
  machine: Machine,
  { strategy, forecast }: SearchState,
  counters: Counters,
): SavedSearch {
  return {
    points: machine.points,
    counters: pickCounters(counters),
    threads: machine.threads.names,
    locations: machine.locations.entries(),
    state: strategy.save(),
    forecast: forecast?.save() ?? null,
  }
}

/** A search from its beginning. */
export function freshSearch(machine: Machine, plan: SearchPlan): SearchState {
  machine.usePoints(plan.points)
  const strategy = around(machine, plan)
  return { strategy, forecast: forecastOf(strategy) }
}

/** The search as it was, on a machine of the same program. */
export function resumeSearch(machine: Machine, plan: SearchPlan, saved: SavedSearch): SearchState {
  const threads = machine.threads.preload(saved.threads)
  const locations = machine.locations.preload(saved.locations)
  const threadHere = (index: number) => threads[index]
  try {
    machine.usePoints(saved.points)
    const inner = loadStrategy(plan.strategy, saved.state, {
      machine,
      order: plan.order,
      bound: plan.bound,
      options: plan.options,
      threadHere,
      locationHere: (index) => locations[index],
    })
    const strategy = around(machine, plan, { strategy: inner, saved: saved.state })
    const forecast =
      saved.forecast === null ? undefined : forecastOf(strategy)?.load(saved.forecast, threadHere)
    return { strategy, forecast }
  } catch (error) {
    // A name of the strategy that means nothing here: functions of the user's own are to be given again.
    if (error instanceof StrategyError) throw error
    throw new UserError(
      `the saved state of ${plan.strategy} (points ${formatPoints(saved.points)}) cannot be read: ` +
        `${(error as Error).message}; the file is damaged, start the run again`,
    )
  }
}

/** A strategy that splits what it finds to be too long for one step; a search, with a step limit that grows. */
function around(
  machine: Machine,
  plan: SearchPlan,
  resumed?: { strategy: Strategy; saved: Saved },
): Strategy {
  const isSampler = findStrategy(plan.strategy).entry.promise === 'sample'
  const create = () => createStrategy(plan.strategy, { ...plan, machine })
  const maxSteps = plan.maxSteps ?? defaultMaxSteps
  const search = (resumed?: { strategy: Strategy; saved: Saved }) =>
    stepwise({ create, maxSteps, ...(resumed ? { resumed } : {}) })
  return splitting({
    machine,
    create: isSampler ? create : () => search(),
    isSampler,
    ...(resumed ? { resumed: isSampler ? resumed : { ...resumed, strategy: search(resumed) } } : {}),
  })
}
