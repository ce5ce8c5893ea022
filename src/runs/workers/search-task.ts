import type { Observer } from '../../execution/observer.js'
import { recordSchedule, type Schedule } from '../../execution/schedule.js'
import { innermost, type Strategy } from '../../execution/strategy.js'
import type { Machine } from '../../machine/machine.js'
import type { PointSet } from '../../machine/points.js'
import { Glimpses } from '../../races/glimpses.js'
import { isExact, type RaceDetector, raceDetector } from '../../races/index.js'
import { occasional } from '../../races/occasional.js'
import { findStrategy, loadOptions } from '../../strategies/index.js'
import type { StrategyStatistics } from '../../strategies/registry.js'
import { firstDoubt } from '../board-settings.js'
import { addCounters, noCounters, pickCounters } from '../counters.js'
import { switchPlatform } from '../platforms.js'
import { runSearch, type SearchResult, type SeenFailure, type StopReason } from '../search.js'
import { freshSearch, resumeSearch, type SavedSearch, type SearchState, saveSearch } from '../search-state.js'
import { WatchOperations } from '../watch-operations.js'
import {
  type Assignment,
  type Findings,
  type FoundBug,
  type PartAnswer,
  raceKey,
  type WorkerMessage,
} from './messages.js'
import { PartOfSearch } from './part-of-search.js'

/** Seconds between two messages of progress. */
const reportEvery = 0.1
/** Messages take at most this part of the time: with many races each is long. */
const reportingShare = 0.05

/** Limits that a search in the coordinator's own thread looks at itself: nobody can tell it meanwhile. */
export interface Limits {
  /** Asked between slices: why to end, or null. */
  readonly stopReason?: () => StopReason | null
  /** Asked between executions: time is up. */
  readonly isSpent?: () => boolean
  /** Asked now and then during executions: true gives the one under way up. */
  readonly isOverdue?: (() => boolean) | undefined
}

/** One assignment on the machine of one worker, from its beginning to its end. */
export class SearchTask {
  private isStopping = false
  private readonly operations = new WatchOperations()
  private readonly detector: RaceDetector | null
  /** Which of the limited detector's candidates are more than that. */
  private readonly confirming: RaceDetector | null
  private readonly statistics: StrategyStatistics | undefined
  private watcher: Observer | undefined
  private sentRaces = -1
  private sentLong = 0
  private sentConfirmed = -1
  private readonly found = new Map<SeenFailure, { readonly thread: Int32Array; readonly bug: FoundBug }>()
  private secondsLeft = Infinity
  private part: PartOfSearch | null = null

  constructor(
    private readonly machine: Machine,
    private readonly assignment: Assignment,
    private readonly send: (message: WorkerMessage) => void,
    private readonly limits: Limits = {},
  ) {
    const { races, someRaces, plan } = assignment
    const detector = races === null ? null : raceDetector(races, machine)
    this.detector = detector && someRaces && !this.isSampling ? occasional(detector) : detector
    this.confirming = races && !isExact(races) ? raceDetector('pure', machine) : null
    this.statistics = findStrategy(plan.strategy).entry.statistics
  }

  /** Asks it to end; its last message says where it stands. */
  suspend(): void {
    this.isStopping = true
    this.part?.goOn()
  }

  answer(answer: PartAnswer): void {
    this.part?.answer(answer)
  }

  async run(): Promise<void> {
    const goBack = switchPlatform(this.machine, this.assignment.platform)
    let last: WorkerMessage
    try {
      last = await this.search()
    } finally {
      goBack()
    }
    // Not before: whoever hears of it may begin another search on this machine at once.
    this.send(last)
  }

  /** Says what it finds; its last message is for the caller to send. */
  private async search(): Promise<WorkerMessage> {
    const { machine, assignment, limits } = this
    const { saved, id, saveEvery } = assignment
    const options = await loadOptions(assignment.plan.strategy, assignment.plan.options ?? {})
    const plan = { ...assignment.plan, options }
    const part = assignment.part ? new PartOfSearch(machine, plan, assignment.part) : null
    this.part = part
    const state: SearchState = part
      ? { strategy: part.strategy, forecast: part.forecast }
      : saved
        ? resumeSearch(machine, plan, saved)
        : freshSearch(machine, plan)
    const watcher = (this.watcher = this.statistics?.watch?.(machine, state.strategy))
    const before = saved?.counters ?? noCounters
    const write = (soFar: SearchResult) => saveSearch(machine, state, addCounters(before, soFar))
    const findings = (soFar: SearchResult) => this.findings(soFar, state.strategy, before.executions)
    let next = reportEvery
    let written = 0
    let lastSaved: SavedSearch | null = saved
    const isTooLong = this.startPatience()
    const result = await runSearch(machine, plan, state.strategy, {
      ...limits,
      ...(part
        ? {
            isSpent: () => part.isFull || (limits.isSpent?.() ?? false),
            pause: async (soFar) => {
              const answered = part.answered()
              this.send({ kind: 'part', id, said: part.say(false), findings: findings(soFar) })
              await answered
            },
          }
        : {}),
      observers: [...this.watchers(), ...(watcher ? [watcher] : [])],
      forecast: state.forecast,
      secondsBefore: before.seconds,
      stopReason: () =>
        this.isStopping ? 'interrupted' : (limits.stopReason?.() ?? (isTooLong() ? 'patience' : null)),
      onProgress: (soFar) => {
        this.secondsLeft = soFar.outlook?.secondsLeft ?? Infinity
        if (part !== null || soFar.seconds < next) return
        const start = performance.now()
        const isDue = saveEvery !== null && soFar.seconds - written >= saveEvery
        if (isDue) {
          written = soFar.seconds
          lastSaved = write(soFar)
        }
        this.send({
          kind: 'progress',
          id,
          findings: findings(soFar),
          ...(isDue && lastSaved ? { saved: lastSaved } : {}),
        })
        const cost = (performance.now() - start) / 1000
        next = soFar.seconds + Math.max(reportEvery, cost / reportingShare)
      },
    })
    const isDone = result.stopped === 'exhausted'
    // How often races were seen counts too, now that it will not change any more.
    this.sentRaces = -1
    return {
      kind: 'ended',
      id,
      stopped: result.stopped,
      findings: findings(result),
      // What was saved before stands: an execution given up in the middle is neither explored nor still to come.
      saved: isDone || part ? null : result.isAbandoned ? lastSaved : write(result),
      ...(part ? { said: part.say(!isDone && !result.isAbandoned) } : {}),
    }
  }

