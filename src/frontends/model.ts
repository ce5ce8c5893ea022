import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { pickPlatform } from '../machine/platform.js'
import { type FrontEnd, LoadError, type LoadedProgram, type Recipe } from './front-end.js'
import { ProgramError } from './model/program.js'

/** Programs written down as data, in `.json` or as the default export of a module. */
export const model: FrontEnd = {
  name: 'model',
  programs: 'model programs',
  summary: 'a program as data, or a module whose default export is one',
  extensions: ['.json', '.mjs', '.js'],
  takesSeveralFiles: false,
  options: [],
  platform: ['memoryModel', 'spurious', 'preferWriters', 'abortCodes'],
  sourceFiles: ({ files }) => [...files],
  load,
}

async function load(recipe: Recipe, directory: string): Promise<LoadedProgram> {
  const [file] = recipe.files
  const path = resolve(directory, file)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new LoadError(error.code === 'ENOENT' ? `${file}: no such file` : `${file}: ${error.message}`)
  })
  const program = file.endsWith('.json') ? parseData(file, text) : await importProgram(file, path)
  const { modelMachine } = await import('./model/index.js')
  try {
    const machine = modelMachine(program as Parameters<typeof modelMachine>[0])
    machine.platform?.use(pickPlatform(recipe))
    return {
      machine,
      scope: [],
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
