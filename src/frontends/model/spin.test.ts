import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { parsePoints } from '../../machine/points.js'
import {
  atomicStore,
  choose,
  exchange,
  fetchAdd,
  leave,
  load,
  lock,
  output,
  set,
  store,
  trylock,
  unlock,
  when,
  whileLoop,
  yieldNow,
} from './build.js'
import { modelMachine, type Program, Result, type Statement } from './index.js'

function program(threads: Record<string, readonly Statement[]>, options: Partial<Program> = {}) {
  return modelMachine({ variables: { x: 0, y: 0 }, mutexes: { m: 'plain' }, ...options, threads })
}

/** while (!x); */
const spin = [whileLoop(['==', 'r', 0], [load('x', 'r')])]

describe('a loop that only reads', () => {
  test('blocks after a round that changed nothing, until something it read is written', () => {
    const machine = program({ a: [...spin, store('y', 1)], b: [store('y', 2), store('x', 1)] })
    expect(drive(machine, 'a').stopped).toEqual({ a: 'read x (waits)', b: 'write y' })
    expect(machine.waitOf(0)).toEqual({
      thread: 0,
      object: 'a change of x',
      holders: [],
      site: machine.pending.site[0],
      spinning: true,
    })
    expect(drive(machine, 'a b').alternatives.a).toBe(0)
    expect(drive(machine, 'a b b').alternatives.a).toBe(1)
    drive(machine, 'a b b a a')
    expect(eventsOf(machine)).toEqual([
      'read read x',
      'write write y',
      'write write x',
      'exit',
      'go on spinning read x, 0',
      'read read x',
      'write write y',
      'exit',
    ])
  })

  test('stops there whatever the points are', () => {
    const machine = program({ a: spin, b: [store('x', 1)] })
    machine.usePoints(parsePoints(''))
    expect(drive(machine, 'a').stopped).toEqual({ a: 'read x (waits)', b: 'write x' })
    drive(machine, 'a b a')
    expect(machine.finalState()).toContain('thread 0: done; r=1')
  })

  test('any write wakes it, also one that leaves the value as it was', () => {
    const machine = program({ a: spin, b: [store('x', 0), store('x', 1)] })
    expect(drive(machine, 'a b').alternatives.a).toBe(1)
    expect(drive(machine, 'a b a').alternatives.a).toBe(0)
    drive(machine, 'a b a b a')
    expect(eventsOf(machine).filter((e) => e.startsWith('go on'))).toEqual([
      'go on spinning read x, 0',
      'go on spinning read x, 3',
    ])
  })

  test('a write that comes between the read and the end of the round is not missed', () => {
    const machine = program({
      a: [whileLoop(['==', 'r', 0], [load('x', 'r'), yieldNow()])],
      b: [store('x', 1)],
    })
    expect(drive(machine, 'a b a').alternatives.a).toBe(1)
    drive(machine, 'a b a a a')
    // The same events as in the order in which the round ends first: the two are equivalent.
    expect(eventsOf(machine).slice(-4)).toEqual(['go on spinning read x, 0', 'read read x', 'yield', 'exit'])
    expect(drive(machine, 'a a b').alternatives.a).toBe(1)
    drive(machine, 'a a b a a')
    expect(eventsOf(machine).slice(-4)).toEqual(['go on spinning read x, 0', 'read read x', 'yield', 'exit'])
  })

  test('several locations: a write to any wakes, and all are named once', () => {
    const body = [load('y', 'q'), load('x', 'r'), load('y', 'q')]
    const machine = program({ a: [whileLoop(['==', 'r', 0], body)], b: [store('y', 1)], d: [store('x', 1)] })
    expect(drive(machine, 'a a a').alternatives.a).toBe(0)
    expect(machine.waitOf(0).object).toBe('a change of y, x')
    expect(drive(machine, 'a a a b').alternatives.a).toBe(1)
    drive(machine, 'a a a d a')
    expect(eventsOf(machine).slice(-3)).toEqual([
      'go on spinning read y, 0',
      'go on spinning read x, 0',
      'read read y',
    ])
  })

  test('nobody left to write: it stays blocked', () => {
    const machine = program({ a: spin, b: [store('y', 1)] })
    expect(drive(machine, 'a b').stopped).toEqual({ a: 'read x (waits)' })
  })

  test('without footprints it blocks all the same', () => {
    const machine = program({ a: spin, b: [store('x', 1)] })
    machine.footprints = false
    expect(drive(machine, 'a').alternatives.a).toBe(0)
    expect(drive(machine, 'a b').alternatives.a).toBe(1)
  })
})

