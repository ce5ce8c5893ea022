import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { Op } from '../../src/machine/operation.js'
import { parsePoints } from '../../src/machine/points.js'
import { endsOf, lineOf, load, loadCase, outcomes } from './support.js'

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
    const expected = ['ok ', 'use-after-free: write of 4 bytes at byte 0 of a freed block of 4 bytes']
    expect(endsOf(machine)).toEqual(expected)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(expected)
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)).toEqual(expected)
    const right = await loadCase('heap', 10)
    expect(endsOf(right)).toEqual(['ok '])
  })

  it('shows uses of freed locks, in reductions too', async () => {
    const machine = await loadCase('heap', 11)
    const expected = ['ok ', 'use-after-free: use of a mutex at byte 0 of a freed block of 24 bytes']
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
      /^byte 0 of block \d+ of thread main, /.test(machine.describeLocation(events.location[i])),
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
    [6, 'invalid-free: freed the static variable main.x, which was never allocated'],
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

  it.each([
    [1, 'write of 4 bytes just past the end of a block of 16 bytes'],
    [2, 'read of 4 bytes 4 bytes before a block of 16 bytes'],
    [3, 'read of 4 bytes 8 bytes past the end of a block of 16 bytes'],
    [4, 'write of 2 bytes at byte 9 of a block of 10 bytes, past its end'],
    [5, 'write of 11 bytes at byte 0 of a block of 10 bytes, past its end'],
    [6, 'read of 11 bytes at byte 0 of a block of 10 bytes, past its end'],
    [7, 'write of 12 bytes at byte 0 of a block of 10 bytes, past its end'],
    [8, 'read of 12 bytes at byte 0 of a block of 10 bytes, past its end'],
    [9, 'write of 11 bytes at byte 0 of a block of 10 bytes, past its end'],
    [10, 'write of 24 bytes at byte 0 of a block of 8 bytes, past its end'],
    [11, 'write of 4 bytes just past the end of a block of 16 bytes'],
    [12, 'use of a mutex just past the end of a block of 16 bytes'],
    [13, 'write of 1 byte just past the end of a block of 6 bytes'],
    [14, 'write of 4 bytes just past the end of a block of 8 bytes'],
    [15, 'write of 1 byte just past the end of a block of 64 bytes'],
    [16, 'write of 1 byte just past the end of a block of 4 bytes'],
    [17, 'write of 1 byte just past the end of a block of 0 bytes'],
    [18, 'write of 4 bytes 65462 bytes past the end of a block of 10 bytes'],
    [19, 'write of 11 bytes at byte 0 of a block of 10 bytes, past its end'],
    [20, 'write of 20 bytes at byte 0 of a block of 16 bytes, past its end'],
  ])('shows accesses beside blocks, case %i', async (number, end) => {
    const machine = await load('overflows', { args: [`${number}`] })
    const line = readFileSync('tests/c/overflows.c', 'utf8')
      .split('\n')
      .reduce(
        (found, text, i) =>
          found === 0 && i > startOfCase(number) && text.includes('/* here */') ? i + 1 : found,
        0,
      )
    for (const points of ['everywhere', 'yield']) {
      machine.usePoints(parsePoints(points))
      for (const strategy of ['dfs', 'optimal']) {
        const { bugs, ends } = outcomes(machine, { strategy })
        expect([...ends.keys()]).toEqual([`heap-overflow: ${end}`])
        expect(machine.sites[bugs[0].site].line).toBe(line)
      }
    }
  })

  it('judges an access by what was allocated when it was made', async () => {
    const machine = await load('overflows', { args: ['21'] })
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)[0]).toContain('heap-overflow')
  })

  it('lets a program use its blocks up to the last byte', async () => {
    expect(endsOf(await load('overflows', { args: ['22'] }))).toEqual(['ok '])
  })
})

/** Index of the line where a case of overflows.c begins. */
function startOfCase(number: number): number {
  const lines = readFileSync('tests/c/overflows.c', 'utf8').split('\n')
  return lines.findIndex((line) => new RegExp(`case ${number}:`).test(line))
}
