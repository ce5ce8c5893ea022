import { expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { sempost, semtimedwait, semtrywait, semvalue, semwait } from './build.js'
import { modelMachine, Result, type Statement } from './index.js'

const withSemaphore = (count: number, threads: Record<string, readonly Statement[]>) =>
  modelMachine({ semaphores: { s: count }, threads })

test('waits take permits and block at zero; the log holds the count before', () => {
  const machine = withSemaphore(1, { a: [semwait('s')], b: [semwait('s')], p: [sempost('s')] })
  expect(drive(machine, 'a').alternatives).toEqual({ b: 0, p: 1 })
  expect(machine.waitOf(1)).toMatchObject({ object: 'semaphore s', holders: [] })
  expect(drive(machine, 'a p').alternatives).toEqual({ b: 1 })
  drive(machine, 'a p b')
  expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
    'semaphore wait write semaphore s, 1',
    'semaphore post commute semaphore s, 0',
    'semaphore wait write semaphore s, 1',
  ])
  expect(machine.finalState()).toMatch(/^s = 0\n/)
})

test('as many threads pass as there are permits', () => {
  const body = [semwait('s')]
  const machine = withSemaphore(2, { a: body, b: body, d: body })
  driveAll(machine, () => expect(machine.finalState().match(/done/g)).toHaveLength(2))
})

test('try and timed waits never block, and fail as reads', () => {
  const machine = withSemaphore(1, {
    a: [semtrywait('s', 'ok'), semtrywait('s', 'try'), semtimedwait('s', 'timed')],
  })
  drive(machine, 'a a a')
  expect(eventsOf(machine).slice(0, 3)).toEqual([
    'semaphore try wait write semaphore s, 1',
    'semaphore try wait read semaphore s, 0',
    'semaphore try wait read semaphore s, 0',
  ])
  expect(machine.finalState()).toContain(`ok=0 try=${Result.again} timed=${Result.timedOut}`)
})

test('a timed wait takes a permit that is there', () => {
  const machine = withSemaphore(1, { a: [semtimedwait('s', 'r'), semvalue('s', 'left')] })
  drive(machine, 'a a')
  expect(machine.finalState()).toContain('r=0 left=0')
})

test('the value is a read', () => {
  const machine = withSemaphore(2, { a: [sempost('s'), semvalue('s', 'r')] })
  drive(machine, 'a a')
  expect(eventsOf(machine)[1]).toBe('semaphore value read semaphore s, 3')
  expect(machine.finalState()).toContain('r=3')
})
