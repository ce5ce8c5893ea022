import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import ts from 'typescript'
import type { Engine } from './engine.js'

/** A change to one source file: `from` must occur in it. */
export interface Mutation {
  readonly what: string
  readonly file: string
  readonly from: string
  readonly to: string
}

const source = join(dirname(fileURLToPath(import.meta.url)), '..', '..', 'src')
const parts = ['machine', 'random', 'ordering', 'execution', 'races', 'strategies', 'frontends/model']

/** Parts that no other part imports: their mutants share the rest of the engine, which is loaded once. */
const leaves = ['races']

function filesBelow(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })
}

function transpile(code: string): string {
  const options = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023, verbatimModuleSyntax: true }
  return ts.transpileModule(code, { compilerOptions: options }).outputText
}

/** Below node_modules, so that the test runner leaves loading to Node: each copy is a module graph of its own. */
const cache = join(source, '..', 'node_modules', '.cache', 'faultline-tests')

function newFolder(name: string): string {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, `${name}-`))
}

let original: string | null = null

/** The engine as JavaScript in a folder of its own. */
function transpiledEngine(): string {
  if (original !== null) return original
  original = newFolder('engine')
  writeFileSync(join(original, 'package.json'), '{"type":"module"}')
  for (const path of parts.flatMap((part) => filesBelow(join(source, part)))) {
    if (!path.endsWith('.ts') || path.endsWith('.test.ts')) continue
    const target = join(original, relative(source, path)).replace(/\.ts$/, '.js')
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, transpile(readFileSync(path, 'utf8')))
  }
  return original
}

/** A copy of the engine with one thing broken. */
export async function mutatedEngine(mutation: Mutation): Promise<Engine> {
  const code = readFileSync(join(source, mutation.file), 'utf8')
  if (!code.includes(mutation.from)) {
    throw new Error(`mutation "${mutation.what}": ${mutation.file} no longer contains:\n${mutation.from}`)
  }
  const folder = newFolder('mutant')
  const [part] = mutation.file.split('/')
  for (const entry of readdirSync(transpiledEngine())) {
    const [from, to] = [join(transpiledEngine(), entry), join(folder, entry)]
    if (!leaves.includes(part) || entry === part || entry === 'package.json') {
      cpSync(from, to, { recursive: true })
    } else symlinkSync(from, to)
  }
  const target = join(folder, mutation.file).replace(/\.ts$/, '.js')
  writeFileSync(target, transpile(code.replace(mutation.from, () => mutation.to)))
  const module = (path: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, path)).href)
  const loaded = await Promise.all(
    [
      'execution/explore.js',
      'frontends/model/index.js',
      'ordering/fingerprint.js',
      'races/index.js',
      'strategies/index.js',
    ].map(module),
  )
  return Object.assign({}, ...loaded) as Engine
}
