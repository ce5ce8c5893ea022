import fc from 'fast-check'
import { expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Runner } from '../../src/execution/runner.js'
import { type ChoicePoint, innermost, type Strategy } from '../../src/execution/strategy.js'
import { create, join, lock, loop, store, unlock } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { type Machine, THREAD_LIVE } from '../../src/machine/machine.js'
import { Op } from '../../src/machine/operation.js'
import { createStrategy } from '../../src/strategies/index.js'
import { asSampler } from '../../src/strategies/sampler.js'
import { times } from '../support/effort.js'
import { halfWay, twoStage } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

/** What a look at all threads finds. */
function optionsOf(machine: Machine): string[] {
  const { status, kind } = machine.pending
  const found: string[] = []
  const exits: string[] = []
  for (let t = 0; t < machine.threads.count; t++) {
    if (status[t] !== THREAD_LIVE) continue
    if (kind[t] === Op.processExit) exits.push(`${t} 0`)
    else for (let value = 0; value < machine.alternatives(t); value++) found.push(`${t} ${value}`)
  }
  return found.length > 0 ? found : exits
}

/** A sampler that is asked with a list of options even where it could do without. */
function listing(strategy: Strategy): Strategy {
  const { overSome } = asSampler(innermost(strategy)) as unknown as { overSome: Partial<Strategy> }
  Object.assign(overSome, { pickThread: undefined })
  return strategy
}

function watched(strategy: Strategy, look: (point: ChoicePoint) => void): Strategy {
  listing(strategy)
  const choose = strategy.choose.bind(strategy)
  strategy.choose = (point) => {
    look(point)
    return choose(point)
  }
  return strategy
}

test('options found by what changed are those that a look at all threads finds', () => {
  const programs = fc.sample(randomProgram({ maxInterleavings: 5000 }), { seed: 17, numRuns: times(60) })
  let points = 0
  for (const program of programs) {
    const machine = modelMachine(program)
    for (const spec of ['pos', 'random']) {
      const strategy = watched(createStrategy(spec, { machine, seed: 8 }), (point) => {
        points++
        const options = Array.from({ length: point.count }, (_, i) => `${point.thread[i]} ${point.value[i]}`)
        expect(options).toEqual(optionsOf(machine))
        expect(point.stay).toBe(options.findIndex((o) => o.split(' ')[0] === String(point.previous)))
      })
      explore({ machine, strategy, keepGoing: true, maxExecutions: 30, maxSteps: 300 })
    }
  }
  expect(points).toBeGreaterThan(times(5000))
})

test('so with many threads that want one of several locks', () => {
  const machine = modelMachine({
    variables: { x: 0 },
    mutexes: { a: 'plain', b: 'plain', c: 'plain' },
    threads: {
      main: [
        ...Array.from({ length: 80 }, (_, i) => create(i % 2 === 0 ? 'even' : 'odd')),
        lock('c'),
        store('x', 0),
        unlock('c'),
      ],
      even: [lock('a'), store('x', 1), unlock('a'), lock('b'), unlock('b')],
      odd: [lock('c'), lock('b'), store('x', 2), unlock('b'), unlock('c')],
    },
    roots: ['main'],
  })
  for (const spec of ['pos', 'surw', 'random']) {
    const strategy = watched(createStrategy(spec, { machine, seed: 3 }), (point) => {
      const options = Array.from({ length: point.count }, (_, i) => `${point.thread[i]} ${point.value[i]}`)
      if (options.join() !== optionsOf(machine).join()) expect(options).toEqual(optionsOf(machine))
    })
    const { executions } = explore({ machine, strategy, keepGoing: true, maxExecutions: 20 })
    expect(executions).toBe(20)
  }
})

test('a step does not cost more when more threads wait for a lock that nobody touches', () => {
  /** Looks at threads in an execution in which one holds the lock that the others wait for, and works. */
  const looks = (waiting: number) => {
    const machine = modelMachine({
      variables: { x: 0 },
      mutexes: { m: 'plain' },
      threads: {
        main: [
          lock('m'),
          ...Array.from({ length: waiting }, () => create('waiter')),
          create('other'),
          loop(400, [store('x', 1)]),
          unlock('m'),
          ...Array.from({ length: waiting }, () => join('waiter')),
        ],
        waiter: [lock('m'), unlock('m')],
        other: [loop(400, [store('x', 2)])],
      },
      roots: ['main'],
    })
    const strategy = createStrategy('random', { machine, seed: 1 })
    explore({ machine, strategy, maxExecutions: 5 })
    let count = 0
    const { alternatives } = machine
    machine.alternatives = (thread) => {
      count++
      return alternatives.call(machine, thread)
    }
    explore({ machine, strategy, maxExecutions: 1 })
    return count
  }
  // Both have 800 steps during which all wait, which at the least would be 30 looks more each.
  expect(looks(40) - looks(10)).toBeLessThan(800 * 10)
})

test('samplers draw the same whether or not they are given a list of options', () => {
  const random = fc.sample(randomProgram({ maxInterleavings: 5000 }), { seed: 4, numRuns: times(8) })
  for (const program of [...random, halfWay(4, 2), twoStage(20)]) {
    for (const spec of ['random', 'pos', 'pos:strict', 'basic-pos', 'surw', 'pct:3', 'pct:20', 'mix']) {
      const schedules = [(s: Strategy) => s, listing].map((how) => {
        const machine = modelMachine(program)
        const strategy = how(createStrategy(spec, { machine, seed: 6 }))
        const all: string[] = []
        const onExecution = ({ trace: { thread, value, length, preemptions } }: Runner) =>
          all.push(`${thread.subarray(0, length)} ${value.subarray(0, length)} ${preemptions}`)
        explore({ machine, strategy, keepGoing: true, maxExecutions: 25, maxSteps: 2000, onExecution })
        return all
      })
      expect(schedules[0].join('\n') === schedules[1].join('\n'), spec).toBe(true)
    }
  }
})
