import { asNondeterminism, NondeterminismError } from '../../execution/determinism.js'
import { defaultMaxSteps, Runner } from '../../execution/runner.js'
import { LoadError } from '../../frontends/registry.js'
import { type RaceKind, type RaceRecord, RaceTable } from '../../races/index.js'
import type { BugReport, DeepeningReport, PhaseReport, RaceReport, Report } from '../../reports/report.js'
import { replay } from '../../strategies/replay.js'
import type { CheckOptions } from '../check.js'
import { addCounters, type Counters, noCounters, pickCounters, ranIn } from '../counters.js'
import { reportBug } from '../report-bug.js'
import { reportRaces } from '../report-races.js'
import { judge, pointsText } from '../verdict.js'
import { judgeDeepening, knowledgeOf } from './answer.js'
import type { Answer, Assignment, ShownBug } from './assignment.js'
import { Deepening, type DeepenStop, RefusedByWorker } from './deepen.js'
import type { FoundByDeepening } from './findings.js'
import { JobRun } from './job-run.js'
import { threadWorker } from './thread-worker.js'

/** What a look in this thread came to. */
type Look = Extract<Answer, { kind: 'ended' }> & { readonly strategy: string }

/**
 * What `auto` does before deepening. Most tests of a library are small: the first look explores them whole, with every
 * access a point and one execution per class, and nothing else is needed. For the others, samples find what is shallow.
 */
const looks = [
  { strategy: 'optimal', executions: 2000, seconds: 1, title: 'every schedule, if they are few' },
  { strategy: 'pos', executions: 300, seconds: 1, title: 'sampling' },
] as const

/** `auto` and `deepen`: a budget in, bugs or a proof out. */
export async function checkDeepening(options: CheckOptions): Promise<Report> {
  const isAuto = options.strategy === 'auto'
  const done: Look[] = []
  for (const look of isAuto && !options.resumedRun ? looks : []) {
    const ended = await lookHere(options, look, done)
    done.push({ ...ended, strategy: look.strategy })
    const hasBug = ended.findings.bugs.length > 0
    if (ended.stopped === 'exhausted' || (hasBug && !options.keepGoing)) return reportLooks(options, done)
    if (options.isInterrupted?.() || timeLeftOf(options) <= 0 || isEnough(options, done))
      return reportLooks(options, done)
  }
  return deepenAfter(options, done)
}

function isEnough({ maxExecutions }: CheckOptions, done: readonly Look[]): boolean {
  return maxExecutions !== undefined && ranIn(totalOf(done)) >= maxExecutions
}

function totalOf(done: readonly Look[]): Counters {
  return done.reduce((sum, { findings }) => addCounters(sum, findings.counters), noCounters)
}

/** Wall seconds a worker has: processor time is shared by all of them. */
function timeLeftOf({ budget, cpu, workers }: CheckOptions): number {
  return Math.min(budget.remainingSeconds, cpu === undefined ? Infinity : cpu.remainingSeconds / workers)
}

async function lookHere(
  options: CheckOptions,
  look: (typeof looks)[number],
  done: readonly Look[],
): Promise<Extract<Answer, { kind: 'ended' }>> {
  const total = totalOf(done)
  const left = options.maxExecutions === undefined ? Infinity : options.maxExecutions - ranIn(total)
  const assignment: Assignment = {
    run: 0,
    points: options.points,
    strategy: look.strategy,
    seed: options.seed,
    maxSteps: options.maxSteps,
    maxExecutions: Math.min(look.executions, left),
    keepGoing: options.keepGoing,
    selfCheck: options.selfCheck,
    races: racesOf(options),
    saved: null,
    saveEvery: Infinity,
  }
  const patience = Math.min(look.seconds, timeLeftOf(options))
  const start = performance.now()
  return new Promise((resolve, reject) => {
    const run = new JobRun(options.program.machine, assignment, (answer) => {
      if (answer.kind === 'ended') resolve(answer)
      if (answer.kind !== 'progress') return
      const seconds = (performance.now() - start) / 1000
      if (options.isInterrupted?.() || seconds > patience) run.suspend()
      options.onProgress?.({
        title: look.title,
        strategy: look.strategy,
        executions: total.executions + answer.findings.counters.executions,
        seconds: total.seconds + answer.findings.counters.seconds,
        bugs: answer.findings.bugs.length,
      })
    })
    run.run().catch(reject)
  })
}

