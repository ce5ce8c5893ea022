import { describe, expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { UnsupportedError } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { endsOf, lineOf, load, loadCase, outcomes } from './support.js'

const kinds = (ends: readonly string[]) =>
  [...new Set(ends.map((end) => end.split(':')[0].split(' ')[0]))].sort()

/** All ends, the same for every strategy that explores everything. */
async function allEnds(number: number): Promise<string[]> {
  const machine = await loadCase('annotations', number)
  const all = endsOf(machine)
  for (const strategy of ['source', 'optimal']) expect(endsOf(machine, { strategy }), strategy).toEqual(all)
  return all
}

describe('invariants', () => {
  it.each([
    [1, 'at_most_one_behind', 'y = 1;'],
    [2, 'points_to_small', 'p = &q;'],
  ])('are watched in every order of what they read, case %i', async (number, name, place) => {
    const machine = await loadCase('annotations', number)
    const expected = [`invariant: the invariant ${name} does not hold`, 'ok ']
    expect(await allEnds(number)).toEqual(expected)
    const { bugs } = outcomes(machine, { strategy: 'optimal' })
    expect(machine.sites[bugs[0].site].line).toBe(lineOf('annotations', place))
  })

  it('are not looked at inside atomic sections', async () => {
    expect(await allEnds(3)).toEqual(['ok '])
  })

  it('may have variables, loops and calls', async () => {
    expect(await allEnds(19)).toEqual(['invariant: the invariant small does not hold', 'ok '])
  })

  it('cost no execution where nothing they read is written', async () => {
    const machine = await loadCase('annotations', 3)
    const { ends } = outcomes(machine, { strategy: 'optimal' })
    // The critical sections come in two orders.
    expect(ends.get('ok ')).toBe(2)
  })

  it.each([
    [17, 'the invariant meddling writes to memory: it may only read'],
    [18, 'lock in an invariant or a check at the end'],
  ])('may only look, case %i', async (number, message) => {
    const machine = await loadCase('annotations', number)
    expect(() => outcomes(machine)).toThrow(UnsupportedError)
    expect(() => outcomes(machine)).toThrow(message)
  })
})

describe('checks at the end', () => {
  it('are made when all have ended', async () => {
    expect(await allEnds(4)).toEqual(['invariant: the check both does not hold at the end', 'ok '])
  })

  it('may fail otherwise, too', async () => {
    expect(await allEnds(5)).toEqual([
      'use-after-free: read of 4 bytes at byte 0 of a freed block of 4 bytes',
    ])
  })

  it('do not count where an assumption fails', async () => {
    expect(await allEnds(6)).toEqual(['ok '])
  })

  it('executions that an assumption ended are counted apart', async () => {
    const machine = await loadCase('annotations', 6)
    const counts = explore({ machine, strategy: createStrategy('optimal', { machine }) })
    // The one thread writes before the other looks, or after.
    expect(counts).toMatchObject({ executions: 1, stoppedByAssume: 1, blocked: 0, cut: 0 })
  })
})

describe('rules', () => {
  it.each([
    [[], false, 'quiet', ['ok 21', 'ok 22']],
    [['ONLY_LOUD'], true, 'loud', ['ok 21', 'ok 22']],
  ])('come with the program %j', async (define, accept, name, ends) => {
    const machine = await load('rules', { define })
    expect(machine.rules).toEqual([{ accept, function: name }])
    machine.usePoints(parsePoints('everywhere', machine.rules))
    expect(endsOf(machine)).toEqual(ends)
  })
})

describe("the program's own locks", () => {
  it('that work are all right', async () => {
    expect(await allEnds(9)).toEqual(['ok '])
  })

  it('that let two in are a misuse', async () => {
    const ends = await allEnds(10)
    expect(kinds(ends)).toEqual(['lock-misuse', 'ok'])
    expect(ends[0]).toMatch(
      /^lock-misuse: enter_(one|two) \(0\.\d\) takes lock the lock, which enter_(one|two) \(0\.\d\) holds$/,
    )
  })

  it('that are given back by another are a misuse', async () => {
    const ends = await allEnds(11)
    expect(kinds(ends)).toEqual(['lock-misuse'])
    expect(ends.some((end) => end.endsWith('gives back lock the lock, which nobody holds'))).toBe(true)
  })
})

describe("the program's own allocator", () => {
  it.each([
    [12, ['ok']],
    [13, ['ok', 'use-after-free']],
    [14, ['double-free']],
    [15, ['heap-overflow']],
  ])('is checked like malloc, case %i', async (number, expected) => {
    expect(kinds(await allEnds(number))).toEqual(expected)
  })
})

describe("reports of the program's own allocator", () => {
  it.each([
    [13, ['allocated take start_pool main', 'freed give_back']],
    [14, ['allocated take use', 'freed use']],
    [15, ['allocated take use']],
  ])('tell where the block was allocated and freed, case %i', async (number, expected) => {
    const machine = await loadCase('annotations', number)
    machine.inspection!.keepsStacks = true
    const { bugs } = outcomes(machine, { strategy: 'optimal' })
    const [{ stacks = [] }] = bugs
    expect(
      stacks.map(({ title, frames }) => [title, ...frames.map((frame) => frame.function)].join(' ')),
    ).toEqual(expected)
  })
})

describe('names', () => {
  it('are shown', async () => {
    const machine = await loadCase('annotations', 16)
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual([
      'lock-misuse: writer (0.1) unlocks mutex the gate, which nobody holds',
    ])
    const { events } = machine
    const objects = Array.from({ length: events.count }, (_, i) =>
      machine.describeLocation(events.location[i]),
    )
    expect(objects).toContain('the flag')
    expect(machine.threads.labelOf(0)).toBe('tester (0)')
  })
})
