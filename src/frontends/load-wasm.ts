import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { readInput } from './load-c.js'
import { LoadError, type LoadedProgram, type LoadOptions, type Recipe } from './registry.js'
import { BuildError, buildModule, wasmMachine } from './wasm/index.js'

/** Takes a module that was compiled elsewhere, and makes it a machine. */
export async function loadWasm(
  recipe: Recipe,
  directory: string,
  { onProgress }: LoadOptions = {},
): Promise<LoadedProgram> {
  const [file] = recipe.files
  const wasm = await readFile(resolve(directory, file)).catch((error: NodeJS.ErrnoException) => {
    throw new LoadError(error.code === 'ENOENT' ? `${file}: no such file` : `${file}: ${error.message}`)
  })
  try {
    const artifact = await buildModule({
      name: file,
      wasm: Uint8Array.from(wasm),
      ...(onProgress ? { onProgress } : {}),
    })
    const machine = await wasmMachine(artifact, {
      name: file,
      ...(recipe.args ? { args: recipe.args } : {}),
      ...(recipe.environment ? { environment: recipe.environment } : {}),
      ...(recipe.stdin === undefined ? {} : { stdin: await readInput(recipe.stdin, directory) }),
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
