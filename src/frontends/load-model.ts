import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pickPlatform } from '../machine/platform.js'
import { modelMachine } from './model/index.js'
import { ProgramError } from './model/program.js'
import { LoadError, type LoadedProgram, type Recipe } from './registry.js'

/** Reads a model program: data from `.json`, else the default export of a module. */
export async function loadModel(recipe: Recipe, directory: string): Promise<LoadedProgram> {
  const [file] = recipe.files
  const path = resolve(directory, file)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new LoadError(error.code === 'ENOENT' ? `${file}: no such file` : `${file}: ${error.message}`)
  })
  const program = file.endsWith('.json') ? parseData(file, text) : await importProgram(file, path)
  try {
    const machine = modelMachine(program as Parameters<typeof modelMachine>[0])
    machine.usePlatform?.(pickPlatform(recipe))
    return {
      machine,
      scope: ['sequential consistency'],
      isProgramError,
    }
  } catch (error) {
    if (isProgramError(error)) throw new LoadError(`${file}: ${(error as Error).message}`)
    throw error
  }
}

function isProgramError(error: unknown): boolean {
  return error instanceof ProgramError
}

function parseData(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new LoadError(`${file}: this is not JSON: ${(error as Error).message}`)
  }
}

async function importProgram(file: string, path: string): Promise<unknown> {
  let module: { default?: unknown }
  try {
    module = await import(pathToFileURL(path).href)
  } catch (error) {
    throw new LoadError(`${file}: the module cannot be loaded: ${(error as Error).message}`)
  }
  if (module.default === undefined) {
    throw new LoadError(
      `${file}: the module has no default export; write "export default { threads: { … } }"`,
    )
  }
  return module.default
}
