import { statSync } from 'node:fs'
import type { Machine } from '../machine/machine.js'
import type { Platform, PlatformKey } from '../machine/platform.js'
import type { PointRule } from '../machine/points.js'

/**
 * All that is needed to make the machine again: plain data, kept in failure files. Paths as the user typed them; of the
 * platform what the user asked for.
 */
export interface Recipe extends Partial<Platform> {
  readonly files: readonly string[]
  readonly include?: readonly string[]
  readonly define?: readonly string[]
  readonly optimize?: string
  readonly standard?: string
  /** Further flags of the compiler. */
  readonly flags?: readonly string[]
  /** A clang of the user's own. */
  readonly cc?: string
  /** Arguments of the program. */
  readonly args?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** File that the program reads as its standard input. */
  readonly stdin?: string
  /** Blocks that are not freed at the end are bugs. */
  readonly leaks?: boolean
}

export interface LoadOptions {
  /** Told what is going on, for a person who waits. */
  readonly onProgress?: (what: string) => void
}

/** A program ready to run. */
export interface LoadedProgram {
  readonly machine: Machine
  /** What every guarantee on this program has to say about its scope, in words; what it says of the platform comes after. */
  readonly scope: readonly string[]
  /** What weakens every guarantee on this program, in words. */
  readonly caveats?: readonly string[]
  /** Rules about points that the program brings along; those of the user come after. */
  readonly rules?: readonly PointRule[]
  /** What the compiler had to say, if anything. */
  readonly warnings?: string
  /** What else its author should know, as far as it has shown when it ran. */
  readonly laterWarnings?: () => readonly string[]
  /** Whether an error thrown while running is the program's doing (it used something unsupported) and not ours. */
  isProgramError(error: unknown): boolean
}

/** Turns sources into a machine. */
export interface FrontEnd {
  readonly name: string
  /** One line of help. */
  readonly summary: string
  readonly extensions: readonly string[]
  /** Whether options for compiling mean anything. */
  readonly compiles: boolean
  /** Whether its programs take arguments, an environment and standard input. */
  readonly takesInput: boolean
  /** What of the platform can be chosen. */
  readonly platform: readonly PlatformKey[]
  /** Paths of the recipe are relative to `directory`. Throws a `LoadError` if the program is at fault. */
  load(recipe: Recipe, directory: string, options?: LoadOptions): Promise<LoadedProgram>
}

/** The program cannot be made into a machine: missing, ill-formed, or it does not compile. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}

/**
 * The one list of front ends. Each is imported only when a program needs it: the compiler of the wasm front end alone
 * takes longer to load than printing the help.
 */
export const frontEnds: readonly FrontEnd[] = [
  {
    name: 'C',
    summary: 'C and C++ sources, one or several',
    extensions: ['.c', '.cc', '.cpp', '.cxx', '.c++'],
    compiles: true,
    takesInput: true,
    platform: ['heap', 'spurious'],
    load: async (recipe, directory, options) =>
      (await import('./load-c.js')).loadC(recipe, directory, options),
  },
  {
    name: 'wasm',
    summary: 'a WebAssembly module with threads (wasi-threads), compiled from any language',
    extensions: ['.wasm'],
    compiles: false,
    takesInput: true,
    platform: [],
    load: async (recipe, directory, options) =>
      (await import('./load-wasm.js')).loadWasm(recipe, directory, options),
  },
  {
    name: 'model',
    summary: 'a program as data, or a module whose default export is one',
    extensions: ['.json', '.mjs', '.js'],
    compiles: false,
    takesInput: false,
    platform: ['spurious'],
    load: async (recipe, directory) => (await import('./load-model.js')).loadModel(recipe, directory),
  },
]

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** The front end for these files, by extension; they must all belong to one. */
export function frontEndFor(files: readonly string[]): FrontEnd {
  const found = files.map((file) => {
    const entry = frontEnds.find((f) => f.extensions.some((e) => file.toLowerCase().endsWith(e)))
    if (entry) return entry
    if (isFolder(file)) {
      throw new LoadError(
        `${file} is a folder: name the source files of one test, for example ${file.replace(/\/?$/, '/')}*.c`,
      )
    }
    if (/(?:^|[\\/])(?:[Mm]akefile|CMakeLists\.txt|meson\.build)$/.test(file)) {
      throw new LoadError(
        `${file}: builds are not run; name the source files of one test, with -I and -D as the build gives them`,
      )
    }
    const known = frontEnds.map((f) => `${f.extensions.join(' ')} (${f.name})`).join(', ')
    throw new LoadError(`${file}: no front end reads this kind of file; known are ${known}`)
  })
  const other = found.findIndex((entry) => entry !== found[0])
  if (other > 0) {
    throw new LoadError(
      `${files[0]} is a ${found[0].name} program and ${files[other]} a ${found[other].name} program; ` +
        'give the files of one program only',
    )
  }
  if (!found[0].compiles && files.length > 1) {
    const { name } = found[0]
    throw new LoadError(`a ${name} program is one file, but ${files.length} were given: ${files.join(', ')}`)
  }
  return found[0]
}
