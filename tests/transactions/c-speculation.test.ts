import { beforeAll, describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Expression, Program, Statement } from '../../src/frontends/model/program.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parseAbortCauses } from '../../src/machine/transactions.js'
import { createStrategy } from '../../src/strategies/index.js'
import { times } from '../support/effort.js'
import { randomTransactions } from './random-transactions.js'
import { Speculation } from './speculate.js'

/** As tests/c/transaction-scripts.c numbers them. */
const ops = [
  'end',
  'load',
  'store',
  'storeNext',
  'add',
  'compare',
  'check',
  'unlessEqual',
  'jump',
  'begin',
  'persist',
  'xend',
  'xabort',
  'xtest',
  'print',
  'lock',
  'unlock',
] as const
const registers = ['r', 'q', 's', '%']
const ROW = 4

const semantics = ['retry', 'conflict', 'retry,conflict', 'explicit', 'retry,capacity=1', 'conflict,nested=1']

/** The same program as instructions. */
function encode(statements: readonly Statement[]): number[] {
  const code: number[] = []
  const put = (op: (typeof ops)[number], a = 0, b = 0, c = 0) => code.push(ops.indexOf(op), a, b, c) - ROW
  const variable = (name: unknown) => (name === 'y' ? 1 : 0)
  /** Goes on with what comes first if the register holds the value, else with the other. */
  const branch = (register: string, value: number, first: () => void, other: () => void) => {
    const test = put('unlessEqual', registers.indexOf(register), value)
    first()
    const leave = put('jump')
    code[test + 3] = code.length
    other()
    code[leave + 3] = code.length
  }
  const add = (list: readonly Statement[]): void => {
    for (const s of list) {
      if (s.op === 'load') put('load', variable(s.var))
      else if (s.op === 'store')
        typeof s.value === 'number'
          ? put('store', variable(s.var), s.value)
          : put('storeNext', variable(s.var))
      else if (s.op === 'fetchAdd') put('add', variable(s.var), s.value as number)
      else if (s.op === 'compareExchange')
        put('compare', variable(s.var), s.expected as number, s.desired as number)
      else if (s.op === 'assert') put('check')
      else if (s.op === 'if') {
        const [then, otherwise] = [() => add(s.then), () => add(s.else ?? [])]
        const condition: Expression = s.condition
        if (typeof condition === 'string') branch(condition, 0, otherwise, then)
        else
          branch(
            (condition as [string, string, number])[1],
            (condition as [string, string, number])[2],
            then,
            otherwise,
          )
      } else if (s.op === 'atomically') {
        if (s.else === undefined) put('persist')
        else put('begin', s.into === 's' ? 1 : 0)
        const commit = () => {
          add(s.body)
          put('xend')
        }
        if (s.else === undefined) commit()
        else branch(s.into === 's' ? 's' : '%', -1, commit, () => add(s.else!))
      } else if (s.op === 'xbegin') put('begin', 1)
      else if (s.op === 'xabort') put('xabort', (s.code as number | undefined) ?? 0)
      else if (s.op === 'output') put('print')
      else if (s.op !== 'set') put(s.op as 'xend')
    }
  }
  add(statements)
  put('end')
  return code
}

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
})

async function machineOf(program: Program) {
  const args = [program.variables!.x, ...Object.values(program.threads).map((body) => encode(body).join(','))]
  return wasmMachine(artifact, { args: args.map(String) })
}

/** Variables, and registers that are not 0. */
const canonical = (output: string) =>
  output
    .trimEnd()
    .replace(/ ?\w=0(?=\s|$)/g, '')
    .replace(/:(?! )/g, ': ')

/** What was lost, and what was made up; null when there is too much of it. */
function compare(
  program: Program,
  machine: Awaited<ReturnType<typeof machineOf>>,
  aborts: string,
  name: string,
) {
  const truth = new Speculation(program, parseAbortCauses(aborts)).run(60_000)
  if (truth === null) return null
  machine.platform!.use({ abortCodes: aborts })
  const found = new Set<string>()
  const { exhausted } = explore({
    machine,
    strategy: createStrategy(name, { machine }),
    keepGoing: true,
    maxExecutions: 5_000,
    onExecution({ bug, status }) {
      if (status === 'blocked') return
      if (status === 'cut') found.add('too long')
      if (bug === null) found.add(canonical(machine.output))
      else if (bug.kind === 'deadlock' || bug.kind === 'livelock') found.add('stuck')
      else found.add(`${bug.kind} t${Number(machine.threads.names[bug.thread].slice(2)) - 1}`)
    },
  })
  if (!exhausted) return null
  const wanted = new Set([...truth.finalStates, ...[...truth.bugs].map((bug) => bug.split('\n')[0])])
  return {
    lost: [...wanted].filter((end) => !found.has(end)),
    madeUp: [...found].filter((end) => !wanted.has(end)),
  }
}

describe('transactions in C', () => {
  it('end as those that really speculate', async () => {
    const wrong: string[] = []
    let compared = 0
    for (let seed = 1; seed <= times(25); seed++) {
      const program = randomTransactions(seed)
      if (!JSON.stringify(program).includes('"x')) continue
      const machine = await machineOf(program)
      for (const [i, aborts] of semantics.entries()) {
        const strategy = (seed + i) % 2 === 0 ? 'optimal' : 'source'
        const difference = compare(program, machine, aborts, strategy)
        if (difference === null) continue
        compared++
        if (difference.lost.length + difference.madeUp.length > 0)
          wrong.push(
            `seed ${seed}, ${aborts}, ${strategy}: ${JSON.stringify(difference)}\n${JSON.stringify(program)}`,
          )
      }
    }
    expect(
      wrong
        .slice(0, 6)
        .map((w) => w.slice(0, 1500))
        .join('\n\n'),
    ).toBe('')
    expect(compared).toBeGreaterThan(times(80))
  })
})
