import path from 'node:path'
import { typeOfFunction } from '../rewrite/object-symbols.js'
import { withoutIdioms } from './assembly.js'
import { fileAt, putFile, runTool, type Tree } from './clang.js'
import { needsBetterGenerator, withBetterGenerator } from './coroutines.js'
import { EMULATION, FOREIGN, isOptimised, PLATFORM, SANITIZER, TARGET, UNHIDDEN } from './flags.js'
import { seeingAll } from './hidden-accesses.js'
import { markedNames, relocateMarkers } from './line-markers.js'
import { mentionsStructures, seeingArguments } from './passed-structures.js'
import { mapPaths } from './path-flags.js'
import type { RuntimeFile } from './runtime.js'
import type { SourceFile, SourceSet } from './sources.js'

/** Compiles one unit with the hooks in. */
export interface Compiler {
  /** It reads files anew, not those of the set. */
  readonly readsFiles?: true
  compile(unit: SourceFile, flags: readonly string[]): Promise<CompiledUnit>
}

/** One that also says what a unit is after its directives were followed: that is the object then. */
interface Preprocessor extends Compiler {
  preprocess(unit: SourceFile, flags: readonly string[]): Promise<CompiledUnit>
}

export interface CompiledUnit {
  /** Absent when it did not compile. */
  readonly object: Uint8Array | undefined
  readonly diagnostics: string
}

/** Flags that every unit of the user's is compiled with, whatever the compiler. */
export const INSTRUMENTED = [
  ...TARGET,
  ...SANITIZER,
  ...UNHIDDEN,
  ...EMULATION,
  ...FOREIGN,
  ...PLATFORM,
  '-g',
  '-fno-color-diagnostics',
]

/** Compiles the one unit of a set. Diagnostics have the user's paths. */
export async function compile(
  set: SourceSet,
  compiler: Compiler,
  flags: readonly string[],
): Promise<CompiledUnit> {
  const [unit] = set.units
  const { object, diagnostics } = await compileUnit(unit, compiler, flagsFor(unit, flags))
  const shown = userPaths(diagnostics, set.files)
  return { object, diagnostics: shown }
}

/**
 * The library's headers include many others for the sake of programs that forgot to; without them a program compiles
 * several times faster, and the few that need them are compiled again.
 */
const LEAN_HEADERS = '-D_LIBCPP_REMOVE_TRANSITIVE_INCLUDES'

async function compileUnit(
  unit: SourceFile,
  compiler: Compiler,
  flags: readonly string[],
): Promise<CompiledUnit> {
  if (!isCxx(unit.path)) return withIntMain(await compiler.compile(unit, flags), unit, compiler, flags)
  const lean = await compiler.compile(unit, [LEAN_HEADERS, ...flags])
  if (lean.object) return lean
  return couldNeedHeaders(lean.diagnostics) ? compiler.compile(unit, flags) : lean
}

/** Errors that no declaration could cure. */
const PLAIN_ERROR = new RegExp(
  [
    /'[^']+' file not found/,
    /expected (?:';' (?:after|at end)|'}')/,
    /extraneous closing brace/,
    /redefinition of/,
    /cannot (?:initialize|assign to|increment|decrement)/,
    /assigning to .* from incompatible type/,
    /too (?:few|many) arguments/,
    /'[^']+' is a (?:private|protected) member/,
  ]
    .map(({ source }) => `(?:${source})`)
    .join('|'),
)

/** Whether a unit that did not compile might with more headers. */
function couldNeedHeaders(diagnostics: string): boolean {
  const errors = [...diagnostics.matchAll(/^.*?:\d+:\d+: (?:fatal )?error: (.*)$/gm)].map(([, text]) => text)
  return errors.length === 0 || !errors.every((text) => text.search(PLAIN_ERROR) === 0)
}

/** What the compiler calls main, by its arguments. */
const MAINS = ['main', '__main_void', '__main_argc_argv'] as const

/** A main that returns nothing is not what the linker looks for: it is compiled again, under a name that the runtime calls. */
async function withIntMain(
  compiled: CompiledUnit,
  unit: SourceFile,
  compiler: Compiler,
  flags: readonly string[],
): Promise<CompiledUnit> {
  const { object: first } = compiled
  if (first === undefined) return compiled
  const type = MAINS.map((main) => typeOfFunction(first, main)).find((found) => found !== undefined)
  if (type === undefined || type.results.length > 0) return compiled
  const name = type.parameters.length === 0 ? 'fl_void_main' : 'fl_void_main_args'
  const { object } = await compiler.compile(unit, [...flags, `-Dmain=${name}`])
  return { object, diagnostics: compiled.diagnostics }
}

export function isCxx(name: string): boolean {
  return /\.(?:cpp|cc|cxx|c\+\+|C)$/.test(name)
}

/**
 * What comes last counts: a standard that the user asks for replaces ours. Sources written for an older one find what the
 * newer has removed, as with other libraries.
 */
