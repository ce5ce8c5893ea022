import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { Program } from '../../src/frontends/model/program.js'
import type { Reached } from './brute-force.js'
import { isBuilt } from './built-engine.js'
import type { Engine } from './engine.js'
import { markersIn, propertyAt } from './mutation-places.js'

/**
 * A change to a source file. What it changes is found by a marker, a comment before a statement or an expression:
 * `// mutant: NAME` or `mutant: NAME` between slashes and stars; in the table of operations by the path of a property, such as
 * `lock.orders.write`.
 */
export interface Mutation extends Change {
  readonly what: string
  /** Another one, in another file, where it takes both to break something. */
  readonly also?: Change
}

export interface Change {
  readonly file: string
  /** Name of the marker in that file, or the path. */
  readonly at: string
  /** What is there instead; '' for nothing at all. */
  readonly to: string
}

const source = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src')
/** What an engine is used by. */
const entries = [
  'execution/explore.ts',
  'frontends/model/index.ts',
  'ordering/fingerprint.ts',
  'races/index.ts',
  'strategies/index.ts',
]

/** Parts that no other part imports: their mutants share the rest of the engine, which is loaded once. */
const leaves = ['races']

/** The entries and all that they import, as paths below `src`. */
function engineFiles(): string[] {
  const found = new Set(entries)
  for (const file of found) {
    const code = readFileSync(join(source, file), 'utf8')
    for (const [, target] of code.matchAll(/^(?:import|export|\}) .*?from '(\..+)\.js'$/gm)) {
      found.add(posix.join(posix.dirname(file), `${target}.ts`))
    }
  }
  return [...found]
}

export function transpile(code: string): string {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
  return ts.transpileModule(code, { compilerOptions: options }).outputText
}

const sourceFiles = new Map<string, { tree: ts.SourceFile; markers: ReadonlyMap<string, ts.Node> }>()

/** Below `src`, with what its markers are about. */
export function sourceFile(file: string) {
  const known = sourceFiles.get(file)
  if (known !== undefined) return known
  const text = readFileSync(join(source, file), 'utf8')
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2023, true)
  const made = { tree, markers: markersIn(tree) }
  sourceFiles.set(file, made)
  return made
}

/** Below node_modules, so that the test runner leaves loading to Node: each copy is a module graph of its own. */
const cache = join(source, '..', 'node_modules', '.cache', 'faultline-tests')

function newFolder(name: string): string {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, `${name}-`))
}

let original: string | null = null

/** The engine as JavaScript in a folder of its own; what was built is taken if it is up to date. */
export function transpiledEngine(): string {
  if (original !== null) return original
  original = newFolder('engine')
  const takesBuilt = isBuilt()
  writeFileSync(join(original, 'package.json'), '{"type":"module"}')
  for (const file of engineFiles()) {
    const target = join(original, file).replace(/\.ts$/, '.js')
    mkdirSync(dirname(target), { recursive: true })
    if (takesBuilt) copyFileSync(join(source, '..', 'dist', file).replace(/\.ts$/, '.js'), target)
    else writeFileSync(target, transpile(readFileSync(join(source, file), 'utf8')))
  }
  return original
}

/** The source file with one thing broken. */
export function mutated({ file, at, to }: Change): string {
  const { tree, markers } = sourceFile(file)
  const node = markers.get(at) ?? propertyAt(tree, at)
  if (node === undefined) throw new Error(`mutation: there is no "${at}" in ${file}`)
  const code = tree.text
  const instead = to === '' && ts.isStatement(node) ? '{}' : to
  // A property goes with the comma behind it.
  const end = to === '' && code[node.end] === ',' ? node.end + 1 : node.end
  return `${code.slice(0, node.getStart(tree))}${instead}${code.slice(end)}`
}

export function changesOf(mutation: Mutation | null): readonly Change[] {
  if (mutation === null) return []
  return mutation.also === undefined ? [mutation] : [mutation, mutation.also]
}

/** A copy of the engine with one thing broken, or with nothing broken. */
export async function mutatedEngine(mutation: Mutation | null): Promise<Engine> {
  const folder = newFolder('mutant')
  const [part] = mutation === null ? [''] : mutation.file.split('/')
  for (const entry of readdirSync(transpiledEngine())) {
    const [from, to] = [join(transpiledEngine(), entry), join(folder, entry)]
    if (!leaves.includes(part) || entry === part || entry === 'package.json') {
      cpSync(from, to, { recursive: true })
    } else symlinkSync(from, to)
  }
  for (const change of changesOf(mutation)) {
    const target = join(folder, change.file).replace(/\.ts$/, '.js')
    writeFileSync(target, transpile(mutated(change)))
  }
  const module = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href)
  const loaded = await Promise.all(entries.map((entry) => module(entry.replace(/\.ts$/, '.js'))))
  return Object.assign({}, ...loaded) as Engine
}

/**
 * Which mutations are tried every day: some of each kind. They test the tests, and all of them are tried by
 * `npm run test:full`; that each finds its place is looked at every day by `mutations.test.ts`.
 */
export function dailyOf<M extends Mutation>(mutations: readonly M[]): { daily: M[]; others: M[] } {
  const isDaily = (_: M, i: number) => i % 8 === 0
  return { daily: mutations.filter(isDaily), others: mutations.filter((m, i) => !isDaily(m, i)) }
}

/** Programs with the truth about each, made when they are first looked at: most mutants are noticed early. */
export class Corpus {
  private programs: readonly Program[] | null = null
  private readonly known: ({ readonly program: Program; readonly all: Reached } | null)[] = []

  constructor(
    private readonly make: () => readonly Program[],
    private readonly truth: (program: Program) => Reached | null,
  ) {}

  private *entries() {
    this.programs ??= this.make()
    for (const [i, program] of this.programs.entries()) {
      if (i === this.known.length) {
        const all = this.truth(program)
        this.known.push(all && { program, all })
      }
      const entry = this.known[i]
      if (entry !== null) yield entry
    }
  }

  some(predicate: (entry: { readonly program: Program; readonly all: Reached }) => boolean): boolean {
    for (const entry of this.entries()) if (predicate(entry)) return true
    return false
  }

  first(count: number): { readonly program: Program; readonly all: Reached }[] {
    const entries = []
    for (const entry of this.entries()) if (entries.push(entry) === count) break
    return entries
  }
}