describe('what else is a read', () => {
  test('an exchange that finds the lock taken', () => {
    const acquire = [set('k', 1), whileLoop('k', [exchange('x', 1, 'k')])]
    const machine = program({ a: [...acquire, atomicStore('x', 0)], b: [...acquire, atomicStore('x', 0)] })
    expect(drive(machine, 'a b').stopped).toEqual({ a: 'atomic store x', b: 'atomic update x (waits)' })
    expect(drive(machine, 'a b a').alternatives.b).toBe(1)
    driveAll(machine, () => expect(machine.finalState()).not.toContain('before'))
  })

  test('a trylock that fails; the unlock wakes', () => {
    const machine = program({
      a: [lock('m'), unlock('m')],
      b: [set('k', Result.busy), whileLoop('k', [trylock('m', 'k'), yieldNow()]), unlock('m')],
    })
    expect(drive(machine, 'a b b').alternatives.b).toBe(0)
    expect(machine.waitOf(1).object).toBe('a change of mutex m')
    expect(drive(machine, 'a b b a').alternatives.b).toBe(1)
  })

  test('a loop with break in the middle', () => {
    const machine = program({ a: [whileLoop(1, [load('x', 'r'), when('r', [leave()])])], b: [store('x', 1)] })
    expect(drive(machine, 'a').alternatives.a).toBe(0)
    expect(drive(machine, 'a b a').stopped).toEqual({})
  })

  test('an inner loop blocks by itself, an outer one with all its reads', () => {
    const inner = [set('q', 0), whileLoop(['==', 'q', 0], [load('y', 'q')])]
    const machine = program({
      a: [whileLoop(['==', 'r', 0], [...inner, load('x', 'r')])],
      b: [store('y', 1)],
    })
    expect(drive(machine, 'a').stopped.a).toBe('read y (waits)')
    expect(drive(machine, 'a b a a').stopped).toEqual({ a: 'read y' })
    // At the inner head everything is as it was when the round before came there.
    expect(drive(machine, 'a b a a a').stopped).toEqual({ a: 'read x (waits)' })
    expect(machine.waitOf(0).object).toBe('a change of x, y')
  })
})

describe('a loop that stores', () => {
  test('what is there already blocks until something it read or stored changes', () => {
    const machine = program({
      a: [whileLoop(['==', 'r', 0], [load('x', 'r'), store('y', 'r')])],
      b: [store('y', 1)],
      c: [store('x', 1)],
    })
    expect(drive(machine, 'a a').stopped.a).toBe('read x (waits)')
    expect(machine.waitOf(0).object).toBe('a change of x, y')
    expect(drive(machine, 'a a b').stopped.a).toBe('read x')
    expect(drive(machine, 'a a c').stopped.a).toBe('read x')
    expect(drive(machine, 'a a c a a').stopped.a).toBeUndefined()
  })

  test('is no spin when another thread wrote in the round what it stores', () => {
    const machine = program({
      a: [whileLoop(['==', 'r', 0], [load('x', 'r'), store('y', 0)])],
      b: [store('y', 1)],
    })
    expect(drive(machine, 'a b a').alternatives.a).toBe(1)
    expect(drive(machine, 'a b a a a').stopped.a).toBe('read x (waits)')
  })

  test('looking at several places by turns is a spin once all have been looked at', () => {
    const turn = [load('x', 'r'), set('q', ['-', 1, 'q'])]
    const machine = program({ a: [whileLoop(['==', 'r', 0], turn)], b: [store('x', 1)] })
    expect(drive(machine, 'a a a').stopped.a).toBe('read x (waits)')
    expect(drive(machine, 'a a a b').stopped.a).toBe('read x')
  })
})

describe('not a spin', () => {
  test.each<[string, readonly Statement[]]>([
    ['a write', [load('x', 'r'), store('y', 1), store('y', 0)]],
    ['an update that changes', [load('x', 'r'), fetchAdd('y', 1)]],
    ['lock and unlock', [lock('m'), load('x', 'r'), unlock('m')]],
    ['a choice', [load('x', 'r'), choose(2, 'q'), set('q', 0)]],
    ['output', [load('x', 'r'), output(1)]],
    ['a register that changes', [load('x', 'r'), set('q', ['+', 'q', 1])]],
  ])('%s in the round', (_, body) => {
    const machine = program({ a: [whileLoop(['==', 'r', 0], body)], b: [yieldNow()] })
    expect(drive(machine, 'a '.repeat(3 * body.length)).alternatives.a).toBeGreaterThan(0)
  })

  test('locking a recursive mutex once more in each round is a change only the thread sees', () => {
    const machine = program(
      { a: [lock('m'), whileLoop(['==', 'r', 0], [load('x', 'r'), lock('m')])] },
      { mutexes: { m: 'recursive' } },
    )
    expect(drive(machine, 'a a a a a').alternatives.a).toBe(1)
    expect(machine.finalState()).toContain('depth 3')
  })
})

describe('a loop without any operation', () => {
  test('that goes round in the same state is a livelock at once', () => {
    const machine = program({ a: [store('x', 1), whileLoop(1, [])] })
    drive(machine, 'a')
    expect(machine.bug).toMatchObject({
      kind: 'livelock',
      message: 'a loops without any visible operation',
      site: 1,
    })
  })

  test('that counts is cut off', () => {
    const machine = program({ a: [store('x', 1), whileLoop(1, [set('i', ['+', 'i', 1])])] })
    drive(machine, 'a')
    expect(machine.bug).toMatchObject({ kind: 'livelock', site: 1 })
  })

  test('that only yields is blocked for good', () => {
    const machine = program({ a: [whileLoop(1, [yieldNow()])], b: [store('x', 1)] })
    expect(drive(machine, 'a b').alternatives).toEqual({ a: 0 })
    expect(machine.waitOf(0)).toMatchObject({ spinning: true, object: 'nothing it could read' })
  })
})
