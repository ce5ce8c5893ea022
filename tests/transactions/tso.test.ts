import { beforeAll, describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { atomically, fetchAdd, load, store, when, xabort } from '../../src/frontends/model/build.js'
import type { Statement } from '../../src/frontends/model/program.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { Draw } from '../support/draw.js'
import { isFull, times } from '../support/effort.js'
import { canonical, encode } from './scripts.js'
import { storeBuffers } from './store-buffers.js'

const variable = (d: Draw) => (d.below(2) === 0 ? 'x' : 'y')

const access = (d: Draw): Statement[] =>
  d.weighted<() => Statement[]>([
    [4, () => [load(variable(d), 'r')]],
    [5, () => [store(variable(d), d.below(3) === 0 ? ['+', 'r', 1] : 1 + d.below(2))]],
    [1, () => [fetchAdd(variable(d), 1, 'q')]],
    [1, () => [{ op: 'fence' }]],
  ])()

const some = (most: number, d: Draw, make: (d: Draw) => Statement[]) =>
  Array.from({ length: 1 + d.below(most) }, () => make(d)).flat()

const inside = (d: Draw): Statement[] =>
  d.below(4) === 0 ? [load(variable(d), 'r'), when(['==', 'r', d.below(2)], [xabort(1)])] : access(d)

const piece = (d: Draw): Statement[] =>
  d.below(5) < 3 ? access(d) : [atomically(some(3, d, inside), some(2, d, access), 's')]

/** Threads that store and load, now and then in transactions. */
function randomThreads(seed: number): Statement[][] {
  const d = Draw.fromSeed(seed)
  const count = d.below(4) === 0 ? 3 : 2
  return Array.from({ length: count }, () => some((count === 3 ? 1 : 2) + (isFull ? 1 : 0), d, piece))
}

/** Programs whose outcome tells something. */
const known: Record<string, Statement[][]> = {
  'stores wait while loads go on': [
    [store('x', 1), load('y', 'r')],
    [store('y', 1), load('x', 'r')],
  ],
  'a transaction is a fence': [
    [store('x', 1), atomically([store('y', 1)], [], 's'), load('y', 'r')],
    [store('y', 2), atomically([load('x', 'r')], [], 's')],
  ],
  'a transaction comes between a store and a load, or after both': [
    [store('y', 1), load('x', 'r'), store('x', ['+', 'r', 1])],
    [
      atomically(
        [load('y', 'r'), when('r', [xabort(1)]), load('x', 'r'), store('x', ['+', 'r', 1])],
        [],
        's',
      ),
    ],
  ],
  'no store comes between what a transaction reads and writes': [
    [store('x', 5)],
    [atomically([load('x', 'r'), store('x', ['+', 'r', 1])], [], 's')],
  ],
  'nobody sees a part of what a transaction writes': [
    [store('x', 1), load('y', 'r'), store('y', 1)],
    [atomically([load('x', 'r'), store('x', ['+', 'r', 1]), store('y', 2)], [], 's')],
  ],
}

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
})

/** What is left out, and what is made up, by a search of all executions; null if there are too many. */
async function compare(threads: readonly Statement[][], strategy: string, most: number) {
  const codes = threads.map(encode)
  const machine = await wasmMachine(artifact, {
    args: ['0', ...codes.map((code) => code.join(','))],
    platform: { memoryModel: 'tso' },
  })
  const found = new Set<string>()
  const { exhausted } = explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    keepGoing: true,
    maxExecutions: most,
    onExecution: ({ bug, status }) => {
      if (status === 'blocked') return
      found.add(bug?.message ?? (status === 'completed' ? canonical(machine.output) : status))
    },
  })
  if (!exhausted) return null
  const wanted = storeBuffers(codes)
  return {
    lost: [...wanted].filter((end) => !found.has(end)),
    madeUp: [...found].filter((end) => !wanted.has(end)),
  }
}

describe('transactions under total store order', () => {
  it.each(Object.entries(known))('%s', async (_, threads) => {
    expect(await compare(threads, 'dfs', 12_000)).toEqual({ lost: [], madeUp: [] })
    expect(await compare(threads, 'graphs:prefixes', 12_000)).toEqual({ lost: [], madeUp: [] })
  })

  it.each([
    ['dfs', isFull ? 8 : 6, isFull ? 2500 : 600],
    ['graphs:prefixes', isFull ? 20 : 10, 5000],
  ])('end as with store buffers, by %s', async (strategy, count, most) => {
    const wrong: string[] = []
    let compared = 0
    for (let seed = 1; seed <= times(count); seed++) {
      const threads = randomThreads(seed)
      const difference = await compare(threads, strategy, most)
      if (difference === null) continue
      compared++
      if (difference.lost.length + difference.madeUp.length > 0)
        wrong.push(`seed ${seed}: ${JSON.stringify(difference)}\n${JSON.stringify(threads)}`)
    }
    expect(wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(compared).toBeGreaterThan(times(strategy === 'dfs' ? 2 : count - 2))
  })
})
