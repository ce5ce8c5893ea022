import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import { parsePoints } from '../../machine/points.js'
import { at } from './build.js'
import {
  type GeneratorProgram,
  modelMachine,
  type Operations,
  ProgramError,
  Result,
  type ThreadCode,
} from './index.js'

describe('generator programs', () => {
  test('yield operations and get back what they gave', () => {
    const machine = modelMachine({
      variables: { x: 1 },
      arrays: { v: [5, 6] },
      mutexes: { m: 'plain' },
      threads: {
        *a(t) {
          yield t.lock('m')
          const x = yield t.load('x')
          const v = yield t.load(at('v', x))
          yield t.store('x', x + v)
          const old = yield t.compareExchange('x', 7, 8)
          yield t.unlock('m')
          return [x, v, old, yield t.fetchAdd('x', 1)]
        },
        *b(t) {
          return yield t.trylock('m')
        },
      },
    })
    expect(drive(machine).stopped).toEqual({ a: 'lock mutex m', b: 'try lock mutex m' })
    drive(machine, 'a b a a a a a a')
    expect(machine.finalState()).toBe(
      [
        'x = 9',
        'v = [5, 6]',
        'm = free',
        'thread 0: done; returned [1,6,7,8]',
        `thread 1: done; returned ${Result.busy}`,
      ].join('\n'),
    )
    expect(eventsOf(machine).slice(0, 5)).toEqual([
      'lock write mutex m, 0',
      'try lock read mutex m, 1',
      'exit',
      'read read x',
      'read read v[1]',
    ])
  })

  test('operations without a result give 0', () => {
    const machine = modelMachine({
      variables: { x: 7 },
      threads: {
        *a(t) {
          yield t.load('x')
          return [yield t.store('x', 1), yield t.yield()]
        },
      },
    })
    drive(machine, 'a a a')
    expect(machine.finalState()).toContain('returned [0,0]')
  })

  test('create passes arguments, join takes names and handles', () => {
    const machine = modelMachine({
      variables: { x: 0 },
      roots: ['main'],
      threads: {
        *main(t) {
          const first = yield t.create('w', 3, 4)
          yield t.create('w', 5, 6)
          yield t.join(first)
          yield t.join('w')
          return yield t.load('x')
        },
        *w(t, p = 0, q = 0) {
          yield t.fetchAdd('x', p * q)
        },
      },
    })
    driveAll(machine, () => expect(machine.finalState()).toContain('thread 0: done; returned 42'))
  })

  test('failed assertions and exceptions are bugs', () => {
    const failing = (check: (t: Operations, x: number) => void) => {
      const machine = modelMachine({
        variables: { x: 3 },
        threads: {
          *a(t) {
            check(t, yield t.load('x'))
          },
        },
      })
      drive(machine, 'a')
      return machine.bug
    }
    expect(failing((t, x) => t.assert(x === 3))).toBeNull()
    expect(failing((t, x) => t.assert(x === 4, 'x is 4'))).toMatchObject({
      kind: 'assertion',
      message: 'a fails its assertion: x is 4',
      thread: 0,
    })
    const thrown = failing(() => {
      throw new TypeError('no such thing')
    })
    expect(thrown).toMatchObject({ kind: 'uncaught', message: 'a threw no such thing' })
  })

  test('exit, choose, output and traps', () => {
    const machine = modelMachine({
      arrays: { v: [0] },
      threads: {
        *a(t) {
          const i = yield t.choose(3)
          yield t.output(`chose ${i}`)
          if (i === 0) yield t.exit()
          yield t.store(at('v', i - 1), 1)
        },
      },
    })
    expect(drive(machine).alternatives).toEqual({ a: 3 })
    drive(machine, 'a=0')
    expect([machine.output, machine.finalState()]).toEqual([
      'chose 0\n',
      'v = [0]\nthread 0: done\nthread 0 printed chose 0',
    ])
    drive(machine, 'a=1 a')
    expect(machine.finalState()).toContain('v = [1]')
    drive(machine, 'a=2')
    expect(machine.bug).toMatchObject({ kind: 'trap', message: 'a uses index 1, outside v[0..0]' })
  })

  test('spinWhile blocks until something it read is written', () => {
    const machine = modelMachine({
      variables: { x: 0, y: 0 },
      threads: {
        *a(t) {
          yield* t.spinWhile(function* () {
            return (yield t.load('x')) === 0
          })
          return yield t.load('y')
        },
        *b(t) {
          yield t.store('y', 1)
          yield t.store('x', 1)
        },
      },
    })
    expect(drive(machine, 'a').stopped).toEqual({ a: 'read x (waits)', b: 'write y' })
    expect(machine.waitOf(0)).toMatchObject({ spinning: true, object: 'a change of x' })
    drive(machine, 'a b b a a')
    expect(eventsOf(machine).slice(-4)).toEqual([
      'go on spinning read x, 0',
      'read read x',
      'read read y',
      'exit',
    ])
    driveAll(machine, () => expect(machine.finalState()).toContain('returned 1'))
  })

  test('a spin without operations is a livelock, one with writes is not blocked', () => {
    const spinning = (
      body: (t: Operations) => Generator<ReturnType<Operations['load']>, boolean, number>,
    ) => {
      const machine = modelMachine({
        variables: { x: 0 },
        threads: {
          *a(t) {
            yield t.load('x')
            yield* t.spinWhile(() => body(t))
          },
        },
      })
      const { alternatives } = drive(machine, 'a')
      return machine.bug?.kind ?? alternatives.a
    }
    // biome-ignore lint/correctness/useYield: the point of the test
    const idle = function* () {
      return true
    }
    expect(spinning(idle)).toBe('livelock')
    const busy = function* (t: Operations) {
      yield t.fetchAdd('x', 1)
      return true
    }
    expect(spinning(busy)).toBe(1)
  })

  test('sites are named by operation and object, or by label', () => {
    const machine = modelMachine({
      variables: { x: 0 },
      threads: {
        *a(t) {
          yield t.load('x')
          yield t.at('second').load('x')
          yield t.load('x')
          yield t.yield()
        },
      },
    })
    drive(machine, 'a a a a')
    expect(machine.sites.map((s) => s.name)).toEqual(['a:end', 'a:load-x', 'a:second', 'a:yield'])
    machine.usePoints(parsePoints('race:a:second'))
    expect(drive(machine, 'a a').stopped).toEqual({ a: 'yield' })
  })

  test('points reach sites that are found later, and many of them', () => {
    const variables = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x${i}`, 0]))
    const machine = modelMachine({
      variables,
      threads: {
        *a(t) {
          for (const name of Object.keys(variables)) yield t.load(name)
        },
      },
    })
    machine.usePoints(parsePoints('race:a:load-x70,race:a:load-x99@0,race:a:load-x98@1'))
    expect(drive(machine, 'a').stopped).toEqual({ a: 'read x70' })
    expect(drive(machine, 'a a').stopped).toEqual({ a: 'read x99' })
  })

  test('wrong use is an error of the program, not a bug found', () => {
    const running = (body: (t: Operations) => ThreadCode) => () =>
      drive(
        modelMachine({
          variables: { x: 0 },
          arrays: { v: [0] },
          mutexes: { m: 'plain' },
          threads: { a: body },
        }),
        '',
      )
    const yielding = (make: (t: Operations) => unknown) =>
      running(function* (t) {
        yield make(t) as ReturnType<Operations['load']>
      })
    expect(yielding((t) => t.load('z'))).toThrow(
      'thread "a", operation load: no variable or array "z"; declared: x, v',
    )
    expect(yielding((t) => t.load('v'))).toThrow('"v" is an array; write { var: "v", index: 0 }')
    expect(yielding((t) => t.load(at('x', 0)))).toThrow('"x" is a variable; write "x"')
    expect(yielding((t) => t.store('x', 0.5))).toThrow(
      'thread "a", operation store: 0.5 is not a 32-bit integer',
    )
    expect(yielding((t) => t.store('x', undefined as unknown as number))).toThrow(
      'undefined is not a 32-bit integer',
    )
    expect(yielding((t) => t.create('b'))).toThrow(
      'thread "a", operation create: no thread "b"; threads are a',
    )
    expect(yielding((t) => t.join('b'))).toThrow('thread "a", operation join: no thread "b"; threads are a')
    expect(yielding(() => 5)).toThrow('thread "a": yielded 5; yield what t.load(…) and the like return')
    expect(yielding(() => undefined)).toThrow(ProgramError)
    const mixed = { threads: { a: [], *b() {} } } as unknown as GeneratorProgram
    expect(() => modelMachine(mixed)).toThrow(
      'thread "a": must be a generator function, as the other threads are',
    )
    const reads = { threads: { *a() {} }, atEnd: { e: ['reg', 'a', 'r'] } } as unknown as GeneratorProgram
    expect(() => modelMachine(reads)).toThrow('threads that are functions have no registers')
  })

  test('the hash follows the source and the declarations', () => {
    const hash = (x: number, threads: GeneratorProgram['threads']) =>
      modelMachine({ variables: { x }, threads }).hash
    const one = {
      *a(t: Operations) {
        yield t.load('x')
      },
    }
    const two = {
      *a(t: Operations) {
        yield t.store('x', 1)
      },
    }
    expect(hash(0, one)).toBe(hash(0, one))
    expect(hash(0, one)).not.toBe(hash(1, one))
    expect(hash(0, one)).not.toBe(hash(0, two))
    expect(hash(0, one)).not.toBe(hash(0, { b: one.a }))
  })

  test('a program can be made nondeterministic on purpose', () => {
    let runs = 0
    const machine = modelMachine({
      variables: { x: 0, y: 0 },
      threads: {
        *a(t) {
          yield t.load(runs++ % 2 === 0 ? 'x' : 'y')
        },
      },
    })
    expect([drive(machine).stopped.a, drive(machine).stopped.a]).toEqual(['read x', 'read y'])
  })
})
