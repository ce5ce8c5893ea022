import { describe, expect, test } from 'vitest'
import { describePending, drive, eventsOf } from '../../../tests/support/drive.js'
import { THREAD_LIVE } from '../../machine/machine.js'
import { everywhere, type PointRule, type PointSet, parsePoints } from '../../machine/points.js'
import {
  atomicLoad,
  barrier,
  choose,
  create,
  fetchAdd,
  join,
  labelled,
  load,
  lock,
  output,
  point,
  rdlock,
  rwunlock,
  sempost,
  semtrywait,
  semwait,
  signal,
  store,
  timedwait,
  trylock,
  unlock,
  wait,
  wrlock,
  yieldNow,
} from './build.js'
import { modelMachine, type Program, type Statement } from './index.js'

const declarations: Partial<Program> = {
  variables: { x: 0, y: 0 },
  mutexes: { m: 'plain' },
  rwlocks: ['l'],
  conditions: ['c'],
  semaphores: { s: 1 },
  barriers: { b: 1, b2: 2 },
}

/** Runs only thread a; returns the operations it stopped before, the first one included. */
function stopsOf(
  body: readonly Statement[],
  points: PointSet | string,
  options: Partial<Program> = {},
): string[] {
  const machine = modelMachine({
    ...declarations,
    ...options,
    threads: { a: body, w: [yieldNow()], idle: [] },
    roots: ['a', 'idle'],
  })
  machine.usePoints(typeof points === 'string' ? parsePoints(points) : points)
  const stops: string[] = []
  machine.run({
    value: 0,
    next() {
      if (machine.pending.status[0] !== THREAD_LIVE) return -1
      stops.push(describePending(machine, 0))
      return machine.alternatives(0) === 0 ? -1 : 0
    },
  })
  expect(machine.bug).toBeNull()
  return stops
}

const critical = [load('x', 'r'), lock('m'), store('x', 1), unlock('m'), load('y', 'r'), fetchAdd('y', 1)]

