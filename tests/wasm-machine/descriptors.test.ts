import { expect, it } from 'vitest'
import { endsOf, loadCase } from './support.js'

const NONE_LEFT = expect.stringMatching(/^deadlock.*pipe 16/)

it.each([
  [0, 'what one thread can do', ['ok ']],
  [1, 'a byte handed over by a pipe', ['ok ']],
  [2, 'poll of two', ['ok ']],
  [3, 'select of two', ['ok ']],
  [4, 'poll with a time limit', [expect.stringContaining('assertion ready == 1 failed'), 'ok ']],
  [5, 'too few bytes in a pipe', [NONE_LEFT, NONE_LEFT]],
])('pipes, event counters and sockets, case %i: %s', async (number, _what, expected) => {
  const ends = endsOf(await loadCase('descriptors', number), { strategy: 'optimal' })
  expect(ends).toEqual(expected)
})

it.each([1, 4])('a search without reductions says the same of case %i', async (number) => {
  const optimal = endsOf(await loadCase('descriptors', number), { strategy: 'optimal' })
  expect(endsOf(await loadCase('descriptors', number), { strategy: 'dfs' })).toEqual(optimal)
})
