import { describe, expect, test } from 'vitest'
import { isFull } from '../support/effort.js'
import { endsOf, loadCxx, outcomes } from './support.js'

const ends = async (number: number, strategy = 'optimal') =>
  endsOf(await loadCxx('threads', number), { strategy })

describe('C++ threads', () => {
  test('a lock_guard excludes', async () => {
    expect(await ends(0)).toEqual(['ok 2'])
    expect(outcomes(await loadCxx('threads', 0), { strategy: 'optimal' }).executions).toBe(2)
  })

  test('without it an increment is lost', async () => {
    for (const strategy of ['dpor', 'source', 'optimal'])
      expect(await ends(1, strategy)).toEqual(['ok 1', 'ok 2'])
  })

  test('a condition variable', async () => {
    expect(await ends(2)).toEqual(['ok 2'])
    const [lost, found, ...others] = await ends(3)
    expect(lost).toMatch(/^deadlock: .*a signal on ready/)
    expect([found, others]).toEqual(['ok ', []])
  })

  test('atomics wait until they are told that they have changed', async () => {
    expect(await ends(4)).toEqual(['ok 121'])
    expect(await ends(5)).toEqual([expect.stringMatching(/^deadlock: .*a notify on state/), 'ok '])
    expect(await ends(6)).toEqual([
      expect.stringMatching(/^deadlock: .*lambda 1 \(0.1\) waits for a notify/),
      expect.stringMatching(/^deadlock: .*lambda 2 \(0.2\) waits for a notify/),
      'ok ',
    ])
  })

  test('once, and static variables of functions', async () => {
    for (const strategy of ['dpor', 'optimal']) {
      expect(await ends(7, strategy)).toEqual(['ok 5'])
      expect(await ends(8, strategy)).toEqual(['ok 1'])
    }
  })

  test('thread-local variables are destroyed when their thread ends', async () => {
    expect(await ends(9)).toEqual(['ok second first joined main main '])
  })

  test('notify_all_at_thread_exit unlocks and notifies after thread-local variables are gone', async () => {
    expect(await ends(13)).toEqual(['ok 2'])
  })

  test('joining what cannot be joined, and joining nobody', async () => {
    expect(await ends(10)).toEqual([expect.stringMatching(/^uncaught: .*thread::join failed/)])
    expect(await ends(11)).toEqual([
      expect.stringMatching(/^uncaught: std::terminate: a std::thread is destroyed/),
    ])
    expect(await ends(16)).toEqual([expect.stringMatching(/^uncaught: .*thread::join failed/)])
  })

  test.runIf(isFull)('stop tokens', async () => {
    expect(endsOf(await loadCxx('stop-tokens', 0), { strategy: 'optimal' })).toEqual(['ok stopped'])
    const machine = await loadCxx('stop-tokens', 1)
    expect(endsOf(machine, { strategy: 'pos', limit: 200 })).toEqual(['ok 0', 'ok 1'])
  })

  test('what the library has compiled already is seen all the same', async () => {
    expect(await ends(18)).toEqual(['ok 1', 'ok 2'])
    expect(await ends(19)).toEqual(['ok 1', 'ok 3'])
    expect(await ends(20)).toEqual(['ok a', 'ok b'])
  })

  test('trying until it works is waiting', async () => {
    const { statuses } = outcomes(await loadCxx('threads', 12), { strategy: 'optimal', limit: 500 })
    expect([...statuses]).toEqual(['completed'])
  })

  test('the rest of the library goes along', async () => {
    expect(await ends(14)).toEqual(['ok 2'])
    expect(await ends(15)).toEqual(['ok b2'])
    expect(await ends(17)).toEqual([expect.stringMatching(/^uncaught: .*vector/)])
  })
})
