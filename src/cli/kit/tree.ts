import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Kit } from './kit.js'

/** What somebody handed in. */
export interface Tree {
  /** As it was named. */
  readonly name: string
  /** The folder in which the paths of the kit begin. */
  readonly root: string
  /** What to compile. */
  readonly sources: readonly string[]
  readonly include: readonly string[]
  /** Files that the kit needs and that are not there. */
  readonly missing: readonly string[]
  /** Where headers are that count only where nobody else has them: those of a course's own system. */
  readonly fallback: readonly string[]
  /** All headers, wherever they lie. */
  readonly headers: readonly string[]
  /** Relative to the root. */
  readonly assemblyFiles: readonly string[]
  /** By name: the file in assembly that defines a function. */
  readonly assembly: ReadonlyMap<string, string>
  /** Changes with every file of it. */
  readonly hash: string
}

/** Looks through a folder for what a kit wants of it; without sources it says so. */
export function findTree(kit: Kit, folder: string, name: string): Tree | string {
  if (!existsSync(folder)) return `there is no folder ${name}`
  if (!statSync(folder).isDirectory()) return `${name} is a file: name the folder that was handed in`
  for (const start of kit.roots) {
    const root = join(folder, start)
    const files = filesIn(root)
    const matches = (patterns: readonly string[]) => {
      const isOne = matcher(patterns)
      return files.filter((file) => isOne(file))
    }
    const left = new Set(matches(kit.without))
    const sources = matches(kit.sources).filter((file) => !left.has(file))
    if (sources.length === 0) continue
    const there = new Set(files)
    return {
      name,
      root,
      sources: sources.map((file) => join(root, file)),
      include: kit.include.map((path) => join(root, path)).filter((path) => existsSync(path)),
      fallback: kit.fallback.map((path) => join(root, path)).filter((path) => existsSync(path)),
      headers: files.filter((file) => file.endsWith('.h')).map((file) => join(root, file)),
      missing: kit.needs.filter((file) => !there.has(file)),
      assemblyFiles: matches(kit.assembly),
      assembly: functionsIn(matches(kit.assembly), root),
      hash: hashOf(
        root,
        files.filter((file) => /\.(?:[chsS]|cc|cpp|hpp)$/.test(file)),
      ),
    }
  }
  const places = kit.roots.map((root) => join(name, root) || '.')
  return `no sources found: looked for ${kit.sources.join(', ')} in ${[...new Set(places)].join(', ')}`
}

/** Paths below a folder, in order; hidden ones are left out. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return []
  const found: string[] = []
  const walk = (at: string) => {
    for (const entry of readdirSync(at, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue
      const path = join(at, entry.name)
      if (entry.isDirectory()) walk(path)
      else if (entry.isFile()) found.push(relative(folder, path).replaceAll('\\', '/'))
    }
  }
  walk(folder)
  return found.sort()
}

/** `*` is any part of a name, `**` any folders in between, or none. */
export function matcher(patterns: readonly string[]): (path: string) => boolean {
  const expressions = patterns.map((pattern) => {
    const pieces = pattern
      .split(/(\*\*\/|\*)/)
      .map((piece) =>
        piece === '**/' ? '(?:.*/)?' : piece === '*' ? '[^/]*' : piece.replace(/[.+^${}()|[\]\\?]/g, '\\$&'),
      )
    return new RegExp(`^${pieces.join('')}$`)
  })
  return (path) => expressions.some((expression) => expression.test(path))
}

/** What a file in assembly offers to others. */
export const globalName = /^\s*\.glob[a]?l\s+(\w+)/gm

function functionsIn(files: readonly string[], root: string): Map<string, string> {
  const functions = new Map<string, string>()
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8')
    for (const [, name] of text.matchAll(globalName)) functions.set(name, file)
  }
  return functions
}

function hashOf(root: string, files: readonly string[]): string {
  const hash = createHash('sha256')
  for (const file of files)
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0')
  return hash.digest('hex')
}
