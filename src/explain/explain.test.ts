import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../tests/support/effort.js'
import { randomProgram } from '../../tests/support/random-program.js'
import { Runner } from '../execution/runner.js'
import { modelMachine } from '../frontends/model/index.js'
import type { Program, Statement } from '../frontends/model/program.js'
import { sameBug } from '../machine/bug.js'
import { everywhere, parsePoints } from '../machine/points.js'
import { createStrategy } from '../strategies/index.js'
import { findCause } from './cause.js'
import { explain } from './explain.js'
import { type Failure, failureOf, stretchesOf } from './failure.js'
import { Neighbours } from './flips.js'
import { GuidedSchedule } from './guided-schedule.js'
import { RecordingObserver } from './recording.js'
import { refine } from './refine.js'
import { SourceText } from './source-text.js'

const limits = { maxExecutions: 3000, outOfTime: () => false }
const sources = new SourceText('.')

/** The first failing execution, with fewest preemptions first. */
function failing(program: Program, points = everywhere) {
  const machine = modelMachine(program)
  machine.usePoints(points)
  const runner = new Runner(machine)
  const strategy = createStrategy('icb', { machine, seed: 1, bound: 4 })
  while (runner.run(strategy)) if (runner.bug !== null) return { machine, failure: failureOf(runner) }
  throw new Error('the program does not fail')
}

function reasonOf(program: Program) {
  const { machine, failure } = failing(program)
  const observer = new RecordingObserver(machine, sources)
  const runner = new Runner(machine, { observers: [observer] })
  runner.run(new GuidedSchedule(stretchesOf(failure), true))
  return explain(machine, failure, observer.result(runner.bug), sources, limits)
}

const load = (name: string, into: string): Statement => ({ op: 'load', var: name, into })
const store = (name: string, value: number): Statement => ({ op: 'store', var: name, value })

