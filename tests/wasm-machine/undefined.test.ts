import { describe, expect, it } from 'vitest'
import { endsOf, load, outcomes } from './support.js'

const run = (number: number) => load('undefined', { args: [String(number)] })
const reductions = ['dpor', 'source', 'optimal', 'icb']

describe('what POSIX leaves undefined, or defines to be an error', () => {
  it.each([
    [1, ['ok ']],
    [2, ['lock-misuse: unlock (0.1) unlocks mutex a, which main holds']],
    [3, ['deadlock: a thread waits for itself: main waits for mutex a (held by main)']],
    [4, ['ok ']],
    [
      5,
      [
        'lock-misuse: wait_with (0.1) waits on condition variable c with mutex a, on which wait_with (0.2) waits with mutex b',
        'lock-misuse: wait_with (0.2) waits on condition variable c with mutex b, on which wait_with (0.1) waits with mutex a',
      ],
    ],
    [6, ['lock-misuse: main joins nothing (0.1), which was joined already']],
    [7, ['lock-misuse: main joins nothing (0.1), which is detached']],
    [8, ['lock-misuse: wait_for_permit (0.1) waits for semaphore s, which was destroyed']],
    [10, ['ok ']],
    [11, ['ok ']],
  ])('case %i', async (number, expected) => {
    const machine = await run(number)
    for (const strategy of ['dfs', ...reductions]) {
      expect([strategy, ...endsOf(machine, { strategy })]).toEqual([strategy, ...expected])
    }
  })

  it('a deadlock of threads that nobody joins is one', async () => {
    const machine = await run(9)
    for (const strategy of ['dfs', ...reductions]) {
      const { ends, bugs } = outcomes(machine, { strategy })
      expect([strategy, ...[...ends.keys()].map((end) => end.split(':')[0]).sort()]).toEqual([
        strategy,
        'deadlock',
        'ok ',
      ])
      expect([...(bugs[0].cycle ?? [])].sort()).toEqual([1, 2])
    }
  })

  it.each([12, 13])('and so is waiting for what a thread holds that has ended, case %i', async (number) => {
    const machine = await run(number)
    for (const strategy of ['dfs', ...reductions]) {
      expect([strategy, ...endsOf(machine, { strategy })]).toEqual([
        strategy,
        'deadlock: what a thread that has ended holds is never given back: first_a (0.2) waits for mutex a (held by keep_a (0.1))',
        'ok ',
      ])
    }
  })
})
