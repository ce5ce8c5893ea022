import { describe, expect, it } from 'vitest'
import { times } from '../support/effort.js'
import { compareModel, compareWaiting, endsOf, nothingCompared, semantics } from './against-speculation.js'
import { rounds } from './rounds.js'

/**
 * A look at a free mutex by a transaction that gave up kept others from going before it. What a body that fails would do once
 * others have changed its last read was not asked. A mutex was not taken before another thread came to a transaction that
 * would take it.
 */
const onceWrong = [866, 90561, 10530]

describe.each(semantics)('transactions that really speculate: %s', (aborts) => {
  it('end in the same states, with the same bugs', () => {
    const found = nothingCompared()
    for (const seed of onceWrong) compareModel(seed, aborts, found, ['optimal', 'source'])
    for (let seed = 1; seed <= times(150); seed++) compareModel(seed, aborts, found)
    expect(found.wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(found.compared).toBeGreaterThan(times(80))
  })
})

describe('transactions beside threads that wait in loops', () => {
  /**
   * To come to a transaction was taken to let go on whoever waits for what it would write (the first three); a step that nobody
   * was asked about was taken to have the alternatives of another execution's (the next two); to come to a transaction was taken
   * for reading what it would read.
   */
  const onceWrong = [20, 36, 43, 11660, 11871, 11552]
  it.each([
    ['conflict', 20],
    ['retry,conflict', 4],
  ])('end as those that really speculate: %s', (aborts, count) => {
    const found = nothingCompared()
    for (const seed of [...onceWrong, ...Array.from({ length: times(count) }, (_, i) => 100 + i)]) {
      compareWaiting(seed, aborts, found)
    }
    expect(found.wrong.slice(0, 3).join('\n\n')).toBe('')
    expect(found.compared).toBeGreaterThan(3)
  })
})

describe('a thread that waits can make others abort in each of its rounds', () => {
  it.each(Object.entries(rounds))('%s', (_, program) => {
    for (const strategy of ['optimal', 'source', 'dpor'])
      expect(endsOf(program, 'conflict', strategy)).toEqual({ lost: [], madeUp: [] })
  })
})
