import {
  assert,
  at,
  atomicLoad,
  atomicStore,
  create,
  fetchAdd,
  join,
  labelled,
  load,
  lock,
  sempost,
  semwait,
  set,
  store,
  unlock,
  when,
  whileLoop,
} from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'

/**
 * Programs whose numbers of executions are known. `order` lists the threads, by their place in the usual order, in the
 * order in which they are to be started; the counts must not depend on it.
 */

type Bodies = Record<string, readonly Statement[]>

function ordered(bodies: Bodies, order: readonly number[] | undefined): { threads: Bodies; roots: string[] } {
  const names = Object.keys(bodies)
  return { threads: bodies, roots: (order ?? names.map((_, i) => i)).map((i) => names[i]) }
}

function times(n: number, body: (i: number) => readonly Statement[]): Bodies {
  return Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, body(i)]))
}

/** One thread writes x, n threads read it: 2^n classes. */
export function readers(n: number, order?: readonly number[]): Program {
  const bodies = { writer: [store('x', 1)], ...times(n, () => [load('x', 'r')]) }
  return { name: `readers(${n})`, variables: { x: 0 }, ...ordered(bodies, order) }
}

/** a[0..n] of zeros; one thread looks for the last zero, thread i does a[i] = a[i - 1] + 1: (n + 3)·2^(n - 2) classes. */
export function lastzero(n: number, order?: readonly number[]): Program {
  const search: Statement[] = [
    set('i', n),
    load(at('a', 'i'), 'v'),
    whileLoop(['!=', 'v', 0], [set('i', ['-', 'i', 1]), load(at('a', 'i'), 'v')]),
  ]
  const bodies = {
    search,
    ...times(n, (i) => [load(at('a', i), 'v'), store(at('a', i + 1), ['+', 'v', 1])]),
  }
  return { name: `lastzero(${n})`, arrays: { a: Array(n + 1).fill(0) }, ...ordered(bodies, order) }
}

/** Each of n threads increments x atomically once, main reads it after joining all: n! classes. */
export function ainc(n: number, order?: readonly number[]): Program {
  const bodies = times(n, () => [fetchAdd('x', 1)])
  const names = ordered(bodies, order).roots
  const main = [...names.map((name) => create(name)), ...names.map((name) => join(name)), load('x', 'r')]
  return {
    name: `ainc(${n})`,
    variables: { x: 0 },
    threads: { main, ...bodies },
    roots: ['main'],
    atEnd: { 'all counted': ['==', ['reg', 'main', 'r'], n] },
  }
}

/** Each of n threads loads x, then stores a value of its own: (n!)² classes. */
export function inc(n: number, order?: readonly number[]): Program {
  const bodies = times(n, (i) => [atomicLoad('x', 'r'), atomicStore('x', i + 1)])
  return { name: `inc(${n})`, variables: { x: 0 }, ...ordered(bodies, order) }
}

/** Each of n threads does lock; x++; unlock: n! classes. */
export function mutexCounter(n: number, order?: readonly number[]): Program {
  const bodies = times(n, () => [lock('m'), load('x', 'r'), store('x', ['+', 'r', 1]), unlock('m')])
  return {
    name: `mutexCounter(${n})`,
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    atEnd: { 'all counted': ['==', 'x', n] },
    ...ordered(bodies, order),
  }
}

/** n threads write distinct values to one variable: n! classes. */
export function writers(n: number, order?: readonly number[]): Program {
  return {
    name: `writers(${n})`,
    variables: { x: 0 },
    ...ordered(
      times(n, (i) => [store('x', i + 1)]),
      order,
    ),
  }
}

/** x = 1; r = y beside y = 1; r = x: 3 classes. */
export function storeBuffering(order?: readonly number[]): Program {
  const bodies = { left: [store('x', 1), load('y', 'r')], right: [store('y', 1), load('x', 'r')] }
  return { name: 'storeBuffering', variables: { x: 0, y: 0 }, ...ordered(bodies, order) }
}

/**
 * The running example of Yuan, Yang, Gu: Partial Order Aware Concurrency Sampling (CAV 2018), figure 2. Ten events,
 * 12 classes; exactly one total order fails. `x++` and `y++` are one event each; wait and signal are a semaphore's.
 */
export function figure2(order?: readonly number[]): Program {
  const bodies = {
    A: [
      labelled('A1', fetchAdd('x', 1)),
      labelled('A2', fetchAdd('y', 1)),
      labelled('A3', sempost('w')),
      labelled('A4', load('z', 'z')),
      assert(['<', 'z', 5]),
    ],
    B: [
      labelled('B1', store('x', 1)),
      labelled('B2', load('x', 'a')),
      labelled('B3', store('y', 'a')),
      labelled('B4', semwait('w')),
      labelled('B5', load('y', 'b')),
      labelled('B6', store('z', ['+', 'a', 'b'])),
    ],
  }
  return {
    name: 'figure 2',
    variables: { x: 0, y: 0, z: 0 },
    semaphores: { w: 0 },
    ...ordered(bodies, order),
  }
}

/** `main` creates the threads of each body, looking at a number before each, and joins them. */
function crew(bodies: Bodies, counts: Readonly<Record<string, number>>): Pick<Program, 'threads' | 'roots'> {
  const each = (body: (name: string) => readonly Statement[]) =>
    Object.entries(counts).flatMap(([name, n]) => Array.from({ length: n }, () => body(name)).flat())
  const main = [...each((name) => [load('n', 'r'), create(name)]), ...each((name) => [join(name)])]
  return { threads: { main, ...bodies }, roots: ['main'] }
}

/** Setters write a, then b; a checker must see both or neither. Setters are created first. */
export function halfWay(setters: number, checkers: number): Program {
  const seesBoth = [load('a', 'a'), load('b', 'b'), assert(['&&', ['==', 'a', 1], ['==', 'b', -1]])]
  const bodies = {
    setter: [store('a', 1), store('b', -1)],
    checker: [
      load('a', 'a'),
      when(['==', 'a', 0], [load('b', 'b'), when(['!=', 'b', 0], seesBoth)], seesBoth),
    ],
  }
  const name = `halfWay(${setters}, ${checkers})`
  return { name, variables: { a: 0, b: 0, n: 0 }, ...crew(bodies, { setter: setters, checker: checkers }) }
}

/** The first of two values is changed under one lock, the second under another; a reader may come between. */
export function twoStage(setters: number): Program {
  const bodies = {
    setter: [
      ...[lock('first'), store('a', 1), unlock('first')],
      ...[lock('second'), load('a', 'a'), store('b', ['+', 'a', 1]), unlock('second')],
    ],
    reader: [
      lock('first'),
      load('a', 'a'),
      unlock('first'),
      when(
        ['!=', 'a', 0],
        [lock('second'), load('b', 'b'), unlock('second'), assert(['==', 'b', ['+', 'a', 1]])],
      ),
    ],
  }
  return {
    name: `twoStage(${setters})`,
    variables: { a: 0, b: 0, n: 0 },
    mutexes: { first: 'plain', second: 'plain' },
    ...crew(bodies, { setter: setters, reader: 1 }),
  }
}