describe('where a thread stops', () => {
  test.each<[string, string, readonly Statement[], string[]]>([
    ['nothing named', '', critical, ['read x']],
    ['lock: before the acquire', 'lock', critical, ['read x', 'lock mutex m']],
    ['unlock: after the release', 'unlock', critical, ['read x', 'read y']],
    ['release: before it', 'release', critical, ['read x', 'unlock mutex m']],
    ['lock and unlock', 'lock,unlock', critical, ['read x', 'lock mutex m', 'read y']],
    ['atomic', 'atomic', critical, ['read x', 'atomic update y']],
    [
      'everywhere',
      'everywhere',
      critical,
      ['read x', 'lock mutex m', 'write x', 'unlock mutex m', 'read y', 'atomic update y'],
    ],
    [
      'unlock at the end of a thread has nothing after it',
      'unlock',
      [lock('m'), unlock('m')],
      ['lock mutex m'],
    ],
    [
      'unlock before something without a point',
      'unlock',
      [lock('m'), unlock('m'), output(1)],
      ['lock mutex m', 'output'],
    ],
    [
      'reader-writer locks are locks',
      'lock,unlock',
      [
        load('x', 'r'),
        rdlock('l'),
        rwunlock('l'),
        load('x', 'r'),
        wrlock('l'),
        rwunlock('l'),
        load('y', 'r'),
      ],
      ['read x', 'read lock rwlock l', 'read x', 'write lock rwlock l', 'read y'],
    ],
    ['trylock is a lock', 'lock', [load('x', 'r'), trylock('m', 'k')], ['read x', 'try lock mutex m']],
    [
      'sync: everything else',
      'sync',
      [load('x', 'r'), semtrywait('s', 'k'), load('x', 'r'), barrier('b'), atomicLoad('x', 'r'), signal('c')],
      [
        'read x',
        'semaphore try wait semaphore s',
        'barrier arrive barrier b, generation 0',
        'signal condition c',
      ],
    ],
    [
      'a successful wait on a semaphore is no stop of its own',
      '',
      [load('x', 'r'), semwait('s')],
      ['read x'],
    ],
    [
      'yield and point always',
      '',
      [load('x', 'r'), yieldNow(), point(), load('x', 'r')],
      ['read x', 'yield', 'preemption point'],
    ],
    [
      'choose among several always',
      '',
      [load('x', 'r'), choose(2, 'k'), load('x', 'r')],
      ['read x', 'choose'],
    ],
    ['choose among one never', 'everywhere', [load('x', 'r'), choose(1, 'k')], ['read x']],
    ['output whose order does not count never', 'everywhere', [load('x', 'r'), output(1)], ['read x']],
    [
      'an operation that must wait always',
      '',
      [load('x', 'r'), semwait('s'), semwait('s')],
      ['read x', 'semaphore wait semaphore s'],
    ],
    [
      'a barrier that is not full always',
      '',
      [load('x', 'r'), barrier('b2')],
      ['read x', 'barrier leave barrier b2, generation 0'],
    ],
    [
      'after a post',
      '',
      [load('x', 'r'), sempost('s'), load('y', 'r'), load('x', 'r')],
      ['read x', 'read y'],
    ],
    [
      'after a create',
      '',
      [load('x', 'r'), create('w'), load('y', 'r'), load('x', 'r')],
      ['read x', 'read y'],
    ],
    ['a join, always', '', [load('x', 'r'), join('idle')], ['read x', 'join']],
    ['a signal nobody waits for never', '', [load('x', 'r'), signal('c'), load('y', 'r')], ['read x']],
    ['a wait', '', [load('x', 'r'), lock('m'), wait('c', 'm')], ['read x', 'reacquire mutex m']],
    [
      'the mutex of a timed wait: not a stop of its own',
      'sync',
      [lock('m'), timedwait('c', 'm'), unlock('m')],
      ['lock mutex m', 'wait condition c', 'return from wait condition c'],
    ],
    [
      'the mutex of a timed wait: a lock',
      'lock',
      [load('x', 'r'), lock('m'), timedwait('c', 'm'), unlock('m')],
      ['read x', 'lock mutex m', 'return from wait condition c', 'reacquire mutex m'],
    ],
    ['a race point', 'race:a:1', [load('x', 'r'), load('x', 'r'), load('y', 'r')], ['read x', 'read x']],
    [
      'a race point by label',
      'race:a:here',
      [load('x', 'r'), labelled('here', load('y', 'r'))],
      ['read x', 'read y'],
    ],
    ['a race point of this thread', 'race:a:1@0', [load('x', 'r'), load('y', 'r')], ['read x', 'read y']],
    ['a race point of another thread', 'race:a:1@1', [load('x', 'r'), load('y', 'r')], ['read x']],
  ])('%s', (_, points, body, expected) => {
    expect(stopsOf(body, points)).toEqual(expected)
  })

  test('compared output is a point of sync', () => {
    const body = [load('x', 'r'), output(1), output(2)]
    expect(stopsOf(body, everywhere, { compareOutputs: true })).toEqual([
      'read x',
      'output output',
      'output output',
    ])
    expect(stopsOf(body, 'sync', { compareOutputs: true })).toEqual([
      'read x',
      'output output',
      'output output',
    ])
    expect(stopsOf(body, 'lock', { compareOutputs: true })).toEqual(['read x'])
  })

  test('after a signal that woke somebody, and before one that can wake several', () => {
    const waiter = [lock('m'), wait('c', 'm')]
    const machine = modelMachine({
      ...declarations,
      threads: { a: [load('x', 'r'), signal('c'), load('y', 'r'), load('x', 'r')], v: waiter, w: waiter },
    })
    machine.usePoints(parsePoints(''))
    expect(drive(machine, 'v a').stopped.a).toBe('read y')
    expect(drive(machine, 'v w a').stopped.a).toBe('signal condition c')
    expect(drive(machine, 'v w a a=1').stopped.a).toBe('read y')
  })

  test('after the last arrival at a barrier', () => {
    const machine = modelMachine({
      ...declarations,
      threads: { a: [barrier('b2'), load('x', 'r'), load('y', 'r')], d: [barrier('b2')] },
    })
    machine.usePoints(parsePoints(''))
    expect(drive(machine, 'd a').stopped).toEqual({
      a: 'read x',
      d: 'barrier leave barrier b2, generation 0',
    })
  })
})

