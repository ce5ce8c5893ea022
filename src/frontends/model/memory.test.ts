import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { Changes, Known } from '../../machine/events.js'
import {
  at,
  atomicLoad,
  atomicStore,
  compareExchange,
  exchange,
  fetchAdd,
  load,
  set,
  store,
} from './build.js'
import { modelMachine, type Program, type Statement } from './index.js'

function one(body: readonly Statement[], declarations: Partial<Program> = { variables: { x: 5 } }) {
  return modelMachine({ ...declarations, threads: { a: body } })
}

describe('variables', () => {
  test('threads are stopped before their first operation, which shows kind, object and site', () => {
    const machine = modelMachine({
      variables: { x: 0 },
      threads: { a: [set('r', 1), store('x', 'r')], b: [load('x', 'q')] },
    })
    expect(drive(machine).stopped).toEqual({ a: 'write x', b: 'read x' })
    expect(Array.from(machine.pending.site.slice(0, 2), (site) => machine.sites[site].name)).toEqual([
      'a:1',
      'b:0',
    ])
    expect(eventsOf(machine)).toEqual([])
  })

  test('a plain increment can lose an update', () => {
    const increment = [load('x', 'r'), store('x', ['+', 'r', 1])]
    const machine = modelMachine({ variables: { x: 0 }, threads: { a: increment, b: increment } })
    const results = new Set<string>()
    expect(driveAll(machine, () => results.add(machine.finalState().split('\n')[0]))).toBe(6)
    expect(results).toEqual(new Set(['x = 1', 'x = 2']))
  })

  test('every access is one event with the mode it turned out to have', () => {
    const machine = one([
      load('x', 'r'),
      store('x', 5),
      atomicLoad('x', 'r'),
      atomicStore('x', 5),
      exchange('x', 6, 'old'),
      exchange('x', 6),
      fetchAdd('x', 1, 'before'),
      fetchAdd('x', 0),
      compareExchange('x', 7, 8, 'found'),
      compareExchange('x', 7, 9, 'missed'),
      compareExchange('x', 8, 8),
    ])
    drive(machine, 'a '.repeat(11))
    expect(eventsOf(machine)).toEqual([
      'read read x',
      'write write x',
      'atomic load read x',
      'atomic store write x',
      `atomic update write x, ${Changes.unlessEqual}`,
      `atomic update read x, ${Changes.unlessEqual}`,
      `atomic update write x, ${Changes.always}`,
      `atomic update read x, ${Changes.never}`,
      `atomic update write x, ${Changes.ifEqual}`,
      `atomic update read x, ${Changes.ifEqual}`,
      `atomic update read x, ${Changes.never}`,
      'exit',
    ])
    expect(machine.finalState()).toBe('x = 8\nthread 0: done; r=5 old=5 before=6 found=7 missed=8')
  })

  test('the log says which values were found and left', () => {
    const machine = one([load('x', 'r'), store('x', 3), exchange('x', 4), compareExchange('x', 7, 8)])
    drive(machine, 'a a a a')
    const { known, seen, written, operand } = machine.events
    const row = (i: number) => [
      known[i] & Known.seen ? seen[i] : null,
      known[i] & Known.written ? written[i] : null,
      known[i] & Known.operand ? operand[i] : null,
    ]
    expect([0, 1, 2, 3].map(row)).toEqual([
      [5, null, null],
      [5, 3, null],
      [3, 4, 4],
      [4, 4, 7],
    ])
  })

  test('values wrap at 32 bits', () => {
    const machine = one([fetchAdd('x', 1, 'r')], { variables: { x: 0x7fffffff } })
    drive(machine, 'a')
    expect(machine.finalState()).toBe('x = -2147483648\nthread 0: done; r=2147483647')
  })
})

describe('arrays', () => {
  const arrays = { arrays: { v: [10, 20, 30] } }

  test('the element is known before the access, and each is an object of its own', () => {
    const machine = one([set('i', 2), load(at('v', 'i'), 'r'), store(at('v', ['-', 'i', 2]), 'r')], arrays)
    expect(drive(machine).stopped).toEqual({ a: 'read v[2]' })
    expect(drive(machine, 'a').stopped).toEqual({ a: 'write v[0]' })
    drive(machine, 'a a')
    expect(machine.finalState()).toBe('v = [30, 20, 30]\nthread 0: done; i=2 r=30')
  })

  test.each([-1, 3])('index %i is a trap', (index) => {
    const machine = one([set('i', index), load(at('v', 'i'), 'r')], arrays)
    drive(machine)
    expect(machine.bug).toMatchObject({
      kind: 'trap',
      message: `a uses index ${index}, outside v[0..2]`,
      thread: 0,
    })
  })
})

test('without footprints nothing is logged and the outcome is the same', () => {
  const machine = one([load('x', 'r'), fetchAdd('x', 1)])
  machine.footprints = false
  drive(machine, 'a a')
  expect(machine.events.count).toBe(0)
  expect(machine.finalState()).toBe('x = 6\nthread 0: done; r=5')
})

test('executions start from the initial state', () => {
  const machine = one([fetchAdd('x', 1, 'r')])
  for (let i = 0; i < 3; i++) {
    drive(machine, 'a')
    expect(machine.finalState()).toBe('x = 6\nthread 0: done; r=5')
    expect(eventsOf(machine)).toEqual(['atomic update write x, 0', 'exit'])
  }
})
