import { existsSync } from 'node:fs'
import { type Forecast, forecastOf } from '../estimators/index.js'
import { defaultMaxSteps, Runner } from '../execution/runner.js'
import type { Saved, Strategy } from '../execution/strategy.js'
import type { Machine } from '../machine/machine.js'
import type { ObjectKind } from '../machine/names.js'
import { formatPoints, type PointSet } from '../machine/points.js'
import { type RaceKind, type RaceRecord, raceKinds } from '../races/index.js'
import type { Order } from '../strategies/depth-first.js'
import { createStrategy, findStrategy, loadStrategy, StrategyError } from '../strategies/index.js'
import type { StrategyContext } from '../strategies/registry.js'
import { splitting } from '../strategies/splitting.js'
import { stepwise } from '../strategies/stepwise.js'
import { writeAtomically } from './atomic-write.js'
import { type Counters, noCounters, pickCounters } from './counters.js'
import { runFormat } from './deepening/run-format.js'
import type { SavedRun } from './deepening/saved-run.js'
import { readJson } from './failure-file.js'
import { checkFits } from './saved-fit.js'
import type { SavedSource } from './saved-source.js'
import type { FoundBug, SearchPlan } from './search.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

/**
 * A search between two executions, on disk. Strategies save indexes of threads and locations; `threads` and
 * `locations` hold their names in the order of those indexes, so that another process can translate them.
 */
export interface SavedSearch {
  readonly format: 'faultline-search/1'
  readonly tool: string
  readonly program: string
  readonly hash: string
  readonly points: PointSet
  readonly strategy: string
  readonly order: Order
  readonly bound: number | null
  readonly seed: number
  readonly maxSteps: number | null
  readonly keepGoing: boolean
  readonly counters: Counters
  /** Found so far: a search that goes on must not forget them. */
  readonly bugs: readonly SavedBug[]
  /** Races seen so far, and by whom; null if nobody looked for them. */
  readonly races: SavedRaces | null
  readonly threads: readonly string[]
  readonly locations: readonly (readonly [ObjectKind, string])[]
  readonly state: Saved
  /** Of `Forecast.save`; null for searches that are not depth first. */
  readonly forecast: Saved | null
}

export interface SavedRaces {
  readonly detector: RaceKind
  readonly records: readonly RaceRecord[]
}

/** The choices that show a bug; the bug itself is what they lead to. */
interface SavedBug {
  readonly thread: readonly number[]
  readonly value: readonly number[]
  readonly points: PointSet
  readonly execution: number
  readonly count: number
}

interface SearchSoFar {
  readonly counters: Counters
  readonly bugs: readonly FoundBug[]
  readonly races?: SavedRaces | null
}

/** The search as it is now, between two executions. */
export function saveSearch(
  plan: SearchPlan,
  { counters, bugs, races = null }: SearchSoFar,
  strategy: Strategy,
  forecast: Forecast | undefined,
): SavedSearch {
  const { machine } = plan
  return {
    format: 'faultline-search/1',
    tool: version,
    program: machine.name,
    hash: machine.hash,
    // The search may have added some.
    points: machine.points,
    strategy: plan.strategy,
    order: plan.order,
    bound: plan.bound ?? null,
    seed: plan.seed,
    maxSteps: plan.maxSteps ?? null,
    keepGoing: plan.keepGoing,
    counters: pickCounters(counters),
    bugs: bugs.map((b) => ({
      thread: [...b.thread],
      value: [...b.value],
      points: b.points,
      execution: b.execution,
      count: b.count,
    })),
    races,
    threads: machine.threads.names,
    locations: machine.locations.entries(),
    state: strategy.save(),
    forecast: forecast?.save() ?? null,
  }
}

/** Seconds between two saves, unless the user says. */
export const defaultSaveEvery = 10

/** What was saved, with the program it is of. */
export function writeSaved(path: string, saved: SavedSearch | SavedRun, source: SavedSource): void {
  writeAtomically(path, `${JSON.stringify({ ...saved, source })}\n`)
}

/** Refuses early to write over something that is not a saved search. */
export function checkMayWriteSearch(path: string): void {
  if (!existsSync(path)) return
  let format: unknown
  try {
    format = readJson(path, 'a saved search').format
  } catch {
    format = undefined
  }
  if (format !== 'faultline-search/1' && format !== runFormat) {
    throw new UserError(`--save ${path}: the file exists and is not a saved search; choose another name`)
  }
}

const fields: Readonly<Record<Exclude<keyof SavedSearch, 'format'>, (value: unknown) => boolean>> = {
  tool: isString,
  program: isString,
  hash: isString,
  points: isPoints,
  strategy: isString,
  order: (v) => v === 'stay' || v === 'preempt' || v === 'random',
  bound: isCountOrNull,
  seed: Number.isInteger,
  maxSteps: isCountOrNull,
  keepGoing: (v) => typeof v === 'boolean',
  counters: (v) =>
    isObject(v) && Object.entries(noCounters).every(([key, zero]) => typeof v[key] === typeof zero),
  bugs: (v) =>
    Array.isArray(v) &&
    v.every((b) => isObject(b) && Array.isArray(b.thread) && Array.isArray(b.value) && isPoints(b.points)),
  races: (v) =>
    v === null || (isObject(v) && raceKinds.some((k) => k === v.detector) && Array.isArray(v.records)),
  threads: (v) => Array.isArray(v) && v.every(isString),
  locations: (v) =>
    Array.isArray(v) && v.every((e) => Array.isArray(e) && e.length === 2 && e.every(isString)),
  state: isObject,
  forecast: (v) => v === null || isObject(v),
}

