import { readFileSync } from 'node:fs'
import { explore } from '../../src/execution/explore.js'
import type { Strategy } from '../../src/execution/strategy.js'
import type { Status } from '../../src/execution/trace.js'
import {
  type BuildOptions,
  build,
  type WasmMachine,
  type WasmMachineOptions,
  wasmMachine,
} from '../../src/frontends/wasm/index.js'
import type { Bug } from '../../src/machine/bug.js'
import { createStrategy } from '../../src/strategies/index.js'

interface LoadOptions extends WasmMachineOptions {
  readonly define?: readonly string[]
  readonly optimize?: string
}

/** A program of tests/c, compiled (or found in the cache) and ready to run. */
export async function load(name: string, options: LoadOptions = {}): Promise<WasmMachine> {
  const { define = [], optimize = '0', ...rest } = options
  const recipe: BuildOptions = { sources: [`tests/c/${name}.c`], define, optimize }
  return wasmMachine(await build(recipe), rest)
}

/** A program of tests/cpp, told which of its cases to run: compiling C++ for each would take long. */
export async function loadCxx(name: string, number: number): Promise<WasmMachine> {
  const artifact = await build({ sources: [`tests/cpp/${name}.cpp`] })
  return wasmMachine(artifact, { args: [String(number)] })
}

/** A case of a program of tests/c that includes `case.h`: compiled once, the number of arguments chooses. */
export function loadCase(name: string, number: number, options: LoadOptions = {}): Promise<WasmMachine> {
  return load(name, { ...options, args: Array(number).fill('') })
}

/** A case of a program whose cases differ in what they declare: compiled for each, with `-DCASE=n`. */
export function loadVariant(name: string, number: number, options: LoadOptions = {}): Promise<WasmMachine> {
  return load(name, { ...options, define: [`CASE=${number}`, ...(options.define ?? [])] })
}

export interface Outcomes {
  readonly executions: number
  /** How executions ended: `ok OUTPUT`, or `KIND: MESSAGE` of a bug; how often each was seen. */
  readonly ends: ReadonlyMap<string, number>
  readonly bugs: readonly Bug[]
  /** Names of threads left over at the end, of all executions. */
  readonly unfinished: ReadonlySet<string>
  readonly statuses: ReadonlySet<Status>
}

/** All executions of a small program, or with a sampling strategy the first so many. */
export function outcomes(
  machine: WasmMachine,
  {
    strategy = 'dfs',
    search,
    limit = 200_000,
    maxSteps = 2000,
  }: { strategy?: string; search?: Strategy; limit?: number; maxSteps?: number } = {},
): Outcomes {
  const ends = new Map<string, number>()
  const bugs: Bug[] = []
  const unfinished = new Set<string>()
  const statuses = new Set<Status>()
  const result = explore({
    machine,
    strategy: search ?? createStrategy(strategy, { machine }),
    keepGoing: true,
    maxExecutions: limit,
    maxSteps,
    onExecution({ bug, status }) {
      statuses.add(status)
      if (status === 'blocked') return
      const end = bug ? `${bug.kind}: ${bug.message}` : `${status === 'cut' ? 'cut' : 'ok'} ${machine.output}`
      if (bug && !ends.has(end)) bugs.push(bug)
      ends.set(end, (ends.get(end) ?? 0) + 1)
      for (const name of machine.unfinished) unfinished.add(name)
    },
  })
  if (strategy === 'dfs' && search === undefined && !result.exhausted)
    throw new Error(`more than ${limit} executions`)
  return { executions: result.executions, ends, bugs, unfinished, statuses }
}

/** Just the different ends, sorted. */
export function endsOf(machine: WasmMachine, options?: Parameters<typeof outcomes>[1]): string[] {
  return [...outcomes(machine, options).ends.keys()].sort()
}

/** Number of the line of a program of tests/c that holds this text. */
export function lineOf(name: string, text: string): number {
  const lines = readFileSync(`tests/c/${name}.c`, 'utf8').split('\n')
  const line = lines.findIndex((candidate) => candidate.includes(text)) + 1
  if (line === 0) throw new Error(`no "${text}" in ${name}.c`)
  return line
}
