import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { parsePoints } from '../../machine/points.js'
import { broadcast, load, lock, set, signal, store, timedwait, unlock, wait, whileLoop } from './build.js'
import { modelMachine, type Program, Result, type Statement } from './index.js'

function program(threads: Record<string, readonly Statement[]>, options: Partial<Program> = {}) {
  return modelMachine({
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    conditions: ['c'],
    ...options,
    threads,
  })
}

const waiter = [lock('m'), wait('c', 'm'), unlock('m')]
const timed = [lock('m'), timedwait('c', 'm', 'r'), unlock('m')]

describe('wait', () => {
  test('frees the mutex and blocks until a signal and a free mutex', () => {
    const machine = program({ a: waiter, b: [lock('m'), signal('c'), unlock('m')] })
    expect(drive(machine, 'a a').stopped).toEqual({ a: 'reacquire mutex m (waits)', b: 'lock mutex m' })
    expect(machine.waitOf(0)).toEqual({
      thread: 0,
      object: 'a signal on c',
      holders: [],
      site: machine.pending.site[0],
    })
    expect(drive(machine, 'a a b b').stopped).toEqual({ a: 'reacquire mutex m (waits)', b: 'unlock mutex m' })
    expect(machine.waitOf(0)).toMatchObject({ object: 'mutex m', holders: [1] })
    expect(drive(machine, 'a a b b b').stopped).toEqual({ a: 'reacquire mutex m' })
    drive(machine, 'a a b b b a a')
    expect(eventsOf(machine)).toEqual([
      'lock write mutex m, 0',
      'wait write condition c',
      'unlock write mutex m, 1',
      'lock write mutex m, 0',
      'signal write condition c',
      'wake, 0',
      'unlock write mutex m, 2',
      'exit',
      'reacquire write mutex m, 0',
      'unlock write mutex m, 1',
      'exit',
    ])
  })

  test('a signal without waiters is lost', () => {
    const machine = program({ a: waiter, b: [signal('c')] })
    expect(drive(machine, 'b a a').stopped).toEqual({ a: 'reacquire mutex m (waits)' })
    expect(machine.finalState()).toContain('c = waiting [0]')
  })

  test.each<[string, readonly Statement[], string]>([
    ['without the mutex', [wait('c', 'm')], 'a waits on c with mutex m, which it does not hold'],
    ['timed, without the mutex', [timedwait('c', 'm')], 'a waits on c with mutex m, which it does not hold'],
    [
      'twice locked',
      [lock('m'), lock('m'), wait('c', 'm')],
      'a waits on c with mutex m locked more than once',
    ],
  ])('%s is misuse', (_, body, message) => {
    const machine = program({ a: body }, { mutexes: { m: 'recursive' } })
    drive(machine, 'a '.repeat(body.length))
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', message })
  })
})

describe('signal and broadcast', () => {
  const three = { a: waiter, b: waiter, d: waiter }

  test('a signal has one alternative per waiter, in order of arrival', () => {
    const machine = program({ ...three, s: [signal('c')] })
    const s = machine.threads.byName('3')
    expect(drive(machine).alternatives.s).toBe(1)
    expect(machine.alternativeName(s, 0)).toBe('0')
    expect(drive(machine, 'a a').alternatives.s).toBe(1)
    expect(machine.alternativeName(s, 0)).toBe('wakes 0')
    expect(drive(machine, 'd d a a b b').alternatives.s).toBe(3)
    expect([0, 1, 2].map((v) => machine.alternativeName(s, v))).toEqual(['wakes 2', 'wakes 0', 'wakes 1'])
  })

  test.each([
    [0, 'd', '[0, 1]'],
    [1, 'a', '[2, 1]'],
    [2, 'b', '[2, 0]'],
  ])('alternative %i wakes %s, the others keep their places', (value, woken, left) => {
    const machine = program({ ...three, s: [signal('c')] })
    const { alternatives } = drive(machine, `d d a a b b s=${value}`)
    expect(alternatives).toEqual({ a: 0, b: 0, d: 0, [woken]: 1 })
    expect(machine.finalState()).toContain(`c = waiting ${left}`)
    const wakes = eventsOf(machine).filter((e) => e.startsWith('wake'))
    expect(wakes).toEqual([`wake, ${['a', 'b', 'd'].indexOf(woken)}`])
  })

  test('a queue that lost its last waiter takes new ones', () => {
    const machine = program({ a: waiter, b: waiter, d: waiter, s: [signal('c'), broadcast('c')] })
    drive(machine, 'a a b b s=1 d d s a')
    expect(eventsOf(machine).filter((e) => e.startsWith('wake'))).toEqual(['wake, 1', 'wake, 0', 'wake, 2'])
    expect(machine.finalState()).toContain('c = waiting []')
  })

  test('a broadcast wakes all, who then take the mutex one by one', () => {
    const machine = program({ ...three, s: [broadcast('c')] })
    expect(drive(machine, 'b b a a d d s').alternatives).toEqual({ a: 1, b: 1, d: 1 })
    expect(eventsOf(machine).slice(-5)).toEqual([
      'broadcast write condition c',
      'wake, 1',
      'wake, 0',
      'wake, 2',
      'exit',
    ])
    expect(drive(machine, 'b b a a d d s a').alternatives).toEqual({ a: 1, b: 0, d: 0 })
  })

  test('a bounded hand-over never gets stuck when the flag is checked in a loop', () => {
    const machine = program({
      a: [
        lock('m'),
        load('x', 'r'),
        whileLoop(['==', 'r', 0], [wait('c', 'm'), load('x', 'r')]),
        unlock('m'),
      ],
      b: [lock('m'), store('x', 1), signal('c'), unlock('m')],
    })
    const executions = driveAll(machine, () => expect(machine.finalState()).not.toContain('before'))
    expect(executions).toBeGreaterThan(1)
  })
})