describe('rules', () => {
  const body = [load('x', 'r'), lock('m'), yieldNow(), unlock('m'), load('x', 'r'), load('y', 'r')]
  const within = (name: string): PointRule => ({ accept: true, function: name })
  const without = (name: string): PointRule => ({ accept: false, function: name })
  const all = ['read x', 'lock mutex m', 'yield', 'read x', 'read y']
  const mandatory = ['read x', 'yield']
  const points = (rules: readonly PointRule[]) => parsePoints('lock,unlock,race:a:5', rules)

  test.each<[string, readonly PointRule[], string[]]>([
    ['none', [], all],
    ['within this function', [within('a')], all],
    ['within another: only mandatory stops', [within('other')], mandatory],
    ['without this function', [without('a')], mandatory],
    ['without another', [without('other')], all],
    ['the last rule that matches wins', [without('a'), within('a')], all],
    ['in both orders', [within('a'), without('a')], mandatory],
  ])('%s', (_, rules, expected) => {
    expect(stopsOf(body, points(rules))).toEqual(expected)
  })

  test('bind race points of one thread too', () => {
    const two = [load('x', 'r'), load('y', 'r')]
    expect(stopsOf(two, parsePoints('race:a:1@0', [without('other')]))).toEqual(['read x', 'read y'])
    expect(stopsOf(two, parsePoints('race:a:1@0', [without('a')]))).toEqual(['read x'])
  })
})

describe('a transition that ends only because of the state of an object', () => {
  const last = (
    points: string,
    script: string,
    body: readonly Statement[],
    others: Record<string, readonly Statement[]>,
  ) => {
    const machine = modelMachine({ ...declarations, threads: { a: body, ...others } })
    machine.usePoints(parsePoints(points))
    drive(machine, script)
    return eventsOf(machine).at(-1)
  }
  const body = [load('x', 'r'), lock('m')]
  const holder = { h: [lock('m')] }

  test('says which object that was', () => {
    expect(last('', 'h a', body, holder)).toBe('find blocked read mutex m')
    expect(last('', 'a', [load('x', 'r'), semwait('s'), semwait('s')], {})).toBe(
      'find blocked read semaphore s',
    )
    const waiter = [lock('m'), wait('c', 'm')]
    const signaller = [load('x', 'r'), signal('c')]
    expect(last('', 'v w a', signaller, { v: waiter, w: waiter })).toBe('find blocked read condition c')
  })

  test('says nothing when it would have ended there anyway', () => {
    expect(last('lock', 'h a', body, holder)).toBe('read read x')
    expect(last('everywhere', 'h a', body, holder)).toBe('read read x')
    expect(last('', 'a', [load('x', 'r'), join('h')], holder)).toBe('read read x')
    expect(last('', 'a', [lock('m'), wait('c', 'm')], {})).toBe('unlock write mutex m, 1')
  })
})

test('points can be changed between executions, also for threads with points of their own', () => {
  const machine = modelMachine({
    ...declarations,
    threads: { a: [load('x', 'r'), load('y', 'r')], b: [load('x', 'r'), load('y', 'r')] },
  })
  const after = (points: string) => {
    machine.usePoints(parsePoints(points))
    return drive(machine, 'a').stopped.a
  }
  expect(after('race:a:1@0')).toBe('read y')
  expect(after('')).toBeUndefined()
  expect(after('race:a:1@1,race:b:1@0')).toBeUndefined()
  expect(after('everywhere')).toBe('read y')
})

test('a race point at a site the program does not have is refused', () => {
  const machine = modelMachine({ ...declarations, threads: { a: [load('x', 'r')] } })
  expect(() => machine.usePoints(parsePoints('race:a:7'))).toThrow(
    'race:a:7: the program has no such site; its sites are a:0, a:end',
  )
})
