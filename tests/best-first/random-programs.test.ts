import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { compare, truth } from '../reductions/check.js'
import { isFull, times } from '../support/effort.js'
import { randomProgram } from '../support/random-program.js'
import { compareBounded, compareReduced, orders, unpruned } from './check.js'

const runs = times(50)
/** The broken searches of mutations.test.ts are all seen in programs no larger than that. */
const maxInterleavings = isFull ? 1500 : 600
const seed = 20261003
const timeout = 3_600_000

test(
  'every order finds, over partial-order reduction, the classes that brute force finds',
  () => {
    let programs = 0
    let classes = 0
    const property = fc.property(randomProgram({ maxInterleavings }), (program) => {
      const all = truth(program)
      if (all === null) return
      programs++
      classes += all.classes.size
      for (const order of [...orders, ...unpruned]) expect(compareReduced(order, program, all)).toBeNull()
    })
    fc.assert(property, { seed, numRuns: runs })
    expect(programs).toBeGreaterThan(runs * 0.8)
    expect(classes).toBeGreaterThan(programs * 2)
  },
  timeout,
)

test(
  'every order finds, within a bound, exactly the classes of that bound',
  () => {
    let left = 0
    const property = fc.property(
      randomProgram({ maxInterleavings: Math.min(maxInterleavings, 1000) }),
      (program) => {
        const all = truth(program, undefined, 1000)
        if (all === null) return
        for (const bound of [0, 1, 2]) {
          if ([...all.preemptions.values()].some((least) => least > bound)) left++
          for (const order of orders) expect(compareBounded(order, program, all, bound)).toBeNull()
        }
      },
    )
    fc.assert(property, { seed: seed + 1, numRuns: Math.ceil(runs / 2) })
    expect(left).toBeGreaterThan(runs / 10)
  },
  timeout,
)

/** Transitions of many operations: what a thread does after its first one is not known in advance. */
test.each(['yield', 'lock', 'lock,unlock,sync,atomic'])(
  'nothing is lost under the PP set %s',
  (kinds) => {
    const points = parsePoints(kinds)
    const property = fc.property(randomProgram({ maxInterleavings }), (program) => {
      const all = truth(program, points)
      if (all === null) return
      for (const order of ['pb', 'rand', 'mdpor,pb'])
        expect(compare(`best-first:${order}`, program, all, points)).toBeNull()
    })
    fc.assert(property, { seed: seed + 2, numRuns: Math.ceil(runs / 3) })
  },
  timeout,
)