describe('explain', () => {
  it('a lost update: both accesses of one thread between those of another', () => {
    const body: Statement[] = [load('x', 'r'), { op: 'store', var: 'x', value: ['+', 'r', 1] }]
    const { reason, passing } = reasonOf({
      variables: { x: 0 },
      threads: { a: body, b: body },
      atEnd: { both: ['==', 'x', 2] },
    })
    if (reason.kind !== 'between') throw new Error(reason.kind)
    expect(reason.isProven).toBe('both')
    expect([reason.before, ...reason.inner, reason.after].map((e) => e.place?.name)).toEqual([
      'a:0',
      'b:0',
      'b:1',
      'a:1',
    ])
    expect(passing).not.toBeNull()
  })

  it('a read that comes too early: an order', () => {
    const { reason } = reasonOf({
      variables: { ready: 0 },
      threads: {
        a: [store('ready', 1)],
        b: [load('ready', 'r'), { op: 'assert', condition: ['==', 'r', 1] }],
      },
    })
    if (reason.kind !== 'order') throw new Error(reason.kind)
    expect(reason.orders.map(({ first, second }) => [first.place?.name, second.place?.name])).toEqual([
      ['b:0', 'a:0'],
    ])
  })

  it('a thread that comes too late, and whose operation is still far ahead', () => {
    const { reason } = reasonOf({
      variables: { other: 0, ready: 0 },
      threads: {
        a: [store('other', 1), store('other', 2), store('ready', 1), store('other', 3)],
        b: [load('ready', 'r'), { op: 'assert', condition: ['==', 'r', 1] }],
      },
    })
    if (reason.kind !== 'order') throw new Error(reason.kind)
    expect(reason.shownBy).toBe('another')
    expect(reason.orders.map(({ first, second }) => [first.place?.name, second.place?.name])).toEqual([
      ['b:0', 'a:2'],
    ])
    expect(reason.orders[0].second.happened).toBe(false)
  })

  it('several orders that all have to be right: one that alone would make it fail', () => {
    const { reason } = reasonOf({
      variables: { i: 0, x: 0, y: 0 },
      threads: {
        main: [store('i', 1), store('i', 2)],
        a: [load('i', 'r'), { op: 'store', var: 'x', value: ['+', 'r', 0] }],
        b: [load('i', 'r'), { op: 'store', var: 'y', value: ['+', 'r', 0] }],
      },
      atEnd: { first: ['==', ['+', 'x', 'y'], 0] },
    })
    if (reason.kind !== 'order' && reason.kind !== 'together') throw new Error(reason.kind)
    expect(reason.orders[0].first.place?.name).toMatch(/^main/)
    expect(reason.orders[0].second.place?.name).toMatch(/^[ab]:0/)
  })

  it('a deadlock: who took what where, and waits where', () => {
    const { reason } = reasonOf({
      mutexes: { m: 'plain', n: 'plain' },
      threads: {
        a: [
          { op: 'lock', mutex: 'm' },
          { op: 'lock', mutex: 'n' },
          { op: 'unlock', mutex: 'n' },
          { op: 'unlock', mutex: 'm' },
        ],
        b: [
          { op: 'lock', mutex: 'n' },
          { op: 'lock', mutex: 'm' },
          { op: 'unlock', mutex: 'm' },
          { op: 'unlock', mutex: 'n' },
        ],
      },
    })
    if (reason.kind !== 'cycle') throw new Error(reason.kind)
    const told = reason.cycle.map(({ took, waits }) => [took?.place?.name, waits.place?.name])
    expect(told.sort()).toEqual([
      ['a:0', 'a:1'],
      ['b:0', 'b:1'],
    ])
    expect(reason.isOrdered).toBe(true)
  })

  it('a failure of every schedule: that the order makes no difference', () => {
    const body: Statement[] = [store('x', 1), load('x', 'r'), { op: 'assert', condition: ['==', 'r', 2] }]
    expect(reasonOf({ variables: { x: 0 }, threads: { a: body, b: [store('x', 1)] } }).reason.kind).toBe(
      'always',
    )
  })

  it('a choice: that another one passes', () => {
    const { reason } = reasonOf({
      variables: { x: 0 },
      threads: {
        a: [
          store('x', 1),
          { op: 'choose', count: 2, into: 'c' },
          { op: 'assert', condition: ['==', 'c', 0] },
        ],
      },
    })
    expect(reason).toMatchObject({ kind: 'choice', choice: '1' })
  })

  it('two updates lost at once: no single order makes the difference', () => {
    const update = (name: string): Statement[] => [
      load(name, 'r'),
      { op: 'store', var: name, value: ['+', 'r', 1] },
    ]
    const { machine, failure } = failing({
      variables: { x: 0, y: 0 },
      threads: { a: update('x'), b: update('x'), c: update('y'), d: update('y') },
      atEnd: { any: ['||', ['==', 'x', 2], ['==', 'y', 2]] },
    })
    // Both have to be lost, so that either order restored makes it pass.
    expect(findCause(machine, failure, () => 1, limits).cause.kind).toBe('orders')
    const other = failing({
      variables: { x: 0, y: 0 },
      threads: { a: [store('x', 1)], b: [store('y', 1)], c: [load('x', 'r'), load('y', 's'), check] },
    })
    expect(findCause(other.machine, other.failure, () => 1, limits).cause.kind).toBe('orders')
  })

  it('claims no more than is so: reversed orders pass, and "always" is always', () => {
    const told = { orders: 0, always: 0, turns: 0 }
    fc.assert(
      fc.property(randomProgram(), fc.integer({ min: 1, max: 1000 }), (program, seed) => {
        const found = failsSometimes(program, seed)
        if (!found) return
        const { machine, failure } = found
        const { cause, passing } = findCause(machine, failure, () => 1, limits)
        const runner = new Runner(machine)
        if (cause.kind === 'always') {
          told.always++
          const all = createStrategy('dfs', { machine, seed: 1 })
          let others = 0
          let n = 0
          for (; n < 500 && runner.run(all); n++) if (!sameBug(runner.bug!, failure.bug)) others++
          if (n < 500) expect(others > 0).toBe(cause.somehow)
        }
        if (cause.kind === 'turning-point') {
          told.turns++
          const { point } = cause
          runner.run(new GuidedSchedule(stretchesOf(point.passing)))
          expect(runner.bug).toBeNull()
          const near = new Neighbours(machine, failure, limits)
          const { before } = near.orders(point.passing)
          for (const order of point.orders)
            expect(near.reverse(point.passing, order, before).outcome).toBe('same-bug')
        }
        if (cause.kind !== 'orders') return
        told.orders++
        const near = new Neighbours(machine, failure, limits)
        const { before } = near.orders(failure)
        for (const order of cause.orders) expect(near.reverse(failure, order, before).outcome).toBe('passes')
        runner.run(new GuidedSchedule(stretchesOf(passing!)))
        expect(runner.bug).toBeNull()
      }),
      { seed: 11, numRuns: times(150) },
    )
    expect(told.orders).toBeGreaterThan(0)
    expect(told.always).toBeGreaterThan(3)
    expect(told.turns).toBeGreaterThan(0)
  })
})

/** A failing sample; of programs that fail at once, every fourth is enough. */
function failsSometimes(program: Program, seed: number) {
  const machine = modelMachine(program)
  machine.usePoints(everywhere)
  const runner = new Runner(machine)
  runner.run(new GuidedSchedule([]))
  if (runner.bug !== null && seed % 4 !== 0) return undefined
  const strategy = createStrategy('random', { machine, seed })
  for (let n = 0; n < 50; n++) {
    runner.run(strategy)
    if (runner.bug !== null) return { machine, failure: failureOf(runner) }
  }
  return undefined
}

const check: Statement = { op: 'assert', condition: ['==', ['+', 'r', 's'], 2] }

describe('refine', () => {
  it('shows the same interleaving with a point before every operation', () => {
    const section: Statement[] = [
      { op: 'lock', mutex: 'm' },
      load('x', 'r'),
      { op: 'unlock', mutex: 'm' },
      { op: 'lock', mutex: 'm' },
      { op: 'store', var: 'x', value: ['+', 'r', 1] },
      { op: 'unlock', mutex: 'm' },
    ]
    const { machine, failure } = failing(
      {
        variables: { x: 0 },
        mutexes: { m: 'plain' },
        threads: { a: section, b: section },
        atEnd: { both: ['==', 'x', 2] },
      },
      parsePoints('lock,unlock'),
    )
    const fine = refine(machine, failure) as Failure
    expect(fine.bug.kind).toBe(failure.bug.kind)
    expect(fine.preemptions).toBe(failure.preemptions)
    expect(stretchesOf(fine).map((s) => s.thread)).toEqual(stretchesOf(failure).map((s) => s.thread))
    expect(fine.thread.length).toBeGreaterThan(failure.thread.length)
  })
})
