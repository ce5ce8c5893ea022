import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import type { Io } from './io.js'
import { StatusLine } from './status-line.js'

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
