import path from 'node:path'
import { fileAt, putFile, runTool, type Tree } from './clang.js'
import { CompileError } from './errors.js'
import { EMULATION, SANITIZER, TARGET } from './flags.js'
import type { RuntimeFile } from './runtime.js'
import type { SourceFile, SourceSet } from './sources.js'

export interface CompileOptions {
  /** Include directories, in order of search. */
  readonly include: readonly string[]
  /** `NAME` or `NAME=VALUE`. */
  readonly define: readonly string[]
  /** `0`, `1`, `2`, `3`, `s`. */
  readonly optimize: string
  /** For example `c11`; absent: the compiler's own default. */
  readonly standard?: string
  /** Further flags, passed on as they are. */
  readonly flags: readonly string[]
}

/** Where the user's files and our headers are in the compiler's file system; `/usr` is the compiler's own. */
const USER = '/user'
const OVERLAY = '/faultline'

/** Flags as the user could have given them; part of the cache key. */
export function userFlags({ include, define, optimize, standard, flags }: CompileOptions): string[] {
  return [
    `-O${optimize}`,
    ...(standard ? [`-std=${standard}`] : []),
    ...define.map((d) => `-D${d}`),
    ...include.map((i) => `-I${i}`),
    ...flags,
  ]
}

export interface Compiled {
  readonly objects: readonly Uint8Array[]
  /** Warnings, as the compiler wrote them, with the user's paths. */
  readonly warnings: string
}

/** Compiles every unit with the hooks in. */
export async function compile(
  set: SourceSet,
  options: CompileOptions,
  cwd: string,
  headers: readonly RuntimeFile[],
): Promise<Compiled> {
  const tree: Tree = {}
  for (const file of set.files) putFile(tree, USER + file.path, file.content)
  for (const file of headers) putFile(tree, `${OVERLAY}/${file.name}`, file.content)
  const objects: Uint8Array[] = []
  let warnings = ''
  let failed = false
  for (const unit of set.units) {
    const cxx = isCxx(unit.path)
    const args = [
      ...TARGET,
      ...SANITIZER,
      ...EMULATION,
      '-g',
      '-fno-color-diagnostics',
      ...(cxx ? ['-fno-exceptions'] : []),
      '-isystem',
      OVERLAY,
      ...set.files.map((file) => `-fmacro-prefix-map=${USER}${file.path}=${file.display}`),
      ...userFlags({
        ...options,
        include: options.include.map((i) => USER + path.resolve(cwd, i).replaceAll('\\', '/')),
      }),
      '-c',
      USER + unit.path,
      '-o',
      '/unit.o',
    ]
    const { ok, files, stderr } = await runTool(cxx ? 'clang++' : 'clang', args, tree)
    warnings += userPaths(stderr, set.files)
    const object = ok ? fileAt(files, 'unit.o') : undefined
    if (object) objects.push(object)
    else failed = true
  }
  if (failed) throw new CompileError(warnings)
  return { objects, warnings }
}

export function isCxx(path: string): boolean {
  return /\.(?:cpp|cc|cxx|c\+\+|C)$/.test(path)
}

/** Turns paths of the compiler's file system into those the user knows. */
export function userPaths(text: string, files: readonly SourceFile[]): string {
  let result = text
  for (const file of [...files].sort((a, b) => b.path.length - a.path.length)) {
    result = result.replaceAll(USER + file.path, file.display)
  }
  return result.replaceAll(`${USER}/`, '/').replaceAll(`${OVERLAY}/`, 'faultline/')
}
