import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { pickPlatform } from '../machine/platform.js'
import { LoadError, type LoadedProgram, type LoadOptions, type Recipe } from './registry.js'
import { type Artifact, BuildError, build, operationScope, unseenCaveats, wasmMachine } from './wasm/index.js'

/** Compiles C or C++ sources and makes them a machine. */
export async function loadC(
  recipe: Recipe,
  directory: string,
  { onProgress }: LoadOptions = {},
): Promise<LoadedProgram> {
  try {
    const artifact = await build({
      sources: recipe.files,
      cwd: directory,
      ...(recipe.include ? { include: recipe.include } : {}),
      ...(recipe.define ? { define: recipe.define } : {}),
      ...(recipe.optimize === undefined ? {} : { optimize: recipe.optimize }),
      ...(recipe.standard === undefined ? {} : { standard: recipe.standard }),
      ...(recipe.flags ? { flags: recipe.flags } : {}),
      ...(recipe.cc === undefined ? {} : { cc: recipe.cc }),
      ...(onProgress ? { onProgress } : {}),
    })
    const machine = await wasmMachine(artifact, {
      name: recipe.files[0],
      ...(recipe.args ? { args: recipe.args } : {}),
      ...(recipe.environment ? { environment: recipe.environment } : {}),
      platform: pickPlatform(recipe),
      ...(recipe.leaks === undefined ? {} : { leaks: recipe.leaks }),
      ...(recipe.stdin === undefined ? {} : { stdin: await readInput(recipe.stdin, directory) }),
    })
    return {
      machine,
      scope: scopeOf(recipe, artifact),
      caveats: unseenCaveats(artifact),
      rules: machine.rules,
      warnings: artifact.build.warnings,
      laterWarnings: () => machine.warnings,
      isProgramError,
    }
  } catch (error) {
    if (isProgramError(error)) throw new LoadError((error as Error).message)
    throw error
  }
}

/** What guarantees on compiled programs hold for. */
function scopeOf({ optimize = '0' }: Recipe, artifact: Artifact): string[] {
  return [
    'sequential consistency (weaker memory orders run as sequentially consistent ones)',
    `compiled at -O${optimize}`,
    'malloc never failing',
    ...operationScope(artifact),
  ]
}

function isProgramError(error: unknown): boolean {
  return error instanceof BuildError
}

export async function readInput(file: string, directory: string): Promise<string> {
  try {
    return await readFile(resolve(directory, file), 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new LoadError(code === 'ENOENT' ? `--stdin ${file}: no such file` : `--stdin ${file}: ${message}`)
  }
}
