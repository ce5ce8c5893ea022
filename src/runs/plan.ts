import { UserError } from '../files/user-error.js'
import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import type { Machine } from '../machine/machine.js'
import type { Platform } from '../machine/platform.js'
import type { PointSet } from '../machine/points.js'
import type { RaceKind } from '../races/index.js'
import { findStrategy, strategies } from '../strategies/index.js'
import { checkMemoryModel, memoryModelOf, wholeSearch } from '../strategies/memory-models.js'
import type { StrategyEntry } from '../strategies/registry.js'
import type { SearchPlan } from './search.js'

/** What the user asks for: the program, and how to explore it. The strategy may be `auto` or `deepen`, too. */
export interface RunSettings extends SearchPlan {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  /** What the paths of the recipe are relative to. */
  readonly directory: string
  /** How to look for races. Unless given, only deepening does, which needs them, and the report says little of them. */
  readonly races?: RaceKind | undefined
  /** Of deepening: see `BoardSettings`. */
  readonly verify?: boolean
  readonly etaFactor?: number | undefined
  readonly etaThreshold?: number | undefined
}

/** Strategies made of several searches: a run decides which, and in what order. */
export interface CompositeStrategy {
  readonly name: string
  readonly summary: string
}

/** The default: a quick look, then Iterative Deepening. */
export const auto: CompositeStrategy = {
  name: 'auto',
  summary: 'a quick look (small tests whole, samples of others), then deepen; the default',
}

/** Iterative Deepening by itself. */
export const deepen: CompositeStrategy = {
  name: 'deepen',
  summary:
    'Iterative Deepening: subsets of preemption points, racing accesses added, until every schedule is covered',
}

export const compositeStrategies: readonly CompositeStrategy[] = [auto, deepen]

/** A search that a run makes before, or instead of, deepening. */
export interface Stage {
  readonly strategy: string
  /** For people. */
  readonly title: string
  /** Executions after which the next stage begins; undefined: until done. */
  readonly executions?: number
  /** Processor seconds after which it begins, unless this one is nearly done; undefined: until done. */
  readonly seconds?: number
  /** Another platform than the rest. */
  readonly platform?: Partial<Platform>
  /** What the program must have done for that platform to matter. */
  readonly matters?: 'hasFreed' | 'hasWaited' | 'hasMisused'
  /** Is explored even if every schedule on the usual platform has been. */
  readonly isExtra?: true
}

/** A run: some searches one after the other, then deepening if that is asked for. A plain strategy is one search. */
export interface RunPlan {
  readonly stages: readonly Stage[]
  readonly deepens: boolean
  /** What is to be done with the points given: a guarantee on it is what the run is for. */
  readonly goal: Pick<StrategyEntry, 'promise' | 'bounds' | 'everyPrefix'> & { readonly strategy: string }
}

/** A little of what happens when waits end without a signal: a wait that is not in a loop relies on one. */
const spuriousWakeups: Stage = {
  strategy: 'pos',
  title: 'sampling with spurious wake-ups',
  executions: 200,
  seconds: 1,
  platform: { spurious: 1 },
  matters: 'hasWaited',
  isExtra: true,
}

/** An execution ends where it misuses a lock: for those who go on after a bug, a little of what would come after it. */
const pastMisuse: Stage = {
  strategy: 'pos',
  title: 'sampling past lock misuse',
  executions: 200,
  seconds: 1,
  platform: { lockErrors: true },
  matters: 'hasMisused',
  isExtra: true,
}

/** Fresh memory shows a use after free at once, but some bugs need the same address given out again (ABA). */
const reusedMemory: Stage = {
  strategy: 'pos',
  title: 'sampling with freed memory reused',
  executions: 200,
  seconds: 1,
  platform: { heap: 'reuse' },
  matters: 'hasFreed',
  isExtra: true,
}

/**
 * What `auto` does before deepening. Most tests of a library are small: the first stage explores them whole, with every
 * access a point and one execution per class, and nothing else is needed. For the others, samples find what is shallow.
 */
const quickLook: readonly Stage[] = [
  { strategy: 'optimal', seconds: 1, title: 'every schedule, if they are few' },
  { strategy: 'mix', executions: 2000, seconds: 1, title: 'sampling' },
  reusedMemory,
  spuriousWakeups,
  pastMisuse,
]

/** `auto` with a PP set of the user's own, which is one state space: there is nothing to deepen. */
const onePointSet: readonly Stage[] = [
  { strategy: 'dfs', executions: 1, title: 'default schedule' },
  { strategy: 'mix', executions: 300, title: 'sampling' },
  spuriousWakeups,
  pastMisuse,
  { strategy: 'optimal', title: 'every schedule' },
]

/** `auto` and `deepen` under a weak memory model: nothing could be concluded from fewer points. */
function weakMemory(
  machine: Machine,
  points: PointSet,
  stepsOver: boolean,
): Pick<RunPlan, 'stages' | 'goal'> {
  const strategy = stepsOver ? 'dfs' : wholeSearch(machine, points)
  const sampling: Stage = { strategy: 'mix', executions: 300, seconds: 1, title: 'sampling' }
  const all: Stage = { strategy, title: 'every schedule' }
  const everyPrefix = findStrategy(strategy).entry.everyPrefix
  return {
    stages: [sampling, all],
    goal: { strategy, promise: 'all', ...(everyPrefix ? { everyPrefix } : {}) },
  }
}

type Asked = Pick<RunSettings, 'strategy' | 'points'> &
  Partial<Pick<RunSettings, 'races' | 'bound' | 'ignore'>> & {
    readonly program?: Pick<LoadedProgram, 'machine'>
  }

export function planOf({ strategy, points, program, races, bound, ignore = [] }: Asked): RunPlan {
  const isEverywhere = points.kinds.includes('everywhere')
  const machine = program?.machine
  const model = machine ? memoryModelOf(machine) : 'sc'
  if (model !== 'sc') {
    if (races) {
      const instead = model === 'c11' ? 'they are bugs there, found in any case' : 'look for them under sc'
      throw new UserError(`--races: not under the memory model ${model}; ${instead}`)
    }
    if (compositeStrategies.some(({ name }) => name === strategy)) {
      return { ...weakMemory(machine!, points, ignore.length > 0), deepens: false }
    }
    // What would have followed the failure shows it which other graphs there are.
    if (findStrategy(strategy).entry.name === 'graphs' && ignore.length > 0) {
      throw new UserError('--ignore: graphs cannot step over a bug; use dfs')
    }
    checkMemoryModel(findStrategy(strategy).entry, { machine: machine!, bound }, strategies)
  }
  if (strategy === deepen.name) return { stages: [], deepens: true, goal: { strategy, promise: 'all' } }
  if (strategy === auto.name) {
    return {
      stages: isEverywhere ? quickLook : onePointSet,
      deepens: isEverywhere,
      goal: { strategy: 'optimal', promise: 'all' },
    }
  }
  const { promise, bounds, everyPrefix } = findStrategy(strategy).entry
  return {
    stages: [{ strategy, title: 'exploring' }],
    deepens: false,
    goal: { strategy, promise, ...(bounds ? { bounds } : {}), ...(everyPrefix ? { everyPrefix } : {}) },
  }
}
