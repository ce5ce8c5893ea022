import { describe, expect, test } from 'vitest'
import { drive, driveAll, eventsOf } from '../../../tests/support/drive.js'
import {
  assert,
  choose,
  create,
  exit,
  join,
  joinHandle,
  leave,
  load,
  loop,
  output,
  point,
  set,
  store,
  when,
  whileLoop,
  yieldNow,
} from './build.js'
import { modelMachine, type Program, type Statement } from './index.js'

function program(threads: Record<string, readonly Statement[]>, options: Partial<Program> = {}) {
  return modelMachine({ variables: { x: 0 }, ...options, threads })
}

describe('create and join', () => {
  const worker = [store('x', 1)]

  test('a child is stopped before its first operation; join waits for its end', () => {
    const machine = program({ main: [create('w'), join('w'), load('x', 'r')], w: worker })
    expect(drive(machine).stopped).toEqual({ main: 'create' })
    expect(drive(machine, 'main').stopped).toEqual({ main: 'join (waits)', 'w (0.1)': 'write x' })
    expect(machine.waitOf(0)).toMatchObject({ object: 'thread 0.1 to end', holders: [1] })
    drive(machine, 'main 0.1 main main')
    expect(eventsOf(machine)).toEqual([
      'create, 1',
      'write write x',
      'exit',
      'join, 1',
      'read read x',
      'exit',
    ])
    expect(machine.finalState()).toContain('thread 0: done; r=1')
  })

  test('threads are named by parent and rank, whatever the order', () => {
    const machine = program({
      a: [create('w'), create('w')],
      b: [create('w')],
      w: worker,
    })
    drive(machine, 'b a a')
    expect(machine.threads.names).toEqual(['0', '1', '1.1', '0.1', '0.2'])
    expect(machine.threads.labelOf(3)).toBe('w (0.1)')
    expect(machine.stackOf(3)).toEqual(['w'])
  })

  test('arguments set registers of the child', () => {
    const machine = program({
      main: [set('i', 3), create('w', { args: { value: ['*', 'i', 2], unused: 1 } })],
      w: [store('x', 'value')],
    })
    drive(machine, 'main 0.1')
    expect(machine.finalState()).toContain('x = 6')
    expect(machine.finalState()).toContain('thread 0.1: done; value=6 unused=1')
  })

  test('a handle joins the child it was given for, from any thread', () => {
    const machine = program({
      main: [create('slow', { into: 'h' }), create('quick'), store('x', 'h')],
      slow: [yieldNow(), yieldNow()],
      quick: [yieldNow()],
      other: [load('x', 'h'), when('h', [joinHandle('h')])],
    })
    expect(drive(machine, 'main main main other').stopped).toMatchObject({ other: 'join (waits)' })
    expect(machine.waitOf(machine.threads.byName('1')).object).toBe('thread 0.1 to end')
    expect(drive(machine, 'main main main other 0.2').alternatives.other).toBe(0)
    expect(drive(machine, 'main main main other 0.1 0.1').alternatives.other).toBe(1)
  })

  test('who was joined in one execution can be joined in the next', () => {
    const machine = program({ main: [create('w', { into: 'h' }), joinHandle('h')], w: worker })
    for (let i = 0; i < 2; i++) {
      drive(machine, 'main 0.1 main')
      expect(machine.bug).toBeNull()
    }
  })

  test('roots can be joined by name', () => {
    const machine = program({ a: [store('x', 1)], b: [join('a'), load('x', 'r')] })
    driveAll(machine, () => expect(machine.finalState()).toContain('r=1'))
  })

  test.each<[string, readonly Statement[], string]>([
    ['of a thread never created', [join('w')], 'main joins a thread that was not created, or joins it twice'],
    [
      'of a thread joined already',
      [create('w'), join('w'), join('w')],
      'main joins a thread that was not created, or joins it twice',
    ],
    [
      'by a number that is no handle',
      [joinHandle(12345)],
      'main joins a thread that was not created, or joins it twice',
    ],
    [
      'twice by handle',
      [create('w', { into: 'h' }), joinHandle('h'), joinHandle('h')],
      'main joins w (0.1), which was joined already',
    ],
  ])('join %s is misuse', (_, body, message) => {
    const machine = program({ main: body, w: worker }, { roots: ['main'] })
    const bugs = new Set<string>()
    driveAll(machine, () => bugs.add(`${machine.bug?.kind} ${machine.bug?.message}`))
    expect(bugs).toEqual(new Set([`lock-misuse ${message}`]))
  })

  test('join of itself is misuse', () => {
    const machine = program({ a: [join('a')] })
    drive(machine, 'a')
    expect(machine.bug).toMatchObject({ kind: 'lock-misuse', message: 'a joins itself' })
  })

  test('a thread without operations is done at once', () => {
    const machine = program({ main: [create('w'), join('w')], w: [set('r', 1)], idle: [] })
    expect(drive(machine).stopped).toEqual({ main: 'create' })
    expect(drive(machine, 'main').stopped).toEqual({ main: 'join' })
    drive(machine, 'main main')
    expect(eventsOf(machine)).toEqual(['create, 2', 'join, 2', 'exit'])
  })

  test('more threads than the tables start with', () => {
    const machine = modelMachine({
      variables: { x: 0 },
      threads: {
        main: [loop(40, [create('w')]), loop(40, [join('w')]), load('x', 'r')],
        w: [load('x', 'r'), store('x', ['+', 'r', 1])],
      },
      roots: ['main'],
    })
    const children = Array.from({ length: 40 }, (_, i) => `0.${i + 1} 0.${i + 1}`).join(' ')
    drive(machine, `${'main '.repeat(40)} ${children} ${'main '.repeat(41)}`)
    expect(machine.finalState()).toContain('thread 0: done; r=40')
    drive(machine, 'main main')
    expect(machine.finalState().match(/^thread/gm)).toHaveLength(3)
  })
})

