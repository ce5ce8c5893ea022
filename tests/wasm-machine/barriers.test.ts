import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { drive, eventsOf } from '../support/drive.js'
import { endsOf, loadCase, outcomes } from './support.js'

describe('barriers', () => {
  it('return what the manual says', async () => {
    expect(endsOf(await loadCase('barriers', 0))).toEqual(['ok '])
  })

  it('let nobody go before all have come, and tell one of them', async () => {
    const machine = await loadCase('barriers', 1)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(['ok '])
    machine.usePoints(parsePoints('sync'))
    const { ends, executions } = outcomes(machine)
    expect([...ends.keys()]).toEqual(['ok '])
    expect(executions).toBeGreaterThan(10)
  })

  it('can be used again at once', async () => {
    const machine = await loadCase('barriers', 2)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(['ok '])
    machine.usePoints(parsePoints('sync'))
    expect(endsOf(machine)).toEqual(['ok '])
  })

  it('are a location per generation', async () => {
    const machine = await loadCase('barriers', 2)
    machine.usePoints(parsePoints('sync'))
    // main: start, init, two creates; both arrive, the second goes on to the next round.
    const { stopped } = drive(machine, '0 0 0 0 0.1 0.2 0.1 0.2 0.2 0.2')
    expect(stopped['worker (0.1)']).toBe('barrier leave barrier b')
    expect(stopped['worker (0.2)']).toBe('barrier leave barrier b (waits)')
    const { location, count } = machine.events
    const barriers = Array.from({ length: count }, (_, i) => i).filter((i) =>
      eventsOf(machine)[i].startsWith('barrier'),
    )
    expect(barriers.map((i) => eventsOf(machine)[i].split(' ')[1])).toEqual(Array(4).fill('arrive'))
    const [first, , , next] = barriers.map((i) => location[i])
    expect(barriers.map((i) => location[i])).toEqual([first, first, next, next])
    expect(machine.pending.location[1]).toBe(first)
    expect(machine.pending.location[2]).toBe(next)
  })

  it('make one too few wait', async () => {
    const { bugs, ends } = outcomes(await loadCase('barriers', 3))
    expect([...ends.keys()].map((end) => end.split(':')[0])).toEqual(['deadlock'])
    expect(bugs[0].message).toContain('barrier b')
  })

  it('make one too many wait for the next round, whoever it is', async () => {
    const machine = await loadCase('barriers', 4)
    for (const strategy of ['dfs', 'optimal']) {
      machine.usePoints(parsePoints('sync'))
      const { bugs } = outcomes(machine, { strategy })
      const left = bugs.map((bug) => bug.waits?.find((wait) => wait.object === 'barrier b')?.thread)
      expect(new Set(left)).toEqual(new Set([1, 2, 3]))
    }
  })

  it('may be destroyed and freed by the last to come', async () => {
    const machine = await loadCase('barriers', 5)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(['ok '])
  })

  it.each([
    [8, ['lock-misuse: main arrives at barrier b, which was not initialised']],
    [9, ['lock-misuse: main arrives at barrier b, which was destroyed']],
    [
      10,
      [
        'lock-misuse: main destroys barrier b, at which worker (0.1) waits',
        'lock-misuse: worker (0.1) arrives at barrier b, which was destroyed',
      ],
    ],
  ])('misused as in case %i are a bug', async (number, ends) => {
    expect(endsOf(await loadCase('barriers', number))).toEqual(ends)
  })
})