const CXX_FLAGS = [
  '-std=c++20',
  ...[
    'CXX17_REMOVED_AUTO_PTR',
    'CXX17_REMOVED_BINDERS',
    'CXX17_REMOVED_RANDOM_SHUFFLE',
    'CXX17_REMOVED_UNARY_BINARY_FUNCTION',
    'CXX20_REMOVED_NEGATORS',
    'CXX20_REMOVED_SHARED_PTR_UNIQUE',
    'CXX20_REMOVED_TYPE_TRAITS',
    'CXX20_REMOVED_UNCAUGHT_EXCEPTION',
  ].map((what) => `-D_LIBCPP_ENABLE_${what}`),
  '-D_LIBCPP_DISABLE_DEPRECATION_WARNINGS',
] as const

/** A standard of the one language is not given to units of the other. */
function flagsFor(unit: SourceFile, flags: readonly string[]): string[] {
  const cxx = isCxx(unit.path)
  const applies = (flag: string) => !flag.startsWith('-std=') || flag.includes('++') === cxx
  return [...(cxx ? CXX_FLAGS : []), ...flags.filter(applies)]
}

/** Where the user's files and our headers are in the compiler's file system; `/usr` is the compiler's own. */
const USER = '/user'
const OVERLAY = '/faultline'

/**
 * The compiler's file system takes `..` for `.`: `"../x.h"` would be missing, or be another file. A list of the files makes
 * clang resolve such names itself, and call each file by one name however it was reached.
 */
const NAMES = '/names.yaml'

export interface BundledOptions {
  readonly set: SourceSet
  readonly cwd: string
  readonly headers: readonly RuntimeFile[]
}

/** The compiler that comes with the package, in a file system of its own. */
export function bundledCompiler({ set, cwd, headers }: BundledOptions): Preprocessor {
  const tree: Tree = {}
  for (const file of set.files) putFile(tree, USER + file.path, relocated(file, set, cwd))
  for (const file of headers) putFile(tree, `${OVERLAY}/${file.name}`, file.content)
  putFile(tree, NAMES, overlay(set.files))
  const absolute = (name: string) => path.resolve(cwd, name).replaceAll('\\', '/')
  const runFor = (unit: SourceFile, flags: readonly string[]) => {
    const tool = isCxx(unit.path) ? 'clang++' : 'clang'
    const args = [
      ...INSTRUMENTED,
      '-ivfsoverlay',
      NAMES,
      '-isystem',
      OVERLAY,
      ...set.files.map((file) => `-fmacro-prefix-map=${USER}${file.path}=${file.display}`),
      ...mapPaths(
        flags,
        (name) => USER + absolute(name),
        (name) => set.files.some((file) => file.path === absolute(name)),
      ),
    ]
    return async (input: readonly string[], llvm?: Uint8Array): Promise<CompiledUnit> => {
      const files = llvm ? { ...tree, 'unit.llvm': llvm } : tree
      const given = llvm ? ['/unit.llvm'] : []
      const result = await runTool(tool, [...args, ...input, ...given, '-o', '/unit.o'], files)
      return { object: result.ok ? fileAt(result.files, 'unit.o') : undefined, diagnostics: result.stderr }
    }
  }
  return {
    async compile(unit, flags) {
      const run = runFor(unit, flags)
      const source = USER + unit.path
      const isBetter = isCxx(unit.path) && needsBetterGenerator(set.files, flags)
      const passes = isCxx(unit.path) ? isOptimised(flags) : mentionsStructures(set.files)
      return seeingAll(set.files, async (hides) => {
        if (isBetter) return withBetterGenerator(source, run)
        return hides || passes ? seeingArguments(source, run, hides) : run(['-c', source])
      })
    },
    preprocess: (unit, flags) => runFor(unit, flags)(['-E', USER + unit.path]),
  }
}

/** Files are found where the user has them, too: an include may name one from the root. */
function overlay(files: readonly SourceFile[]): string {
  const roots = files.flatMap((file) =>
    [USER + file.path, file.path].map((name) => ({
      type: 'file',
      name,
      'external-contents': USER + file.path,
    })),
  )
  return JSON.stringify({ version: 0, roots })
}

/** A source as it is compiled. What generated it may be elsewhere: lines are told of files that are there. */
function relocated(file: SourceFile, { files }: SourceSet, cwd: string): Uint8Array {
  const original = new TextDecoder().decode(file.content)
  const text = withoutIdioms(original)
  if (markedNames(text).size === 0) return text === original ? file.content : new TextEncoder().encode(text)
  const here = (name: string): string | undefined => {
    const places = [cwd, path.posix.dirname(file.path)].map((folder) => path.resolve(folder, name))
    return files.find((other) => places.includes(other.path))?.path
  }
  const moved = relocateMarkers(text, USER + file.path, (name) => {
    const found = here(name)
    return found === undefined ? undefined : USER + found
  })
  return new TextEncoder().encode(moved)
}

/** Turns paths of the compiler's file system into those the user knows. */
export function userPaths(text: string, files: readonly SourceFile[]): string {
  let result = text
  for (const file of [...files].sort((a, b) => b.path.length - a.path.length)) {
    result = result.replaceAll(USER + file.path, file.display)
  }
  return result.replaceAll(`${USER}/`, '/').replaceAll(`${OVERLAY}/`, 'faultline/')
}

/** For a compiler that sees the real file system: makes debug information speak of the same paths. */
export const DEBUG_PATHS = `-fdebug-prefix-map=/=${USER}/`
