import { existsSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import type { Outlook } from '../estimators/index.js'
import type { Schedule } from '../execution/schedule.js'
import type { Saved } from '../execution/strategy.js'
import type { Recipe } from '../frontends/front-end.js'
import type { BugKind } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import type { ObjectKind } from '../machine/names.js'
import type { Platform } from '../machine/platform.js'
import type { PointSet, RacePoint } from '../machine/points.js'
import { type RaceKind, type RaceRecord, raceKinds } from '../races/index.js'
import type { OptionOrder } from '../strategies/option-order.js'
import { writeAtomically } from './atomic-write.js'
import { type FileKind, isOfKind, readFile } from './json-file.js'
import {
  count,
  data,
  fields,
  flag,
  list,
  nullable,
  number,
  oneOf,
  optional,
  type Schema,
  text,
  type Valid,
} from './schema.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

// JSON has no Infinity: null stands for it, and for what is not known or not given.

const points = fields({
  kinds: list(text),
  races: list(data),
  rules: list(data),
}) as Schema<unknown> as Schema<PointSet>

const platform = optional(data as Schema<unknown> as Schema<Partial<Platform>>)

const counters = fields({
  executions: count,
  blocked: count,
  postponed: count,
  stoppedByAssume: count,
  cut: count,
  cutEarly: count,
  steps: count,
  unfinished: count,
  unfinishedThreads: list(text),
  ignored: data as Schema<unknown> as Schema<Readonly<Record<string, number>>>,
  seconds: number,
})

/** A search between two executions: see `SavedSearch` of src/runs. */
const search = fields({
  points,
  counters,
  threads: list(text),
  locations: list(list(text)) as Schema<unknown> as Schema<readonly (readonly [ObjectKind, string])[]>,
  state: data as Schema<Saved>,
  forecast: nullable(data as Schema<Saved>),
})

const recordFields = {
  id: count,
  title: text,
  strategy: text,
  points,
  platform,
  status: oneOf('pending', 'suspended', 'complete', 'pruned', 'crashed'),
  counters,
  /** Estimated seconds to its end; null while nothing is known. */
  eta: nullable(number),
  share: number,
  outlook: nullable(data as Schema<unknown> as Schema<Outlook>),
  hasBug: flag,
  kindsSeen: count,
  coarse: flag,
  /** null: nothing was left out. */
  completedBound: nullable(number),
  statistics: data as Schema<Saved>,
  saved: nullable(search),
  crashes: count,
  reason: text,
}

const record = fields(recordFields)

const job = fields({
  ...recordFields,
  origin: data as Schema<unknown> as Schema<
    | { readonly kind: 'seed' | 'maximal' }
    | { readonly kind: 'small' | 'big'; readonly race: RacePoint; readonly from: number }
  >,
  priority: number,
})

const deepening = fields({
  jobs: list(job, 1),
  backgrounds: list(record),
  racyAccesses: list(data) as Schema<unknown> as Schema<
    readonly { readonly race: RacePoint; readonly isBothOrder: boolean }[]
  >,
  maximalIsLarge: flag,
  isProving: flag,
  hasFailed: flag,
  needsRelease: flag,
})

const knowledge = fields({
  races: list(data) as Schema<unknown> as Schema<readonly RaceRecord[]>,
  confirmed: list(text),
  longSites: list(text),
  watched: list(data) as Schema<unknown> as Schema<readonly RacePoint[]>,
  needsRelease: flag,
  hasFreed: flag,
  hasWaited: flag,
  hasMisused: flag,
  hasFailed: flag,
})

const bug = fields({
  found: fields({
    kind: text as Schema<unknown> as Schema<BugKind>,
    message: text,
    site: nullable(text),
    schedule: data as Schema<unknown> as Schema<Schedule>,
    preemptions: count,
    execution: count,
    count,
  }),
  isOfJob: flag,
  strategy: text,
  execution: count,
  count,
  platform,
})

/** What the run was asked to do: options of the command line that cannot be changed on the way. */
const asked = fields({
  strategy: text,
  points,
  order: oneOf('stay', 'preempt', 'random') satisfies Schema<OptionOrder>,
  bound: nullable(count),
  seed: count,
  maxSteps: nullable(count),
  keepGoing: flag,
  /** Known bugs, as `--ignore` takes them. */
  ignore: list(text),
  races: nullable(oneOf(...raceKinds()) satisfies Schema<RaceKind>),
  verify: flag,
  etaFactor: nullable(number),
  etaThreshold: nullable(number),
})

/** A run on disk: every search with where it stands, what was found, what was learnt. */
const savedRun = fields({
  tool: text,
  program: text,
  hash: text,
  asked,
  seconds: number,
  stage: count,
  stages: list(record),
  deepening: nullable(deepening),
  knowledge,
  bugs: list(bug),
  problems: list(text),
})

export type SavedRun = Valid<typeof savedRun>
export type SavedRecord = Valid<typeof record>

/** Which program a saved run is of, so that `--resume` alone is enough. */
export interface SavedSource {
  /** The folder that paths of the recipe are relative to, relative to the folder of the saved file. */
  readonly directory: string
  readonly recipe: Recipe
}

const kind: FileKind<SavedRun> = {
  format: 'faultline-run/3',
  what: 'a saved run',
  hint: 'Give a file that "faultline check --save" wrote.',
  remedy: 'start the run again without --resume',
  schema: savedRun,
}

export function writeSavedRun(path: string, saved: SavedRun, recipe: Recipe, directory: string): void {
  const source: SavedSource = { directory: relative(dirname(path), directory) || '.', recipe }
  writeAtomically(path, `${JSON.stringify({ format: kind.format, ...saved, source })}\n`)
}

export function readSavedRun(path: string): SavedRun {
  return readFile(path, kind)
}

/** Refuses early to write over something that is not a saved run. */
export function checkMayWriteRun(path: string): void {
  if (existsSync(path) && !isOfKind(path, kind)) {
    throw new UserError(`--save ${path}: the file exists and is not a saved run; choose another name`)
  }
}

const source: Schema<SavedSource> = fields({
  directory: text,
  recipe: fields({ files: list(text, 1) }) as Schema<unknown> as Schema<Recipe>,
})

/** The program of a saved run that was read, with its folder as an absolute path. */
export function sourceOf(saved: SavedRun, path: string): SavedSource {
  const { source: found } = saved as SavedRun & { source?: SavedSource }
  if (found === undefined || source(found) !== null) {
    throw new UserError(`${path} does not say which program it is of; name the program too`)
  }
  return { directory: resolve(dirname(path), found.directory), recipe: found.recipe }
}

/** Refuses to go on with what was saved on another program or by another version. */
export function checkFits(saved: SavedRun, machine: Machine): void {
  if (saved.hash !== machine.hash) {
    throw new UserError(
      `the run was saved on another program: ${saved.program} (${saved.hash.slice(0, 12)}), this is ` +
        `${machine.name} (${machine.hash.slice(0, 12)}). Go on with the program it was saved on, or start again ` +
        'without --resume.',
    )
  }
  if (saved.tool !== version) {
    throw new UserError(
      `the run was saved by faultline ${saved.tool}, this is ${version}: searches may differ. ` +
        'Go on with that version, or start again without --resume.',
    )
  }
}
