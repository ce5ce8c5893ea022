import { expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { assert, barrier, load, store } from './build.js'
import { modelMachine, type Statement } from './index.js'

const withBarrier = (count: number, threads: Record<string, readonly Statement[]>) =>
  modelMachine({ variables: { x: 0 }, barriers: { b: count }, threads })

test('nobody leaves before the last arrives, who is told so', () => {
  const machine = withBarrier(3, { a: [barrier('b', 'r')], d: [barrier('b', 'r')], e: [barrier('b', 'r')] })
  expect(drive(machine, 'e a').stopped).toEqual({
    a: 'barrier leave barrier b, generation 0 (waits)',
    d: 'barrier arrive barrier b, generation 0',
    e: 'barrier leave barrier b, generation 0 (waits)',
  })
  expect(machine.waitOf(0)).toMatchObject({ object: 'barrier b', holders: [] })
  expect(drive(machine, 'e a d').alternatives).toEqual({ a: 1, e: 1 })
  drive(machine, 'e a d a e')
  expect(machine.finalState()).toBe(
    [
      'x = 0',
      'b = 0 arrived, generation 1',
      'thread 0: done; r=0',
      'thread 1: done; r=1',
      'thread 2: done; r=0',
    ].join('\n'),
  )
  expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
    'barrier arrive write barrier b, generation 0',
    'barrier arrive write barrier b, generation 0',
    'barrier arrive write barrier b, generation 0',
    'barrier arrive write barrier b, generation 1',
    'barrier leave read barrier b, generation 0',
    'barrier leave read barrier b, generation 0',
  ])
})

test('generations follow each other: a quick thread cannot overtake a slow one', () => {
  const twice = [barrier('b'), barrier('b')]
  const machine = withBarrier(2, { a: twice, d: twice })
  expect(drive(machine, 'a d d').stopped).toEqual({
    a: 'barrier leave barrier b, generation 0',
    d: 'barrier leave barrier b, generation 1 (waits)',
  })
  expect(drive(machine, 'a d d a').stopped).toMatchObject({ a: 'barrier arrive barrier b, generation 1' })
  drive(machine, 'a d d a a d')
  expect(machine.finalState()).toContain('generation 2')
})

test('what came before the barrier is seen by all after it', () => {
  const machine = withBarrier(2, {
    a: [store('x', 1), barrier('b')],
    d: [barrier('b'), load('x', 'r'), assert(['==', 'r', 1])],
  })
  expect(driveAll(machine, () => expect(machine.bug).toBeNull())).toBeGreaterThan(1)
})

test('with more threads than it counts, the one too many waits in the next generation', () => {
  const machine = withBarrier(2, { a: [barrier('b')], d: [barrier('b')], e: [barrier('b')] })
  expect(drive(machine, 'a d').stopped).toMatchObject({ e: 'barrier arrive barrier b, generation 1' })
  const left = new Set<string>()
  driveAll(machine, () => left.add(/thread (\d): before barrier leave/.exec(machine.finalState())![1]))
  expect(left).toEqual(new Set(['0', '1', '2']))
})

test('a barrier of one stops nobody', () => {
  const machine = withBarrier(1, { a: [barrier('b', 'r')] })
  drive(machine, 'a')
  expect(machine.finalState()).toContain('thread 0: done; r=1')
})
