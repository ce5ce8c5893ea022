import { readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pickPlatform } from '../machine/platform.js'
import {
  type CompletedRecipe,
  type FrontEnd,
  LoadError,
  type LoadedProgram,
  type LoadOptions,
  type Recipe,
} from './front-end.js'
import { type InputSettings, inputOptions, readInput } from './program-input.js'
import { programInputs, type SymbolicSettings, symbolicOptions } from './symbolic-program.js'
import { flagsIn } from './wasm/project/compile-commands.js'
import { isCompiled } from './wasm/toolchain/compiled-files.js'
import { BuildError } from './wasm/toolchain/errors.js'
import type { BuildOptions } from './wasm/toolchain/index.js'
import { forcedIncludes, headerFolders } from './wasm/toolchain/path-flags.js'
import { includedNames } from './wasm/toolchain/sources.js'

interface CRecipe extends Recipe, InputSettings, SymbolicSettings {
  readonly include?: readonly string[]
  readonly define?: readonly string[]
  readonly optimize?: string
  readonly standard?: string
  /** Further flags of the compiler. */
  readonly flags?: readonly string[]
  /** A file that says how a project compiles each of its sources. */
  readonly project?: string
  /** A clang of the user's own. */
  readonly cc?: string
  /** Blocks that are not freed at the end are bugs. */
  readonly leaks?: boolean
}

/** C and C++, compiled here. */
export const c: FrontEnd = {
  name: 'C',
  programs: 'C and C++',
  summary: 'C and C++ sources, one or several; what faultline cc, c++ and ar made of them',
  extensions: ['.c', '.cc', '.cpp', '.cxx', '.c++', '.o', '.a'],
  takesExecutables: true,
  takesSeveralFiles: true,
  options: [
    { key: 'include', flags: '-I, --include <folder>', summary: 'look for headers there', holds: 'list' },
    { key: 'define', flags: '-D, --define <name[=value]>', summary: 'define a macro', holds: 'list' },
    {
      key: 'optimize',
      flags: '-O, --optimize <level>',
      summary: 'optimisation level (0 unless given)',
      holds: 'text',
    },
    {
      key: 'standard',
      flags: '--std <standard>',
      summary: 'language standard, for example c11; -std=c11 works too',
      holds: 'text',
    },
    {
      key: 'flags',
      flags: '--cflag <flag>',
      summary: 'any other flag for the compiler: --cflag=-Wall',
      holds: 'list',
    },
    {
      key: 'project',
      flags: '-p, --project <file>',
      summary:
        'compile_commands.json of a build: flags come from there, and sources that the files named need',
      holds: 'text',
    },
    {
      key: 'cc',
      flags: '--cc <clang>',
      summary: 'compile with this clang instead of the bundled one',
      holds: 'text',
    },
    ...inputOptions,
    ...symbolicOptions,
    {
      key: 'leaks',
      flags: '--leaks',
      summary: 'memory that is not freed when the program ends is a bug',
      holds: 'switch',
    },
  ],
  platform: ['memoryModel', 'heap', 'spurious', 'preferWriters', 'lockErrors', 'whatIf', 'abortCodes'],
  sourceFiles,
  complete,
  load,
}

/** The files of the recipe and all that they may include, whether or not a condition holds. */
function sourceFiles({ files, include = [], flags = [], project }: CRecipe, directory: string): string[] {
  const found = new Set<string>()
  if (project !== undefined) found.add(project)
  const folders = [...include, ...headerFolders(flags)]
  const queue = [...files, ...forcedIncludes(flags)]
  for (let file = queue.pop(); file !== undefined; file = queue.pop()) {
    if (found.has(file)) continue
    const content = contentOf(resolve(directory, file))
    if (content === undefined) continue
    found.add(file)
    if (files.includes(file) && isCompiled(file)) continue
    for (const name of includedNames(content)) {
      for (const folder of [dirname(file), ...folders]) queue.push(join(folder, name))
    }
  }
  return [...found]
}

function contentOf(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}

/** Finds the sources of a project that the ones named need. */
async function complete(
  recipe: CRecipe,
  directory: string,
  { onProgress }: LoadOptions = {},
): Promise<CompletedRecipe> {
  if (recipe.project === undefined) return { recipe, notes: [] }
  const { neededSources } = await import('./wasm/project/needed-sources.js')
  try {
    const options = { ...buildOptions(recipe, directory), ...(onProgress ? { onProgress } : {}) }
    const added = await neededSources(options, recipe.project)
    const note = `with ${added.join(', ')} (from ${recipe.project})`
    return {
      recipe: { ...recipe, files: [...recipe.files, ...added] },
      notes: added.length > 0 ? [note] : [],
    }
  } catch (error) {
    if (isProgramError(error)) throw new LoadError((error as Error).message)
    throw error
  }
}

function buildOptions(recipe: CRecipe, directory: string): BuildOptions {
  const { files: sources, include, define, optimize, standard, flags, cc } = recipe
  return {
    sources,
    cwd: directory,
    ...(include ? { include } : {}),
    ...(define ? { define } : {}),
    ...(optimize === undefined ? {} : { optimize }),
    ...(standard === undefined ? {} : { standard }),
    ...(flags ? { flags } : {}),
    ...(cc === undefined ? {} : { cc }),
    ...(recipe.project === undefined
      ? {}
      : { unitFlags: flagsIn(recipe.project, directory, sources), exceptions: true }),
  }
}

async function load(
  recipe: CRecipe,
  directory: string,
  { onProgress }: LoadOptions = {},
): Promise<LoadedProgram> {
  // The compiler alone takes longer to import than printing the help.
  const { build, operationScope, unseenCaveats, wasmMachine } = await import('./wasm/index.js')
  try {
    const artifact = await build({
      ...buildOptions(recipe, directory),
      ...(onProgress ? { onProgress } : {}),
    })
    const inputs = await programInputs(recipe)
    const machine = await wasmMachine(artifact, {
      name: recipe.files[0],
      platform: pickPlatform(recipe),
      ...(recipe.leaks === undefined ? {} : { leaks: recipe.leaks }),
      ...inputs.withInput(await readInput(recipe, directory)),
      ...inputs.options,
    })
    return {
      machine,
      scope: scopeOf(recipe, operationScope(artifact)),
      caveats: unseenCaveats(artifact),
      rules: machine.rules,
      warnings: artifact.build.warnings,
      laterWarnings: () => [...machine.warnings, ...inputs.warnings()],
      isProgramError,
      ...(inputs.control ? { inputs: inputs.control } : {}),
    }
  } catch (error) {
    if (isProgramError(error)) throw new LoadError((error as Error).message)
    throw error
  }
}

/** What guarantees on compiled programs hold for. */
function scopeOf({ optimize = '0', memoryModel }: CRecipe, operations: readonly string[]): string[] {
  return [
    ...((memoryModel ?? 'sc') === 'sc'
      ? ['sequential consistency (weaker memory orders run as sequentially consistent ones)']
      : []),
    `compiled at -O${optimize}`,
    'malloc never failing',
    ...operations,
  ]
}

function isProgramError(error: unknown): boolean {
  return error instanceof BuildError
}