/** Reads and checks a saved search. */
export function readSearch(path: string): SavedSearch {
  const data = readJson(path, 'a saved search')
  if (data.format !== 'faultline-search/1') {
    throw new UserError(
      `${path}: not a saved search: "format" is ${JSON.stringify(data.format) ?? 'missing'}, expected ` +
        '"faultline-search/1". Give a file that "faultline check --save" wrote.',
    )
  }
  for (const [key, isRight] of Object.entries(fields)) {
    if (!isRight(data[key])) {
      throw new UserError(
        `${path}: "${key}" is missing or wrong; the file is damaged, start the search again`,
      )
    }
  }
  return data as unknown as SavedSearch
}

/** A search between two executions, in this process. */
export interface ResumedSearch {
  readonly strategy: Strategy
  readonly forecast: Forecast | undefined
  /** Found so far. */
  readonly bugs: readonly FoundBug[]
}

/** The search as it was, on a machine of the same program. */
export function resumeSearch(
  saved: SavedSearch,
  machine: Machine,
  options: Pick<StrategyContext, 'memoryLimitBytes' | 'priorities'> = {},
): ResumedSearch {
  checkFits(saved, machine, 'search')
  const threads = machine.threads.preload(saved.threads)
  const locations = machine.locations.preload(saved.locations)
  const threadHere = (index: number) => threads[index]
  try {
    machine.usePoints(saved.points)
    const inner = loadStrategy(saved.strategy, saved.state, {
      machine,
      order: saved.order,
      bound: saved.bound ?? undefined,
      memoryLimitBytes: options.memoryLimitBytes,
      priorities: options.priorities,
      threadHere,
      locationHere: (index) => locations[index],
    })
    const plan = {
      machine,
      strategy: saved.strategy,
      order: saved.order,
      bound: saved.bound ?? undefined,
      seed: saved.seed,
      maxSteps: saved.maxSteps ?? undefined,
      ...options,
    }
    const strategy = split(plan, { strategy: inner, saved: saved.state })
    return {
      strategy,
      forecast: saved.forecast === null ? undefined : forecastOf(strategy)?.load(saved.forecast, threadHere),
      bugs: saved.bugs.map((bug) => showAgain(bug, machine, threadHere)),
    }
  } catch (error) {
    // A name of the strategy that means nothing here: functions of the user's own are to be given again.
    if (error instanceof StrategyError) throw error
    throw new UserError(
      `the saved state of ${saved.strategy} (points ${formatPoints(saved.points)}) cannot be read: ` +
        `${(error as Error).message}; the file is damaged, start the search again`,
    )
  }
}

function showAgain(saved: SavedBug, machine: Machine, threadHere: (index: number) => number): FoundBug {
  const { points: before } = machine
  const { points } = saved
  const thread = Int32Array.from(saved.thread, threadHere)
  const value = Int32Array.from(saved.value)
  machine.usePoints(points)
  const runner = new Runner(machine, { maxSteps: thread.length + 1 })
  runner.run(scripted(thread, value))
  machine.usePoints(before)
  if (runner.bug === null) throw new Error('a bug found before does not show again')
  const { execution, count } = saved
  return { bug: runner.bug, thread, value, points, preemptions: runner.trace.preemptions, execution, count }
}

/** Runs the given choices, and nothing after them. */
function scripted(thread: Int32Array, value: Int32Array): Strategy {
  return {
    name: 'script',
    footprints: false,
    script: { thread, value, length: thread.length },
    usedUp: new Error('a bug found before does not show again'),
    begin: () => true,
    choose: () => -1,
    end() {},
    save: () => ({}),
  }
}

/** A search from its beginning. */
export function freshSearch(plan: SearchPlan): ResumedSearch {
  plan.machine.usePoints(plan.points)
  const strategy = split(plan)
  return { strategy, forecast: forecastOf(strategy), bugs: [] }
}

/** A strategy that splits what it finds to be too long for one step; a search, with a step limit that grows. */
function split(
  plan: Pick<
    SearchPlan,
    'machine' | 'strategy' | 'order' | 'bound' | 'seed' | 'maxSteps' | 'memoryLimitBytes' | 'priorities'
  >,
  resumed?: { strategy: Strategy; saved: Saved },
): Strategy {
  const { machine } = plan
  const isSampler = findStrategy(plan.strategy).entry.promise === 'sample'
  const create = () => createStrategy(plan.strategy, plan)
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

function isString(value: unknown): value is string {
  return typeof value === 'string'
}

function isPoints(v: unknown): boolean {
  return isObject(v) && Array.isArray(v.kinds) && Array.isArray(v.races) && Array.isArray(v.rules)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isCountOrNull(value: unknown): boolean {
  return value === null || (Number.isInteger(value) && (value as number) >= 0)
}
