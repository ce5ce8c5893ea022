import { expect, it } from 'vitest'
import { build } from '../../src/frontends/wasm/index.js'
import { times } from '../support/effort.js'
import { compareInC, nothingCompared } from './against-speculation.js'

/**
 * Who gave up in a transaction and waits was taken to be in conflict with others; an end of an inner transaction was nothing, so that
 * what came after it came too early to abort for lack of capacity or by a conflict.
 */
const onceWrong = [63, 93, 90_158, 90_462]

// `npm run check:transactions` compares thousands.
it('transactions in C end as those that really speculate', async () => {
  const artifact = await build({ sources: ['tests/c/transaction-scripts.c'] })
  const found = nothingCompared()
  for (const seed of [...onceWrong, ...Array.from({ length: times(25) }, (_, i) => i + 1)]) {
    await compareInC(seed, artifact, found)
  }
  expect(found.wrong.slice(0, 3).join('\n\n')).toBe('')
  expect(found.compared).toBeGreaterThan(times(80))
})
