import type { Machine } from '../../machine/machine.js'
import type { PointRule } from '../../machine/points.js'
import type { RaceKind, RaceRecord } from '../../races/index.js'
import type { Counters } from '../counters.js'
import { readJson } from '../failure-file.js'
import { UserError } from '../user-error.js'
import { version } from '../version.js'
import type { Background } from './background.js'
import type { RacyAccess } from './board.js'
import type { Deepening, DeepenOptions } from './deepen.js'
import type { FoundByDeepening } from './findings.js'
import type { Job } from './job.js'
import { runFormat } from './run-format.js'

export { runFormat }

/** A run of Iterative Deepening on disk: every job with where it stands, what was found, what was learnt. */
export interface SavedRun {
  readonly format: typeof runFormat
  readonly tool: string
  readonly program: string
  readonly hash: string
  readonly strategy: string
  readonly seed: number
  readonly maxSteps: number | null
  readonly keepGoing: boolean
  readonly races: RaceKind
  readonly rules: readonly PointRule[]
  readonly verify: boolean
  readonly etaFactor: number
  readonly etaThreshold: number
  readonly maximalIsLarge: boolean
  readonly isProving: boolean
  readonly hasFailed: boolean
  readonly needsRelease: boolean
  readonly isCoarse: boolean
  readonly racyAccesses: readonly RacyAccess[]
  readonly raceRecords: readonly RaceRecord[]
  readonly confirmed: readonly string[]
  readonly jobs: readonly SavedJobRow[]
  readonly backgrounds: readonly SavedBackground[]
  readonly bugs: readonly SavedBugRow[]
  readonly mishaps: readonly string[]
  /** Of searches before the jobs. */
  readonly earlier: Counters
}

/** `eta` is null while nothing is known: JSON has no Infinity. */
type SavedJobRow = Omit<Job, 'eta'> & { readonly eta: number | null }
type SavedBackground = Pick<Background, 'strategy' | 'status' | 'counters' | 'saved' | 'crashes'> & {
  /** null: nothing was left out. */
  readonly completedBound: number | null
}
type SavedBugRow = Omit<FoundByDeepening, 'job'> & { readonly job: number | null }

export function saveRun(run: Deepening, machine: Machine, options: DeepenOptions): SavedRun {
  const { board } = run
  const { settings } = board
  return {
    format: runFormat,
    tool: version,
    program: machine.name,
    hash: machine.hash,
    strategy: options.strategy,
    seed: options.seed,
    maxSteps: options.maxSteps ?? null,
    keepGoing: options.keepGoing,
    races: options.races,
    rules: settings.rules,
    verify: settings.verify,
    etaFactor: settings.etaFactor,
    etaThreshold: settings.etaThreshold,
    maximalIsLarge: board.maximalIsLarge,
    isProving: board.isProving,
    hasFailed: board.hasFailed,
    needsRelease: run.needsRelease,
    isCoarse: run.isCoarse,
    racyAccesses: board.racyAccesses,
    raceRecords: run.allRaces().toData(),
    confirmed: [...run.confirmed],
    jobs: board.jobs.map((job) => ({ ...asLastWritten(job), eta: job.eta === Infinity ? null : job.eta })),
    backgrounds: run.backgrounds.map(({ strategy, status, counters, saved, crashes, completedBound }) => ({
      strategy,
      status: status === 'running' ? 'waiting' : status,
      counters: saved?.counters ?? counters,
      saved,
      crashes,
      completedBound: completedBound === Infinity ? null : completedBound,
    })),
    bugs: run.bugs.map((bug) => ({ ...bug, job: bug.job?.id ?? null })),
    mishaps: run.mishaps,
    earlier: run.earlierCounters,
  }
}

/** A job under way goes on from where its worker wrote it out last; its counters are those of then. */
function asLastWritten(job: Job): Job {
  if (job.status !== 'running') return job
  return job.saved
    ? { ...job, status: 'suspended', counters: job.saved.counters }
    : { ...job, status: 'pending', counters: job.counters }
}

/** Puts a run where it was. */
export function restoreRun(saved: SavedRun, run: Deepening): void {
  const jobs = saved.jobs.map((row): Job => ({ ...row, eta: row.eta ?? Infinity }))
  run.board.restore(jobs, saved.racyAccesses, saved)
  run.races.merge(saved.raceRecords)
  for (const key of saved.confirmed) run.confirmed.add(key)
  run.needsRelease = saved.needsRelease
  run.isCoarse = saved.isCoarse
  run.mishaps.push(...saved.mishaps)
  run.takeEarlier(saved.earlier)
  for (const { job, ...bug } of saved.bugs) {
    run.bugs.push({ ...bug, job: jobs.find(({ id }) => id === job) ?? null })
  }
  for (const row of saved.backgrounds) {
    const search = run.backgrounds.find(({ strategy }) => strategy === row.strategy)
    if (search) Object.assign(search, row, { completedBound: row.completedBound ?? Infinity })
  }
}

const isArray = Array.isArray
const isText = (value: unknown) => typeof value === 'string'
const isFlag = (value: unknown) => typeof value === 'boolean'
const isNumber = (value: unknown) => typeof value === 'number'
const isRow = (value: unknown) => typeof value === 'object' && value !== null && !isArray(value)

const fields: Readonly<Record<Exclude<keyof SavedRun, 'format'>, (value: unknown) => boolean>> = {
  tool: isText,
  program: isText,
  hash: isText,
  strategy: isText,
  seed: Number.isInteger,
  maxSteps: (v) => v === null || Number.isInteger(v),
  keepGoing: isFlag,
  races: isText,
  rules: isArray,
  verify: isFlag,
  etaFactor: isNumber,
  etaThreshold: isNumber,
  maximalIsLarge: isFlag,
  isProving: isFlag,
  hasFailed: isFlag,
  needsRelease: isFlag,
  isCoarse: isFlag,
  racyAccesses: isArray,
  raceRecords: isArray,
  confirmed: isArray,
  jobs: (v) =>
    isArray(v) && v.length > 0 && v.every((job) => isRow(job) && isRow(job.points) && isRow(job.counters)),
  backgrounds: (v) => isArray(v) && v.every(isRow),
  bugs: (v) => isArray(v) && v.every((bug) => isRow(bug) && isRow(bug.shown)),
  mishaps: isArray,
  earlier: isRow,
}

/** Reads and checks a saved run. */
export function readRun(path: string): SavedRun {
  const data = readJson(path, 'a saved run')
  for (const [key, isRight] of Object.entries(fields)) {
    if (!isRight(data[key])) {
      throw new UserError(`${path}: "${key}" is missing or wrong; the file is damaged, start the run again`)
    }
  }
  return data as unknown as SavedRun
}