  private get isSampling(): boolean {
    return findStrategy(this.assignment.plan.strategy).entry.promise === 'sample'
  }

  /** Those who look at executions, whatever the strategy. */
  private watchers(): Observer[] {
    const { assignment, operations, detector, confirming } = this
    const all = [assignment.watchesOperations ? operations : null, detector, confirming].filter(
      (observer) => observer !== null,
    )
    return assignment.someRaces && this.isSampling
      ? [new Glimpses(all, detector?.table, () => performance.now())]
      : all
  }

  /** A search has its time, and some more if it should be done by then. */
  private startPatience(): () => boolean {
    const { patience } = this.assignment
    if (patience === null) return () => false
    const start = process.cpuUsage()
    const since = performance.now()
    return () => {
      const { user, system } = process.cpuUsage(start)
      const seconds = (user + system) / 1e6
      if (seconds <= patience.seconds) return false
      // What is estimated is wall time, of which others on the computer may have a share.
      const share = Math.min(1, seconds / ((performance.now() - since) / 1000))
      // The longer it has been at it, the more its estimate is worth.
      const doubt = Math.max(1, (firstDoubt * patience.seconds) / seconds)
      return this.secondsLeft * share > doubt * patience.more || seconds > patience.seconds + patience.more
    }
  }

  private findings(soFar: SearchResult, strategy: Strategy, executionsBefore: number): Findings {
    const { operations, detector, machine } = this
    const version = detector?.table.version ?? -1
    const longSites = machine.longAccesses?.sites ?? []
    const isNew = version !== this.sentRaces || longSites.length !== this.sentLong
    this.sentRaces = version
    this.sentLong = longSites.length
    const { outlook } = soFar
    const { completedBound } = strategy
    const { novelty } = innermost(strategy)
    const data = this.statistics?.read(strategy, this.watcher, executionsBefore + soFar.executions)
    return {
      counters: pickCounters(soFar),
      ...(outlook ? { outlook } : {}),
      ...(completedBound === undefined
        ? {}
        : { completedBound: completedBound === Infinity ? null : completedBound }),
      coarse: this.isCoarse || strategy.coarse === true,
      ...(data ? { statistics: { [this.statistics!.name]: data } } : {}),
      longSites,
      ...(novelty === undefined ? {} : { novelty }),
      operations: operations.seen(),
      ...(isNew && detector ? { races: detector.table.toData() } : {}),
      ...this.newlyConfirmed(),
      bugs: soFar.bugs.map((bug) => this.write(bug)),
    }
  }

  /** Whether an access of several words races that runs as one step even where it should be split. */
  private get isCoarse(): boolean {
    const whole = this.machine.longAccesses?.unsplit ?? []
    if (whole.length === 0 || this.detector === null) return false
    return this.detector.table.toData().some(({ a, b }) => whole.includes(a.site) || whole.includes(b.site))
  }

  private newlyConfirmed(): { confirmed?: readonly string[] } {
    const table = this.confirming?.table
    if (table === undefined || table.version === this.sentConfirmed) return {}
    this.sentConfirmed = table.version
    return { confirmed: table.toData().map(raceKey) }
  }

  /** Schedules are written by name, which takes a run: once for each schedule. */
  private write(seen: SeenFailure): FoundBug {
    const { bug, thread, value, points, preemptions, execution, count } = seen
    const known = this.found.get(seen)
    const isKnown = known !== undefined && known.thread === thread
    if (isKnown && known.bug.count === count) return known.bug
    const found: FoundBug = {
      kind: bug.kind,
      message: bug.message,
      site: this.machine.sites[bug.site]?.name ?? null,
      schedule: isKnown ? known.bug.schedule : recordAt(this.machine, thread, value, points),
      preemptions,
      execution,
      count,
    }
    this.found.set(seen, { thread, bug: found })
    return found
  }
}

/** Writes down choices made at other points than the machine may have by now. */
function recordAt(machine: Machine, thread: Int32Array, value: Int32Array, points: PointSet): Schedule {
  const { points: before } = machine
  if (points !== before) machine.usePoints(points)
  const schedule = recordSchedule(machine, thread, value, points)
  if (points !== before) machine.usePoints(before)
  return schedule
}
