import { describe, expect, test } from 'vitest'
import { load, lock, store, unlock, when, whileLoop } from './build.js'
import { modelMachine, ProgramError } from './index.js'

/** Programs as a careless person might write them; types do not help where the source is JSON. */
const complaint = (program: unknown): string => {
  try {
    modelMachine(program as Parameters<typeof modelMachine>[0])
  } catch (error) {
    expect(error).toBeInstanceOf(ProgramError)
    return (error as Error).message
  }
  return 'accepted'
}

const inThread = (...body: unknown[]) => ({
  variables: { x: 0 },
  arrays: { v: [0, 0] },
  mutexes: { m: 'plain' },
  conditions: ['c'],
  threads: { a: body, b: [] },
})

describe('ill-formed programs are refused with what is wrong, where, and what would be right', () => {
  test.each<[unknown, string]>([
    [null, 'program: must be an object with threads'],
    [{}, 'threads: must be an object from thread names to lists of statements, with at least one'],
    [
      { threads: {} },
      'threads: must be an object from thread names to lists of statements, with at least one',
    ],
    [{ threads: { a: [] }, mutex: {} }, 'program: unknown field "mutex"; its fields are name, variables'],
    [{ threads: { a: 1 } }, 'thread "a": its code must be a list of statements'],
    [{ threads: { 'a b': [] } }, 'thread "a b": a name is a letter or _ followed by letters, digits, _ or -'],
    [{ threads: { a: [] }, roots: ['b'] }, 'roots: no thread "b"; threads are a'],
    [{ threads: { a: [] }, roots: [] }, 'roots: no thread runs from the beginning'],
    [{ threads: { a: [{ op: 'create', thread: 'a' }] } }, 'roots: no thread runs from the beginning'],
    [{ threads: { a: [] }, variables: [1] }, 'variables: must be an object from names to values'],
    [
      { threads: { a: [] }, variables: { x: 0.5 } },
      'variable "x": its initial value must be a 32-bit integer, not 0.5',
    ],
    [{ threads: { a: [] }, variables: { '1x': 0 } }, 'variable "1x": a name is a letter'],
    [{ threads: { a: [] }, arrays: { v: [] } }, 'array "v": must be a list of at least one initial element'],
    [
      { threads: { a: [] }, arrays: { v: [1, 'b'] } },
      'array "v": element 1 must be a 32-bit integer, not "b"',
    ],
    [
      { threads: { a: [] }, variables: { m: 0 }, mutexes: { m: 'plain' } },
      'mutex "m": the name is taken by a variable',
    ],
    [
      { threads: { a: [] }, mutexes: { m: 'fast' } },
      'mutex "m": unknown type "fast"; known are plain, recursive, errorcheck',
    ],
    [{ threads: { a: [] }, rwlocks: 'l' }, 'rwlocks: must be a list of names'],
    [
      { threads: { a: [] }, semaphores: { s: -1 } },
      'semaphore "s": its count must be an integer of at least 0, not -1',
    ],
    [
      { threads: { a: [] }, barriers: { b: 0 } },
      'barrier "b": its count must be an integer of at least 1, not 0',
    ],
    [{ threads: { a: [] }, invariants: { i: 'y' } }, 'invariant "i": no variable "y"; none is declared'],
    [
      { threads: { a: [] }, invariants: { i: ['reg', 'a', 'r'] } },
      'invariant "i": an invariant can read shared variables only',
    ],
    [
      { threads: { a: [] }, atEnd: { e: ['reg', 'a', 'r'] } },
      'check at the end "e": thread "a" has no register "r"; it has none',
    ],
    [
      { threads: { a: [] }, atEnd: { e: ['reg', 'b', 'r'] } },
      'check at the end "e": no thread "b"; threads are a',
    ],
    [
      { threads: { a: [] }, atEnd: { e: ['nand', 1, 1] } },
      'check at the end "e": unknown operator "nand"; known are + - *',
    ],
    [{ threads: { a: [] }, atEnd: { e: { x: 1 } } }, 'check at the end "e": {"x":1} is not an expression'],
    [{ threads: { a: [] }, atEnd: ['x'] }, 'atEnd: must be an object from names to expressions'],
  ])('%j', (program, message) => {
    expect(complaint(program)).toContain(message)
  })

  test.each<[unknown, string]>([
    ['lock m', 'thread "a", statement 0: "lock m" is not a statement; write { op:'],
    [{ op: 'lok' }, 'thread "a", statement 0: unknown statement "lok"; known are load, store'],
    [{ op: 'toString' }, 'unknown statement "toString"'],
    [{ op: 'store', var: 'x' }, 'statement 0 (store): value is missing; its fields are var, index?, value'],
    [{ op: 'store', var: 'x', value: 1, indx: 0 }, 'unknown field "indx"; its fields are var, index?, value'],
    [{ op: 'store', var: 'z', value: 1 }, 'statement 0 (store): no variable or array "z"; declared: x, v'],
    [{ op: 'lock', mutex: 'x' }, 'statement 0 (lock): "x" is a variable, not a mutex; declared: m'],
    [{ op: 'rdlock', rwlock: 'l' }, 'no rwlock "l"; none is declared'],
    [{ op: 'wait', condition: 'c', mutex: 'x' }, '"x" is a variable, not a mutex; declared: m'],
    [{ op: 'store', var: 'v', value: 1 }, '"v" is an array and needs an index'],
    [{ op: 'store', var: 'x', index: 0, value: 1 }, '"x" is not an array and takes no index'],
    [{ op: 'store', var: 'x', value: 'r' }, 'register "r" is never set in this thread (registers: none)'],
    [{ op: 'store', var: 'x', value: 'x' }, '"x" is shared: load it into a register first'],
    [{ op: 'store', var: 'x', value: ['+', 1] }, 'operator "+" takes 2 operands, not 1'],
    [{ op: 'store', var: 'x', value: 1.5 }, '1.5 is not a 32-bit integer'],
    [
      { op: 'store', var: 'x', value: null },
      'null is not an expression; write a number, a name or ["+", a, b]',
    ],
    [{ op: 'load', var: 'x', into: 3 }, 'into must be the name of a register, not 3'],
    [{ op: 'load', var: 'x', into: 'my reg' }, 'into must be the name of a register, not "my reg"'],
    [{ op: 'create', thread: 'c' }, 'no thread "c"; threads are a, b'],
    [
      { op: 'create', thread: 'b', args: [1] },
      'args must be an object from registers of the new thread to values',
    ],
    [{ op: 'join' }, 'give either thread, a name, or handle, what create gave'],
    [{ op: 'choose', count: 0, into: 'r' }, 'count must be at least 1, not 0'],
    [{ op: 'break' }, 'statement 0 (break): there is no while or loop around it'],
    [when(1, 5 as never), 'then must be a list of statements'],
    [{ op: 'yield', label: 'a,b' }, 'label "a,b" must be a letter'],
    [
      when(1, [], [whileLoop(1, [lock('m'), lock('n')])]),
      'thread "a", statement 0.else.0.body.1 (lock): no mutex "n"',
    ],
  ])('statement %j', (statement, message) => {
    expect(complaint(inThread(statement))).toContain(message)
  })

  test('a label used twice', () => {
    const twice = { op: 'yield', label: 'here' }
    expect(complaint(inThread(twice, twice))).toBe(
      'thread "a", statement 1 (yield): the label "here" is used twice in this thread',
    )
  })
})

describe('the hash', () => {
  const hash = (x: number, name?: string) =>
    modelMachine({
      ...(name === undefined ? {} : { name }),
      variables: { x },
      mutexes: { m: 'plain' },
      threads: { a: [lock('m'), load('x', 'r'), store('x', 'r'), unlock('m')] },
    }).hash

  test('is that of all that decides the behaviour, and of nothing else', () => {
    expect(hash(1)).toMatch(/^[0-9a-f]{16}$/)
    expect(hash(1)).toBe(hash(1))
    expect(hash(1)).toBe(hash(1, 'other'))
    expect(hash(1)).not.toBe(hash(2))
  })
})

test('sites are named by thread and place, and carry the function', () => {
  const machine = modelMachine({
    threads: { a: [when(1, [{ op: 'yield' }], [{ op: 'yield', label: 'no' }])] },
  })
  expect(machine.sites).toEqual(
    ['a:0', 'a:0.then.0', 'a:no', 'a:end'].map((name) => ({ name, function: 'a' })),
  )
})
