import { describe, expect, test } from 'vitest'
import { drive, eventsOf } from '../../../tests/support/drive.js'
import {
  assert,
  atomically,
  load,
  lock,
  output,
  store,
  unlock,
  when,
  xabort,
  xbegin,
  xend,
  xtest,
} from './build.js'
import { modelMachine, type Statement } from './index.js'

function withThreads(threads: Record<string, readonly Statement[]>, abortCodes?: string) {
  return modelMachine({
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain' },
    threads,
    ...(abortCodes === undefined ? {} : { abortCodes }),
  })
}

describe('a transaction', () => {
  const twice = [load('x', 'r'), store('x', ['+', 'r', 1])]

  test('is one step, atomic to others, or aborts at once and touches nothing', () => {
    const machine = withThreads({ a: [atomically(twice, [store('y', 1)], 's')] })
    expect(drive(machine).alternatives).toEqual({ a: 2 })
    expect([0, 1].map((value) => machine.alternativeName(0, value))).toEqual(['starts', 'aborts'])
    // That it starts is chosen in a step that touches nothing.
    expect(drive(machine, 'a').alternatives).toEqual({ a: 1 })
    expect(eventsOf(machine)).toEqual([])
    drive(machine, 'a a')
    expect(eventsOf(machine)).toEqual([
      'begin transaction, 1',
      'atomic load read x',
      'atomic store write x',
      'commit',
      'exit',
    ])
    drive(machine, 'a=1')
    expect(eventsOf(machine)).toEqual(['begin transaction, 1', 'abort, 2'])
    expect(drive(machine, 'a=1').stopped).toEqual({ a: 'write y' })
    expect(machine.finalState()).toContain('s=2')
  })

  test('that gives up leaves nothing, registers included, but what it has read', () => {
    const body = [...twice, load('y', 'q'), when(['==', 'q', 0], [xabort(7)])]
    const machine = withThreads({ a: [atomically(body, [], 's')] })
    drive(machine, 'a a')
    expect(eventsOf(machine).slice(0, 4)).toEqual([
      'begin transaction, 0',
      'atomic load read x',
      'atomic load read y',
      `abort, ${(7 << 24) | 1}`,
    ])
    expect(machine.finalState()).toContain('x = 0')
    expect(machine.finalState()).toContain(`s=${(7 << 24) | 1} r=0 q=0`)
  })

  test('is part of the one around it; too many are too many', () => {
    const nested = [atomically([atomically(twice, []), xtest('t')], [], 's')]
    const machine = withThreads({ a: nested })
    drive(machine, 'a a')
    expect(machine.finalState()).toMatch(/x = 1(.|\n)*s=-1/)
    const shallow = withThreads({ a: nested }, 'retry,nested=1')
    drive(shallow, 'a a')
    expect(shallow.finalState()).toMatch(/x = 0(.|\n)*s=32/)
  })

  test.each([
    ['prints', [output(1)]],
    ['waits for a mutex', [lock('m'), unlock('m')]],
    ['touches more than fits', [store('x', 1), store('y', 1)]],
  ])('that %s aborts for lack of capacity', (_, body) => {
    const machine = withThreads(
      { a: [atomically(body, [], 's')], b: [lock('m'), store('x', 5)] },
      'explicit,capacity=1',
    )
    drive(machine, 'b a')
    expect(machine.finalState()).toMatch(/x = 0(.|\n)*s=8/)
  })

  test('can abort by a conflict only after another thread has touched what it would', () => {
    const machine = withThreads(
      { a: [atomically(twice, [], 's')], b: [load('y', 'r'), load('x', 'r')] },
      'conflict',
    )
    expect(drive(machine, 'b').alternatives.a).toBe(1)
    expect(drive(machine, 'b b').alternatives.a).toBe(2)
    drive(machine, 'b b a=1')
    expect(machine.finalState()).toContain('s=6')
  })

  test('that fails as things are may abort once what it read last has changed', () => {
    const machine = withThreads(
      {
        a: [atomically([load('x', 'r'), assert(['!=', 'r', 0]), store('y', 1)], [], 's')],
        b: [load('y', 'r'), store('x', 1), load('y', 'r')],
      },
      'conflict',
    )
    expect(drive(machine, 'b').alternatives.a).toBe(1)
    expect(drive(machine, 'b b').alternatives.a).toBe(1)
    expect(drive(machine, 'b b b').alternatives.a).toBe(2)
  })
})

describe('misuse', () => {
  test.each<[string, readonly Statement[], string]>([
    ['an end without a begin', [xend()], 'a ends a transaction, and none has begun'],
    ['no end', [xbegin('s')], 'a ends in a transaction that has not ended'],
    [
      'a mutex locked inside and not unlocked',
      [atomically([lock('m')], [])],
      'a commits a transaction in which it locked mutex m, and holds it still',
    ],
    [
      'a mutex unlocked that was locked before',
      [lock('m'), atomically([unlock('m')], [])],
      'a unlocks mutex m in a transaction that began while it was held',
    ],
    [
      'a choice',
      [atomically([{ op: 'choose', count: 2, into: 'r' }], [])],
      'a chooses a value in a transaction, whose outcome could then be any; choose it before',
    ],
  ])('%s', (_, body, message) => {
    const machine = withThreads({ a: body })
    drive(machine, body.length > 1 ? 'a a a' : 'a a')
    expect(machine.bug).toMatchObject({ kind: 'transaction-misuse', message })
  })

  test('an abort outside of a transaction does nothing', () => {
    const machine = withThreads({ a: [xabort(), store('x', 1)] })
    drive(machine, 'a a')
    expect([machine.bug, machine.finalState().split('\n')[0]]).toEqual([null, 'x = 1'])
  })

  test('settings that make no sense', () => {
    expect(() => withThreads({ a: [xend()] }, 'often')).toThrow(
      'abortCodes: unknown cause of aborts "often"; known are retry, conflict, explicit (always on), capacity=N and nested=N',
    )
    expect(() => withThreads({ a: [xend()] }).platform!.use({ memoryModel: 'tso' })).toThrow(
      'transactions are known under sequential consistency only',
    )
  })
})
