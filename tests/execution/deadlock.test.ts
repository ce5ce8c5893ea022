import { describe, expect, test } from 'vitest'
import { diagnoseStuck } from '../../src/execution/deadlock.js'
import {
  barrier,
  create,
  exchange,
  join,
  load,
  lock,
  rdlock,
  semwait,
  signal,
  store,
  trylock,
  unlock,
  wait,
  whileLoop,
  wrlock,
  yieldNow,
} from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/index.js'
import { type Machine, THREAD_LIVE } from '../../src/machine/machine.js'
import { Op } from '../../src/machine/operation.js'
import { runScript } from './scripted.js'

function stuck(program: Program, words: string) {
  const { status, bug, machine } = runScript(program, words)
  expect(status).toBe('stuck')
  const names = (threads: readonly number[] | undefined) => threads?.map((t) => machine.threads.labelOf(t))
  return {
    kind: bug!.kind,
    message: bug!.message,
    cycle: names(bug!.cycle),
    waits: Object.fromEntries(bug!.waits!.map((w) => [machine.threads.labelOf(w.thread), w.object])),
    site: machine.sites[bug!.site].name,
    thread: machine.threads.labelOf(bug!.thread),
  }
}

describe('deadlock', () => {
  test('names the circle of two', () => {
    const mutexes = { m: 'plain', n: 'plain' } as const
    const threads = { a: [lock('m'), lock('n')], b: [lock('n'), lock('m')] }
    expect(stuck({ mutexes, threads }, 'a b')).toEqual({
      kind: 'deadlock',
      message:
        'threads wait for each other in a circle: a waits for mutex n (held by b); b waits for mutex m (held by a)',
      cycle: ['a', 'b'],
      waits: { a: 'mutex n', b: 'mutex m' },
      site: 'a:1',
      thread: 'a',
    })
  })

  test('names the circle of three, and only those in it', () => {
    const mutexes = { k: 'plain', m: 'plain', n: 'plain' } as const
    const threads = {
      d: [lock('k')],
      a: [lock('k'), lock('m')],
      b: [lock('m'), lock('n')],
      c: [lock('n'), lock('k')],
    }
    const found = stuck({ mutexes, threads }, 'a b c')
    expect(new Set(found.cycle)).toEqual(new Set(['a', 'b', 'c']))
    expect(found.message).not.toContain('d waits')
    expect(found.waits.d).toBe('mutex k')
    expect(found.thread).not.toBe('d')
    // Each waits for the next.
    const next: Record<string, string> = { a: 'b', b: 'c', c: 'a' }
    found.cycle!.forEach((name, i) => {
      expect(found.cycle![(i + 1) % 3]).toBe(next[name])
    })
  })

  test('finds the circle through reader-writer locks and joins', () => {
    const program: Program = {
      rwlocks: ['rw'],
      mutexes: { m: 'plain' },
      roots: ['main'],
      threads: {
        main: [rdlock('rw'), create('child'), join('child')],
        child: [wrlock('rw')],
      },
    }
    const { kind, cycle, message } = stuck(program, 'main main')
    expect(kind).toBe('deadlock')
    expect(cycle).toHaveLength(2)
    expect(message).toContain('main waits for thread')
    expect(message).toContain('waits for rwlock rw (held by main)')
  })

  test('says that a wake-up never comes', () => {
    const program: Program = {
      mutexes: { m: 'plain' },
      conditions: ['c'],
      threads: { a: [lock('m'), wait('c', 'm'), unlock('m')], b: [signal('c')] },
    }
    const found = stuck(program, 'b a a')
    expect(found).toMatchObject({
      kind: 'deadlock',
      message: 'the wake-up never comes: a waits for a signal on c',
      thread: 'a',
      site: 'a:1',
    })
    expect(found.cycle).toBeUndefined()
  })

  test.each<[string, Program]>([
    ['a waits for semaphore s', { semaphores: { s: 0 }, threads: { a: [semwait('s')] } }],
    ['a waits for barrier b', { barriers: { b: 2 }, threads: { a: [barrier('b')] } }],
  ])('says that %s', (what, program) => {
    const words = what.includes('barrier') ? 'a' : ''
    expect(stuck(program, words)).toMatchObject({
      kind: 'deadlock',
      message: `the wake-up never comes: ${what}`,
    })
  })

  test('follows a join to the thread that is stuck', () => {
    const program: Program = {
      semaphores: { s: 0 },
      roots: ['main'],
      threads: { main: [create('child'), join('child')], child: [semwait('s')] },
    }
    const { kind, message, cycle, waits } = stuck(program, 'main')
    expect(kind).toBe('deadlock')
    expect(cycle).toBeUndefined()
    expect(message).toMatch(/main waits for thread .*0\.1.* to end; child \(0\.1\) waits for semaphore s/)
    expect(Object.keys(waits)).toEqual(['main', 'child (0.1)'])
  })

  test('names a mutex whose owner has ended', () => {
    const program: Program = { mutexes: { m: 'plain' }, threads: { a: [lock('m')], b: [lock('m')] } }
    const { kind, message, cycle } = stuck(program, 'a')
    expect({ kind, cycle }).toEqual({ kind: 'deadlock', cycle: undefined })
    expect(message).toBe(
      'what a thread that has ended holds is never given back: b waits for mutex m (held by a)',
    )
  })
})

