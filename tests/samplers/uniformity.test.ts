import { describe, expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { create as createThread, load, store } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Random } from '../../src/random/random.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { exactDistribution } from '../support/exact-distribution.js'
import * as known from '../support/known-programs.js'

/** The distribution of the second execution, when the first has shown how many operations each thread has. */
function secondExecution(
  spec: string,
  program: Program,
  key: (runner: Runner) => string,
): Map<string, number> {
  const machine = modelMachine(program)
  const strategy = createStrategy(spec, { machine, seed: 3 })
  new Runner(machine).run(strategy)
  const saved = strategy.save()
  const same = (index: number) => index
  const create = (random: Random) => {
    const { entry, argument } = findStrategy(spec)
    const context = { machine, order: 'stay', threadHere: same, locationHere: same } as const
    return entry.load!({ ...context, random, argument }, saved)
  }
  return exactDistribution({ machine, create, key })!
}

const schedule = ({ trace }: Runner) => trace.thread.subarray(0, trace.length).join(' ')

function expectUniform(distribution: Map<string, number>, count: number): void {
  expect(distribution.size).toBe(count)
  for (const probability of distribution.values()) expect(probability).toBeCloseTo(1 / count, 12)
}

describe('surw', () => {
  test('every interleaving is equally likely where nobody waits', () => {
    expectUniform(secondExecution('surw', known.inc(2), schedule), 6)
    expectUniform(secondExecution('surw', known.inc(3), schedule), 90)
    expectUniform(secondExecution('surw', known.storeBuffering(), schedule), 6)
    const lopsided: Program = {
      variables: { x: 0 },
      threads: { a: [store('x', 1)], b: Array.from({ length: 5 }, () => load('x', 'r')) },
    }
    expectUniform(secondExecution('surw', lopsided, schedule), 6)
  })

  test('nothing is known in the first execution: a random walk', () => {
    const machine = modelMachine(known.inc(2))
    const same = (index: number) => index
    const context = { machine, order: 'stay', argument: '', threadHere: same, locationHere: same } as const
    const create = (random: Random) => findStrategy('surw').entry.create({ ...context, random })
    const first = exactDistribution({ machine, create, key: schedule })!
    expect(first.get('0 0 1 1')).toBeCloseTo(1 / 4, 12)
    expect(first.get('0 1 0 1')).toBeCloseTo(1 / 8, 12)
  })

  test('a thread not created yet counts for the one that will create it', () => {
    // main creates a child, which has four operations, and then does four: whoever begins after the create is even.
    const program: Program = {
      variables: { x: 0, y: 0 },
      threads: {
        other: [load('y', 'r')],
        main: [createThread('child')],
        child: Array.from({ length: 4 }, () => load('x', 'r')),
      },
      roots: ['other', 'main'],
    }
    const distribution = secondExecution('surw', program, (runner) => String(runner.trace.thread[0]))
    const [otherFirst, mainFirst] = ['0', '1'].map((first) => distribution.get(first)!)
    expect(otherFirst).toBeCloseTo(1 / 6, 12)
    expect(mainFirst).toBeCloseTo(5 / 6, 12)
  })
})

describe('surw:object', () => {
  test('the orders of the one shared object are equally likely, however long the threads are', () => {
    const lopsided: Program = {
      variables: { x: 0, y: 0 },
      threads: {
        a: [...Array.from({ length: 5 }, (_, i) => store('y', i)), store('x', 1)],
        b: [store('x', 2)],
      },
    }
    const outcome = ({ machine }: Runner) => machine.finalState()
    expectUniform(secondExecution('surw:object', lopsided, outcome), 2)
    expect(Math.min(...secondExecution('random', lopsided, outcome).values())).toBeLessThan(0.05)
  })

  test('three threads, two accesses each: all 90 orders of the object', () => {
    expectUniform(secondExecution('surw:object', known.inc(3), schedule), 90)
  })
})
