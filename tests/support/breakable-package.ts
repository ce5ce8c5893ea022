import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import { type Change, changesOf, type Mutation, sourceFile, transpile } from './mutated-engine.js'

/**
 * A copy of the built package, runtime included, in which each of some rules can be broken while it runs: programs are
 * compiled once for all of them. A rule in C is a statement up to its semicolon, behind a comment like those in TypeScript.
 */
export interface Breakable {
  /** A module of the copy, by its path below `src`. */
  module<T>(path: string): Promise<T>
  /** Breaks this rule, and no other; null: none. For programs the environment says so: `environment`. */
  break(mutation: Mutation | null): void
  readonly environment: Readonly<Record<string, string>>
}

const root = fileURLToPath(new URL('../../', import.meta.url))
const cache = join(root, 'node_modules', '.cache', 'faultline-tests')
const VARIABLE = 'MUTANT'

export const isRuntime = ({ file }: Change): boolean => file.endsWith('.c')

/** By name: what a marker of a runtime file stands before. */
export function markersInRuntime(file: string): ReadonlyMap<string, { start: number; text: string }> {
  const code = readFileSync(join(root, 'runtime', file), 'utf8')
  const found = new Map<string, { start: number; text: string }>()
  for (const match of code.matchAll(/\/\* mutant: (.+?) \*\/\s*/g)) {
    const [whole, name] = match
    const start = match.index + whole.length
    if (found.has(name)) throw new Error(`${file} has two markers "${name}"`)
    found.set(name, { start, text: code.slice(start, code.indexOf(';', start) + 1) })
  }
  return found
}

export function runtimeFilesWithMarkers(): string[] {
  return readdirSync(join(root, 'runtime')).filter(
    (file) => file.endsWith('.c') && markersInRuntime(file).size > 0,
  )
}

/** Where a change goes, and what stands there. */
function placeOf({ file, at }: Change) {
  if (file.endsWith('.c')) {
    const place = markersInRuntime(file).get(at)
    if (place === undefined) throw new Error(`mutation: there is no "${at}" in ${file}`)
    return { ...place, isStatement: true }
  }
  const { tree, markers } = sourceFile(file)
  const node = markers.get(at)
  if (node === undefined) throw new Error(`mutation: there is no "${at}" in ${file}`)
  return { start: node.getStart(tree), text: node.getText(tree), isStatement: ts.isStatement(node) }
}

/** The file with every change in it, each in force if its number is the one that is broken. */
function switched(file: string, code: string, changes: readonly (Change & { number: number })[]): string {
  const places = new Map<number, { text: string; original: string; isStatement: boolean }>()
  const name = file.endsWith('.c') ? 'fl_mutant' : `globalThis.${VARIABLE}`
  for (const change of changes) {
    const { start, text, isStatement } = placeOf(change)
    const before = places.get(start) ?? { text, original: text, isStatement }
    const chosen = isStatement
      ? `if (${name} == ${change.number}) { ${change.to} } else { ${before.text} }`
      : `(${name} == ${change.number} ? ${change.to} : ${before.text})`
    places.set(start, { ...before, text: chosen })
  }
  return [...places]
    .sort(([a], [b]) => b - a)
    .reduce(
      (rest, [start, { text, original }]) =>
        `${rest.slice(0, start)}${text}${rest.slice(start + original.length)}`,
      code,
    )
}

export function breakablePackage(mutations: readonly Mutation[]): Breakable {
  mkdirSync(cache, { recursive: true })
  const folder = mkdtempSync(join(cache, 'package-'))
  for (const name of ['dist', 'kits', 'runtime', 'package.json'])
    cpSync(join(root, name), join(folder, name), {
      recursive: true,
      filter: (path) => !/[\\/]dist[\\/](?:bundle|runtime)$|\.(?:map|d\.ts)$/.test(path),
    })
  const changes = mutations.flatMap((mutation, i) =>
    changesOf(mutation).map((change) => ({ ...change, number: i + 1 })),
  )
  for (const file of new Set(changes.map((change) => change.file))) {
    const own = changes.filter((change) => change.file === file)
    if (file.endsWith('.c')) {
      const path = join(folder, 'runtime', file)
      writeFileSync(path, switched(file, readFileSync(path, 'utf8'), own))
    } else {
      const code = switched(file, sourceFile(file).tree.text, own)
      writeFileSync(join(folder, 'dist', file.replace(/ts$/, 'js')), transpile(code))
    }
  }
  const edit = (file: string, change: (code: string) => string) => {
    const path = join(folder, 'runtime', file)
    writeFileSync(path, change(readFileSync(path, 'utf8')))
  }
  edit('host.h', (code) => `#ifndef FL_MUTANT\n#define FL_MUTANT\nstatic int fl_mutant;\n#endif\n${code}`)
  const begin = 'int code = __main_void();'
  edit(
    'start.c',
    (code) =>
      `#include <stdlib.h>\n${code.replace(begin, `const char *mutant = getenv("${VARIABLE}"); fl_mutant = mutant ? atoi(mutant) : 0; ${begin}`)}`,
  )
  let number = 0
  return {
    module: (path) =>
      import(/* @vite-ignore */ pathToFileURL(join(folder, 'dist', path.replace(/ts$/, 'js'))).href),
    break(mutation) {
      number = mutation === null ? 0 : mutations.indexOf(mutation) + 1
      Object.assign(globalThis, { [VARIABLE]: number })
    },
    get environment() {
      return { [VARIABLE]: String(number) }
    },
  }
}
