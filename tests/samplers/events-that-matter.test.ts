import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { Runner } from '../../src/execution/runner.js'
import type { Strategy } from '../../src/execution/strategy.js'
import {
  assert,
  create,
  join,
  load,
  lock,
  loop,
  store,
  unlock,
  when,
} from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { parsePoints } from '../../src/machine/points.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { countDrawn, posBound, watchPosBound } from '../../src/strategies/pos-bound.js'
import { asSampler } from '../../src/strategies/sampler.js'
import { times } from '../support/effort.js'
import { exactDistribution } from '../support/exact-distribution.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

/** Executions after which samplers have learnt what there is to learn of a small program; the next one makes use of it. */
const learning = 40

function learn(spec: string, machine: Machine, executions = learning): Strategy {
  const strategy = createStrategy(spec, { machine, seed: 6 })
  explore({ machine, strategy, keepGoing: true, maxExecutions: executions, maxSteps: 300 })
  return strategy
}

/** Of the next execution, when it has been learnt what matters: probability, and the bound of theorem 1, by class. */
function nextExecution(spec: string, program: Program, limit = 3000) {
  const machine = modelMachine(program)
  const saved = learn(spec, machine).save()
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  const context = { machine, order: 'stay', argument, threadHere: same, locationHere: same } as const
  const fingerprint = new Fingerprint(machine)
  const bounds = new Map<string, number>()
  let strategy: Strategy
  const distribution = exactDistribution({
    machine,
    limit,
    create: (random) => {
      strategy = entry.load!({ ...context, random }, saved)
      return strategy
    },
    key: ({ trace, status }) => {
      const sampler = asSampler(strategy)!
      expect(sampler.isOverAll).toBe(false)
      const key = fingerprint.of(trace, status)
      const counts = countDrawn(machine, trace, (d) => sampler.drewAt(d))
      expect(counts).not.toBeNull()
      // The theorem does not speak of classes in which a thread waits for ever: what it waits to do competes, too.
      if (status === 'completed') bounds.set(key, posBound(counts!))
      return key
    },
  })
  return distribution && { distribution, bounds }
}

function allClasses(program: Program): Set<string> {
  const machine = modelMachine(program)
  const fingerprint = new Fingerprint(machine)
  const keys = new Set<string>()
  explore({
    machine,
    strategy: createStrategy('optimal', { machine }),
    keepGoing: true,
    onExecution: ({ trace, status }) => {
      if (status !== 'blocked') keys.add(fingerprint.of(trace, status))
    },
  })
  return keys
}

const programs = fc.sample(
  randomProgram({
    only: ['memory', 'array', 'atomic', 'mutex', 'trylock', 'semaphore', 'barrier', 'create', 'branch'],
    maxInterleavings: 150,
  }),
  { seed: 31, numRuns: times(25) },
)

describe.each(['random', 'rapos', 'basic-pos', 'pos', 'surw'])('%s over the events that matter', (spec) => {
  test('reaches every class of random programs', () => {
    let looked = 0
    for (const program of programs) {
      // What surw draws from is larger.
      const found = nextExecution(spec, program, spec === 'surw' ? 500 : 3000)
      if (found === null) continue
      looked++
      expect(new Set(found.distribution.keys())).toEqual(allClasses(program))
    }
    expect(looked).toBeGreaterThan(times(spec === 'surw' ? 8 : 15))
  })
})

describe('theorem 1 for the events that matter', () => {
  test('no class of a random program is less likely', () => {
    let looked = 0
    for (const program of programs) {
      const found = nextExecution('pos', program)
      if (found === null) continue
      looked++
      for (const [key, probability] of found.distribution)
        expect(probability).toBeGreaterThanOrEqual((found.bounds.get(key) ?? 0) * (1 - 1e-9))
    }
    expect(looked).toBeGreaterThan(times(15))
  })

  test('the bound that reports print counts these events, and the samples that drew at them', () => {
    const machine = modelMachine(known.halfWay(2, 0))
    const strategy = createStrategy('pos', { machine, seed: 2 })
    const watch = watchPosBound(machine, strategy)
    const run = (maxExecutions: number) => explore({ machine, strategy, maxExecutions, observers: [watch] })
    run(3)
    // Two setters with two writes each; before, main's looks at a number, creations and joins count as well.
    expect(watch.bound).toMatchObject({ events: 10 })
    expect(asSampler(strategy)!.comparable).toBe(3)
    run(37)
    expect(watch.bound).toMatchObject({ events: 4, races: 2, threads: 3 })
    expect(asSampler(strategy)!.comparable).toBe(34)
  })
})

