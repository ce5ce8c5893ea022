import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type FrontEnd, LoadError, type LoadedProgram, type LoadOptions, type Recipe } from './front-end.js'
import { type InputSettings, inputOptions, readInput } from './program-input.js'
import { BuildError } from './wasm/toolchain/errors.js'

interface ModuleRecipe extends Recipe, InputSettings {}

/** WebAssembly modules that were compiled elsewhere. */
export const wasmModule: FrontEnd = {
  name: 'wasm',
  programs: 'wasm programs',
  summary: 'a WebAssembly module with threads (wasi-threads), compiled from any language',
  extensions: ['.wasm'],
  takesSeveralFiles: false,
  options: inputOptions,
  platform: [],
  sourceFiles: ({ files }) => [...files],
  load,
}

async function load(
  recipe: ModuleRecipe,
  directory: string,
  { onProgress }: LoadOptions = {},
): Promise<LoadedProgram> {
  const [file] = recipe.files
  const wasm = await readFile(resolve(directory, file)).catch((error: NodeJS.ErrnoException) => {
    throw new LoadError(error.code === 'ENOENT' ? `${file}: no such file` : `${file}: ${error.message}`)
  })
  const { buildModule, wasmMachine } = await import('./wasm/index.js')
  try {
    const artifact = await buildModule({
      name: file,
      wasm: Uint8Array.from(wasm),
      ...(onProgress ? { onProgress } : {}),
    })
    const machine = await wasmMachine(artifact, {
      name: file,
      ...(await readInput(recipe, directory)),
    })
    return { machine, scope: scopeOf(artifact.layout.own!.maxPages), isProgramError }
  } catch (error) {
    if (isProgramError(error)) throw new LoadError((error as Error).message)
    throw error
  }
}

/** What guarantees on modules hold for. */
function scopeOf(maxPages: number): string[] {
  return [
    'sequential consistency',
    'the module as it was compiled',
    `at most ${Math.round(maxPages / 16)} MB of memory`,
  ]
}

function isProgramError(error: unknown): boolean {
  return error instanceof BuildError
}
