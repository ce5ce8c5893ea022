import type { Machine } from '../machine/machine.js'
import type { Platform, PlatformKey } from '../machine/platform.js'
import type { PointRule } from '../machine/points.js'
import type { InputControl } from '../symbolic/input-control.js'

/**
 * All that is needed to make the machine again: plain data, kept in failure files. Paths as the user typed them; of the
 * platform what the user asked for; the rest are the options that the front end declares, by their keys.
 */
export interface Recipe extends Partial<Platform> {
  readonly files: readonly string[]
  readonly [option: string]: unknown
}

/** An option of a front end: a key of the recipe, and how it is set. */
export interface ProgramOption {
  readonly key: string
  /** As help shows it: `-I, --include <folder>`. Absent: what stands after `--` on the command line, a list. */
  readonly flags?: string
  /** One line of help. */
  readonly summary: string
  /** A list is given piece by piece, variables as `NAME=VALUE`, one by one. */
  readonly holds: 'switch' | 'text' | 'list' | 'variables'
}

export interface LoadOptions {
  /** Told what is going on, for a person who waits. */
  readonly onProgress?: (what: string) => void
}

/** A program ready to run. */
export interface LoadedProgram {
  readonly machine: Machine
  /** Of a program whose inputs are explored, too. */
  readonly inputs?: InputControl
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

export interface CompletedRecipe {
  readonly recipe: Recipe
  /** One sentence each. */
  readonly notes: readonly string[]
}

/** Turns sources into a machine. `registry.ts` lists them; each is a file, imported without what it needs to load. */
export interface FrontEnd {
  readonly name: string
  /** What its programs are called in messages: `C and C++`. */
  readonly programs: string
  /** One line of help. */
  readonly summary: string
  readonly extensions: readonly string[]
  /** Takes files without an extension too: programs that it has linked. */
  readonly takesExecutables?: true
  /** A program may consist of several files. */
  readonly takesSeveralFiles: boolean
  /** What can be said about a program besides its files. */
  readonly options: readonly ProgramOption[]
  /** What of the platform can be chosen. */
  readonly platform: readonly PlatformKey[]
  /**
   * The files that a program is made from, as far as they can be read, relative to `directory`: those of the recipe and
   * what they include. Files of the system are left out. Changes of these make another program.
   */
  sourceFiles(recipe: Recipe, directory: string): string[]
  /**
   * Of front ends that can find files which a program needs besides those named: the recipe with all of them, and what to
   * tell the user. Throws a `LoadError` if the program is at fault.
   */
  complete?(recipe: Recipe, directory: string, options?: LoadOptions): Promise<CompletedRecipe>
  /** Paths of the recipe are relative to `directory`. Throws a `LoadError` if the program is at fault. */
  load(recipe: Recipe, directory: string, options?: LoadOptions): Promise<LoadedProgram>
}

/** The program cannot be made into a machine: missing, ill-formed, or it does not compile. */
export class LoadError extends Error {
  override readonly name = 'LoadError'
}
