import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Estimate } from '../../src/estimators/estimator.js'
import { Forecast, forecastOf } from '../../src/estimators/forecast.js'
import { recursive } from '../../src/estimators/recursive.js'
import { weightedBacktrack } from '../../src/estimators/weighted-backtrack.js'
import { Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { createStrategy, strategies } from '../../src/strategies/index.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { counter, htm2, swap } from '../transactions/programs.js'

const makers = { weightedBacktrack, recursive }
const depthFirst = ['dfs', 'dpor', 'dpor:no-sleep', 'source', 'optimal', 'icb', 'delay']

const programs: readonly Program[] = [
  known.readers(3),
  known.inc(2),
  known.lastzero(3),
  known.mutexCounter(3),
  known.figure2(),
  // That a transaction aborts is a child like any other.
  counter(2, 1),
  swap(2, 1, true),
  { ...htm2(2, 1), abortCodes: 'retry,conflict' },
  { ...counter(3, 1), abortCodes: 'conflict' },
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
        // There are thousands: one expectation for each would take longer than all the rest.
        const isSound = (estimate: Estimate) =>
          estimate.share > 0 && estimate.share <= 1 + 1e-9 && estimate.cost >= estimate.spent - 1e-6
        expect(result.estimates.filter((estimate) => !isSound(estimate))).toEqual([])
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
  expect(watch.outlook(1)).toBeUndefined()
  const runner = new Runner(machine, { observers: [watch] })
  runner.run(strategy)
  const { share } = watch.estimate()
  expect(share).toBe(1 / 4)
  expect(watch.outlook(1)).toEqual({ executions: 4, share, secondsLeft: 3, seen: 1 })
  let last = watch.outlook(1)!
  while (runner.run(strategy)) last = watch.outlook(1)!
  expect(last).toEqual({ executions: 6, share: 1, secondsLeft: 0, seen: 6 })
})

test('a search that goes bound by bound: the bound under way, time per step over all of them', () => {
  const machine = modelMachine(known.inc(2))
  const strategy = createStrategy('icb', { machine })
  const watch = new Forecast(strategy)
  const runner = new Runner(machine, { observers: [watch] })
  const seen: [number | undefined, number][] = []
  while (runner.run(strategy)) {
    const outlook = watch.outlook(1)!
    seen.push([outlook.bound, outlook.seen])
  }
  expect(seen.slice(0, 3)).toEqual([
    [0, 1],
    [0, 2],
    [1, 1],
  ])
})

test('only depth-first searches have a forecast', () => {
  const machine = modelMachine(known.inc(2))
  expect(forecastOf(createStrategy('pos', { machine }))).toBeUndefined()
  expect(forecastOf(createStrategy('best-first', { machine }))).toBeUndefined()
  expect(forecastOf(createStrategy('optimal', { machine }))).toBeInstanceOf(Forecast)
})
