import { recordSchedule, type Schedule } from '../../execution/schedule.js'
import type { Strategy } from '../../execution/strategy.js'
import type { Machine } from '../../machine/machine.js'
import type { PointSet } from '../../machine/points.js'
import { type RaceDetector, raceDetector } from '../../races/index.js'
import { Budget } from '../budget.js'
import { addCounters, noCounters, pickCounters } from '../counters.js'
import { freshSearch, resumeSearch, saveSearch } from '../saved-search.js'
import { type FoundBug, runSearch, type SearchPlan, type SearchResult } from '../search.js'
import {
  type Answer,
  type Assignment,
  type Findings,
  raceKey,
  type SavedJob,
  type ShownBug,
} from './assignment.js'
import { WatchOperations } from './watch-operations.js'

/** Seconds between two messages of progress. */
const tellEvery = 0.1
/** Messages take at most this part of the time: with many races each is long. */
const tellingShare = 0.05

/** When to end a run without being told, for whoever runs it in a thread that cannot listen meanwhile. */
export interface Patience {
  /** Asked between executions. */
  readonly isOver?: () => boolean
  /** Asked now and then during executions: true gives the one under way up. */
  readonly isOverdue?: () => boolean
}

/** One run of a search, on the machine of one worker: from the assignment to its end, or until told to stop. */
export class JobRun {
  private isStopping = false
  private readonly plan: SearchPlan
  private readonly operations = new WatchOperations()
  private readonly detector: RaceDetector
  /** Which of the limited detector's candidates are more than that. */
  private readonly confirming: RaceDetector | null
  private toldRaces = -1
  private toldLong = 0
  private toldConfirmed = -1
  private readonly shown = new Map<FoundBug, ShownBug>()

  constructor(
    machine: Machine,
    private readonly assignment: Assignment,
    private readonly tell: (answer: Answer) => void,
    private readonly patience: Patience = {},
  ) {
    const { points, strategy, seed, maxSteps, maxExecutions, keepGoing, ignore, selfCheck, races } =
      assignment
    this.plan = {
      machine,
      points,
      strategy,
      order: 'stay',
      seed,
      maxSteps,
      maxExecutions,
      keepGoing,
      ignore,
      selfCheck,
    }
    this.detector = raceDetector(races, machine)
    this.confirming = races === 'limited' ? raceDetector('pure', machine) : null
  }

  /** Asks it to end; it then tells where it stands. */
  suspend(): void {
    this.isStopping = true
  }

  async run(): Promise<void> {
    const { plan, assignment, operations, detector, confirming } = this
    const { saved, run, saveEvery } = assignment
    const { strategy, forecast } = saved ? resumeSearch(saved, plan.machine) : freshSearch(plan)
    const before = saved?.counters ?? noCounters
    const write = (soFar: SearchResult): SavedJob =>
      saveSearch(plan, { counters: addCounters(before, soFar), bugs: [] }, strategy, forecast)
    let next = tellEvery
    let written = 0
    let lastSaved = saved
    const result = await runSearch(plan, strategy, {
      budget: new Budget(Infinity),
      observers: [operations, detector, ...(confirming ? [confirming] : [])],
      forecast,
      secondsBefore: before.seconds,
      isInterrupted: () => this.isStopping || (this.patience.isOver?.() ?? false),
      isOverdue: this.patience.isOverdue,
      onProgress: (soFar) => {
        if (soFar.seconds < next) return
        const start = performance.now()
        const isDue = soFar.seconds - written >= saveEvery
        if (isDue) {
          written = soFar.seconds
          lastSaved = write(soFar)
        }
        this.tell({
          kind: 'progress',
          run,
          findings: this.findings(soFar, strategy),
          ...(isDue && lastSaved ? { saved: lastSaved } : {}),
        })
        const cost = (performance.now() - start) / 1000
        next = soFar.seconds + Math.max(tellEvery, cost / tellingShare)
      },
    })
    this.tell({
      kind: 'ended',
      run,
      stopped: result.stopped,
      findings: this.findings(result, strategy),
      saved: result.stopped === 'exhausted' ? null : result.isAbandoned ? lastSaved : write(result),
    })
  }

  private findings(soFar: SearchResult, strategy: Strategy): Findings {
    const { operations, detector, plan } = this
    const { version } = detector.table
    const longSites = plan.machine.longAccesses?.sites ?? []
    const isNew = version !== this.toldRaces || longSites.length !== this.toldLong
    this.toldRaces = version
    this.toldLong = longSites.length
    const { outlook } = soFar
    const { completedBound } = strategy
    return {
      counters: pickCounters(soFar),
      ...(outlook ? { eta: outlook.secondsLeft, share: outlook.share } : {}),
      ...(completedBound === undefined
        ? {}
        : { completedBound: completedBound === Infinity ? null : completedBound }),
      coarse: this.isCoarse || strategy.coarse === true,
      longSites,
      kindsSeen: operations.kindsSeen,
      needsRelease: operations.needsRelease,
      hasFreed: operations.hasFreed,
      hasWaited: operations.hasWaited,
      watched: operations.watched,
      ...(isNew ? { races: detector.table.toData() } : {}),
      ...this.newlyConfirmed(),
      bugs: soFar.bugs.map((bug) => this.show(bug)),
    }
  }

  /** Whether an access of several words races that runs as one step even where it should be split. */
  private get isCoarse(): boolean {
    const whole = this.plan.machine.longAccesses?.unsplit ?? []
    if (whole.length === 0) return false
    return this.detector.table.toData().some(({ a, b }) => whole.includes(a.site) || whole.includes(b.site))
  }

  private newlyConfirmed(): { confirmed?: readonly string[] } {
    const table = this.confirming?.table
    if (table === undefined || table.version === this.toldConfirmed) return {}
    this.toldConfirmed = table.version
    return { confirmed: table.toData().map(raceKey) }
  }

  /** Schedules are written by name, which takes a run: once for each schedule. */
  private show(found: FoundBug): ShownBug {
    const known = this.shown.get(found)
    const { bug, thread, value, points, execution, count } = found
    if (known && known.schedule.steps.length === thread.length && known.count === count) return known
    const { machine } = this.plan
    const shown: ShownBug = {
      kind: bug.kind,
      message: bug.message,
      site: machine.sites[bug.site]?.name ?? null,
      schedule: known?.schedule ?? recordAt(machine, thread, value, points),
      execution,
      count,
    }
    this.shown.set(found, shown)
    return shown
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
