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
    [1, ['ok 0S', 'ok S0']],
    [2, ['ok 0S', 'ok I0']],
    [3, ['ok 0I', 'ok I0']],
  ])('case %d: the first one decides', async (number, expected) => {
    const machine = await loadCase('claims', number)
    for (const strategy of ['dfs', ...strategies]) expect(endsOf(machine, { strategy })).toEqual(expected)
  })
})
