import { expect, it } from 'vitest'
import type { Saved } from '../execution/strategy.js'
import { brokenInvariant } from './search-invariants.js'

const OWN = 1
/** Thread 0, then thread 1; thread 2 slept all the time, thread 1 was put to sleep at the beginning. */
const right = {
  path: { thread: [0, 1], value: [0, 0] },
  sleep: [
    [
      [2, 0, 0],
      [1, 0, OWN],
    ],
    [[2, 0, 0]],
  ],
  trees: [
    [
      [0, 3, 0],
      [1, 1, 0],
      [1, 2, 0],
      [0, 3, 1],
      [1, 1, 0],
    ],
    [],
  ],
}
const broken = (part: object) => brokenInvariant({ ...right, ...part } as unknown as Saved)

it('finds nothing where all is as it should be, or nothing is written', () => {
  expect(broken({})).toBeNull()
  expect(broken({ trees: undefined })).toBeNull()
  expect(broken({ sleep: undefined })).toBeNull()
  expect(brokenInvariant({})).toBeNull()
})

it('sees that what slept was done', () => {
  const { sleep } = right
  expect(broken({ sleep: [sleep[0], [...sleep[1], [1, 0, OWN]]] })).toBe('step 2 was done though it slept')
  expect(broken({ sleep: [sleep[0], [...sleep[1], [1, 1, OWN]]] })).toBeNull()
})

it('sees that somebody sleeps who was awake', () => {
  const { sleep } = right
  for (const sleeper of [
    [3, 0, 0],
    [2, 1, 0],
    [0, 0, 0],
  ]) {
    expect(broken({ sleep: [sleep[0], [sleeper]] })).toBe(
      `after step 1, thread ${sleeper[0]} sleeps that was awake`,
    )
  }
})

it('sees branches that begin with the same step, or one that sleeps', () => {
  const twice = [
    [0, 3, 0],
    [0, 3, 0],
  ]
  expect(broken({ trees: [twice, []] })).toBe('two branches at depth 1 begin with the same step')
  const twiceBelow = [
    [0, 3, 0],
    [1, 1, 0],
    [2, 0, 0],
    [1, 1, 0],
  ]
  expect(broken({ trees: [[], twiceBelow] })).toBe('two branches at depth 2 begin with the same step')
  expect(broken({ trees: [[[0, 2, 0]], []] })).toBe('a branch at depth 1 begins with a step that sleeps')
})
