import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { endsOf, loadCase, outcomes } from './support.js'

describe('spin locks', () => {
  it('return what the manual says', async () => {
    expect(endsOf(await loadCase('spinlocks', 0))).toEqual(['ok '])
  })

  it('keep others out', async () => {
    const { ends, executions } = outcomes(await loadCase('spinlocks', 1))
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(10)
  })

  it('that are never given back are a deadlock, and name the holder', async () => {
    const { bugs, ends } = outcomes(await loadCase('spinlocks', 2))
    expect(new Set([...ends.keys()].map((end) => end.split(':')[0]))).toEqual(new Set(['deadlock']))
    const waits = bugs.map((bug) => bug.waits?.find((wait) => wait.object === 'mutex l'))
    expect(waits.map((wait) => [wait?.thread, wait?.holders])).toContainEqual([2, [1]])
  })

  it.each([9, 10, 11])('and others may be tried for ever, case %i', async (number) => {
    const machine = await loadCase('spinlocks', number)
    machine.usePoints(parsePoints('lock,unlock,sync'))
    const { ends, statuses } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect([...statuses]).toEqual(['completed'])
  })

  it.each([
    [3, 'main locks mutex l, which it holds already'],
    [4, 'other (0.1) unlocks mutex l, which main holds'],
    [5, 'main unlocks mutex l, which nobody holds'],
    [6, 'main destroys mutex l, which it holds itself'],
    [7, 'main locks mutex l, which was not initialised'],
    [8, 'main locks mutex l, which was destroyed'],
  ])('misused as in case %i are a bug', async (number, message) => {
    expect(endsOf(await loadCase('spinlocks', number))).toEqual([`lock-misuse: ${message}`])
  })
})
