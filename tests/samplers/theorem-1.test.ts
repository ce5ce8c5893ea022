import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Runner } from '../../src/execution/runner.js'
import { assert, choose, load, store } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { findStrategy, strategies } from '../../src/strategies/index.js'
import { countRaces, posBound, posBoundUpTo, watchPosBound } from '../../src/strategies/pos-bound.js'
import { times } from '../support/effort.js'
import { exactDistribution } from '../support/exact-distribution.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

/**
 * Exact probability and bound of each class of a program under a sampler; null if there is too much to go through, or if
 * threads can wait for ever, which the theorem does not speak of.
 */
function classes(spec: string, program: Program): { probability: number; bound: number }[] | null {
  const machine = modelMachine(program)
  const fingerprint = new Fingerprint(machine)
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  const bounds = new Map<string, number>()
  let isStuck = false
  const distribution = exactDistribution({
    machine,
    limit: 4000,
    create: (random) =>
      entry.create({ machine, random, order: 'stay', argument, threadHere: same, locationHere: same }),
    key: ({ trace, status }: Runner) => {
      isStuck ||= status === 'stuck'
      const key = fingerprint.of(trace, status)
      const bound = posBound(countRaces(machine, trace))
      // The counts belong to the class, not to one of its orders.
      expect(bounds.get(key) ?? bound).toBe(bound)
      bounds.set(key, bound)
      return key
    },
  })
  if (distribution === null || isStuck) return null
  return [...distribution].map(([key, probability]) => ({ probability, bound: bounds.get(key)! }))
}

const programs = fc.sample(
  randomProgram({
    only: [
      'memory',
      'array',
      'atomic',
      'mutex',
      'trylock',
      'rwlock',
      'semaphore',
      'barrier',
      'create',
      'yield',
      'branch',
    ],
    maxInterleavings: 100,
  }),
  { seed: 23, numRuns: times(30) },
)

describe.each(['pos', 'pos:strict'])('%s', (spec) => {
  test('no class of a random program is less likely than theorem 1 says', () => {
    let looked = 0
    for (const program of programs) {
      const found = classes(spec, program)
      if (found === null) continue
      looked++
      expect(found.reduce((sum, { probability }) => sum + probability, 0)).toBeCloseTo(1, 9)
      for (const { probability, bound } of found) {
        expect(probability).toBeGreaterThanOrEqual(bound * (1 - 1e-9))
      }
    }
    expect(looked).toBeGreaterThan(times(12))
  })

  test('n writers: all events race, and the bound is that of a random walk', () => {
    const found = classes(spec, known.writers(3))!
    expect(found).toHaveLength(6)
    for (const { probability, bound } of found) {
      expect(probability).toBeCloseTo(1 / 6, 12)
      expect(bound).toBeLessThanOrEqual(probability)
    }
  })
})