describe('timed waits', () => {
  test('stop after waiting whatever the points are, and time out when not signalled', () => {
    const machine = program({ a: timed })
    machine.usePoints(parsePoints(''))
    expect(drive(machine, 'a').stopped).toEqual({ a: 'return from wait condition c' })
    drive(machine, 'a a')
    expect(eventsOf(machine)).toEqual([
      'lock write mutex m, 0',
      'wait write condition c',
      'unlock write mutex m, 1',
      'return from wait write condition c',
      'reacquire write mutex m, 0',
      'unlock write mutex m, 1',
      'exit',
    ])
    expect(machine.finalState()).toContain(`r=${Result.timedOut}`)
    expect(machine.finalState()).toContain('c = waiting []')
  })

  test('return 0 when a signal picked them; no wake is logged', () => {
    const machine = program({ a: [set('r', 7), ...timed], s: [signal('c')] })
    expect(drive(machine, 'a a s').alternatives).toEqual({ a: 1 })
    expect(eventsOf(machine).slice(-2)).toEqual(['signal write condition c', 'exit'])
    drive(machine, 'a a s a a a')
    expect(machine.finalState()).toContain('r=0')
  })

  test('one that timed out is not picked any more', () => {
    const machine = program({ a: timed, b: waiter, s: [signal('c')] })
    expect(drive(machine, 'a a b b').alternatives.s).toBe(2)
    expect(drive(machine, 'a a b b a').alternatives.s).toBe(1)
    expect(drive(machine, 'a a b b a s').stopped).toMatchObject({ b: 'reacquire mutex m' })
  })

  test('take the mutex again only when it is free', () => {
    const machine = program({ a: timed, b: [lock('m'), unlock('m')] })
    expect(drive(machine, 'a a b a').stopped).toEqual({ a: 'reacquire mutex m (waits)', b: 'unlock mutex m' })
  })
})

describe('spurious wake-ups', () => {
  const spurious = { spuriousWakeups: true }

  test('any wait can end by itself, and returns 0', () => {
    const machine = program({ a: [lock('m'), wait('c', 'm', 'r'), unlock('m')] }, spurious)
    expect(drive(machine, 'a').alternatives.a).toBe(2)
    expect([machine.alternativeName(0, 0), machine.alternativeName(0, 1)]).toEqual([
      'waits for a signal',
      'wakes spuriously',
    ])
    expect(drive(machine, 'a a=0').stopped).toEqual({ a: 'reacquire mutex m (waits)' })
    expect(drive(machine, 'a a=1').stopped).toEqual({ a: 'return from wait condition c' })
    drive(machine, 'a a=1 a a a')
    expect(machine.finalState()).toContain('r=0')
    expect(machine.finalState()).toContain('waiting []')
  })

  test('a timed wait can time out or wake for no reason', () => {
    const machine = program({ a: timed, s: [signal('c')] }, spurious)
    drive(machine, 'a a=0 a a a')
    expect(machine.finalState()).toContain(`r=${Result.timedOut}`)
    drive(machine, 'a a=1 a a a')
    expect(machine.finalState()).toContain('r=0')
    drive(machine, 'a a=1 s a a a')
    expect(machine.finalState()).toContain('r=0')
  })

  test('an unguarded wait is found out', () => {
    const reader = [lock('m'), wait('c', 'm'), load('x', 'r'), unlock('m')]
    const writer = [lock('m'), store('x', 1), signal('c'), unlock('m')]
    const seen = (options: Partial<Program>) => {
      const results = new Set<string>()
      const machine = program({ a: reader, b: writer }, options)
      driveAll(machine, () => results.add(/0: done; r=(\d)/.exec(machine.finalState())?.[1] ?? 'stuck'))
      return results
    }
    expect(seen({})).toEqual(new Set(['1', 'stuck']))
    expect(seen(spurious)).toEqual(new Set(['0', '1', 'stuck']))
  })

  test('there are as many as the program says, or whoever runs it', () => {
    const twice = [lock('m'), wait('c', 'm'), wait('c', 'm'), unlock('m')]
    const machine = program({ a: twice }, { spuriousWakeups: 1 })
    expect(drive(machine, 'a a=1 a a').stopped).toEqual({ a: 'wait condition c' })
    expect(drive(machine, 'a a=1 a a').alternatives.a).toBe(1)
    machine.platform?.use({ spurious: 2 })
    expect(drive(machine, 'a a=1 a a').alternatives.a).toBe(2)
    machine.platform?.use({ spurious: 0 })
    expect(drive(machine, 'a').alternatives.a).toBe(1)
  })

  test('a number of them that makes no sense is refused', () => {
    expect(() => program({ a: [wait('c', 'm')] }, { spuriousWakeups: -1 })).toThrow(/whole number/)
  })
})
