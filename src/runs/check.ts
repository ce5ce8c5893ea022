import type { Outlook } from '../estimators/index.js'
import type { Observer } from '../execution/observer.js'
import { defaultMaxSteps } from '../execution/runner.js'
import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import { sameBug } from '../machine/bug.js'
import type { PointSet } from '../machine/points.js'
import { type RaceDetector, type RaceKind, raceDetector } from '../races/index.js'
import type { HitBoundReport, PhaseReport, Report } from '../reports/report.js'
import type { Order } from '../strategies/depth-first.js'
import { findStrategy } from '../strategies/index.js'
import type { HitBound } from '../strategies/pos-bound.js'
import { auto, autoPhases, deepening, type Phase } from './auto.js'
import type { Budget, CpuBudget, MemoryLimit } from './budget.js'
import { addCounters, type Counters, noCounters, pickCounters, ranIn } from './counters.js'
import { checkDeepening } from './deepening/check-deepening.js'
import type { Deepening } from './deepening/deepen.js'
import type { SavedRun } from './deepening/saved-run.js'
import { WatchOperations } from './deepening/watch-operations.js'
import { type Ignored, ignoredCaveats } from './ignored.js'
import { isOpen, switchPlatform, wholeScope } from './platforms.js'
import { reportBug } from './report-bug.js'
import { reportRaces } from './report-races.js'
import {
  defaultSaveEvery,
  freshSearch,
  resumeSearch,
  type SavedSearch,
  saveSearch,
  writeSaved,
} from './saved-search.js'
import { sourceFor } from './saved-source.js'
import { type FoundBug, runSearch, type SearchControl, type SearchPlan, type SearchResult } from './search.js'
import { reading } from './user-error.js'
import { judge, pointsText, weaken } from './verdict.js'

export interface CheckOptions {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  /** What the paths of the recipe, of `outFolder` and of `savePath` are relative to. */
  readonly directory: string
  /** A strategy of the registry, or `auto`. */
  readonly strategy: string
  readonly points: PointSet
  readonly order: Order
  readonly bound?: number | undefined
  readonly seed: number
  /** See `SearchPlan`. */
  readonly memoryLimitBytes?: number | undefined
  readonly priorities?: SearchPlan['priorities']
  readonly maxExecutions?: number | undefined
  readonly maxSteps?: number | undefined
  readonly keepGoing: boolean
  /** See `SearchPlan`. */
  readonly ignore?: readonly Ignored[] | undefined
  /** How to look for races. Unless given, only searches that need them do, and the report does not dwell on them. */
  readonly races?: RaceKind | undefined
  /** See `RaceReportOptions`. */
  readonly leftOutOfRaces?: readonly string[] | undefined
  readonly selfCheck: number
  readonly budget: Budget
  readonly memory?: MemoryLimit | undefined
  /** Seconds that making the machine took. */
  readonly buildSeconds?: number
  /** Where failing schedules are written. */
  readonly outFolder: string
  /** Where the search is written when it ends, and now and then before. */
  readonly savePath?: string | undefined
  /** Seconds between two saves. */
  readonly saveEvery?: number | undefined
  readonly resumed?: SavedSearch | undefined
  readonly isInterrupted?: () => boolean
  readonly onProgress?: (progress: Progress) => void
  /** Of `auto` and `deepen`: how many worker threads. */
  readonly workers: number
  /** Largest heap of each, in megabytes. */
  readonly workerMemory?: number
  /** Everything in this thread. */
  readonly isThreadless?: boolean
  /** Processor time, beside the wall time of `budget`. */
  readonly cpu?: CpuBudget | undefined
  /** The maximal state space first. */
  readonly verify?: boolean
  readonly etaFactor?: number | undefined
  readonly etaThreshold?: number | undefined
  readonly resumedRun?: SavedRun | undefined
  readonly onSave?: (saved: SavedRun) => void
  /** Told a few times per second while deepening. */
  readonly onDeepening?: (run: Deepening) => void
}

