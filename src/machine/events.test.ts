import { expect, test } from 'vitest'
import { EventLog, Known } from './events.js'
import { PendingOperations, THREAD_LIVE } from './machine.js'
import { Mode, Op } from './operation.js'

test('an event log grows and keeps what it holds', () => {
  const log = new EventLog()
  for (let i = 0; i < 5000; i++) {
    log.push(Op.store, Mode.write, i, i + 1, i + 2)
    if (i % 2 === 0) log.values(Known.seen | Known.operand, i + 3, 0, i + 5)
  }
  expect(log.count).toBe(5000)
  for (const i of [0, 255, 256, 4998]) {
    expect([log.kind[i], log.mode[i], log.location[i], log.site[i], log.aux[i]]).toEqual([
      Op.store,
      Mode.write,
      i,
      i + 1,
      i + 2,
    ])
  }
  expect([log.known[4998], log.seen[4998], log.operand[4998]]).toEqual([5, 5001, 5003])
  expect(log.known[4999]).toBe(0)
})

test('an event without an object has no mode', () => {
  const log = new EventLog()
  log.push(Op.output, Mode.write, -1, 0, -1)
  expect(log.mode[0]).toBe(Mode.none)
})

test('values are those of the last execution only', () => {
  const log = new EventLog()
  log.push(Op.load, Mode.read, 0, 0, -1)
  log.values(Known.seen, 1, 0, 0)
  log.count = 0
  log.push(Op.store, Mode.write, 0, 0, -1)
  expect(log.known[0]).toBe(0)
})

test('pending operations make room for more threads and keep those they have', () => {
  const pending = new PendingOperations()
  pending.status[15] = THREAD_LIVE
  pending.location[15] = 7
  pending.ensure(100)
  expect(pending.status.length).toBeGreaterThanOrEqual(100)
  expect([pending.status[15], pending.location[15], pending.status[99]]).toEqual([THREAD_LIVE, 7, 0])
})
