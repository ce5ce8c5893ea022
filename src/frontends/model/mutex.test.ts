import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { load, lock, store, timedlock, trylock, unlock } from './build.js'
import { type MutexType, modelMachine, Result, type Statement } from './index.js'

function withMutex(type: MutexType, threads: Record<string, readonly Statement[]>) {
  return modelMachine({ variables: { x: 0 }, mutexes: { m: type }, threads })
}

describe('plain mutexes', () => {
  test('a second lock waits for the owner, and the log holds the state before', () => {
    const machine = withMutex('plain', { a: [lock('m'), unlock('m')], b: [lock('m'), unlock('m')] })
    expect(drive(machine, 'a').stopped).toEqual({ a: 'unlock mutex m', b: 'lock mutex m (waits)' })
    expect(machine.waitOf(1)).toEqual({
      thread: 1,
      object: 'mutex m',
      holders: [0],
      site: machine.pending.site[1],
    })
    expect(drive(machine, 'a a').stopped).toEqual({ b: 'lock mutex m' })
    drive(machine, 'a a b b')
    expect(eventsOf(machine)).toEqual([
      'lock write mutex m, 0',
      'unlock write mutex m, 1',
      'exit',
      'lock write mutex m, 0',
      'unlock write mutex m, 2',
      'exit',
    ])
  })

  test('they exclude: no update of a counter is lost', () => {
    const increment = [lock('m'), load('x', 'r'), store('x', ['+', 'r', 1]), unlock('m')]
    const machine = withMutex('plain', { a: increment, b: increment })
    // One thread at a time holds the mutex, so the threads take turns as wholes, but for the first lock operations.
    expect(driveAll(machine, () => expect(machine.finalState()).toMatch(/^x = 2\nm = free/))).toBe(2)
  })

  test('crossed order deadlocks', () => {
    const machine = modelMachine({
      mutexes: { m: 'plain', n: 'plain' },
      threads: {
        a: [lock('m'), lock('n'), unlock('n'), unlock('m')],
        b: [lock('n'), lock('m'), unlock('m'), unlock('n')],
      },
    })
    expect(drive(machine, 'a b').stopped).toEqual({ a: 'lock mutex n (waits)', b: 'lock mutex m (waits)' })
    expect([machine.waitOf(0).holders, machine.waitOf(1).holders]).toEqual([[1], [0]])
    expect(machine.finalState()).toContain('m = held by 0, depth 1')
  })

  test('relock by the owner is misuse, not a deadlock', () => {
    const machine = withMutex('plain', { a: [lock('m'), lock('m')] })
    expect(drive(machine, 'a').alternatives).toEqual({ a: 1 })
    drive(machine, 'a a')
    expect(machine.bug).toMatchObject({
      kind: 'lock-misuse',
      message: 'a locks mutex m, which it holds already',
      thread: 0,
      site: 1,
    })
  })

  test('unlock of a free mutex and of that of another are misuse', () => {
    const free = withMutex('plain', { a: [unlock('m')] })
    drive(free, 'a')
    expect(free.bug).toMatchObject({ kind: 'lock-misuse', message: 'a unlocks mutex m, which nobody holds' })
    const foreign = withMutex('plain', { a: [lock('m'), unlock('m')], b: [unlock('m')] })
    drive(foreign, 'a b')
    expect(foreign.bug).toMatchObject({
      kind: 'lock-misuse',
      message: 'b unlocks mutex m, which a holds',
      thread: 1,
    })
  })
})

describe('trylock and timedlock', () => {
  test('take a free mutex as a lock does', () => {
    const machine = withMutex('plain', {
      a: [trylock('m', 'r'), unlock('m'), timedlock('m', 'q'), unlock('m')],
    })
    drive(machine, 'a a a a')
    expect(eventsOf(machine).slice(0, 3)).toEqual([
      'try lock write mutex m, 0',
      'unlock write mutex m, 1',
      'timed lock write mutex m, 0',
    ])
    expect(machine.finalState()).toContain('r=0 q=0')
  })

  test('are enabled on a held mutex, fail, and are reads', () => {
    const machine = withMutex('plain', { a: [lock('m')], b: [trylock('m', 'r'), timedlock('m', 'q')] })
    drive(machine, 'a')
    expect([machine.pending.status[0], machine.alternatives(1)]).toEqual([2, 1])
    drive(machine, 'a b b')
    expect(eventsOf(machine).slice(2, 4)).toEqual(['try lock read mutex m, 1', 'timed lock read mutex m, 1'])
    expect(machine.finalState()).toContain(`r=${Result.busy} q=${Result.timedOut}`)
  })

  test('fail for the owner too', () => {
    const machine = withMutex('plain', { a: [lock('m'), trylock('m', 'r'), timedlock('m', 'q')] })
    drive(machine, 'a a a')
    expect(machine.finalState()).toContain(`r=${Result.busy} q=${Result.timedOut}`)
  })
})

describe('recursive mutexes', () => {
  test('are free only after as many unlocks as locks; the inner ones are reads', () => {
    const machine = withMutex('recursive', {
      a: [lock('m'), lock('m'), trylock('m', 'r'), unlock('m'), unlock('m'), unlock('m')],
      b: [lock('m')],
    })
    for (const script of ['a a a', 'a a a a', 'a a a a a'])
      expect(drive(machine, script).alternatives.b).toBe(0)
    expect(drive(machine, 'a a a a a a').alternatives.b).toBe(1)
    expect(eventsOf(machine)).toEqual([
      'lock write mutex m, 0',
      'lock read mutex m, 1',
      'try lock read mutex m, 1',
      'unlock read mutex m, 1',
      'unlock read mutex m, 1',
      'unlock write mutex m, 1',
      'exit',
    ])
    expect(machine.finalState()).toContain('r=0')
  })

  test('one unlock too many is misuse', () => {
    const machine = withMutex('recursive', { a: [lock('m'), unlock('m'), unlock('m')] })
    drive(machine, 'a a a')
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', site: 2 })
  })
})

describe('errorcheck mutexes', () => {
  test('say no instead of failing', () => {
    const machine = withMutex('errorcheck', {
      a: [
        unlock('m', 'free'),
        lock('m', 'first'),
        lock('m', 'again'),
        timedlock('m', 'timed'),
        unlock('m', 'ok'),
      ],
      b: [unlock('m', 'foreign')],
    })
    drive(machine, 'a a a a b a')
    expect(machine.bug).toBeNull()
    const { notOwner, deadlock } = Result
    expect(machine.finalState()).toContain(
      `free=${notOwner} first=0 again=${deadlock} timed=${deadlock} ok=0`,
    )
    expect(machine.finalState()).toContain(`foreign=${notOwner}`)
    expect(eventsOf(machine).filter((e) => e !== 'exit')).toEqual([
      'unlock read mutex m, 0',
      'lock write mutex m, 0',
      'lock read mutex m, 1',
      'timed lock read mutex m, 1',
      'unlock read mutex m, 1',
      'unlock write mutex m, 1',
    ])
  })

  test('trylock by the owner finds it busy', () => {
    const machine = withMutex('errorcheck', { a: [lock('m'), trylock('m', 'r')] })
    drive(machine, 'a a')
    expect(machine.finalState()).toContain(`r=${Result.busy}`)
  })

  test('another thread still waits', () => {
    const machine = withMutex('errorcheck', { a: [lock('m')], b: [lock('m')] })
    expect(drive(machine, 'a').alternatives).toEqual({ b: 0 })
  })
})
