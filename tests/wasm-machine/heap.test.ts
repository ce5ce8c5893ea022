import { describe, expect, it } from 'vitest'
import { Op } from '../../src/program/operation.js'
import { parsePoints } from '../../src/program/points.js'
import { endsOf, lineOf, loadCase, outcomes } from './support.js'

describe('heap', () => {
  it('does what the manual says', async () => {
    expect(endsOf(await loadCase('heap', 1))).toEqual(['ok '])
  })

  it('gives addresses that do not depend on the interleaving', async () => {
    const ends = endsOf(await loadCase('heap', 2))
    expect(ends).toHaveLength(1)
    expect(new Set(ends[0].split(' ').slice(1, 5)).size).toBe(4)
  })

  it('shows uses after free, in the schedules that have them, with and without footprints', async () => {
    const machine = await loadCase('heap', 3)
    const expected = ['ok ', 'use-after-free: access to byte 0 of a freed block of 4 bytes']
    expect(endsOf(machine)).toEqual(expected)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(expected)
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)).toEqual(expected)
    const right = await loadCase('heap', 10)
    expect(endsOf(right)).toEqual(['ok '])
  })

  it('shows uses of freed locks, in reductions too', async () => {
    const machine = await loadCase('heap', 11)
    const expected = ['ok ', 'use-after-free: a mutex is used at byte 0 of a freed block of 24 bytes']
    expect(endsOf(machine)).toEqual(expected)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(expected)
  })

  it('logs a free as one write to the block, which meets every access inside', async () => {
    const machine = await loadCase('heap', 10)
    outcomes(machine, { strategy: 'optimal' })
    const { events, locations } = machine
    const rows = [...Array(events.count).keys()]
    const free = rows.find((i) => events.kind[i] === Op.free)!
    const store = rows.find((i) =>
      machine.describeLocation(events.location[i]).startsWith('byte 0 of block 1'),
    )!
    expect(events.kind[store]).toBe(Op.store)
    expect(
      events.location[store] === events.location[free] ||
        locations.overlaps[events.location[free]]?.includes(events.location[store]),
    ).toBe(true)
  })

  it.each([
    [4, 'double-free: a block of 8 bytes is freed after it was freed'],
    [5, 'invalid-free: freed at byte 4 of a block, not at its beginning'],
    [6, 'invalid-free: freed what was never allocated'],
    [9, 'double-free: a block of 8 bytes is reallocated after it was freed'],
  ])('reports wrong frees, case %i', async (number, end) => {
    expect(endsOf(await loadCase('heap', number))).toEqual([end])
  })

  it('ends programs that grow without end, and goes on with the next execution', async () => {
    const machine = await loadCase('heap', 7)
    machine.usePoints(parsePoints('yield'))
    const { bugs } = outcomes(machine)
    expect(bugs[0]).toMatchObject({ kind: 'trap' })
    expect(bugs[0].message).toContain('out of memory')
    expect(machine.sites[bugs[0].site].line).toBe(lineOf('heap', 'malloc(1 << 20)'))
    const large = await loadCase('heap', 8)
    expect(endsOf(large)[0]).toContain('out of memory')
  })
})
