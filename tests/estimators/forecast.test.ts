import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../src/estimators/estimator.js'
import { Forecast } from '../../src/estimators/forecast.js'
import { recursive } from '../../src/estimators/recursive.js'
import { weightedBacktrack } from '../../src/estimators/weighted-backtrack.js'
import { Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { createStrategy, strategies } from '../../src/strategies/index.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

const makers = { weightedBacktrack, recursive }
const depthFirst = ['dfs', 'dpor', 'dpor:no-sleep', 'source', 'optimal', 'icb', 'delay']

const programs: readonly Program[] = [
  known.readers(3),
  known.inc(2),
  known.lastzero(3),
  known.mutexCounter(3),
  known.figure2(),
  ...fc.sample(randomProgram({ maxInterleavings: 200 }), { seed: 17, numRuns: 30 }),
]

interface Forecasted {
  readonly estimates: Estimate[]
  /** Executions and steps of the tree that was estimated: for bounded searches that of the last bound. */
  readonly leaves: number
  readonly steps: number
}

/** Runs a search to its end; null when it takes too long. */
function forecast(
  spec: string,
  make: keyof typeof makers,
  program: Program,
  limit = 3000,
): Forecasted | null {
  const machine = modelMachine(program)
  const strategy = createStrategy(spec, { machine })
  const watch = new Forecast(strategy, makers[make])
  const runner = new Runner(machine, { observers: [watch], maxSteps: 300 })
  const estimates: Estimate[] = []
  let leaves = 0
  let steps = 0
  let bound = strategy.completedBound
  for (let n = 0; runner.run(strategy); n++) {
    if (n === limit) return null
    if (strategy.completedBound !== bound) leaves = steps = 0
    bound = strategy.completedBound
    leaves++
    steps += runner.trace.length
    estimates.push(watch.estimate())
  }
  return { estimates, leaves, steps }
}

describe.each(depthFirst)('%s', (spec) => {
  test.each(Object.keys(makers) as (keyof typeof makers)[])(
    '%s: exact at the end, sound on the way',
    (make) => {
      let complete = 0
      for (const program of programs) {
        const result = forecast(spec, make, program)
        if (result === null) continue
        complete++
        const { size, share, cost, spent } = result.estimates.at(-1)!
        expect(size).toBeCloseTo(result.leaves, 6)
        expect(share).toBeCloseTo(1, 9)
        expect(spent).toBe(result.steps)
        expect(cost).toBeCloseTo(result.steps, 6)
        for (const estimate of result.estimates) {
          expect(estimate.share).toBeGreaterThan(0)
          expect(estimate.share).toBeLessThanOrEqual(1 + 1e-9)
          expect(estimate.cost).toBeGreaterThanOrEqual(estimate.spent - 1e-6)
        }
      }
      expect(complete).toBeGreaterThan(programs.length / 2)
    },
  )
})

test('every strategy that promises to end can be estimated, best-first apart', () => {
  const machine = modelMachine(known.inc(2))
  const estimable = strategies
    .filter((entry) => entry.promise !== 'sample' && !entry.name.startsWith('best-first'))
    .map((entry) => entry.name)
  expect(estimable.filter((name) => !createStrategy(name, { machine }).untried)).toEqual([])
})

test('samplers have nothing to estimate', () => {
  const machine = modelMachine(known.inc(2))
  const strategy = createStrategy('pos', { machine })
  expect(() => new Forecast(strategy, recursive)).toThrow('pos is not a depth-first search')
})

test.each(Object.keys(makers) as (keyof typeof makers)[])('%s goes on exactly in another process', (make) => {
  const program = known.lastzero(3)
  const all = forecast('source', make, program)!.estimates
  const machine = modelMachine(program)
  const strategy = createStrategy('source', { machine })
  let watch = new Forecast(strategy, makers[make])
  const estimates: Estimate[] = []
  for (let more = true; more; ) {
    more = new Runner(machine, { observers: [watch] }).run(strategy)
    if (more) estimates.push(watch.estimate())
    watch = new Forecast(strategy, makers[make]).load(JSON.parse(JSON.stringify(watch.save())))
  }
  expect(estimates).toEqual(all)
})

test('time left: as long per step as so far', () => {
  const machine = modelMachine(known.inc(2))
  const strategy = createStrategy('dfs', { machine })
  const watch = new Forecast(strategy, weightedBacktrack)
  expect(watch.timeLeft(1)).toBeUndefined()
  const runner = new Runner(machine, { observers: [watch] })
  runner.run(strategy)
  // One of eight by its weight: two options at each of the first points, four steps.
  const { share } = watch.estimate()
  expect(watch.timeLeft(1)).toBeCloseTo((1 - share) / share, 9)
  while (runner.run(strategy));
  expect(watch.timeLeft(1)).toBeCloseTo(0, 9)
})
