import { dirname, join, relative, resolve } from 'node:path'
import type { Schedule } from '../execution/schedule.js'
import type { Recipe } from '../frontends/front-end.js'
import { writeAtomically } from './atomic-write.js'
import { digestsOf, formatFailure, programName, scheduleSchema } from './failure.js'
import { type FileKind, isOfKind, readFile } from './json-file.js'
import { fields, list, nullable, type Schema, text } from './schema.js'
import { version } from './version.js'

const format = 'faultline-evidence/1'

/**
 * One of two schedules that show what a race does: an execution that need not fail. `faultline replay` takes it, and shows
 * both side by side with `--compare`.
 */
export interface EvidenceFile {
  readonly format: typeof format
  /** Version of the tool that wrote it. */
  readonly tool: string
  /** The folder that paths of the recipe are relative to, relative to the folder of this file. */
  readonly directory: string
  readonly recipe: Recipe
  /** SHA-256 of each file of the program that could be read, headers included, to tell which one changed. */
  readonly digests: Readonly<Record<string, string>>
  readonly race: {
    readonly class: string
    readonly object: string
    /** Which access comes first here: `queue.c:41 (worker) before queue.c:50 (main)`. */
    readonly order: string
    /** Why the race is of its class. */
    readonly why: string
  }
  /** What is to be seen. */
  readonly shows: {
    readonly bug: { readonly kind: string; readonly message: string } | null
    readonly output: string
  }
  /** File name of the other one, in the same folder. */
  readonly other: string
  readonly schedule: Schedule
}

/** `.faultline/counter-race-3f2a9c01de-1.json` and `-2`. */
export function evidencePaths(folder: string, file: string, name: string): [string, string] {
  const path = (k: number) => join(folder, `${programName(file)}-race-${name}-${k}.json`)
  return [path(1), path(2)]
}

export function writeEvidence(
  path: string,
  evidence: Pick<EvidenceFile, 'recipe' | 'race' | 'shows' | 'other' | 'schedule'>,
  directory: string,
): void {
  const { recipe, schedule, ...rest } = evidence
  const head = {
    format,
    tool: version,
    directory: relative(dirname(resolve(directory, path)), directory) || '.',
    recipe,
    digests: digestsOf(recipe, directory),
    ...rest,
  }
  writeAtomically(resolve(directory, path), `${formatFailure({ ...head, schedule })}\n`)
}

const kind: FileKind<EvidenceFile> = {
  format,
  what: 'one of two schedules that show what a race does',
  hint: 'Give a file that "faultline races" wrote to .faultline/.',
  remedy: 'classify the races again',
  schema: fields({
    directory: text,
    recipe: fields({ files: list(text, 1) }),
    race: fields({ class: text, object: text, order: text, why: text }),
    shows: fields({ bug: nullable(fields({ kind: text })), output: text }),
    other: text,
    schedule: scheduleSchema,
  }) as Schema<unknown> as Schema<EvidenceFile>,
}

export function readEvidence(path: string): EvidenceFile {
  return readFile(path, kind)
}

/** Whether a file is evidence of what a race does, in whatever version. */
export function isEvidence(path: string): boolean {
  return isOfKind(path, kind)
}
