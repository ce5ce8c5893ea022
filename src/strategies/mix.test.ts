import { expect, test } from 'vitest'
import { explore } from '../execution/explore.js'
import { atomicStore, choose, store, when } from '../frontends/model/build.js'
import { modelMachine } from '../frontends/model/index.js'
import type { Program } from '../frontends/model/program.js'
import { createStrategy } from './index.js'

/** What each part is worth after so many executions. */
function worth(program: Program, executions: number): readonly number[] {
  const machine = modelMachine(program)
  const strategy = createStrategy('mix', { machine, seed: 5 })
  explore({ machine, strategy, keepGoing: true, maxExecutions: executions })
  return (strategy.save().overSome as { worth: number[] }).worth
}

const stores = (n: number) => Array.from({ length: n }, (_, i) => atomicStore('x', i))

test('where there is nothing new to see, all are worth the same little', () => {
  const small: Program = { variables: { x: 0 }, threads: { a: [store('x', 1)], b: [store('x', 2)] } }
  expect(new Set(worth(small, 1500))).toEqual(new Set([0.1]))
})

test('where orders are many, those who show new ones are worth more than those who repeat a few', () => {
  const long: Program = { variables: { x: 0 }, threads: { a: stores(12), b: stores(12) } }
  const [pos, surw, pct2] = worth(long, 1500)
  expect(pos).toBeGreaterThan(0.9)
  expect(surw).toBeGreaterThan(0.9)
  // One preemption: a few hundred orders.
  expect(pct2).toBeLessThan(0.7)
})

test('every part is drawn, and finds what it can', () => {
  const machine = modelMachine({
    variables: { x: 0 },
    threads: { a: [choose(2, 'r'), when(['==', 'r', 1], [store('x', 1)])], b: [store('x', 2)] },
  })
  const strategy = createStrategy('mix', { machine, seed: 5 })
  const ends = new Set<string>()
  explore({ machine, strategy, maxExecutions: 60, onExecution: () => ends.add(machine.finalState()) })
  expect(ends.size).toBe(3)
})
