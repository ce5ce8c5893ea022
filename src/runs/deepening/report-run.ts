import { asNondeterminism, NondeterminismError } from '../../execution/determinism.js'
import { defaultMaxSteps, Runner } from '../../execution/runner.js'
import { isBothOrder, type RaceRecord, RaceTable } from '../../races/index.js'
import type {
  BugReport,
  DeepeningReport,
  PhaseReport,
  RaceKnowledge,
  RaceReport,
  Report,
} from '../../reports/report.js'
import { replay } from '../../strategies/replay.js'
import type { CheckOptions } from '../check.js'
import { pickCounters, ranIn } from '../counters.js'
import { switchPlatform, wholeScope } from '../platforms.js'
import { reportBug } from '../report-bug.js'
import { reportRaces } from '../report-races.js'
import { judge, pointsText } from '../verdict.js'
import { judgeDeepening, knowledgeAfter, weakest } from './answer.js'
import { raceKey, type ShownBug } from './assignment.js'
import type { Deepening, DeepenStop } from './deepen.js'
import type { FoundByDeepening } from './findings.js'
import { isEnough, isWholeLook, type Look, totalOf } from './look.js'

/** A run that ended with its looks. */
export function reportLooks(options: CheckOptions, done: readonly Look[]): Report {
  const [first] = done
  const total = totalOf(done)
  const bugs = done.flatMap((look, i) =>
    look.findings.bugs.map(
      (shown): FoundByDeepening => ({
        shown,
        job: null,
        strategy: look.strategy,
        execution: ranIn(totalOf(done.slice(0, i))) + shown.execution,
        count: shown.count,
        platform: look.platform,
      }),
    ),
  )
  const judgement = judge({
    ...total,
    strategy: 'optimal',
    promise: 'all',
    stopped: first.stopped === 'exhausted' ? 'exhausted' : stopOf(options, done),
    foundBug: bugs.length > 0,
    points: options.points,
    coarse: first.findings.coarse,
    maxSteps: options.maxSteps ?? defaultMaxSteps,
    seed: options.seed,
    sampledBefore: done.slice(1).reduce((sum, look) => sum + look.findings.counters.executions, 0),
  })
  return {
    ...common(options, done),
    ...judgement,
    ...pickCounters(total),
    phases: done.map(phaseOf),
    bugs: bugs.map((bug) => reportShown(options, bug)),
    races: racesReport(
      options,
      done.flatMap((look) => (look.platform ? [] : (look.findings.races ?? []))),
      (race) => (isWholeLook(first) && bugs.length === 0 ? knownAfterAll(race) : 'untested'),
    ),
  }
}

/** Races that several searches have seen, each once. */
function racesReport(
  options: CheckOptions,
  records: readonly RaceRecord[],
  knowledge: (race: RaceRecord) => RaceKnowledge,
): RaceReport[] {
  const { machine } = options.program
  const table = new RaceTable(machine)
  table.merge(records)
  const races = table.toData()
  const known = new Map(races.map((race) => [raceKey(race), knowledge(race)]))
  return reportRaces(races, machine, options.directory, {
    looksAgain: options.races !== undefined,
    leftOut: options.leftOutOfRaces,
  }).map((report) => ({
    ...report,
    known: weakest(report.pairs.map((pair) => known.get(pair.join(' ')) ?? 'untested')),
  }))
}

/** Every schedule was explored with every access a point, and none failed. */
function knownAfterAll(race: RaceRecord): RaceKnowledge {
  return isBothOrder(race) ? 'both-orders-pass' : 'one-order'
}

function stopOf(
  options: CheckOptions,
  done: readonly Look[],
): 'interrupted' | 'executions' | 'memory' | 'budget' {
  if (options.isInterrupted?.()) return 'interrupted'
  if (options.memory?.isReached) return 'memory'
  return isEnough(options, done) ? 'executions' : 'budget'
}

function common(
  options: CheckOptions,
  done: readonly Look[],
): Pick<
  Report,
  | 'program'
  | 'scope'
  | 'strategy'
  | 'points'
  | 'seed'
  | 'keepGoing'
  | 'outlook'
  | 'hitBound'
  | 'tree'
  | 'raceDetector'
