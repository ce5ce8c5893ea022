import { describe, expect, it } from 'vitest'
import { Op } from '../../src/machine/operation.js'
import { parsePoints } from '../../src/machine/points.js'
import { drive } from '../support/drive.js'
import { endsOf, lineOf, loadCase, outcomes } from './support.js'

const pointSets = ['everywhere', 'yield', 'yield,lock,unlock,sync,atomic']

describe('spin loops', () => {
  describe.each(pointSets)('with points %s', (points) => {
    it.each([1, 2, 5, 7, 8, 9, 12, 14])('end when what they wait for comes, case %i', async (number) => {
      const machine = await loadCase('spins', number)
      machine.usePoints(parsePoints(points))
      const { statuses, ends } = outcomes(machine, { strategy: points === 'everywhere' ? 'optimal' : 'dfs' })
      expect([...ends.keys()]).toEqual(['ok '])
      expect(statuses).toEqual(new Set(['completed']))
    })

    it('that nobody can end are a livelock', async () => {
      const machine = await loadCase('spins', 3)
      machine.usePoints(parsePoints(points))
      const { bugs } = outcomes(machine)
      expect(bugs.map((bug) => bug.kind)).toEqual(['livelock'])
      expect(bugs[0].message).toContain('spins on flag')
      expect(machine.sites[bugs[0].site].line).toBe(lineOf('spins', 'never set'))
    })

    it.each([4, 10, 11, 13])('that go on by themselves are not held up, case %i', async (number) => {
      const machine = await loadCase('spins', number)
      machine.usePoints(parsePoints(points))
      expect(endsOf(machine)).toEqual(['ok '])
    })

    it('are recognised in optimised code too', async () => {
      for (const number of [1, 4, 7, 13]) {
        const machine = await loadCase('spins', number, { optimize: '1' })
        machine.usePoints(parsePoints(points))
        expect(endsOf(machine, { strategy: points === 'everywhere' ? 'optimal' : 'dfs' })).toEqual(['ok '])
      }
    })
  })

  it('block after one idle iteration, before the read that would come next', async () => {
    const machine = await loadCase('spins', 1)
    const { stopped } = drive(machine, '0 0 0')
    expect(stopped.main).toBe('read flag (waits)')
  })

  it('go on after a write, and are ordered after it', async () => {
    const machine = await loadCase('spins', 1)
    drive(machine, '0 0 0 0.1 0.1 0.1 0')
    const { events } = machine
    const resume = [...Array(events.count).keys()].find((i) => events.kind[i] === Op.resume)!
    expect(machine.describeLocation(events.location[resume])).toBe('flag')
    // The read of the iteration that blocked.
    expect(events.kind[events.aux[resume]]).toBe(Op.load)
    expect(events.kind[resume + 1]).toBe(Op.load)
    expect(events.count).toBe(resume + 2)
  })

  it('go on at once when what they read was changed meanwhile', async () => {
    const machine = await loadCase('spins', 8)
    // The flag is set after it was read: the iteration ends, but does not block.
    const { stopped } = drive(machine, '0 0 0.1 0 0.1')
    expect(stopped.main).toBe('read flag')
    drive(machine, '0 0 0.1 0 0.1 0')
    const { events } = machine
    expect(events.kind[events.count - 2]).toBe(Op.resume)
    expect(events.kind[events.count - 1]).toBe(Op.load)
  })

  it('do their next read when the same thread goes on', async () => {
    const machine = await loadCase('spins', 14)
    // The data is written between the two reads; main ends its round and goes on itself.
    const { stopped } = drive(machine, '0 0 0.1 0 0.1 0')
    expect(stopped.main).toBe('read data')
    const before = machine.events.count
    drive(machine, '0 0 0.1 0 0.1 0 0')
    const kinds = [...machine.events.kind.slice(before, machine.events.count)]
    expect(kinds).toEqual([Op.resume, Op.resume, Op.load])
  })

  it('that call library code which nobody sees are not recognised', async () => {
    const machine = await loadCase('spins', 6)
    const { statuses } = outcomes(machine, { strategy: 'random', limit: 50 })
    expect(statuses).toEqual(new Set(['completed']))
  })

  it('take the same decisions with and without footprints', async () => {
    for (const number of [1, 2, 5, 8]) {
      const machine = await loadCase('spins', number)
      machine.usePoints(parsePoints('atomic'))
      const without = outcomes(machine)
      const seen = outcomes(machine, { strategy: 'dpor:no-sleep' })
      expect([...seen.ends.keys()]).toEqual([...without.ends.keys()])
    }
  })
})
