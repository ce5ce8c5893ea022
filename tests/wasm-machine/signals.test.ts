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
  [8, 'a wait that its own handler ends', ['ok ']],
  [9, 'a wait that a handler interrupts', [expect.stringContaining('sem_wait(&posted) == 0 failed'), 'ok ']],
  [10, 'a handler while its thread waits for a lock', ['ok ']],
  [11, 'a handler while its thread waits on a condition', [expect.stringContaining('!seen failed'), 'ok ']],
  [12, 'a handler while its thread waits for another', ['ok ']],
  [13, 'a signal to the process, which its sender blocks', ['ok ']],
  [14, 'a wait that a blocked signal does not end', [expect.stringMatching(/^deadlock/)]],
  [15, 'a lock that nobody frees, signal or not', [expect.stringMatching(/^deadlock/), 'ok ']],
])('signals, case %i: %s', async (number, _what, expected) => {
  const ends = endsOf(await loadCase('signals', number), { strategy: 'optimal' })
  expect(ends).toEqual(expected)
})

it.each([
  [2, 'dfs'],
  [8, 'source'],
  [10, 'dpor'],
  [11, 'dpor'],
])('a search with fewer reductions says the same of case %i: %s', async (number, strategy) => {
  const optimal = endsOf(await loadCase('signals', number), { strategy: 'optimal' })
  expect(endsOf(await loadCase('signals', number), { strategy })).toEqual(optimal)
})

it('signals to who waits at a barrier are refused', async () => {
  const machine = await loadCase('signals', 16)
  expect(() => endsOf(machine, { strategy: 'optimal' })).toThrow(/a signal is sent to .* waits at a barrier/)
})
