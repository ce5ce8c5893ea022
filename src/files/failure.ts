import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { parseSchedule, type Schedule, ScheduleError, scheduleDigest } from '../execution/schedule.js'
import type { Minimality } from '../explain/minimise.js'
import { SourceText } from '../explain/source-text.js'
import type { Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import type { Machine } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import { writeAtomically } from './atomic-write.js'
import type { Explanation } from './explanation.js'
import { failureIn } from './failure-in-test.js'
import { type FileKind, readFile } from './json-file.js'
import { fields, list, type Schema, text } from './schema.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

const format = 'faultline-failure/1'

/** A place in the source that can be found again when lines have moved. */
export interface RecordedPlace {
  readonly function: string
  /** The line without the space around it; null where there is none to read. */
  readonly text: string | null
}

export function placeOfSite(site: Site, sources: SourceText): RecordedPlace {
  const { file, line } = site
  const text = file !== undefined && line !== undefined ? sources.line(file, line)?.trim() : undefined
  return { function: site.function, text: text ?? null }
}

/** What `faultline replay` takes: a schedule, how to make the program again, and what is to be seen. */
export interface FailureFile {
  readonly format: 'faultline-failure/1'
  /** Version of the tool that wrote it. */
  readonly tool: string
  /** The folder that paths of the recipe are relative to, relative to the folder of this file. */
  readonly directory: string
  readonly recipe: Recipe
  /** SHA-256 of each file of the program that could be read, headers included, to tell which one changed. */
  readonly digests: Readonly<Record<string, string>>
  /** What stands at the sites of the schedule, to find them again after a change. */
  readonly places: Readonly<Record<string, RecordedPlace>>
  readonly bug: {
    readonly kind: string
    readonly message: string
    readonly location: string | null
    readonly place: RecordedPlace | null
    readonly preemptions: number
    readonly minimality: Minimality
    readonly foundPreemptions: number
    readonly deterministic: boolean
    readonly explanation: Explanation
  }
  readonly schedule: Schedule
}

/** `.faultline/counter-assertion-3f2a9c01de.json` */
export function failurePath(folder: string, file: string, kind: string, schedule: Schedule): string {
  return join(folder, `${programName(file)}-${kind}-${scheduleDigest(schedule)}.json`)
}

/** What files about a program are called after. */
export function programName(file: string): string {
  return basename(file, extname(file)).replace(/[^\w.-]+/g, '_') || 'program'
}

export function writeFailure(
  path: string,
  machine: Machine,
  failure: Pick<FailureFile, 'recipe' | 'bug' | 'schedule'>,
  directory: string,
): void {
  const { recipe, schedule } = failure
  const sources = new SourceText(directory)
  const named = new Set(schedule.steps.map((step) => step.site))
  const sites = machine.sites.filter((site) => named.has(site.name))
  const file: FailureFile = {
    format,
    tool: version,
    directory: relative(dirname(resolve(directory, path)), directory) || '.',
    recipe,
    digests: digestsOf(recipe, directory),
    bug: failure.bug,
    places: Object.fromEntries(sites.map((site) => [site.name, placeOfSite(site, sources)])),
    schedule,
  }
  writeAtomically(resolve(directory, path), `${formatFailure(file)}\n`)
}

/** Of the files that the program is made from. */
export function digestsOf(recipe: Recipe, directory: string): Record<string, string> {
  return Object.fromEntries(
    frontEndFor(recipe.files)
      .sourceFiles(recipe, directory)
      .flatMap((file) => {
        const content = contentOf(resolve(directory, file))
        return content === undefined ? [] : [[file, digest(content)]]
      }),
  )
}

/** JSON with one step of the schedule per line: readable, and small enough to attach to a report. */
export function formatFailure({ schedule, ...rest }: { readonly schedule: Schedule }): string {
  const { steps, ...head } = schedule
  const text = JSON.stringify({ ...rest, schedule: { ...head, steps: 'STEPS' } }, null, 2)
  const lines = steps.map((step) => `      ${JSON.stringify(step)}`).join(',\n')
  return text.replace('"STEPS"', () => (steps.length === 0 ? '[]' : `[\n${lines}\n    ]`))
}

export const scheduleSchema: Schema<Schedule> = (value) => {
  try {
    parseSchedule(value)
    return null
  } catch (error) {
    if (error instanceof ScheduleError) return ''
    throw error
  }
}

const kind: FileKind<FailureFile> = {
  format,
  what: 'a file to replay',
  hint: 'Give a file that "faultline check" wrote to .faultline/.',
  remedy: 'run the check again',
  schema: fields({
    directory: text,
    recipe: fields({ files: list(text, 1) }),
    bug: fields({ kind: text }),
    schedule: scheduleSchema,
  }) as Schema<unknown> as Schema<FailureFile>,
  jsonIn: failureIn,
}

/** Reads and checks a failure file. */
export function readFailure(path: string): FailureFile {
  return readFile(path, kind)
}

/** The folder in which the files of the recipe are found: where they were when recorded, else the current one. */
export function directoryOf(
  file: Pick<FailureFile, 'directory' | 'recipe'>,
  path: string,
  current: string,
): string {
  const recorded = resolve(dirname(resolve(current, path)), file.directory)
  const has = (directory: string) => file.recipe.files.every((f) => existsSync(resolve(directory, f)))
  return !has(recorded) && has(current) ? current : recorded
}

/** Refuses another program than the one recorded, naming what changed as far as it can be told. */
export function checkSameProgram(file: FailureFile, path: string, machine: Machine, directory: string): void {
  if (file.schedule.hash === machine.hash) return
  throw new UserError(
    `the schedule does not fit the program any more: ${whatChanged(file, directory)} since it was recorded ` +
      `(then ${file.schedule.hash.slice(0, 12)}, now ${machine.hash.slice(0, 12)}). ` +
      `Run "faultline replay --rebuild ${path}" to try the schedule on the program as it is now, or ` +
      `"faultline check ${file.recipe.files.join(' ')}" to record a new one.`,
  )
}

/** In words: `queue.c changed`, `queue.h is gone`. */
export function whatChanged(file: Pick<FailureFile, 'digests' | 'tool'>, directory: string): string {
  const changes = Object.entries(file.digests ?? {}).flatMap(([name, recorded]) => {
    const now = contentOf(resolve(directory, name))
    if (now === undefined) return [`${name} is gone`]
    return digest(now) === recorded ? [] : [`${name} changed`]
  })
  if (changes.length > 0) return changes.join(', ')
  if (file.tool !== version) return `it was recorded by faultline ${file.tool}, this is ${version}; something`
  return 'something its files include, or the compiler, changed'
}

function digest(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

function contentOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