function racesOf(options: CheckOptions): RaceKind {
  return options.races ?? 'pure'
}

async function deepenAfter(options: CheckOptions, done: readonly Look[]): Promise<Report> {
  const { program, recipe, directory } = options
  const { machine } = program
  const run = new Deepening({
    machine,
    isProgramError: program.isProgramError,
    spawn: options.isThreadless
      ? undefined
      : (name) => threadWorker({ recipe, directory, hash: machine.hash }, name, options.workerMemory),
    workers: options.workers,
    settings: {
      rules: options.points.rules,
      verify: options.verify ?? false,
      ...(options.etaFactor === undefined ? {} : { etaFactor: options.etaFactor }),
      ...(options.etaThreshold === undefined ? {} : { etaThreshold: options.etaThreshold }),
    },
    races: racesOf(options),
    strategy: options.strategy,
    seed: options.seed,
    maxSteps: options.maxSteps,
    maxExecutions: options.maxExecutions,
    keepGoing: options.keepGoing,
    selfCheck: options.selfCheck,
    before: done.map((look) => look.findings),
    resumed: options.resumedRun,
    timeLeft: () => timeLeftOf(options),
    ...(options.isInterrupted ? { isInterrupted: options.isInterrupted } : {}),
    ...(options.onSave ? { onSave: options.onSave } : {}),
    ...(options.saveEvery === undefined ? {} : { saveEvery: options.saveEvery }),
    onProgress: (run) => options.onDeepening?.(run),
  })
  const stopped = await run.run().catch((error: unknown) => {
    throw error instanceof RefusedByWorker ? originalError(error, options) : error
  })
  return reportRun(options, run, stopped, done)
}

/** An error of a worker, as if it had happened here. */
function originalError({ refused }: RefusedByWorker, options: CheckOptions): Error {
  if (refused.isProgramError) return new LoadError(`${options.recipe.files[0]}: ${refused.message}`)
  if (refused.name === 'NondeterminismError') return NondeterminismError.saying(refused.message)
  const error = new Error(refused.message)
  error.name = refused.name
  return error
}

function reportLooks(options: CheckOptions, done: readonly Look[]): Report {
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
    ...common(options),
    ...judgement,
    ...pickCounters(total),
    phases: done.map(phaseOf),
    bugs: bugs.map((bug) => reportShown(options, bug)),
    races: racesReport(
      options,
      done.flatMap((look) => look.findings.races ?? []),
    ),
  }
}

/** Races that several searches have seen, each once. */
function racesReport(options: CheckOptions, records: readonly RaceRecord[]): RaceReport[] {
  const { machine } = options.program
  const table = new RaceTable(machine)
  table.merge(records)
  return reportRaces(table.toData(), machine, options.directory, {
    looksAgain: options.races !== undefined,
    leftOut: options.leftOutOfRaces,
  })
}

function stopOf(options: CheckOptions, done: readonly Look[]): 'interrupted' | 'executions' | 'budget' {
  if (options.isInterrupted?.()) return 'interrupted'
  return isEnough(options, done) ? 'executions' : 'budget'
}

function common(
  options: CheckOptions,
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
    scope: options.program.scope,
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

function reportRun(
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
      }),
    ),
  )
  const judgement = judgeDeepening(run, stopped, options.maxSteps ?? defaultMaxSteps, early.length > 0)
  return {
    ...common(options),
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
    races: racesReport(options, run.allRaces().toData()),
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
    races: run
      .allRaces()
      .toData()
      .map((race) => ({ ...race, known: knowledgeOf(race, run) })),
    mishaps: run.saveTrouble
      ? [...run.mishaps, `the run could not be saved: ${run.saveTrouble}`]
      : run.mishaps,
  }
}

/** Runs the schedule of a bug on the machine here, then minimises, writes and explains it. */
function reportShown(options: CheckOptions, found: FoundByDeepening): BugReport {
  const { machine } = options.program
  const { schedule } = found.shown
  machine.usePoints(schedule.points)
  const seen = runHere(options, found.shown)
  const report = reportBug(
    { ...seen, execution: found.execution, count: found.count },
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
