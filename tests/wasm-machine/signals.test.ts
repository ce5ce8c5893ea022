import { expect, it } from 'vitest'
import { endsOf, loadCase } from './support.js'

const WAITS = expect.stringMatching(/^deadlock.*signals sent/)

it.each([
  [0, 'a thread sends itself signals', ['ok ']],
  [1, 'a handler between two accesses', [expect.stringContaining('assertion !seen failed'), 'ok ']],
  [2, 'none where the signal is blocked', ['ok ']],
  [3, 'a thread that waits for a signal to the process', ['ok ']],
  [4, 'a signal that comes right before a pause', [WAITS, 'ok ']],
  [5, 'none is lost by sigsuspend', ['ok ']],
  [6, 'a sleep that is interrupted', [expect.stringContaining('assertion a == 1 failed'), 'ok ']],
  [7, 'a signal that nobody handles', [expect.stringContaining('143')]],
])('signals, case %i: %s', async (number, _what, expected) => {
  const ends = endsOf(await loadCase('signals', number), { strategy: 'optimal' })
  expect(ends).toEqual(expected)
})

it.each([2])('a search without reductions says the same of case %i', async (number) => {
  const optimal = endsOf(await loadCase('signals', number), { strategy: 'optimal' })
  expect(endsOf(await loadCase('signals', number), { strategy: 'dfs' })).toEqual(optimal)
})
