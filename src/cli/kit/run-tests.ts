import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { faultOfOurs } from '../exit.js'
import type { Io } from '../io.js'
import { type Translated, translatedFiles } from './assembly/translated-files.js'
import type { Kit, KitTest } from './kit.js'
import type { Results, TestResult } from './results.js'
import { nameOf } from './summary.js'
import type { Tree } from './tree.js'

/** Runs a command as a person would. */
export type Main = (argv: readonly string[], io: Io) => Promise<number>

export interface TestSettings {
  /** Seconds for all tests of a tree. */
  readonly budget: number
  /** More options for `check`. */
  readonly options: readonly string[]
  readonly onResult: (result: TestResult) => void
  readonly isInterrupted: () => boolean
}

/** What `check --json` prints, as far as it is looked at here. */
interface Answer {
  readonly error?: string
  readonly verdict?: string
  readonly guarantee?: string | null
  readonly executions?: number
  readonly incomplete?: unknown
  readonly caveats?: readonly string[]
  readonly bugs?: readonly {
    readonly kind: string
    readonly message: string
    readonly location: string
    readonly schedule: string
  }[]
}

/** Small tests come first and leave most of their time to the others, so that they may have more than their part. */
const GENEROUS = 1.5
const AGAIN = 'again'

/**
 * Runs the tests of a kit on a tree, each with its share of the time that is left, those first that were not run yet. One
 * that fails, whatever the reason, leaves the others alone.
 */
export async function runTests(
  kit: Kit,
  tree: Tree,
  results: Results,
  settings: TestSettings,
  main: Main,
  io: Io,
): Promise<TestResult[]> {
  let left = settings.budget
  const assembly = translatedFiles(kit, tree, join(results.folder, 'assembly'), io.directory)
  const all: TestResult[] = []
  for (const [i, test] of kit.tests.entries()) {
    const name = nameOf(test.file)
    const known = results.of(name)
    // Ended once: perhaps by whoever wanted the machine for something else. Ended twice: by this test.
    const isAgain = known?.outcome === 'begun'
    let result = isAgain ? (known.text === AGAIN ? ended(name) : undefined) : known
    if (result === undefined) {
      if (settings.isInterrupted()) break
      const start = performance.now()
      results.put({ test: name, outcome: 'begun', text: isAgain ? AGAIN : '', executions: 0, seconds: 0 })
      const share = Math.min(left, (GENEROUS * left) / (kit.tests.length - i))
      result = await runTest(kit, tree, assembly, test, share, results.folder, settings.options, main, io)
      left = Math.max(left - (performance.now() - start) / 1000, 1)
    }
    results.put(result)
    all.push(result)
    settings.onResult(result)
  }
  return all
}

function ended(test: string): TestResult {
  const text =
    'Faultline ended in the middle of this test, twice; delete its line in results.json to try it again'
  return { test, outcome: 'failed', text, executions: 0, seconds: 0 }
}

/** What `check` is told for a test of a kit, without a budget and what becomes of its answer. */
export function checkArguments(
  kit: Kit,
  tree: Tree,
  assembly: Translated,
  test: KitTest,
  directory: string,
): string[] {
  const own = (path: string) => relative(directory, join(kit.folder, path)) || '.'
  const theirs = (path: string) => relative(directory, path) || '.'
  return [
    'check',
    own(test.file),
    ...kit.files.map(own),
    ...[...tree.sources, ...assembly.files].map(theirs),
    // What a tree brings along comes before what the kit has in case it does not.
    ...tree.include.flatMap((path) => ['-I', theirs(path)]),
    ...kit.headers.flatMap((path) => ['-I', own(path)]),
    ...tree.fallback.flatMap((path) => ['-idirafter', theirs(path)]),
    ...kit.before.flatMap((path) => ['-include', own(path)]),
    ...kit.define.flatMap((macro) => ['-D', macro]),
    ...kit.options,
    ...(test.options ?? []),
  ]
}

async function runTest(
  kit: Kit,
  tree: Tree,
  assembly: Translated,
  test: KitTest,
  budget: number,
  folder: string,
  options: readonly string[],
  main: Main,
  io: Io,
): Promise<TestResult> {
  const name = nameOf(test.file)
  const argv = [
    ...checkArguments(kit, tree, assembly, test, io.directory),
    ...options,
    ...['--budget', `${Math.max(1, Math.round(budget))}s`, '--json', '--quiet', '--out', folder],
  ]
  const start = performance.now()
  const { text, errors } = await captured(main, argv, io)
  const seconds = (performance.now() - start) / 1000
  const answer = parsed(text, errors)
  const base = { test: name, executions: answer.executions ?? 0, seconds }
  if (answer.error !== undefined)
    return { ...base, outcome: 'failed', text: explained(answer.error, tree, assembly), executions: 0 }
  const [bug] = answer.bugs ?? []
  if (bug === undefined) {
    if (answer.verdict === 'verified') return { ...base, outcome: 'verified', text: '' }
    return { ...base, outcome: 'partial', text: partialText(answer) }
  }
  const replay = ['replay', bug.schedule]
  const shown = await captured(main, replay, io)
  const report = join(folder, `${name}.txt`)
  mkdirSync(folder, { recursive: true })
  writeFileSync(report, shown.text)
  return {
    ...base,
    outcome: 'bug',
    text: `${bug.kind}: ${bug.message}${bug.message.includes(bug.location) ? '' : ` at ${bug.location}`}`,
    bug: {
      kind: bug.kind,
      location: bug.location,
      report: relative(io.directory, report),
      replay: `${io.command} ${replay.join(' ')}`,
    },
  }
}

/** Why nothing is verified though no bug was found. */
function partialText({ executions, incomplete, caveats = [] }: Answer): string {
  if (!executions) return 'no execution came to an end in this time: a loop without end?'
  if (incomplete !== undefined || caveats.length === 0) return 'not every schedule was explored'
  return `every schedule was explored, but: ${caveats[0]}`
}

/** Runs a command, and keeps what it prints. */
async function captured(
  main: Main,
  argv: readonly string[],
  io: Io,
): Promise<{ text: string; errors: string }> {
  let text = ''
  let errors = ''
  await main(argv, {
    ...io,
    out: (more) => {
      text += more
    },
    err: (more) => {
      errors += more
    },
    colour: false,
    isLive: false,
    environment: { ...io.environment, GITHUB_ACTIONS: undefined },
  })
  return { text, errors }
}

function parsed(text: string, errors: string): Answer {
  try {
    return JSON.parse(text) as Answer
  } catch {
    return { error: errors || 'check printed nothing' }
  }
}

/** The first line that says something; and what to do where something is written in assembly. */
function explained(error: string, { assembly }: Tree, { reasons }: Translated): string {
  const lines = error.split('\n').filter((line) => line.trim() !== '')
  if (error.startsWith(faultOfOurs)) return `the compiler, or Faultline, gave up: ${lines[1]?.trim() ?? ''}`
  const line = lines.find((candidate) => /\berror:/.test(candidate)) ?? lines[0] ?? error
  const undefinedOnes = lines.filter((candidate) => /undefined|does not provide/.test(candidate)).join('\n')
  const inAssembly = [...assembly].filter(([name]) => new RegExp(`\\b${name}\\b`).test(undefinedOnes))
  if (inAssembly.length === 0) return line
  const names = inAssembly.map(([name, file]) => {
    const reason = reasons.get(file)
    return `${name} (${file}${reason === undefined ? '' : `, ${reason}`})`
  })
  return `${names.join(', ')}: assembly that is not run: write the same in C, in a file in the folder faultline/ beside it`
}
