import { dirname, relative, resolve } from 'node:path'
import type { Recipe } from '../frontends/front-end.js'
import { readJson } from './failure-file.js'
import { UserError } from './user-error.js'

/** Which program a saved search or run is of, so that `--resume` alone is enough. */
export interface SavedSource {
  /** The folder that paths of the recipe are relative to, relative to the folder of the saved file. */
  readonly directory: string
  readonly recipe: Recipe
}

export function sourceFor(path: string, recipe: Recipe, directory: string): SavedSource {
  return { directory: relative(dirname(path), directory) || '.', recipe }
}

/** The program of a saved file, with its folder as an absolute path. */
export function readSource(path: string): SavedSource {
  const { source } = readJson(path, 'a saved search') as { source?: Partial<SavedSource> }
  const files: unknown = source?.recipe?.files
  const isRight =
    typeof source?.directory === 'string' &&
    Array.isArray(files) &&
    files.length > 0 &&
    files.every((file) => typeof file === 'string')
  if (!isRight) throw new UserError(`${path} does not say which program it is of; name the program too`)
  return { directory: resolve(dirname(path), source.directory!), recipe: source.recipe! }
}