> {
  return {
    program: options.recipe.files.join(' '),
    scope: wholeScope(
      options.program,
      done.map(({ platform, findings }) => ({ platform, executions: findings.counters.executions })),
    ),
    strategy: options.strategy,
    points: pointsText(options.points),
    seed: options.seed,
    keepGoing: options.keepGoing,
    outlook: null,
    hitBound: null,
    tree: null,
    raceDetector: options.races ?? null,
  }
}

function phaseOf({ strategy, findings: { counters } }: Look): PhaseReport {
  return { strategy, executions: counters.executions, blocked: counters.blocked, seconds: counters.seconds }
}

/** A run that went on to deepening. */
export function reportRun(
  options: CheckOptions,
  run: Deepening,
  stopped: DeepenStop,
  done: readonly Look[],
): Report {
  const counters = run.counters
  const before = totalOf(done)
  const early = done.flatMap((look) =>
    look.findings.bugs.map(
      (shown): FoundByDeepening => ({
        shown,
        job: null,
        strategy: look.strategy,
        execution: shown.execution,
        count: shown.count,
        platform: look.platform,
      }),
    ),
  )
  const judgement = judgeDeepening(run, stopped, options.maxSteps ?? defaultMaxSteps, early.length > 0)
  return {
    ...common(options, done),
    ...judgement,
    ...pickCounters(counters),
    // Workers work at the same time.
    seconds: before.seconds + run.seconds,
    phases: [
      ...done.map(phaseOf),
      {
        strategy: 'deepen',
        executions: counters.executions - before.executions,
        blocked: counters.blocked - before.blocked,
        seconds: run.seconds,
      },
    ],
    deepening: deepeningReport(run),
    bugs: [...early, ...run.bugs].map((bug) => reportShown(options, bug)),
    races: racesReport(options, run.allRaces().toData(), knowledgeAfter(run)),
  }
}

function deepeningReport(run: Deepening): DeepeningReport {
  return {
    jobs: run.board.jobs.map((job) => ({
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
    beside: run.backgrounds.map(({ strategy, title, counters, completedBound }) => ({
      strategy,
      title,
      executions: counters.executions,
      seconds: counters.seconds,
      ...(strategy === 'icb'
        ? { completedBound: Number.isFinite(completedBound) ? completedBound : null }
        : {}),
    })),
    mishaps: run.saveTrouble
      ? [...run.mishaps, `the run could not be saved: ${run.saveTrouble}`]
      : run.mishaps,
  }
}

/** Runs the schedule of a bug on the machine here, then minimises, writes and explains it. */
function reportShown(options: CheckOptions, found: FoundByDeepening): BugReport {
  const goBack = switchPlatform(options.program.machine, found.platform)
  try {
    return reportHere({ ...options, recipe: { ...options.recipe, ...found.platform } }, found)
  } finally {
    goBack()
  }
}

function reportHere(options: CheckOptions, found: FoundByDeepening): BugReport {
  const { machine } = options.program
  const { schedule } = found.shown
  machine.usePoints(schedule.points)
  const seen = runHere(options, found.shown)
  const report = reportBug(
    { ...seen, points: schedule.points, execution: found.execution, count: found.count },
    { ...options, points: schedule.points, strategy: found.strategy, executionsBefore: 0 },
  )
  const { races } = schedule.points
  return found.job
    ? { ...report, points: pointsText(schedule.points), neededRacePoint: races.length > 0 }
    : report
}

function runHere(options: CheckOptions, { schedule, kind, message }: ShownBug) {
  const { machine } = options.program
  const runner = new Runner(machine, { maxSteps: schedule.steps.length + 1 })
  try {
    runner.run(replay(schedule, machine))
  } catch (error) {
    throw asNondeterminism(error)
  }
  const { bug, trace } = runner
  if (bug?.kind !== kind) {
    throw new NondeterminismError(
      trace.length,
      `${kind} (${message})`,
      bug ? `${bug.kind} (${bug.message})` : 'an end without a bug',
    )
  }
  return {
    bug,
    thread: trace.thread.slice(0, trace.length),
    value: trace.value.slice(0, trace.length),
    preemptions: trace.preemptions,
  }
}
