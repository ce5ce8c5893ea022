import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { type Reached, reach } from '../support/brute-force.js'
import { times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { randomProgram } from '../support/random-program.js'

const runs = times(250)
const seed = 20261115
const limit = 4000

/** Too many interleavings for brute force: the reductions, which share little, must agree with each other. */
test('optimal and source agree on larger programs', () => {
  let compared = 0
  const run = (program: Program, spec: string): Reached => {
    const machine = engine.modelMachine(program)
    return reach(machine, engine.createStrategy(spec, { machine }), limit)
  }
  const property = fc.property(
    randomProgram({ maxInterleavings: 50_000_000, threads: { min: 3, max: 5 } }),
    (program) => {
      const optimal = run(program, 'optimal')
      const source = run(program, 'source')
      if (!optimal.exhausted || !source.exhausted) return
      compared++
      expect([...optimal.classes.keys()].sort()).toEqual([...source.classes.keys()].sort())
      expect(optimal.finalStates).toEqual(source.finalStates)
      expect(optimal.bugs).toEqual(source.bugs)
      expect(optimal.executions).toBe(optimal.classes.size)
      // How many alternatives a signal or an ending wait has depends on what came before, and others are
      // tried before a failure: see docs/algorithms/optimal.md.
      if (!program.conditions?.length && optimal.failed.size === 0) expect(optimal.blocked).toBe(0)
    },
  )
  fc.assert(property, { seed, numRuns: Math.ceil(runs / 5) })
  expect(compared).toBeGreaterThan(runs / 10)
}, 3_600_000)
