import { beforeAll, describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Program } from '../../src/frontends/model/program.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parseAbortCauses } from '../../src/machine/transactions.js'
import { createStrategy } from '../../src/strategies/index.js'
import { times } from '../support/effort.js'
import { randomTransactions } from './random-transactions.js'
import { canonical, encode } from './scripts.js'
import { Speculation } from './speculate.js'

const semantics = ['retry', 'conflict', 'retry,conflict', 'explicit', 'retry,capacity=1', 'conflict,nested=1']

/** Who gave up in a transaction and waits was taken to be in conflict with others. */
const onceWrong = [63, 93]

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
})

async function machineOf(program: Program) {
  const args = [program.variables!.x, ...Object.values(program.threads).map((body) => encode(body).join(','))]
  return wasmMachine(artifact, { args: args.map(String) })
}

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
    for (const seed of [...onceWrong, ...Array.from({ length: times(25) }, (_, i) => i + 1)]) {
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
    expect(wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(compared).toBeGreaterThan(times(80))
  })
})
