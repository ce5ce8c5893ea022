import { NondeterminismError } from '../../execution/determinism.js'
import { defaultMaxSteps, Runner } from '../../execution/runner.js'
import { LoadError } from '../../frontends/front-end.js'
import type { RaceKind } from '../../races/index.js'
import type { Report } from '../../reports/report.js'
import { createStrategy } from '../../strategies/index.js'
import { spuriousSamples } from '../auto.js'
import type { CheckOptions } from '../check.js'
import { ranIn } from '../counters.js'
import { isOpen, switchPlatform } from '../platforms.js'
import type { Answer, Assignment, Findings } from './assignment.js'
import { firstDoubt } from './board.js'
import { Deepening, RefusedByWorker } from './deepen.js'
import { JobRun, type Patience } from './job-run.js'
import { isEnough, isWholeLook, type Look, type LookPlan, totalOf } from './look.js'
import { reportLooks, reportRun } from './report-run.js'
import { threadWorker } from './thread-worker.js'

/**
 * What `auto` does before deepening. Most tests of a library are small: the first look explores them whole, with every
 * access a point and one execution per class, and nothing else is needed. For the others, samples find what is shallow.
 */
const looks: readonly LookPlan[] = [
  { strategy: 'optimal', executions: Infinity, seconds: 1, title: 'every schedule, if they are few' },
  { strategy: 'pos', executions: 300, seconds: 1, title: 'sampling' },
]

/** Looks at what the platform may do besides, by what the program must have done for it to matter. */
const platformLooks: readonly (LookPlan & { readonly matters: 'hasFreed' | 'hasWaited' })[] = [
  // Fresh memory shows a use after free at once, but some bugs need the same address given out again (ABA).
  {
    strategy: 'pos',
    executions: 200,
    seconds: 1,
    title: 'sampling with freed memory reused',
    platform: { heap: 'reuse' },
    matters: 'hasFreed',
  },
  // A wait that is not in a loop relies on a signal that need not have come.
  { strategy: 'pos', ...spuriousSamples, seconds: 1, matters: 'hasWaited' },
]

/**
 * Steps after which executions are cut, unless the user says. One that goes round for ever ends only there, and should
 * leave time for the others; so it is many times what the first execution takes.
 */
const leastLimit = 10_000
const limitFactor = 20

/** A proof that should be done in so many seconds needs no samples first: it shares its time with some if it takes longer. */
const soon = 5

/** `auto` and `deepen`: a budget in, bugs or a proof out. */
export async function checkDeepening(given: CheckOptions): Promise<Report> {
  const options = given.maxSteps === undefined ? { ...given, maxSteps: stepLimit(given) } : given
  const isAuto = options.strategy === 'auto'
  const done: Look[] = []
  let begun: Look | undefined
  for (const look of isAuto && !options.resumedRun ? looks : []) {
    if (begun && begun.findings.eta! < soon) break
    const ended = await lookHere(options, { ...look, seconds: patienceOf(look, begun) }, done)
    done.push({ ...ended, strategy: look.strategy })
    if (isProofInTime(options, done[0])) begun = done[0]
    const hasBug = ended.findings.bugs.length > 0
    if (hasBug && !options.keepGoing) return reportLooks(options, done)
    if (isWholeLook(done.at(-1)!)) {
      await lookAtPlatforms(options, done)
      return reportLooks(options, done)
    }
    if (isTold(options) || isEnough(options, done)) return reportLooks(options, done)
  }
  if (done.length > 0) await lookAtPlatforms(options, done, begun)
  if (done.some((look) => look.findings.bugs.length > 0) && !options.keepGoing)
    return reportLooks(options, done)
  return deepenAfter(options, done, begun)
}

/**
 * Whether the first look, which was not done with every schedule, should be gone on with: the rest of it may well fit
 * into the time that is left. Whatever else could be done would then be work done twice. It may still be given up
 * (`BoardSettings.proof`).
 */
function isProofInTime(options: CheckOptions, { saved, findings }: Look): boolean {
  const { counters, eta = Infinity } = findings
  return saved !== null && counters.cut === 0 && eta < firstDoubt * timeLeftOf(options)
}

/**
 * Samples are taken in case a bug is shallow. Beside a proof that may soon be done they should cost little; if it takes
 * longer, it shares its time with more of them.
 */
function patienceOf(look: LookPlan, proof: Look | undefined): number {
  return proof === undefined ? look.seconds : Math.min(look.seconds, proof.findings.counters.seconds / 20)
}

