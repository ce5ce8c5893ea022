import { explore } from '../../src/execution/explore.js'
import type { Program } from '../../src/frontends/model/program.js'
import { type Artifact, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { parseAbortCauses } from '../../src/machine/transactions.js'
import { reach } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { randomTransactions, randomWaiting } from './random-transactions.js'
import { canonical as canonicalOutput, encode } from './scripts.js'
import { Speculation } from './speculate.js'

export const semantics = [
  'retry',
  'conflict',
  'retry,conflict',
  'explicit',
  'retry,capacity=1',
  'conflict,nested=1',
]

/** What was compared with a model that really speculates: how often, and what differs. */
export interface Compared {
  compared: number
  tooLarge: number
  readonly wrong: string[]
}

export function nothingCompared(): Compared {
  return { compared: 0, tooLarge: 0, wrong: [] }
}

/** Null when there is too much of it. */
type Difference = { readonly lost: readonly string[]; readonly madeUp: readonly string[] } | null

function difference(wanted: ReadonlySet<string>, found: ReadonlySet<string>): Difference {
  return {
    lost: [...wanted].filter((end) => !found.has(end)),
    madeUp: [...found].filter((end) => !wanted.has(end)),
  }
}

function note(to: Compared, difference: Difference, what: string, program: Program): void {
  if (difference === null) {
    to.tooLarge++
    return
  }
  to.compared++
  if (difference.lost.length + difference.madeUp.length > 0)
    to.wrong.push(`${what}: ${JSON.stringify(difference)}\n${JSON.stringify(program)}`)
}

function usesVariables(program: Program): boolean {
  return JSON.stringify(program).includes('"x')
}

/** A random program in C (tests/c/transaction-scripts.c), with each abort semantics. */
export async function compareInC(seed: number, artifact: Artifact, to: Compared): Promise<void> {
  const program = randomTransactions(seed)
  if (!usesVariables(program)) return
  const machine = await machineInC(program, artifact)
  for (const [i, aborts] of semantics.entries()) {
    const strategy = (seed + i) % 2 === 0 ? 'optimal' : 'source'
    const truth = new Speculation(program, parseAbortCauses(aborts)).run(60_000)
    const found = truth && exploredInC(machine, aborts, strategy, 5_000)
    const ends =
      truth &&
      found &&
      difference(new Set([...truth.finalStates, ...[...truth.bugs].map((bug) => bug.split('\n')[0])]), found)
    note(to, ends, `seed ${seed}, ${aborts}, ${strategy}`, program)
  }
}

/** The same with threads that wait in loops: see `compareWaiting`. */
export async function compareWaitingInC(
  seed: number,
  artifact: Artifact,
  aborts: string,
  to: Compared,
): Promise<void> {
  const program = randomWaiting(seed)
  if (!waitsBesideTransactions(program)) return
  const found = await endsInC(program, artifact, aborts, seed % 2 === 0 ? 'optimal' : 'source')
  note(to, found, `seed ${seed}, ${aborts}`, program)
}

export async function endsInC(
  program: Program,
  artifact: Artifact,
  aborts: string,
  strategy: string,
  mostStates = 4_000,
  most = 1_000,
): Promise<Difference> {
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(mostStates)
  const found = truth && exploredInC(await machineInC(program, artifact), aborts, strategy, most)
  const ends = (all: Iterable<string>) => new Set([...all].filter((end) => end.startsWith('x = ')))
  return truth && found && difference(ends(truth.finalStates), ends(found))
}

function machineInC(program: Program, artifact: Artifact): Promise<Machine> {
  const args = [program.variables!.x, ...Object.values(program.threads).map((body) => encode(body).join(','))]
  return wasmMachine(artifact, { args: args.map(String) })
}

/** Final states and bugs; null if there are too many executions. */
function exploredInC(
  machine: Machine,
  aborts: string,
  strategy: string,
  most: number,
): ReadonlySet<string> | null {
  machine.platform!.use({ abortCodes: aborts })
  const found = new Set<string>()
  const { exhausted } = explore({
    machine,
    strategy: engine.createStrategy(strategy, { machine }),
    keepGoing: true,
    maxExecutions: most,
    onExecution({ bug, status }) {
      if (status === 'blocked') return
      if (status === 'cut') found.add('too long')
      if (bug === null) found.add(canonicalOutput(machine.output))
      else if (bug.kind === 'deadlock' || bug.kind === 'livelock') found.add('stuck')
      else found.add(`${bug.kind} t${Number(machine.threads.names[bug.thread].slice(2)) - 1}`)
    },
  })
  return exhausted ? found : null
}

/** A random model program with one abort semantics, by one of the strategies unless it is said which. */
export function compareModel(
  seed: number,
  aborts: string,
  to: Compared,
  strategies: readonly string[] = [['dfs', 'optimal', 'source'][seed % 3]],
): void {
  const program = randomTransactions(seed)
  if (!usesVariables(program)) return
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(60_000)
  for (const strategy of strategies) {
    const found = truth && explored(program, aborts, strategy, 20_000)
    const ends =
      truth &&
      found &&
      difference(
        new Set([...truth.finalStates, ...truth.bugs]),
        new Set([...[...found.finalStates].map(canonical), ...[...found.bugs].map(kindOf)]),
      )
    note(to, ends, `seed ${seed}, ${aborts}, ${strategy}`, program)
  }
}

/**
 * A random model program with threads that wait in loops. Whoever waits in a loop for ever is not stuck to a model that goes
 * through states, so only ends are compared.
 */
export function compareWaiting(seed: number, aborts: string, to: Compared): void {
  const program = randomWaiting(seed)
  if (!waitsBesideTransactions(program)) return
  const strategy = seed % 4 === 1 ? 'dfs' : 'optimal'
  note(to, endsOf(program, aborts, strategy), `seed ${seed}, ${aborts}, ${strategy}`, program)
}

function waitsBesideTransactions(program: Program): boolean {
  const text = JSON.stringify(program)
  return text.includes('while') && text.includes('atomically')
}

/** Threads are called t0, t1, …. */
export function endsOf(program: Program, aborts: string, strategy: string): Difference {
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(4_000)
  const found = truth && explored(program, aborts, strategy, 1_000)
  return truth && found && difference(truth.finalStates, new Set([...found.finalStates].map(canonical)))
}

function explored(program: Program, aborts: string, strategy: string, most: number) {
  const machine = engine.modelMachine(program)
  machine.platform!.use({ abortCodes: aborts })
  const found = reach(machine, engine.createStrategy(strategy, { machine }), most)
  return found.exhausted ? found : null
}

/** Variables, and registers that are not 0. */
function canonical(finalState: string): string {
  return finalState
    .split('\n')
    .filter((line) => !/printed|^m = /.test(line))
    .map((line) => {
      const thread = /^thread (\d+): (.*)$/.exec(line)
      if (!thread) return line
      const own = thread[2].split(/[; ]+/).filter((word) => /=/.test(word) && !word.endsWith('=0'))
      return `t${thread[1]}: ${own.sort().join(' ')}`
    })
    .join('\n')
}

function kindOf(bug: string): string {
  const [first, ...state] = bug.split('\n')
  const [kind, thread] = first.split(' ')
  if (kind === 'deadlock' || kind === 'livelock') return `stuck\n${canonical(state.join('\n'))}`
  return `${kind} t${thread}`
}
