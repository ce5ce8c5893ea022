import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Trace } from '../../src/execution/trace.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { parsePoints } from '../../src/machine/points.js'
import { happensBefore } from '../../src/ordering/definition.js'
import { HappensBefore } from '../../src/ordering/happens-before.js'
import { Random } from '../../src/random/random.js'
import { following, type RecordedStep, randomly, record } from '../contract/recording.js'
import { randomProgram } from '../support/random-program.js'
import type { NaiveStep } from './naive.js'
import { Synthetic } from './synthetic.js'

/** Compares the clocks of an execution that has been taken in with the definition. */
function compare(hb: HappensBefore, machine: Machine, steps: readonly NaiveStep[], where: string): number {
  const expected = happensBefore(machine.locations, steps)
  let pairs = 0
  for (let a = 0; a < steps.length; a++) {
    for (let b = a + 1; b < steps.length; b++) {
      pairs++
      if (hb.ordered(a, b) !== expected[a][b])
        expect.fail(`transitions ${a} and ${b} are ${expected[a][b] ? '' : 'not '}ordered; ${where}`)
    }
  }
  return pairs
}

function takeIn(hb: HappensBefore, trace: Trace): void {
  while (hb.depth < trace.length) hb.add(trace)
}

describe('clocks', () => {
  test.each(['everywhere', 'yield', 'lock', 'sync'])('agree with the definition, points %s', (points) => {
    let pairs = 0
    const programs = fc.sample(randomProgram(), { seed: 13, numRuns: 150 })
    for (const [i, program] of programs.entries()) {
      const machine = modelMachine(program)
      machine.usePoints(parsePoints(points))
      const random = new Random(i)
      for (let k = 0; k < 3; k++) {
        const { steps, trace } = record(machine, randomly(random), { withoutStops: true })
        const hb = new HappensBefore(machine)
        takeIn(hb, trace)
        pairs += compare(hb, machine, steps, JSON.stringify(program))
      }
    }
    expect(pairs).toBeGreaterThan(2000)
  })

  test('agree with the definition after executions that shared a beginning', () => {
    const programs = fc.sample(randomProgram(), { seed: 31, numRuns: 100 })
    for (const [i, program] of programs.entries()) {
      const machine = modelMachine(program)
      const random = new Random(i)
      const hb = new HappensBefore(machine)
      let previous: readonly RecordedStep[] = []
      for (let k = 0; k < 8; k++) {
        const shared = previous.slice(0, random.below(previous.length + 1))
        const choose = following(shared, randomly(random))
        const { steps, trace } = record(machine, choose, { withoutStops: true })
        hb.truncate(shared.length)
        takeIn(hb, trace)
        compare(hb, machine, steps, JSON.stringify(program))
        previous = steps
      }
    }
  })

  test('agree with the definition when locations overlap', () => {
    const synthetic = new Synthetic()
    const random = new Random(7)
    for (let n = 0; n < 60; n++) {
      const hb = new HappensBefore(synthetic.machine)
      for (const steps of synthetic.interleavings(synthetic.body(random))) {
        hb.truncate(0)
        takeIn(hb, synthetic.trace(steps))
        compare(hb, synthetic.machine, steps, String(n))
        if (random.below(10) === 0) break
      }
    }
  })
})