export interface Progress {
  /** For people: what is being tried. */
  readonly title: string
  readonly strategy: string
  readonly executions: number
  readonly seconds: number
  readonly bugs: number
  /** What is still to come, where that can be estimated. */
  readonly outlook?: Outlook | undefined
}

/** Checks a program and says what is known about it. Failing schedules are on disk when it returns. */
export async function check(options: CheckOptions): Promise<Report> {
  const report = await (isDeepened(options) ? checkDeepening(options) : checkInPhases(options))
  const { buildSeconds = 0, budget } = options
  return {
    ...report,
    ...weaken(report, [...(options.program.caveats ?? []), ...ignoredCaveats(report.ignored)]),
    time: { building: buildSeconds, exploring: report.seconds, all: buildSeconds + budget.elapsedSeconds },
  }
}

async function checkInPhases(options: CheckOptions): Promise<Report> {
  const { machine } = options.program
  reading('--preempt', () => machine.usePoints(options.points))
  const phases =
    options.strategy === auto.name ? autoPhases : [{ strategy: options.strategy, title: 'exploring' }]
  const total: Counters = { ...(options.resumed?.counters ?? noCounters) }
  const results: (SearchResult & Pick<Phase, 'platform'>)[] = []
  let isComplete = false
  const bugs: (Pick<Phase, 'strategy' | 'platform'> & { found: FoundBug; before: number })[] = []
  const races = options.races && raceDetector(options.races, machine)
  races?.table.merge(options.resumed?.races?.records ?? [])
  let sampled = 0
  const operations = new WatchOperations()
  for (const phase of phases) {
    if (phase.platform && !(operations.hasWaited && isOpen(options, phase.platform))) continue
    const before = ranIn(total)
    const plan = planOf(options, phase, total)
    const goBack = switchPlatform(machine, phase.platform)
    const observers = phases.length > 1 ? [operations] : []
    const result = await runPhase(options, plan, phase, total, races, observers).finally(goBack)
    results.push({ ...result, ...(phase.platform ? { platform: phase.platform } : {}) })
    add(total, result)
    isComplete = phase === phases.at(-1)
    if (!isComplete) sampled += result.executions
    for (const found of result.bugs) {
      if (!bugs.some((b) => sameBug(b.found.bug, found.bug))) {
        bugs.push({ ...phase, found, before })
      }
    }
    if (result.stopped === 'budget' || result.stopped === 'memory' || result.stopped === 'interrupted') break
    if (bugs.length > 0 && !options.keepGoing) break
    if (options.maxExecutions !== undefined && ranIn(total) >= options.maxExecutions) break
  }
  const last = results.at(-1)!
  // What was asked for is the last phase; ended before it, whatever the reason, that was not reached.
  const strategy = phases.at(-1)!.strategy
  const { entry } = findStrategy(strategy)
  const judgement = judge({
    ...total,
    strategy,
    promise: entry.promise,
    stopped: isComplete || last.stopped !== 'exhausted' ? last.stopped : 'executions',
    foundBug: bugs.length > 0,
    points: options.points,
    bound: options.bound,
    completedBound: isComplete ? last.completedBound : undefined,
    coarse: last.coarse,
    boundUnit: entry.bounds,
    everyPrefix: entry.everyPrefix,
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    seed: options.seed,
    sampledBefore: sampled,
  })
  return {
    program: options.recipe.files.join(' '),
    ...judgement,
    scope: wholeScope(options.program, results),
    strategy: options.strategy,
    points: pointsText(options.points),
    seed: options.seed,
    keepGoing: options.keepGoing,
    ...pickCounters(total),
    phases: results.map(phaseReport),
    tree: last.tree ?? null,
    outlook: isComplete ? outlookReport(last) : null,
    hitBound: isComplete && bugs.length === 0 ? hitBoundReport(last.hitBound, total.executions) : null,
    bugs: bugs.map(({ found, strategy, platform, before }) => {
      const goBack = switchPlatform(machine, platform)
      const recipe = { ...options.recipe, ...platform }
      const context = { ...options, recipe, points: found.points, strategy, executionsBefore: before }
      const report = reportBug(found, context)
      goBack()
      return report
    }),
    raceDetector: options.races ?? null,
    races: races
      ? reportRaces(races.table.toData(), machine, options.directory, {
          looksAgain: true,
          leftOut: options.leftOutOfRaces,
        })
      : [],
  }
}

