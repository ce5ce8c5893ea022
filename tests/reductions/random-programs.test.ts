import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { isFull, times } from '../support/effort.js'
import { randomProgram } from '../support/random-program.js'
import { compare, compareDelays, truth } from './check.js'

/** Every day a third: the broken searches are all seen in 25. */
const runs = isFull ? times(250) : 90
/** The broken searches of mutations.test.ts are all seen in programs no larger than that. */
const maxInterleavings = isFull ? 2500 : 1500
const seed = 20261115

/** Generous: only the number of programs decides how long this takes. */
const timeout = 3_600_000

const reductions = ['dpor', 'source', 'optimal', 'icb']

test(
  'every reduction reaches what brute force reaches; optimal each class once',
  () => {
    let programs = 0
    let classes = 0
    const property = fc.property(randomProgram({ maxInterleavings }), (program) => {
      const all = truth(program)
      if (all === null) return
      programs++
      classes += all.classes.size
      for (const spec of reductions) expect(compare(spec, program, all)).toBeNull()
    })
    fc.assert(property, { seed, numRuns: runs })
    expect(programs).toBeGreaterThan(runs * 0.8)
    expect(classes).toBeGreaterThan(programs * 2)
  },
  timeout,
)

test(
  'delay bounding reaches exactly the classes within each bound',
  () => {
    const property = fc.property(randomProgram({ maxInterleavings: 1000 }), (program) => {
      const all = truth(program, undefined, 1500)
      if (all !== null) expect(compareDelays(program, all)).toBeNull()
    })
    fc.assert(property, { seed: seed + 1, numRuns: Math.ceil(runs / 4) })
  },
  timeout,
)

/** Transitions of many operations: what a thread does after its first one is not known in advance. */
test.each(['yield', 'lock', 'unlock', 'sync', 'atomic', 'lock,unlock,sync,atomic'])(
  'nothing is lost under the PP set %s',
  (kinds) => {
    const points = parsePoints(kinds)
    const property = fc.property(randomProgram({ maxInterleavings }), (program) => {
      const all = truth(program, points)
      if (all === null) return
      for (const spec of reductions) expect(compare(spec, program, all, points)).toBeNull()
    })
    fc.assert(property, { seed: seed + 2, numRuns: Math.ceil(runs / 4) })
  },
  timeout,
)
