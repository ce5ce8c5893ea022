import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, extname, join, relative, resolve } from 'node:path'
import { parseSchedule, type Schedule, ScheduleError, scheduleDigest } from '../execution/schedule.js'
import type { Minimality } from '../explain/minimise.js'
import type { Recipe } from '../frontends/registry.js'
import type { Machine } from '../program/machine.js'
import type { Explanation } from '../reports/report.js'
import { writeAtomically } from './atomic-write.js'
import { UserError } from './user-error.js'
import { version } from './version.js'

/** What `faultline replay` takes: a schedule, how to make the program again, and what is to be seen. */
export interface FailureFile {
  readonly format: 'faultline-failure/1'
  /** Version of the tool that wrote it. */
  readonly tool: string
  /** The folder that paths of the recipe are relative to, relative to the folder of this file. */
  readonly directory: string
  readonly recipe: Recipe
  /** SHA-256 of each file named in the recipe, to tell which one changed. */
  readonly digests: Readonly<Record<string, string>>
  readonly bug: {
    readonly kind: string
    readonly message: string
    readonly location: string | null
    readonly preemptions: number
    readonly minimality: Minimality
    readonly deterministic: boolean
    readonly explanation: Explanation
  }
  readonly schedule: Schedule
}

/** `.faultline/counter-assertion-3f2a9c01de.json` */
export function failurePath(folder: string, file: string, kind: string, schedule: Schedule): string {
  const program = basename(file, extname(file)).replace(/[^\w.-]+/g, '_') || 'program'
  return join(folder, `${program}-${kind}-${scheduleDigest(schedule)}.json`)
}

export function writeFailure(
  path: string,
  failure: Pick<FailureFile, 'recipe' | 'bug' | 'schedule'>,
  directory: string,
): void {
  const file: FailureFile = {
    format: 'faultline-failure/1',
    tool: version,
    directory: relative(dirname(resolve(directory, path)), directory) || '.',
    recipe: failure.recipe,
    digests: Object.fromEntries(failure.recipe.files.map((f) => [f, digestOf(resolve(directory, f))])),
    bug: failure.bug,
    schedule: failure.schedule,
  }
  writeAtomically(resolve(directory, path), `${formatFailure(file)}\n`)
}

/** JSON with one step of the schedule per line: readable, and small enough to attach to a report. */
function formatFailure({ schedule, ...rest }: FailureFile): string {
  const { steps, ...head } = schedule
  const text = JSON.stringify({ ...rest, schedule: { ...head, steps: 'STEPS' } }, null, 2)
  const lines = steps.map((step) => `      ${JSON.stringify(step)}`).join(',\n')
  return text.replace('"STEPS"', () => (steps.length === 0 ? '[]' : `[\n${lines}\n    ]`))
}

/** Reads and checks a failure file. */
export function readFailure(path: string): FailureFile {
  const data = readJson(path, 'a failure file')
  if (data.format !== 'faultline-failure/1') {
    throw new UserError(
      `${path}: not a file to replay: "format" is ${JSON.stringify(data.format) ?? 'missing'}, expected ` +
        '"faultline-failure/1". Give a file that "faultline check" wrote to .faultline/.',
    )
  }
  const file = data as unknown as FailureFile
  const broken = (what: string) =>
    new UserError(`${path}: ${what}; the file may be damaged, run the check again`)
  if (typeof file.directory !== 'string') throw broken('"directory" must be a string')
  if (!Array.isArray(file.recipe?.files) || file.recipe.files.length === 0)
    throw broken('"recipe" names no files')
  if (typeof file.bug?.kind !== 'string') throw broken('"bug" has no kind')
  try {
    parseSchedule(file.schedule)
  } catch (error) {
    if (error instanceof ScheduleError) throw broken(error.message)
    throw error
  }
  return file
}

/** Reads a JSON object that a person named on the command line. */
export function readJson(path: string, what: string): Record<string, unknown> {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new UserError(code === 'ENOENT' ? `${path}: no such file` : `${path}: cannot be read: ${message}`)
  }
  let data: unknown
  try {
    data = JSON.parse(text)
  } catch (error) {
    throw new UserError(`${path}: not ${what}: it is not JSON, or truncated (${(error as Error).message})`)
  }
  if (typeof data !== 'object' || data === null || Array.isArray(data)) {
    throw new UserError(`${path}: not ${what}: expected a JSON object`)
  }
  return data as Record<string, unknown>
}

/** The folder in which the files of the recipe are found: where they were when recorded, else the current one. */
export function directoryOf(file: FailureFile, path: string, current: string): string {
  const recorded = resolve(dirname(resolve(current, path)), file.directory)
  const has = (directory: string) => file.recipe.files.every((f) => existsSync(resolve(directory, f)))
  return !has(recorded) && has(current) ? current : recorded
}

/** Refuses another program than the one recorded, naming what changed as far as it can be told. */
export function checkSameProgram(file: FailureFile, machine: Machine, directory: string): void {
  if (file.schedule.hash === machine.hash) return
  const changed = file.recipe.files.filter((f) => digestOf(resolve(directory, f)) !== file.digests?.[f])
  const what =
    changed.length > 0
      ? `${changed.join(', ')} changed`
      : file.tool !== version
        ? `it was recorded by faultline ${file.tool}, this is ${version}`
        : 'something its files include, or the compiler, changed'
  throw new UserError(
    `the schedule does not fit the program any more: ${what} since it was recorded ` +
      `(then ${file.schedule.hash.slice(0, 12)}, now ${machine.hash.slice(0, 12)}). ` +
      `Run "faultline check ${file.recipe.files.join(' ')}" again to record a new one.`,
  )
}

function digestOf(path: string): string {
  try {
    return createHash('sha256').update(readFileSync(path)).digest('hex')
  } catch {
    return 'missing'
  }
}
