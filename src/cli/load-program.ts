import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import type { Io } from './io.js'
import type { Source } from './recipe.js'
import { StatusLine } from './status-line.js'

/** Adds the files that the program needs besides those named, and says which. */
export async function completeSource({ recipe, directory }: Source, io: Io): Promise<Source> {
  const frontEnd = frontEndFor(recipe.files)
  if (frontEnd.complete === undefined) return { recipe, directory }
  const status = new StatusLine(io)
  try {
    const completed = await frontEnd.complete(recipe, directory, { onProgress: (what) => status.show(what) })
    status.clear()
    for (const note of completed.notes) io.err(`faultline: ${note}\n`)
    return { recipe: completed.recipe, directory }
  } finally {
    status.clear()
  }
}

/** Makes the machine of a program, telling a person at a terminal what takes its time. */
export async function loadProgram(recipe: Recipe, directory: string, io: Io): Promise<LoadedProgram> {
  const status = new StatusLine(io)
  try {
    return await frontEndFor(recipe.files).load(recipe, directory, {
      onProgress: (what) => status.show(what),
    })
  } finally {
    status.clear()
  }
}
