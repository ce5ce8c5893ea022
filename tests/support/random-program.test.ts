import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import { shapes } from '../../src/frontends/model/shapes.js'
import { driveAll } from './drive.js'
import { isFull } from './effort.js'
import { type Primitive, primitives, randomProgram } from './random-program.js'
import { interleavings } from './size.js'

const sample = (options: Parameters<typeof randomProgram>[0] = {}, numRuns = 500): Program[] =>
  fc.sample(randomProgram(options), { seed: 3, numRuns })

describe('random programs', () => {
  test('are well-formed, and use every statement there is', () => {
    const used = new Set<string>()
    for (const program of sample()) {
      modelMachine(program)
      for (const match of JSON.stringify(program.threads).matchAll(/"op":"(\w+)"/g)) used.add(match[1])
    }
    // Fences order nothing that is explored here; tests of races make them. Transactions have tests of their own.
    const elsewhere = ['fence', 'xbegin', 'xend', 'xabort', 'xtest']
    const statements = Object.keys(shapes).filter((name) => !elsewhere.includes(name))
    const others = ['create', 'join', 'exit', 'assert', 'set', 'if', 'while', 'loop']
    expect([...used].sort()).toEqual([...statements, ...others].sort())
  })

  test('are small: brute force ends below 20 000 executions for nearly all', () => {
    const count = isFull ? 25 : 12
    const sizes = sample({}, count).map((program) => {
      const machine = modelMachine(program)
      machine.footprints = false
      return driveAll(machine, () => {}, 20_000)
    })
    expect(sizes.filter((size) => size === 20_000).length).toBeLessThan(count / 8)
    expect(sizes.filter((size) => size > 10).length).toBeGreaterThan(count / 2)
  })

  test('end in every way', () => {
    const ends = new Set<string>()
    for (const program of sample({ maxInterleavings: 100 }, 300)) {
      const machine = modelMachine(program)
      driveAll(
        machine,
        () => ends.add(machine.bug?.kind ?? (machine.finalState().includes('before') ? 'stuck' : 'done')),
        50,
      )
    }
    expect(ends).toEqual(new Set(['done', 'stuck', 'lock-misuse', 'assertion', 'invariant']))
  })

  test.each<[Primitive[], RegExp]>([
    [['memory'], /^(set|load|store)$/],
    [['memory', 'choose'], /^(set|load|store|choose)$/],
    [['semaphore'], /^(set|semwait|sempost|semtrywait|semvalue)$/],
    [['mutex', 'memory'], /^(set|load|store|lock|unlock)$/],
  ])('can be restricted to %j', (only, allowed) => {
    for (const program of sample({ only }, 100)) {
      for (const [, op] of JSON.stringify(program.threads).matchAll(/"op":"(\w+)"/g))
        expect(op).toMatch(allowed)
    }
  })

  test('can be kept from some primitives', () => {
    const without: Primitive[] = ['condition', 'spurious', 'misuse', 'create', 'timed']
    const text = JSON.stringify(sample({ without }, 300))
    for (const word of ['wait"', 'signal', 'spuriousWakeups', 'create', 'timedlock']) {
      expect(text.replaceAll(/"semt?r?y?wait"/g, '')).not.toContain(word)
    }
    expect(primitives).toEqual(expect.arrayContaining(without))
  })

  test('have as many threads as asked for', () => {
    for (const program of sample({ threads: { min: 3, max: 3 } }, 100)) {
      expect(Object.keys(program.threads)).toHaveLength(3)
    }
  })

  test('shrink to the smallest program that still fails', () => {
    const fails = (program: Program) => {
      const machine = modelMachine(program)
      let stuck = false
      driveAll(
        machine,
        () => (stuck ||= machine.bug === null && machine.finalState().includes('before')),
        500,
      )
      return stuck
    }
    const found = fc.check(
      fc.property(randomProgram({ only: ['memory', 'mutex', 'semaphore'] }), (program) => !fails(program)),
      { seed: 8, numRuns: 500 },
    )
    const [program] = found.counterexample!
    const statements = Object.values(program.threads).flat()
    expect(fails(program)).toBe(true)
    expect(statements.length).toBeLessThanOrEqual(4)
  })
})

test('interleavings are counted right', () => {
  expect([[], [5], [1, 1], [2, 2], [3, 3], [2, 2, 2], [4, 4, 4]].map(interleavings)).toEqual([
    1, 1, 2, 6, 20, 90, 34650,
  ])
})