describe('livelock', () => {
  test('is spinning on what nobody is left to change', () => {
    const program: Program = {
      variables: { flag: 0, x: 0 },
      threads: { a: [whileLoop(['!', 'r'], [load('flag', 'r')])], b: [store('x', 1)] },
    }
    expect(stuck(program, 'a b')).toMatchObject({
      kind: 'livelock',
      message: 'threads spin on values nobody is left to change: a spins on a change of flag',
      thread: 'a',
    })
  })

  test('of two that spin on each other, with yields', () => {
    const spin = (mine: string, other: string) => [
      store(mine, 1),
      whileLoop(['!=', 'r', 2], [load(other, 'r'), yieldNow()]),
    ]
    const program: Program = { variables: { x: 0, y: 0 }, threads: { a: spin('x', 'y'), b: spin('y', 'x') } }
    const { kind, waits } = stuck(program, 'a b a a a a b b b b')
    expect(kind).toBe('livelock')
    expect(waits).toEqual({ a: 'a change of y', b: 'a change of x' })
  })

  test('of a spin lock that nobody releases', () => {
    const take = [whileLoop('r', [exchange('l', 1, 'r')])]
    const program: Program = {
      variables: { l: 1 },
      threads: { a: [{ op: 'set', into: 'r', value: 1 }, ...take] },
    }
    expect(stuck(program, 'a')).toMatchObject({ kind: 'livelock', waits: { a: 'a change of l' } })
  })

  test('tells of those that wait beside those that spin', () => {
    const program: Program = {
      mutexes: { m: 'plain' },
      semaphores: { s: 0 },
      threads: {
        a: [lock('m'), semwait('s')],
        b: [{ op: 'set', into: 'r', value: 1 }, whileLoop('r', [trylock('m', 'r')])],
      },
    }
    const { kind, message } = stuck(program, 'a b b')
    expect(kind).toBe('livelock')
    expect(message).toContain('b spins on a change of mutex m')
    expect(message).toContain('a waits for semaphore s')
  })

  test('is no bug while somebody can still change the value', () => {
    const program: Program = {
      variables: { flag: 0 },
      threads: { a: [whileLoop(['!', 'r'], [load('flag', 'r')])], b: [store('flag', 1)] },
    }
    expect(runScript(program, 'a b a')).toMatchObject({ status: 'completed', bug: null })
  })
})

test('a circle behind a chain of many threads is found', () => {
  const count = 50_000
  const machine = {
    threads: { count, labelOf: String },
    pending: { status: new Uint8Array(count).fill(THREAD_LIVE), kind: new Uint8Array(count).fill(Op.lock) },
    waitOf: (thread: number) => ({
      thread,
      object: `mutex ${thread}`,
      holders: [Math.min(thread + 1, count - 1)],
      site: thread,
    }),
  } as unknown as Machine
  expect(diagnoseStuck(machine)).toMatchObject({ kind: 'deadlock', cycle: [count - 1] })
})
