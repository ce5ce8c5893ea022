import { RaceTable } from '../../races/index.js'
import { pickCounters } from '../../runs/counters.js'
import type { Deepening } from '../../runs/deepening.js'
import { evidenceOf } from '../../runs/evidence.js'
import { ignoredCaveats } from '../../runs/ignored.js'
import type { RunSettings } from '../../runs/plan.js'
import { wholeScope } from '../../runs/platforms.js'
import { raceKnowledge, weakest } from '../../runs/race-knowledge.js'
import type { Run } from '../../runs/run.js'
import type { StopReason } from '../../runs/search.js'
import type { SearchRecord } from '../../runs/search-record.js'
import { judge, pointsText, weaken } from '../../runs/verdict.js'
import { raceKey } from '../../runs/workers/messages.js'
import { findStrategy } from '../../strategies/index.js'
import type { DeepeningReport, PhaseReport, RaceReport, Report } from '../report.js'
import { type BugReportOptions, reportBug } from './bug.js'
import { historyReport } from './history.js'
import { reportRaces } from './races.js'
import { sketchOf } from './sketch.js'
import { sourceFiles } from './source-files.js'

export interface RunReportOptions extends BugReportOptions {
  /** Functions and variables whose races are left out. */
  readonly leftOutOfRaces?: readonly string[] | undefined
  /** Seconds that making the machine took. */
  readonly buildSeconds?: number
  /** The first executions are run again for a picture of them. */
  readonly wantsSketch?: boolean
  /** The program that bugs are shown with and recorded for, if not the one that was run: the same with its input given. */
  readonly as?: Pick<RunSettings, 'program' | 'recipe'>
}

/** All that is known when a run has ended. Failing schedules are on disk when it returns. */
export function reportRun(run: Run, stopped: StopReason, options: RunReportOptions): Report {
  const { settings, counters, deepening, seconds } = run
  const { program, recipe, strategy, points, seed, keepGoing } = settings
  const judgement = judge(evidenceOf(run, stopped))
  const caveats = [...(program.caveats ?? []), ...ignoredCaveats(counters.ignored)]
  const { buildSeconds = 0, budget } = options
  // Races and bugs run the program again: the time of the report includes that.
  const shown = { ...settings, ...options.as }
  const bugs = run.bugs.map((bug) => reportBug(bug, shown, options))
  const races = racesReport(run, options)
  const sketch = options.wantsSketch ? sketchOf(run) : null
  return {
    program: recipe.files.join(' '),
    ...judgement,
    ...weaken(judgement, caveats),
    scope: wholeScope(
      program,
      run.searches.map(({ platform, counters: { executions } }) => ({ platform, executions })),
    ),
    strategy,
    points: pointsText(points),
    seed,
    keepGoing,
    ...pickCounters(counters),
    seconds,
    time: {
      building: buildSeconds,
      exploring: seconds,
      all: buildSeconds + Math.max(seconds, budget?.elapsedSeconds ?? 0),
    },
    phases: phasesOf(run),
    statistics: Object.assign({}, ...run.stages.map(statisticsOf)),
    outlook: outlookOf(run, stopped),
    ...(deepening ? { deepening: deepeningReport(deepening) } : {}),
    problems: run.saveProblem
      ? [...run.problems, `the run could not be saved: ${run.saveProblem}`]
      : run.problems,
    bugs,
    raceDetector: settings.races ?? null,
    races,
    files: sourceFiles({ bugs, races }, settings.directory),
    history: historyReport(run),
    ...(sketch ? { sketch } : {}),
  }
}

/** The searches of the plan that were begun, and all of deepening as one. */
function phasesOf({ stages, deepening, seconds }: Run): PhaseReport[] {
  const phases = stages
    .filter(({ status, counters }) => status !== 'pending' && counters.steps > 0)
    .map(({ strategy, counters: { executions, blocked, seconds } }) => ({
      strategy,
      executions,
      blocked,
      seconds,
    }))
  if (deepening === null) return phases
  const sum = (of: (search: SearchRecord) => number) =>
    deepening.searches.reduce((total, search) => total + of(search), 0)
  return [
    ...phases,
    {
      strategy: 'deepen',
      executions: sum(({ counters }) => counters.executions),
      blocked: sum(({ counters }) => counters.blocked),
      // Workers work at the same time.
      seconds: seconds - phases.reduce((total, phase) => total + phase.seconds, 0),
    },
  ]
}

function statisticsOf({ strategy, statistics, platform, counters: { executions } }: SearchRecord) {
  const own = findStrategy(strategy).entry.statistics
  const data = own && (statistics[own.name] as Record<string, unknown> | undefined)
  if (data === undefined || platform) return {}
  return { [own!.name]: { ...data, text: own!.text(data, { strategy, executions }) } }
}

/** Executions below which an estimate says nothing. */
const fewestForOutlook = 10

/** What the last search had still before it, if it ended early. Deepening has one for each job. */
function outlookOf({ stages, deepening, plan }: Run, stopped: StopReason): Report['outlook'] {
  const outlook = stages.at(-1)?.outlook
  const isOver = stopped === 'exhausted' || stopped === 'bug'
  if (deepening || plan.deepens || isOver || !outlook || outlook.seen < fewestForOutlook) return null
  return outlook
}

/** Races that several searches have seen, each once, with what the run found out about them. */
function racesReport(run: Run, { leftOutOfRaces }: RunReportOptions): RaceReport[] {
  if (run.races === null) return []
  const { machine } = run.settings.program
  const table = new RaceTable(machine)
  table.merge(run.allRaces)
  const races = table.toData()
  const knowledge = raceKnowledge(run)
  const known = new Map(races.map((race) => [raceKey(race), knowledge(race)]))
  return reportRaces(races, machine, run.settings.directory, {
    looksAgain: run.settings.races !== undefined,
    leftOut: leftOutOfRaces,
  }).map((report) => ({
    ...report,
    known: weakest(report.pairs.map((pair) => known.get(pair.join(' ')) ?? 'untested')),
  }))
}

function deepeningReport({ board, backgrounds }: Deepening): DeepeningReport {
  return {
    jobs: board.jobs.map((job) => ({
      id: job.id,
      points: pointsText(job.points),
      origin: job.origin.kind,
      status: job.status,
      executions: job.counters.executions,
      seconds: job.counters.seconds,
      share: job.status === 'complete' ? 1 : job.share,
      secondsLeft: Number.isFinite(job.eta) ? job.eta : null,
      bug: job.hasBug,
      reason: job.reason,
    })),
    background: backgrounds.map(({ strategy, title, counters, completedBound }) => ({
      strategy,
      title,
      executions: counters.executions,
      seconds: counters.seconds,
      ...(findStrategy(strategy).entry.bounds
        ? { completedBound: Number.isFinite(completedBound) ? completedBound : null }
        : {}),
    })),
  }
}
