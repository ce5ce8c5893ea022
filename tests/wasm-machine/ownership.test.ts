import { describe, expect, test } from 'vitest'
import { endsOf, loadCase } from './support.js'

const strategies = ['dpor', 'source', 'optimal']

describe('robust mutexes', () => {
  test('tell who takes them that their owner has ended', async () => {
    const machine = await loadCase('robust', 1)
    for (const strategy of strategies) expect(endsOf(machine, { strategy })).toEqual(['ok 01', 'ok 10'])
  })

  test('also when somebody waits for them by then, and when they are tried', async () => {
    const machine = await loadCase('robust', 2)
    for (const strategy of strategies) expect(endsOf(machine, { strategy })).toEqual(['ok 01', 'ok 10'])
  })

  test('are lost when nobody makes them consistent', async () => {
    const machine = await loadCase('robust', 3)
    for (const strategy of strategies) expect(endsOf(machine, { strategy })).toEqual(['ok 12', 'ok 21'])
  })

  test('are those that ask for it: others stay locked', async () => {
    expect(endsOf(await loadCase('robust', 4), { strategy: 'optimal' })).toEqual([
      expect.stringMatching(/^deadlock: /),
    ])
  })
})

describe('threads that two others want', () => {
  test.each([
    [
      1,
      [
        'join (0.2) joins work (0.1), which was joined already',
        'join (0.3) joins work (0.1), which was joined already',
      ],
    ],
    [
      2,
      [
        'detach (0.3) detaches work (0.1), which was joined already',
        'join (0.2) joins work (0.1), which is detached',
      ],
    ],
    [
      3,
      [
        'detach (0.2) detaches work (0.1), which is detached',
        'detach (0.3) detaches work (0.1), which is detached',
      ],
    ],
  ])('case %d: the second is a misuse', async (number, expected) => {
    const machine = await loadCase('claims', number)
    const ends = expected.map((message) => `lock-misuse: ${message}`)
    for (const strategy of ['dfs', ...strategies]) expect(endsOf(machine, { strategy })).toEqual(ends)
  })
})
