import type { SavedRecord, SavedRun } from '../files/saved-run.js'
import { version } from '../files/version.js'
import type { RaceRecord } from '../races/index.js'
import { noCounters } from './counters.js'
import type { Deepening } from './deepening.js'
import { formatIgnored } from './ignored.js'
import type { Job } from './job.js'
import type { Knowledge } from './knowledge.js'
import type { RunSettings } from './plan.js'
import type { RunBug } from './run-bug.js'
import type { SearchRecord } from './search-record.js'
import type { Stages } from './stages.js'

export type { SavedRun }

/** What a saved file keeps of a run: `Run` is one. */
export interface RunState {
  readonly settings: RunSettings
  readonly sequence: Stages
  readonly stages: readonly SearchRecord[]
  deepening: Deepening | null
  readonly knowledge: Knowledge
  readonly bugs: RunBug[]
  readonly problems: string[]
  maxSteps: number | undefined
  readonly seconds: number
  secondsBefore: number
  readonly racesUnderWay: readonly (readonly RaceRecord[])[]
  makeDeepening(isProof: boolean): Deepening
}

/** The run as it is now: searches under way as their workers wrote them out last. */
export function saveRun(run: RunState): SavedRun {
  const { settings, sequence, deepening, knowledge, bugs, problems, maxSteps, seconds } = run
  const { machine } = settings.program
  const { strategy, points, order, seed, keepGoing, races, verify } = settings
  return {
    tool: version,
    program: machine.name,
    hash: machine.hash,
    asked: {
      strategy,
      points,
      order,
      bound: settings.bound ?? null,
      seed,
      maxSteps: maxSteps ?? null,
      keepGoing,
      ignore: (settings.ignore ?? []).map(formatIgnored),
      races: races ?? null,
      verify: verify ?? false,
      etaFactor: settings.etaFactor ?? null,
      etaThreshold: settings.etaThreshold ?? null,
    },
    seconds,
    stage: sequence.at,
    stages: sequence.records.map(saveRecord),
    deepening: deepening && {
      jobs: deepening.board.jobs.map((job) => ({
        ...saveRecord(job),
        origin: job.origin,
        priority: job.priority,
      })),
      backgrounds: deepening.backgrounds.map(saveRecord),
      racyAccesses: deepening.board.racyAccesses,
      maximalIsLarge: deepening.board.maximalIsLarge,
      isProving: deepening.board.isProving,
      hasFailed: deepening.board.hasFailed,
      needsRelease: knowledge.needsRelease,
    },
    knowledge: knowledge.save(run.racesUnderWay),
    bugs,
    problems,
  }
}

/** A search under way goes on from where its worker wrote it out last; its counters are those of then. */
function saveRecord(record: SearchRecord): SavedRecord {
  const { eta, completedBound, status, saved, counters, ...rest } = record
  const isRunning = status === 'running'
  return {
    ...rest,
    saved,
    status: isRunning ? (saved ? 'suspended' : 'pending') : status,
    counters: isRunning ? (saved?.counters ?? noCounters) : counters,
    eta: eta === Infinity ? null : eta,
    completedBound: completedBound === Infinity ? null : completedBound,
  }
}

function loadRecord({ eta, completedBound, ...rest }: SavedRecord): SearchRecord {
  const { platform, ...record } = rest
  return {
    ...record,
    ...(platform ? { platform } : {}),
    eta: eta ?? Infinity,
    completedBound: completedBound ?? Infinity,
  }
}

/** Puts a run where it was. */
export function restoreRun(saved: SavedRun, run: RunState): void {
  run.sequence.at = saved.stage
  run.maxSteps = saved.asked.maxSteps ?? undefined
  run.secondsBefore = saved.seconds
  run.knowledge.restore(saved.knowledge)
  run.bugs.push(...saved.bugs)
  run.problems.push(...saved.problems)
  run.stages.forEach((record, i) => {
    if (saved.stages[i]) Object.assign(record, loadRecord(saved.stages[i]))
  })
  if (saved.deepening === null) return
  const deepening = run.makeDeepening(saved.deepening.isProving)
  const jobs = saved.deepening.jobs.map(
    ({ origin, priority, ...job }): Job => ({
      ...loadRecord(job),
      origin: origin as Job['origin'],
      priority,
    }),
  )
  deepening.board.restore(jobs, saved.deepening.racyAccesses, saved.deepening)
  deepening.backgrounds.forEach((record, i) => {
    const row = saved.deepening!.backgrounds[i]
    if (row) Object.assign(record, loadRecord(row))
  })
  run.deepening = deepening
}
