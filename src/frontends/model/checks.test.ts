import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { at, compareExchange, create, fetchAdd, load, store } from './build.js'
import { type Expression, modelMachine, type Program, type Statement } from './index.js'

function program(threads: Record<string, readonly Statement[]>, options: Partial<Program>) {
  return modelMachine({ variables: { x: 0, y: 0 }, arrays: { v: [0, 0] }, ...options, threads })
}

describe('invariants', () => {
  test('are checked after each write to something they read, which is logged', () => {
    const machine = program(
      { a: [store('y', 1), store('x', 2), store('y', 2), store('y', 5)], b: [store(at('v', 0), 1)] },
      { invariants: { ordered: ['<=', 'x', ['+', 'y', 1]] } },
    )
    drive(machine, 'b a a a')
    expect(machine.bug).toBeNull()
    expect(eventsOf(machine).slice(0, 6)).toEqual([
      'write write v[0]',
      'exit',
      'write write y',
      'invariant write invariant ordered',
      'write write x',
      'invariant write invariant ordered',
    ])
  })

  test('one that breaks is a bug of the thread that wrote', () => {
    const machine = program(
      { a: [load('x', 'r'), store('x', 1)], b: [store('y', 1)] },
      { invariants: { exclusive: ['!', ['&&', 'x', 'y']] } },
    )
    drive(machine, 'b a a')
    expect(machine.bug).toEqual({
      kind: 'invariant',
      message: 'a broke invariant exclusive',
      thread: 0,
      site: 1,
    })
    drive(machine, 'a a b')
    expect(machine.bug).toMatchObject({ thread: 1, site: 3 })
  })

  test('reads and updates that change nothing do not touch them', () => {
    const machine = program(
      { a: [load('x', 'r'), fetchAdd('x', 0), compareExchange('x', 5, 6)] },
      { invariants: { positive: ['>=', 'x', 0] } },
    )
    drive(machine, 'a a a')
    expect(eventsOf(machine).join()).not.toContain('invariant')
  })

  test('several on one variable are all logged and all checked', () => {
    const machine = program(
      { a: [store('x', 1)] },
      { invariants: { one: ['<', 'x', 2], two: ['<', 'x', 1] } },
    )
    drive(machine, 'a')
    expect(eventsOf(machine)).toEqual([
      'write write x',
      'invariant write invariant one',
      'invariant write invariant two',
    ])
    expect(machine.bug?.message).toBe('a broke invariant two')
  })

  test('read arrays, at any index', () => {
    const machine = program(
      { a: [store(at('v', 1), 3)] },
      { invariants: { sum: ['<', ['at', 'v', ['+', 'x', 1]], 3] } },
    )
    drive(machine, 'a')
    expect(machine.bug?.message).toBe('a broke invariant sum')
  })

  test('an index out of range breaks them', () => {
    const machine = program({ a: [store('x', 9)] }, { invariants: { wild: ['==', ['at', 'v', 'x'], 0] } })
    drive(machine, 'a')
    expect(machine.bug?.message).toBe('a broke invariant wild (index 9 is outside v[0..1])')
  })
})

describe('checks at the end', () => {
  test('see shared variables and registers of ended threads', () => {
    const machine = program(
      { a: [store('x', 1), load('y', 'r')], b: [store('y', 1), load('x', 'r')] },
      { atEnd: { 'one saw the other': ['||', ['reg', 'a', 'r'], ['reg', '1', 'r']] } },
    )
    driveAll(machine, () => expect(machine.checkEnd()).toBeNull())
  })

  test('one that fails is a bug of the program', () => {
    const machine = program({ a: [store('x', 1)] }, { atEnd: { zero: ['==', 'x', 0], never: 0 } })
    drive(machine, 'a')
    expect(machine.checkEnd()).toEqual({
      kind: 'invariant',
      message: 'check at the end zero fails',
      thread: -1,
      site: -1,
    })
  })

  test('a created thread is found by its body, one that never ran has zeros', () => {
    const threads = {
      main: [load('x', 'r'), create('w')],
      w: [load('x', 'r'), store('x', 4), load('x', 'r')],
    }
    const machine = program(threads, { atEnd: { seen: ['==', ['reg', 'w', 'r'], 4] } })
    drive(machine, 'main main 0.1 0.1 0.1')
    expect(machine.checkEnd()).toBeNull()
    drive(machine, 'main')
    expect(machine.checkEnd()).not.toBeNull()
  })

  test.each<[Expression, number]>([
    [['-', 7], -7],
    [['-', 7, 2], 5],
    [['*', 3, ['at', 'v', 0]], 0],
    [['/', 7, 2], 3],
    [['%', -7, 2], -1],
    [['?:', 0, ['/', 1, 0], 4], 4],
    [['&&', 0, ['/', 1, 0]], 0],
    [['||', 2, ['/', 1, 0]], 1],
    [['!', 3], 0],
    [['<<', 1, 4], 16],
  ])('%j is %i', (expression, value) => {
    const machine = program({ a: [store('y', 1)] }, { atEnd: { right: ['==', expression, value] } })
    drive(machine, 'a')
    expect(machine.checkEnd()).toBeNull()
  })

  test('division by zero fails the check', () => {
    const machine = program({ a: [store('y', 1)] }, { atEnd: { odd: ['/', 1, 'x'] } })
    drive(machine, 'a')
    expect(machine.checkEnd()?.message).toBe('check at the end odd fails (division by zero)')
  })
})