/** A PP set of the user's own is one state space: there is nothing to deepen. */
function isDeepened({ strategy, points }: CheckOptions): boolean {
  return strategy === deepening.name || (strategy === auto.name && points.kinds.includes('everywhere'))
}

function planOf(options: CheckOptions, phase: Phase, total: Counters): SearchPlan {
  const done = ranIn(total)
  const left = options.maxExecutions === undefined ? undefined : options.maxExecutions - done
  const limits = [left, phase.executions].filter((n) => n !== undefined)
  return {
    machine: options.program.machine,
    points: options.points,
    strategy: phase.strategy,
    order: options.order,
    bound: options.bound,
    seed: options.seed,
    memoryLimitBytes: options.memoryLimitBytes,
    priorities: options.priorities,
    maxSteps: options.maxSteps,
    keepGoing: options.keepGoing,
    ignore: options.ignore,
    selfCheck: options.selfCheck,
    ...(limits.length > 0 ? { maxExecutions: Math.min(...limits) } : {}),
  }
}

async function runPhase(
  options: CheckOptions,
  plan: SearchPlan,
  phase: Phase,
  before: Counters,
  races: RaceDetector | undefined,
  watchers: readonly Observer[],
): Promise<SearchResult> {
  const { machine } = plan
  const { savePath, resumed } = options
  const { strategy, forecast, bugs } = resumed ? resumeSearch(resumed, machine, plan) : freshSearch(plan)
  const save = (soFar: SearchResult) => {
    if (savePath === undefined) return
    writeSaved(
      savePath,
      saveSearch(
        plan,
        {
          counters: addCounters(before, soFar),
          bugs: soFar.bugs,
          races: races ? { detector: races.kind, records: races.table.toData() } : null,
        },
        strategy,
        forecast,
      ),
      sourceFor(savePath, options.recipe, options.directory),
    )
  }
  const hitBound = findStrategy(plan.strategy).entry.watchBound?.(machine)
  let savedAt = 0
  const control: SearchControl = {
    budget: options.budget,
    memory: options.memory,
    forecast,
    observers: [hitBound, races, ...watchers].filter((observer) => observer !== undefined),
    secondsBefore: resumed?.counters.seconds ?? 0,
    ...(options.isInterrupted ? { isInterrupted: options.isInterrupted } : {}),
    onProgress: (soFar) => {
      if (soFar.seconds - savedAt >= (options.saveEvery ?? defaultSaveEvery)) {
        save(soFar)
        savedAt = soFar.seconds
      }
      options.onProgress?.({
        title: phase.title,
        strategy: phase.strategy,
        executions: before.executions + soFar.executions,
        seconds: before.seconds + soFar.seconds,
        bugs: soFar.bugs.length,
        outlook: soFar.outlook,
      })
    },
  }
  const result = await runSearch(plan, strategy, control, bugs)
  // What was saved before stands: an execution given up in the middle is neither explored nor still to come.
  if (!result.isAbandoned) save(result)
  result.hitBound = hitBound?.bound ?? undefined
  return result
}

function add(total: Counters, part: Counters): void {
  Object.assign(total, addCounters(total, part))
}

function phaseReport({ strategy, executions, blocked, seconds }: SearchResult): PhaseReport {
  return { strategy, executions, blocked, seconds }
}

function hitBoundReport(bound: HitBound | undefined, samples: number): HitBoundReport | null {
  if (bound === undefined) return null
  // 1 - (1 - p)^n, exact for small p too.
  return { ...bound, ofAll: -Math.expm1(samples * Math.log1p(-bound.probability)) }
}

/** Executions below which an estimate says nothing. */
const fewestForOutlook = 10

function outlookReport({ outlook, stopped }: SearchResult): Outlook | null {
  const isOver = stopped === 'exhausted' || stopped === 'bug'
  return isOver || outlook === undefined || outlook.seen < fewestForOutlook ? null : outlook
}