describe('roots', () => {
  test('by default all bodies that nobody creates', () => {
    const machine = program({ a: [create('w')], w: [yieldNow()], b: [yieldNow()] })
    expect(Object.keys(drive(machine).stopped)).toEqual(['a', 'b'])
  })

  test('their order gives the names, and a body can run several times', () => {
    const machine = program({ a: [store('x', 1)], b: [store('x', 2)] }, { roots: ['b', 'a', 'a'] })
    expect(Object.keys(drive(machine).stopped)).toEqual(['b', 'a (1)', 'a (2)'])
    drive(machine, '2 1 0')
    expect(machine.finalState()).toContain('x = 2')
  })
})

describe('local control', () => {
  test('exit ends the thread where it stands', () => {
    const machine = program({ a: [store('x', 1), when(1, [exit()]), store('x', 2)] })
    drive(machine, 'a')
    expect(machine.finalState()).toContain('x = 1')
    expect(eventsOf(machine)).toEqual(['write write x', 'exit'])
  })

  test('if, while, loop and break', () => {
    const machine = program({
      a: [
        set('i', 0),
        whileLoop(1, [set('i', ['+', 'i', 1]), when(['==', 'i', 5], [leave()])]),
        loop(3, [loop(2, [set('n', ['+', 'n', 1]), when(['==', 'n', 5], [leave()])])]),
        when(['==', 'n', 5], [store('x', 'i')], [store('x', 0)]),
        when(0, [store('x', 9)]),
      ],
    })
    drive(machine, 'a')
    expect(machine.finalState()).toBe('x = 5\nthread 0: done; i=5 n=5')
  })

  test('a loop of operations runs as often as it says', () => {
    const machine = program({
      a: [loop(3, [load('x', 'r'), store('x', ['+', 'r', 2])]), loop(-1, [store('x', 0)])],
    })
    drive(machine, 'a a a a a a')
    expect(machine.finalState()).toContain('x = 6')
  })

  test('yield and point are operations on nothing', () => {
    const machine = program({ a: [yieldNow(), point()] })
    expect(drive(machine).stopped).toEqual({ a: 'yield' })
    drive(machine, 'a a')
    expect(eventsOf(machine)).toEqual(['yield', 'preemption point', 'exit'])
  })

  test('an assertion says which thread failed, where and why', () => {
    const machine = program({ a: [load('x', 'r'), assert('r', 'x must be set')] })
    drive(machine, 'a')
    expect(machine.bug).toEqual({
      kind: 'assertion',
      message: 'a fails its assertion: x must be set',
      thread: 0,
      site: 1,
    })
    expect(machine.sites[1].name).toBe('a:1')
  })

  test('an assertion before any operation fails before anybody runs', () => {
    const machine = program({ a: [yieldNow()], b: [assert(0)] })
    drive(machine, '')
    expect(machine.bug).toMatchObject({ kind: 'assertion', thread: 1, site: 2 })
  })

  test('division by zero is a trap', () => {
    const machine = program({ a: [load('x', 'r'), set('q', ['/', 1, 'r'])] })
    drive(machine, 'a')
    expect(machine.bug).toMatchObject({ kind: 'trap', message: 'a divides by zero', site: 1 })
  })
})

describe('choose', () => {
  test('has as many alternatives as values, named by them', () => {
    const machine = program({ a: [set('n', 3), choose('n', 'r'), store('x', 'r')] })
    expect(drive(machine).alternatives).toEqual({ a: 3 })
    expect(machine.alternativeName(0, 2)).toBe('2')
    drive(machine, 'a=2 a')
    expect(machine.finalState()).toContain('x = 2')
    expect(eventsOf(machine)[0]).toBe('choose, 2')
  })

  test('among no values is a trap', () => {
    const machine = program({ a: [choose('n', 'r'), set('n', 0)] })
    drive(machine)
    expect(machine.bug).toMatchObject({ kind: 'trap', message: 'a chooses among 0 values' })
  })
})

describe('output', () => {
  const threads = { a: [output(1), output(2)], b: [output(3)] }

  test('is collected, and nobody minds the order', () => {
    const machine = program(threads)
    expect(drive(machine).stopped).toEqual({ a: 'output', b: 'output' })
    drive(machine, 'a b')
    expect(machine.output).toBe('1\n2\n3\n')
    expect(eventsOf(machine)).toEqual(['output', 'output', 'exit', 'output', 'exit'])
    const state = machine.finalState()
    drive(machine, 'b a')
    expect(machine.output).toBe('3\n1\n2\n')
    expect(machine.finalState()).toBe(state)
  })

  test('is an operation on a shared object when outputs are compared', () => {
    const machine = program(threads, { compareOutputs: true })
    expect(drive(machine).stopped).toEqual({ a: 'output output', b: 'output output' })
    const states = new Set<string>()
    expect(driveAll(machine, () => states.add(machine.finalState()))).toBe(3)
    expect(states.size).toBe(3)
    expect(eventsOf(machine)[0]).toBe('output write output')
  })
})