/** What reports print: one bound for all classes, from what the executions looked at did. */
describe('the bound of a program', () => {
  /** Exact least probability of a class, and the bound after looking at every execution. */
  function leastAndBound(program: Program) {
    const machine = modelMachine(program)
    const watch = watchPosBound(machine)
    const fingerprint = new Fingerprint(machine)
    const { entry } = findStrategy('pos')
    const same = (index: number) => index
    const distribution = exactDistribution({
      machine,
      limit: 4000,
      create: (random) =>
        entry.create({ machine, random, order: 'stay', argument: '', threadHere: same, locationHere: same }),
      key: ({ trace, status }: Runner) => {
        watch.end?.(trace, status)
        return fingerprint.of(trace, status)
      },
    })
    return distribution && { least: Math.min(...distribution.values()), bound: watch.bound }
  }

  test('is there only where it holds: random programs of everything', () => {
    const anything = fc.sample(randomProgram({ maxInterleavings: 40 }), { seed: 29, numRuns: times(20) })
    let bounded = 0
    let refused = 0
    for (const program of [...programs, ...anything]) {
      const found = leastAndBound(program)
      if (found === null) continue
      if (found.bound === null) refused++
      else {
        bounded++
        expect(found.least).toBeGreaterThanOrEqual(found.bound.probability * (1 - 1e-9))
      }
    }
    expect(bounded).toBeGreaterThan(times(12))
    expect(refused).toBeGreaterThan(times(3))
  })

  test('there is none for other PP sets', () => {
    const machine = modelMachine(known.mutexCounter(2))
    machine.usePoints(parsePoints('lock'))
    expect(watchPosBound(machine).footprints).toBe(false)
    expect(watchPosBound(machine).bound).toBeNull()
  })

  test.each<[string, Program]>([
    ['choose', { variables: { x: 0 }, threads: { a: [choose(2, 'r'), store('x', 1)], b: [store('x', 2)] } }],
    [
      'a failure',
      { variables: { x: 0 }, threads: { a: [load('x', 'r'), assert(['==', 'r', 0])], b: [store('x', 2)] } },
    ],
  ])('there is none with %s', (_, program) => {
    expect(leastAndBound(program)!.bound).toBeNull()
  })

  test('of samplers only pos has one', () => {
    expect(
      strategies.filter((entry) => entry.statistics?.name === 'hitBound').map((entry) => entry.name),
    ).toEqual(['pos'])
  })
})

/** Figure 1a of the paper: whether the one read comes last is one order of two, however long the other thread is. */
test('a random walk breaks the bound that pos keeps', () => {
  const program: Program = {
    variables: { x: 0, y: 0 },
    threads: {
      a: [load('x', 'r')],
      b: [...Array.from({ length: 6 }, (_, i) => store('y', i)), store('x', 1)],
    },
  }
  const least = (spec: string) =>
    Math.min(...classes(spec, program)!.map(({ probability, bound }) => probability / bound))
  expect(least('random')).toBeLessThan(1)
  expect(least('pos')).toBeGreaterThan(1)
})

describe('the formula', () => {
  test('one thread: one class', () => {
    expect(posBound({ threads: 1, events: 5, races: 0 })).toBe(1)
  })

  test('no races: (1/P)^V · P^(V/2)', () => {
    expect(posBound({ threads: 2, events: 4, races: 0 })).toBeCloseTo(1 / 4, 14)
  })

  test('all pairs race: (1/P)^V, a random walk', () => {
    expect(posBound({ threads: 3, events: 4, races: 8 })).toBeCloseTo(3 ** -4, 14)
    expect(posBound({ threads: 3, events: 4, races: 100 })).toBeCloseTo(3 ** -4, 14)
  })

  test('more races never raise it', () => {
    for (let races = 1; races <= 30; races++) {
      const at = (n: number) => posBound({ threads: 4, events: 10, races: n })
      expect(at(races)).toBeLessThanOrEqual(at(races - 1))
    }
  })

  test('up to so many threads, events and races: no smaller counts have a smaller bound', () => {
    for (let threads = 1; threads <= 6; threads++) {
      for (let events = 1; events <= 20; events++) {
        for (let races = 0; races <= 40; races++) {
          const here = posBoundUpTo({ threads, events, races }) * (1 + 1e-12)
          expect(posBoundUpTo({ threads: threads + 1, events, races })).toBeLessThanOrEqual(here)
          expect(posBoundUpTo({ threads, events: events + 1, races })).toBeLessThanOrEqual(here)
          expect(posBoundUpTo({ threads, events, races: races + 1 })).toBeLessThanOrEqual(here)
          expect(here).toBeLessThanOrEqual(posBound({ threads, events, races }) * (1 + 1e-9))
        }
      }
    }
  })

  test('figure 2: ten events; the failing order has four races', () => {
    expect(posBound({ threads: 2, events: 10, races: 4 })).toBeCloseTo(2 ** -10 * (20 / 14) ** 3, 14)
    for (const { probability, bound } of classes('pos', known.figure2()) ?? []) {
      expect(probability).toBeGreaterThan(bound)
    }
  })
})
