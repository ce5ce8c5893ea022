import { describe, expect, test } from 'vitest'
import { drive, eventsOf } from '../../../tests/support/drive.js'
import { explore } from '../../execution/explore.js'
import type { Machine } from '../../machine/machine.js'
import { createStrategy } from '../../strategies/index.js'
import { rdlock, rwunlock, tryrdlock, trywrlock, wrlock } from './build.js'
import { modelMachine, Result, type Statement } from './index.js'

const withLock = (threads: Record<string, readonly Statement[]>) => modelMachine({ rwlocks: ['l'], threads })
const reader = [rdlock('l'), rwunlock('l')]
const writer = [wrlock('l'), rwunlock('l')]

describe('reader-writer locks', () => {
  test('readers share, writers wait for all of them', () => {
    const machine = withLock({ a: reader, b: reader, w: writer })
    expect(drive(machine, 'a b').stopped).toEqual({
      a: 'read unlock rwlock l',
      b: 'read unlock rwlock l',
      w: 'write lock rwlock l (waits)',
    })
    expect(machine.waitOf(2)).toMatchObject({ object: 'rwlock l', holders: [0, 1] })
    expect(drive(machine, 'a b a').alternatives).toEqual({ b: 1, w: 0 })
    expect(drive(machine, 'a b a b').alternatives).toEqual({ w: 1 })
    expect(eventsOf(machine)).toEqual([
      'read lock commute rwlock l, 0',
      'read lock commute rwlock l, 1',
      'read unlock commute rwlock l, 2',
      'exit',
      'read unlock commute rwlock l, 1',
      'exit',
    ])
  })

  test('a writer keeps everybody out', () => {
    const machine = withLock({ w: writer, a: reader, v: writer })
    expect(drive(machine, 'w').stopped).toEqual({
      w: 'write unlock rwlock l',
      a: 'read lock rwlock l (waits)',
      v: 'write lock rwlock l (waits)',
    })
    expect(machine.waitOf(1).holders).toEqual([0])
    drive(machine, 'w w v v a')
    expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
      'write lock write rwlock l, 0',
      'write unlock write rwlock l',
      'write lock write rwlock l, 0',
      'write unlock write rwlock l',
      'read lock commute rwlock l, 0',
    ])
    expect(machine.events.aux[1]).toBe(-1)
  })

  test('one thread may read-lock twice and must unlock twice', () => {
    const machine = withLock({ a: [rdlock('l'), rdlock('l'), rwunlock('l'), rwunlock('l')], w: writer })
    expect(drive(machine, 'a a a').alternatives.w).toBe(0)
    expect(drive(machine, 'a a a a').alternatives.w).toBe(1)
  })

  test('the try forms are enabled, and fail as reads when the lock is held', () => {
    const machine = withLock({ w: [wrlock('l')], a: [tryrdlock('l', 'r'), trywrlock('l', 'q')] })
    drive(machine, 'w a a')
    expect(eventsOf(machine).slice(2, 4)).toEqual([
      'try read lock read rwlock l',
      'try write lock read rwlock l',
    ])
    expect([machine.events.aux[2], machine.events.aux[3]]).toEqual([-1, -1])
    expect(machine.finalState()).toContain(`r=${Result.busy} q=${Result.busy}`)
  })

  test('the try forms take a lock they can have', () => {
    const machine = withLock({
      a: [
        tryrdlock('l', 'r'),
        tryrdlock('l'),
        rwunlock('l'),
        rwunlock('l'),
        trywrlock('l', 'q'),
        rwunlock('l'),
      ],
      b: [trywrlock('l', 'r')],
    })
    drive(machine, 'a b a a a a a')
    expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
      'try read lock commute rwlock l, 0',
      'try write lock read rwlock l, 1',
      'try read lock commute rwlock l, 1',
      'read unlock commute rwlock l, 2',
      'read unlock commute rwlock l, 1',
      'try write lock write rwlock l, 0',
      'write unlock write rwlock l',
    ])
  })

  test.each<[string, readonly Statement[], string]>([
    ['unlock of nothing', [rwunlock('l')], 'a unlocks rwlock l, which it does not hold'],
    ['write after read', [rdlock('l'), wrlock('l')], 'a write-locks rwlock l, which it holds for reading'],
    ['write after write', [wrlock('l'), wrlock('l')], 'a write-locks rwlock l, which it holds for writing'],
    ['read after write', [wrlock('l'), rdlock('l')], 'a read-locks rwlock l, which it holds for writing'],
  ])('%s is misuse', (_, body, message) => {
    const machine = withLock({ a: body })
    drive(machine, 'a '.repeat(body.length))
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', message, thread: 0 })
  })

  test('unlocking what only another thread reads is misuse', () => {
    const machine = withLock({ a: reader, b: [rwunlock('l')], d: [...reader, rwunlock('l')] })
    drive(machine, 'a b')
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', thread: 1 })
    drive(machine, 'a d d d')
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', thread: 2 })
  })

  test('a former writer can read, and its unlock is then that of a reader', () => {
    const machine = withLock({ a: [...writer, ...reader] })
    expect(drive(machine, 'a a a').stopped).toEqual({ a: 'read unlock rwlock l' })
    drive(machine, 'a a a a')
    expect(eventsOf(machine).slice(-3)).toEqual([
      'read lock commute rwlock l, 0',
      'read unlock commute rwlock l, 1',
      'exit',
    ])
  })

  test('what a thread held in one execution it does not hold in the next', () => {
    const machine = withLock({ a: [tryrdlock('l'), rwunlock('l'), rwunlock('l')] })
    drive(machine, 'a')
    drive(machine, 'a a a')
    expect(machine.bug?.kind).toBe('lock-misuse')
  })
})

