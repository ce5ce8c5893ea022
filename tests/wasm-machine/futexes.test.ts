import { describe, expect, test } from 'vitest'
import { endsOf, loadCase } from './support.js'

const strategies = ['dfs', 'dpor', 'source', 'optimal']

describe('waiting on addresses', () => {
  test('a hand-over does not hang', async () => {
    expect(endsOf(await loadCase('futexes', 1))).toEqual(['ok '])
  })

  test('a notify that comes too early is lost', async () => {
    const machine = await loadCase('futexes', 2)
    for (const strategy of strategies) {
      const ends = endsOf(machine, { strategy })
      expect(ends).toHaveLength(2)
      expect(ends[0]).toMatch(/^deadlock: .*a notify on word/)
      expect(ends[1]).toBe('ok ')
    }
  })

  test('a timed wait is woken, finds another value, or times out', async () => {
    const machine = await loadCase('futexes', 3)
    for (const strategy of strategies) {
      expect(endsOf(machine, { strategy })).toEqual(['ok 0', 'ok 1', 'ok 2'])
    }
  })

  test('a notify picks any of those who wait, and tells how many', async () => {
    const machine = await loadCase('futexes', 4)
    const ends = endsOf(machine, { strategy: 'optimal' })
    // 1 + result by thread: 0 while it waits or has not begun, 1 when woken, 2 when it came late.
    expect(ends).toEqual([
      'ok 000',
      'ok 002',
      'ok 020',
      'ok 022',
      'ok 100',
      'ok 101',
      'ok 102',
      'ok 110',
      'ok 112',
      'ok 120',
      'ok 121',
    ])
  })

  test('64 bits are compared', async () => {
    expect(endsOf(await loadCase('futexes', 5))).toEqual(['ok 0', 'ok 1'])
  })

  test('an address that is not aligned is a trap', async () => {
    expect(endsOf(await loadCase('futexes', 6))).toEqual([
      expect.stringMatching(/^trap: an atomic wait or notify at address \d+, which is not aligned$/),
    ])
  })

  test('two of three', async () => {
    const ends = endsOf(await loadCase('futexes', 7), { strategy: 'optimal' })
    for (const woken of ['ok 2110', 'ok 2101', 'ok 2011']) expect(ends).toContain(woken)
    expect(ends.some((end) => end.startsWith('ok 3'))).toBe(false)
  })

  test('system calls wait and wake in the same way', async () => {
    expect(endsOf(await loadCase('futexes', 8), { strategy: 'optimal' })).toEqual(['ok '])
    const ends = endsOf(await loadCase('futexes', 9), { strategy: 'optimal' })
    expect(ends.filter((end) => end.startsWith('deadlock: '))).toHaveLength(2)
    expect(ends).toContain('ok ')
    const limited = endsOf(await loadCase('futexes', 10), { strategy: 'optimal' })
    expect(limited).toEqual(['ok 1 1', 'ok changed', 'ok woken'])
  })

  test('other system calls are refused', async () => {
    const machine = await loadCase('futexes', 11)
    expect(() => endsOf(machine)).toThrow('a futex operation that neither waits nor wakes')
  })
})
