import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import type { Random } from '../../src/random/random.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { isFull } from '../support/effort.js'
import { exactDistribution } from '../support/exact-distribution.js'
import { figure2 } from '../support/known-programs.js'

/**
 * The running example of Yuan, Yang, Gu (CAV 2018, figure 2): ten events, twelve classes, one of which fails. The
 * probabilities are computed by going through everything the random generator can give.
 */

const machine = modelMachine(figure2())
const fingerprint = new Fingerprint(machine)

function create(spec: string, random: Random) {
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  return entry.create({ machine, random, order: 'stay', argument, threadHere: same, locationHere: same })
}

function exact(spec: string): { failing: number; least: number; classes: number; total: number } {
  const tell = (runner: Runner) => `${runner.status} ${fingerprint.of(runner.trace, runner.status)}`
  const distribution = exactDistribution({ machine, create: (random) => create(spec, random), key: tell })!
  const all = [...distribution]
  return {
    failing: all.filter(([key]) => key.startsWith('failed')).reduce((sum, [, p]) => sum + p, 0),
    least: Math.min(...distribution.values()),
    classes: distribution.size,
    total: all.reduce((sum, [, p]) => sum + p, 0),
  }
}

describe('probability of the failing order', () => {
  test.each([
    ['random', 1 / 128],
    ['pct:3,10', 1 / 200],
    ['pct:3,10,distinct', 1 / 180],
    ['basic-pos', 1 / 120],
    ['pos', 1 / 48],
    ['pos:strict', 1 / 48],
  ])('%s', (spec, probability) => {
    const { failing, total } = exact(spec)
    expect(failing).toBeCloseTo(probability, 14)
    expect(total).toBeCloseTo(1, 12)
  })
})

describe('probability of the least likely of the twelve classes', () => {
  test.each([
    ['random', 3 / 512],
    ['basic-pos', 1 / 120],
    ['pos', 5 / 288],
  ])('%s', (spec, probability) => {
    const { least, classes } = exact(spec)
    expect(classes).toBe(12)
    expect(least).toBeCloseTo(probability, 14)
  })

  test('every sampler that has no bound of its own reaches all of them', () => {
    for (const spec of ['rapos', 'surw', 'surw:object']) expect(exact(spec).classes).toBe(12)
  })

  test('depth 1 of pct has no change points: two orders of the threads, two classes', () => {
    expect(exact('pct:1')).toMatchObject({ classes: 2, least: 0.5 })
  })
})

/** The sampler with its real generator must agree with the computation: within 4.5 standard deviations. */
test.each(['random', 'pct:3,10', 'rapos', 'basic-pos', 'pos'])('%s, sampled', (spec) => {
  const samples = isFull ? 40_000 : 10_000
  const { failing } = exact(spec)
  const strategy = createStrategy(spec, { machine, seed: 11 })
  const { failures } = explore({ machine, strategy, keepGoing: true, maxExecutions: samples })
  const deviation = Math.sqrt(samples * failing * (1 - failing))
  expect(Math.abs(failures - samples * failing)).toBeLessThan(4.5 * deviation)
})

test('lengths are learnt: after one execution pct:3 is pct:3,10', () => {
  const seed = 4
  const learning = createStrategy('pct:3', { machine, seed })
  explore({ machine, strategy: learning, keepGoing: true, maxExecutions: 1 })
  const { entry } = findStrategy('pct:3')
  const saved = learning.save()
  const same = (index: number) => index
  const load = (random: Random) =>
    entry.load!(
      { machine, random, order: 'stay', argument: '3', threadHere: same, locationHere: same },
      saved,
    )
  const distribution = exactDistribution({ machine, create: load, key: (runner) => runner.status })!
  expect(distribution.get('failed')).toBeCloseTo(1 / 200, 14)
})
