import { resolve } from 'node:path'
import type { Command } from 'commander'
import { type SavedRun, sourceOf } from '../files/saved-run.js'
import { UserError } from '../files/user-error.js'
import type { Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import type { CheckFlags } from './check-options.js'
import type { Io } from './io.js'
import { type ProgramSettings, settingsIn, takersOf, unusedBy, writtenOptions } from './program-options.js'

/** How to make a program, and what the paths of its recipe are relative to. */
export interface Source {
  readonly recipe: Recipe
  readonly directory: string
}

/** The program named on the command line, or else the one that the run to resume is of. */
export function programOf(
  files: readonly string[],
  args: readonly string[],
  flags: Pick<CheckFlags, 'resume'>,
  command: Command,
  saved: SavedRun | undefined,
  io: Io,
): Source {
  const given = settingsIn(args, command.opts())
  if (files.length > 0) return { recipe: recipeOf(files, given, io), directory: io.directory }
  if (saved === undefined) command.error("error: missing required argument 'file'")
  if (Object.keys(given).length > 0) {
    throw new UserError(
      `${writtenOptions(given)}: the program is built as it was when the run was saved; ` +
        'leave this out, or name the program too',
    )
  }
  return sourceOf(saved, resolve(io.directory, flags.resume!))
}

function recipeOf(files: readonly string[], settings: ProgramSettings, io: Io): Recipe {
  const frontEnd = frontEndFor(files)
  const unused = unusedBy(frontEnd, settings)
  if (Object.keys(unused).length > 0) {
    throw new UserError(
      `${writtenOptions(unused)}: only for ${takersOf(unused)}, but ${files[0]} is a ${frontEnd.name} program`,
    )
  }
  const compiler = io.environment?.FAULTLINE_CC
  const usesCompiler = compiler && frontEnd.options.some(({ key }) => key === 'cc')
  return { files, ...(usesCompiler ? { cc: compiler } : {}), ...settings }
}
