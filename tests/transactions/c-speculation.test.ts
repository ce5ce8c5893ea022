import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build } from '../../src/frontends/wasm/index.js'
import { times } from '../support/effort.js'
import { compareInC, compareWaitingInC, endsInC, nothingCompared } from './against-speculation.js'
import { rounds } from './rounds.js'

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
})

/**
 * Who gave up in a transaction and waits was taken to be in conflict with others; an end of an inner transaction was nothing, so that
 * what came after it came too early to abort for lack of capacity or by a conflict; what a body that fails would do once others
 * have changed its last read was not asked.
 */
const onceWrong = [63, 93, 90_158, 90_462, 90_561]

// `npm run check:transactions` compares thousands.
it('transactions in C end as those that really speculate', async () => {
  const found = nothingCompared()
  for (const seed of [...onceWrong, ...Array.from({ length: times(25) }, (_, i) => i + 1)]) {
    await compareInC(seed, artifact, found)
  }
  expect(found.wrong.slice(0, 3).join('\n\n')).toBe('')
  expect(found.compared).toBeGreaterThan(times(80))
})

describe('beside threads that wait in loops', () => {
  // One that could go on by now was taken to go round once more as before. The third takes a thousand executions.
  it.each(Object.entries(rounds).slice(0, 2))(
    'which make others abort in each round, %s',
    async (_, program) => {
      for (const strategy of ['optimal', 'dpor'])
        expect(await endsInC(program, artifact, 'conflict', strategy)).toEqual({ lost: [], madeUp: [] })
    },
  )

  it('of any kind', async () => {
    const found = nothingCompared()
    for (let seed = 100; seed < 100 + times(5); seed++)
      await compareWaitingInC(seed, artifact, 'conflict', found)
    expect(found.wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(found.compared).toBeGreaterThan(0)
  })
})