/** Table 3 of Yuan, Yang, Gu (CAV 2018): within a factor of three of what they published. */
describe('hit ratios', () => {
  function ratio(spec: string, program: Program, executions: number): number {
    const machine = modelMachine(program)
    const strategy = createStrategy(spec, { machine, seed: 1 })
    return explore({ machine, strategy, keepGoing: true, maxExecutions: executions }).failures / executions
  }

  test.each([
    [known.halfWay(2, 1), 0.0997],
    [known.halfWay(3, 1), 0.0795],
    [known.halfWay(4, 1), 0.0668],
    [known.halfWay(9, 1), 0.0308],
    [known.halfWay(10, 10), 0.1709],
    [known.twoStage(1), 0.1212],
  ])('of pos, $name', (program, published) => {
    const found = ratio('pos', program, 2000)
    expect(found).toBeGreaterThan(published / 3)
    expect(found).toBeLessThan(published * 3)
  })

  test('pos is ahead of random walk and pct where many threads set', () => {
    const [pos, ...others] = ['pos', 'random', 'pct:3'].map((spec) => ratio(spec, known.halfWay(9, 1), 2000))
    for (const other of others) expect(other).toBeLessThan(pos)
  })
})

describe('what matters', () => {
  /** How often there is a draw in an execution once everything was learnt. */
  function draws(program: Program, points?: string): number {
    const machine = modelMachine(program)
    if (points !== undefined) machine.usePoints(parsePoints(points))
    const strategy = learn('random', machine)
    const runner = new Runner(machine)
    runner.run(strategy)
    const sampler = asSampler(strategy)!
    return Array.from({ length: runner.trace.length }, (_, d) => sampler.drewAt(d)).filter(Boolean).length
  }

  const withMain = (main: Program['threads']['main'], child: Program['threads']['child']): Program => ({
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain' },
    threads: { main, child },
    roots: ['main'],
  })

  test('not what only one thread touches, nor creation and joining', () => {
    expect(
      draws(withMain([store('x', 1), create('child'), store('x', 2), join('child')], [store('y', 1)])),
    ).toBe(0)
  })

  test('not what is written before a thread is created, or after it was joined', () => {
    const child = [load('x', 'r'), store('y', 1)]
    expect(draws(withMain([store('x', 1), create('child'), join('child'), load('y', 'r')], child))).toBe(0)
  })

  test('what two threads touch, one of them writing', () => {
    expect(draws(withMain([create('child'), store('x', 1), join('child')], [load('x', 'r')]))).toBe(2)
    expect(draws(withMain([create('child'), load('x', 'r'), join('child')], [load('x', 'r')]))).toBe(0)
  })

  test('synchronisation, whoever does it', () => {
    const locked = [lock('m'), load('x', 'r'), unlock('m')]
    expect(draws(withMain([create('child'), join('child')], locked))).toBe(2)
  })

  test('everything, with other points than everywhere', () => {
    const program = withMain([create('child'), join('child')], [load('x', 'r')])
    expect(draws(program, 'sync')).toBeGreaterThan(2)
  })

  test('everything now and then', () => {
    const machine = modelMachine(known.halfWay(1, 1))
    const strategy = learn('pos', machine, 0)
    const runner = new Runner(machine)
    const overAll = Array.from({ length: 40 }, () => {
      runner.run(strategy)
      return asSampler(strategy)!.isOverAll
    })
    expect(overAll.flatMap((is, i) => (is ? [i] : []))).toEqual([0, 1, 2, 3, 16, 32])
  })

  test('what comes up late is learnt late: a write that a rare reader sees half done', () => {
    // Only who finds a = 2, between the first two writes, looks at b, and must not find it half done either.
    const program: Program = {
      variables: { a: 0, b: 0 },
      threads: {
        writer: [store('a', 1), store('a', 2), store('a', 3), store('b', 1), store('b', 2)],
        reader: [load('a', 'r'), when(['==', 'r', 2], [load('b', 's'), assert(['!=', 's', 1])])],
      },
    }
    const machine = modelMachine(program)
    const { failures } = explore({
      machine,
      strategy: createStrategy('pos', { machine, seed: 3 }),
      keepGoing: true,
      maxExecutions: 300,
    })
    expect(failures).toBeGreaterThan(0)
  })
})

test('a thread that waits in a loop of accesses nobody else was seen to make lets others run in the end', () => {
  const machine = modelMachine({
    variables: { x: 0, y: 0 },
    threads: {
      busy: [loop(5000, [store('x', 1)])],
      other: [store('y', 1)],
    },
  })
  const strategy = learn('pos', machine, 6)
  const runner = new Runner(machine, { maxSteps: 100_000 })
  runner.run(strategy)
  const sampler = asSampler(strategy)!
  let longest = 0
  for (let d = 0, since = 0; d < runner.trace.length; d++) {
    since = sampler.drewAt(d) ? 0 : since + 1
    longest = Math.max(longest, since)
  }
  expect(longest).toBe(1000)
})
