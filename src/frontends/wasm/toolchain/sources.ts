import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { MissingFileError } from './errors.js'
import { markedNames } from './line-markers.js'

/** A file of the user's that takes part in a build. */
export interface SourceFile {
  /** Absolute, with forward slashes. */
  readonly path: string
  /** As the user would write it: what diagnostics, reports and `__FILE__` show. */
  readonly display: string
  readonly content: Uint8Array
  /** Where it was read, if not at that path: `link/../x.h` may be elsewhere than `x.h`. */
  readonly readFrom?: string
}

export interface SourceSet {
  /** The translation units, in the order given. */
  readonly units: readonly SourceFile[]
  /** Units and every header of the user's they may include, ordered by path. */
  readonly files: readonly SourceFile[]
}

export interface SourceOptions {
  readonly sources: readonly string[]
  /** Folders that are searched for headers. */
  readonly include: readonly string[]
  /** Files that are included before everything else. */
  readonly forced?: readonly string[]
  /** Headers that a source may include under the name of a macro. */
  readonly inMacros?: readonly string[]
  readonly cwd: string
}

/**
 * Reads the sources and, without running a preprocessor, everything they could include: each literal `#include` is
 * followed whether or not its condition holds. A header too many only makes the cache key finer. Names that are not
 * found are left to the compiler, which knows the system headers.
 */
export async function readSources({
  sources,
  include,
  forced,
  inMacros = [],
  cwd,
}: SourceOptions): Promise<SourceSet> {
  const files = new Map<string, SourceFile>()
  const missing = new Set<string>()
  const queue: SourceFile[] = []

  const open = async (display: string, readFrom?: string): Promise<SourceFile | undefined> => {
    const full = path.resolve(cwd, display).replaceAll('\\', '/')
    const place = readFrom ?? full
    const known = files.get(full)
    if (known || missing.has(place)) return known
    try {
      const content = await readFile(place)
      const file = { path: full, display, content, ...(readFrom === undefined ? {} : { readFrom }) }
      files.set(full, file)
      queue.push(file)
      return file
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'ENOENT' && code !== 'ENOTDIR' && code !== 'EISDIR') throw error
      missing.add(place)
      return undefined
    }
  }

  const units: SourceFile[] = []
  for (const display of sources) {
    const unit = await open(display)
    if (!unit) throw new MissingFileError(display)
    units.push(unit)
  }
  for (const name of forced ?? []) {
    for (const folder of ['.', ...include]) await open(join(folder, name))
  }
  const namesIn = (content: Uint8Array) =>
    inMacros.length > 0 && includesMacro(content)
      ? [...includedNames(content), ...inMacros]
      : includedNames(content)
  for (let file = queue.pop(); file; file = queue.pop()) {
    // What a source was generated from is shown instead of it.
    for (const name of markedNames(decoder.decode(file.content))) {
      for (const directory of ['.', path.posix.dirname(file.display)]) {
        if (!path.isAbsolute(name)) await open(join(directory, name))
      }
    }
    for (const name of namesIn(file.content)) {
      const directories = [path.posix.dirname(file.display), ...include]
      for (const directory of path.isAbsolute(name) ? ['.'] : directories) {
        const found = await open(join(directory, name))
        // The system follows links before it goes up.
        if (!found && name.includes('..'))
          await open(join(directory, name), `${path.resolve(cwd, directory)}/${name}`)
      }
    }
  }
  return { units, files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)) }
}

/** All that several units are made from. */
export function union(sets: readonly SourceSet[]): SourceSet {
  const files = new Map(sets.flatMap((set) => set.files.map((file) => [file.path, file] as const)))
  return {
    units: sets.flatMap((set) => set.units),
    files: [...files.values()].sort((a, b) => (a.path < b.path ? -1 : 1)),
  }
}

/** Whether there is an `#include NAME`. */
function includesMacro(content: Uint8Array): boolean {
  return /^[ \t]*#[ \t]*include[ \t]+[A-Za-z_]/m.test(decoder.decode(content))
}

function join(directory: string, name: string): string {
  return path.isAbsolute(name) ? name : path.posix.join(directory, name)
}

const decoder = new TextDecoder()

/**
 * Names in `#include "x"`, `#include <x>`, `#embed`, `__has_include(…)` and, for includes through a macro, in
 * `#define X "x.h"`.
 */
export function includedNames(content: Uint8Array): Set<string> {
  const names = new Set<string>()
  const text = decoder.decode(content)
  const directives =
    /^[ \t]*#[ \t]*(?:include(?:_next)?|import|embed|define[ \t]+\w+)[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)/gm
  for (const match of text.matchAll(directives)) names.add(match[1] ?? match[2])
  for (const match of text.matchAll(/__has_(?:include|embed)\s*\(\s*(?:"([^"\n]+)"|<([^>\n]+)>)/g)) {
    names.add(match[1] ?? match[2])
  }
  return names
}