function stepLimit({ program: { machine }, points, budget }: CheckOptions): number {
  machine.usePoints(points)
  const runner = new Runner(machine, { isOverdue: () => budget.isOverdue })
  try {
    runner.run(createStrategy('dfs', { machine }))
  } catch {
    // Whatever is wrong is told by the search.
    return defaultMaxSteps
  }
  // How long an execution is that does not end says nothing about the others.
  if (runner.status === 'cut') return leastLimit
  return Math.min(Math.max(leastLimit, limitFactor * runner.trace.length), defaultMaxSteps)
}

async function lookAtPlatforms(options: CheckOptions, done: Look[], begun?: Look): Promise<void> {
  const { machine } = options.program
  for (const look of platformLooks) {
    const { strategy, platform, matters } = look
    if (!done.some(({ findings }) => findings[matters]) || !isOpen(options, platform)) continue
    if (isEnough(options, done) || options.isInterrupted?.() || timeLeftOf(options) <= 0) return
    const goBack = switchPlatform(machine, platform)
    try {
      const ended = await lookHere(options, { ...look, seconds: patienceOf(look, begun) }, done)
      done.push({ ...ended, strategy, platform })
      if (ended.findings.bugs.length > 0 && !options.keepGoing) return
    } finally {
      goBack()
    }
  }
}

/** Wall seconds a worker has: processor time is shared by all of them. */
function timeLeftOf({ budget, cpu, workers }: CheckOptions): number {
  return Math.min(budget.remainingSeconds, cpu === undefined ? Infinity : cpu.remainingSeconds / workers)
}

/** Somebody or something says that the run is to end. */
function isTold(options: CheckOptions): boolean {
  return (
    (options.isInterrupted?.() ?? false) || timeLeftOf(options) <= 0 || (options.memory?.isReached ?? false)
  )
}

async function lookHere(
  options: CheckOptions,
  look: LookPlan,
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
    maxExecutions: smallest(look.executions, left),
    keepGoing: options.keepGoing,
    ignore: options.ignore ?? [],
    selfCheck: options.selfCheck,
    races: racesOf(options),
    saved: null,
    saveEvery: Infinity,
  }
  const start = process.cpuUsage()
  let eta = Infinity
  const isLong = () => {
    const { user, system } = process.cpuUsage(start)
    return isTooLong((user + system) / 1e6, eta, look.seconds)
  }
  const patience: Patience = {
    isOver: () => isTold(options) || isLong(),
    isOverdue: () => options.budget.isOverdue,
  }
  return new Promise((resolve, reject) => {
    // Told once, and not again with the end.
    let told: Pick<Findings, 'races' | 'confirmed'> = {}
    const hear = (answer: Answer) => {
      if (answer.kind !== 'progress' && answer.kind !== 'ended') return
      const { races = told.races, confirmed = told.confirmed } = answer.findings
      told = { ...(races ? { races } : {}), ...(confirmed ? { confirmed } : {}) }
      if (answer.kind === 'ended') {
        resolve({ ...answer, findings: { ...answer.findings, ...told } })
        return
      }
      eta = answer.findings.eta ?? Infinity
      options.onProgress?.({
        title: look.title,
        strategy: look.strategy,
        executions: total.executions + answer.findings.counters.executions,
        seconds: total.seconds + answer.findings.counters.seconds,
        bugs: answer.findings.bugs.length,
      })
    }
    new JobRun(options.program.machine, assignment, hear, patience).run().catch(reject)
  })
}

function smallest(a: number, b: number): number | undefined {
  const least = Math.min(a, b)
  return least === Infinity ? undefined : least
}

/** A look has its time, and as much again if it should be done by then. */
function isTooLong(seconds: number, eta: number, patience: number): boolean {
  return seconds > patience && (eta > patience || seconds > 3 * patience)
}

function racesOf(options: CheckOptions): RaceKind {
  return options.races ?? 'pure'
}

async function deepenAfter(
  options: CheckOptions,
  done: readonly Look[],
  begun: Look | undefined,
): Promise<Report> {
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
    ignore: options.ignore,
    selfCheck: options.selfCheck,
    // Races on another platform are none of these state spaces.
    before: done
      .filter((look) => look !== begun)
      .map(({ platform, findings }) => (platform ? { ...findings, races: [], watched: [] } : findings)),
    begun: begun?.saved ? { findings: begun.findings, saved: begun.saved } : undefined,
    resumed: options.resumedRun,
    timeLeft: () => timeLeftOf(options),
    memory: options.memory,
    isOverdue: () => options.budget.isOverdue,
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