describe('where readers wait for waiting writers', () => {
  const preferring = (threads: Record<string, readonly Statement[]>) =>
    modelMachine({ rwlocks: ['l'], preferWriters: true, threads })

  test('a writer that finds the lock taken keeps readers out until it has had it', () => {
    const machine = preferring({ a: reader, w: writer, b: reader, t: [tryrdlock('l', 'k')] })
    expect(drive(machine, 'a').alternatives).toEqual({ a: 1, w: 1, b: 1, t: 1 })
    expect(drive(machine, 'a w').stopped).toMatchObject({
      w: 'write lock rwlock l (waits)',
      b: 'read lock rwlock l (waits)',
    })
    expect(machine.waitOf(1).holders).toEqual([0])
    expect(machine.waitOf(2).holders).toEqual([1])
    expect(drive(machine, 'a w t a').alternatives).toEqual({ w: 1, b: 0 })
    drive(machine, 'a w t a w w b')
    expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
      'read lock commute rwlock l, 0',
      'wait to write-lock write rwlock l, 1',
      'try read lock read rwlock l, 65537',
      'read unlock commute rwlock l, 65537',
      'write lock write rwlock l, 65536',
      'write unlock write rwlock l',
      'read lock commute rwlock l, 0',
    ])
  })

  test('one that finds it free takes it', () => {
    const machine = preferring({ w: writer, a: reader })
    drive(machine, 'w')
    expect(eventsOf(machine)).toEqual(['write lock write rwlock l, 0'])
  })

  test.each(['dfs', 'optimal', 'source', 'dpor', 'icb', 'best-first'])(
    '%s finds who reads, and reads again while a writer waits',
    (strategy) => {
      const threads = { a: [rdlock('l'), ...reader, rwunlock('l')], w: writer }
      const search = (machine: Machine) =>
        explore({ machine, strategy: createStrategy(strategy, { machine, bound: 2 }) }).firstBug?.bug
      expect(search(preferring(threads))).toMatchObject({ kind: 'deadlock', cycle: [0, 1] })
      expect(search(withLock(threads))).toBeUndefined()
    },
  )
})
