import {
  assert,
  atomically,
  atomicLoad,
  atomicStore,
  barrier,
  broadcast,
  choose,
  compareExchange,
  exchange,
  fetchAdd,
  load,
  lock,
  rdlock,
  rwunlock,
  sempost,
  semtrywait,
  semvalue,
  semwait,
  set,
  store,
  trylock,
  unlock,
  wait,
  when,
  whileLoop,
  wrlock,
  xabort,
} from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'

/** One thread stores 2, n others swap 2 for 3: whether a swap writes depends on what came before it. */
export function swaps(n: number): Program {
  const swap = [compareExchange('x', 2, 3, 'r')]
  return {
    variables: { x: 0 },
    threads: {
      store: [store('x', 2)],
      ...Object.fromEntries(Array.from({ length: n }, (_, i) => [`s${i}`, swap])),
    },
  }
}

/** How many classes `swaps(n)` has, counted by hand: n = 2, 3, …. */
export const swapClasses = [5, 13, 33, 81]

/** Programs that some strategy judged wrongly once, by what they are about. */
export const onceWrong: Readonly<Record<string, Program>> = {
  'a race that an update which changes nothing hides in the one order that is shown': {
    variables: { x: 1 },
    threads: {
      t0: [compareExchange('x', 2, 2, 'r')],
      t1: [compareExchange('x', 1, 0, 'r'), store('x', 1), exchange('x', 1, 'r')],
    },
  },
  'an invariant that tells the order of stores to two variables': {
    variables: { x: 1, y: 0 },
    invariants: { holds: ['!=', ['+', 'x', 'y'], 2] },
    threads: {
      t0: [store('x', 1)],
      t1: [load('y', 'r'), store('y', 2), store('x', 1)],
    },
  },
  'an update that changes nothing before one that fails, below a third': {
    variables: { x: 1, y: 0 },
    mutexes: { m: 'plain' },
    invariants: { holds: ['!=', ['+', 'x', 'y'], 2] },
    threads: {
      t1: [compareExchange('x', 2, 0, 'r')],
      t2: [compareExchange('x', 1, 2, 'r')],
      last: [lock('m'), compareExchange('y', 2, 1, 'r')],
    },
  },
  'a choice that fails with one alternative, and a load that fails unless a store comes first': {
    variables: { x: 2 },
    threads: {
      t0: [store('x', 0)],
      t1: [load('x', 'r'), assert(['!=', 'r', 2])],
      t2: [choose(2, 'q')],
      t3: [choose(2, 'q'), assert(['!=', 'q', 0])],
      t4: [load('x', 'r')],
    },
  },
  'two stores that fail wherever they come, beside reads': {
    variables: { x: 2, y: 1 },
    invariants: { holds: ['!=', ['+', 'x', 'y'], 3] },
    threads: {
      t0: [atomicStore('x', 2)],
      t1: [fetchAdd('x', 0, 'r')],
      t2: [load('y', 'r')],
      t3: [atomicStore('y', 1)],
      t4: [compareExchange('x', 1, 2, 'r')],
    },
  },
  'two readers meet inside their read sections': {
    variables: { x: 0 },
    rwlocks: ['rw'],
    barriers: { b: 2 },
    threads: {
      r1: [
        rdlock('rw'),
        load('x', 'r'),
        barrier('b'),
        rwunlock('rw'),
        assert(['==', 'r', 0], 'the writer came last'),
      ],
      r2: [rdlock('rw'), barrier('b'), rwunlock('rw')],
      w: [wrlock('rw'), store('x', 1), rwunlock('rw')],
    },
  },
  'a writer before two readers who keep the lock': {
    rwlocks: ['rw'],
    threads: { r1: [rdlock('rw')], w: [wrlock('rw')], r2: [rdlock('rw')] },
  },
  'a writer between two readers who keep the lock': {
    rwlocks: ['rw'],
    threads: { r1: [rdlock('rw')], w: [wrlock('rw'), rwunlock('rw')], r2: [rdlock('rw')] },
  },
  'a writer waits where only sleepers are left': {
    barriers: { b: 2 },
    rwlocks: ['rw'],
    threads: {
      t0: [barrier('b')],
      t1: [rdlock('rw'), rwunlock('rw'), rdlock('rw')],
      t2: [wrlock('rw'), barrier('b', 'k')],
    },
  },
  'a lock is waited for where only sleepers are left': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    semaphores: { s: 0 },
    threads: {
      t0: [sempost('s')],
      t1: [
        lock('m'),
        semvalue('s', 'q'),
        load('x', 'r'),
        unlock('m'),
        assert(['!', ['&&', ['==', 'r', 1], ['==', 'q', 0]]], 'x is set before the post'),
      ],
      t2: [lock('m'), store('x', 1), unlock('m'), lock('m'), semwait('s'), store('x', 2), unlock('m')],
    },
  },
  'a deadlock where only sleepers are left': {
    variables: { y: 0 },
    mutexes: { m: 'plain' },
    threads: {
      t0: [store('y', 1)],
      t1: [lock('m'), load('y', 'r')],
      t2: [lock('m'), unlock('m'), lock('m')],
    },
  },
  'a waiter is told where only sleepers are left': {
    mutexes: { m: 'plain' },
    conditions: ['c'],
    threads: {
      t0: [broadcast('c')],
      t1: [lock('m'), unlock('m')],
      t2: [lock('m')],
      t3: [lock('m'), wait('c', 'm')],
    },
  },
  'three take two permits, and one is given back': {
    variables: { x: 0 },
    semaphores: { s: 2 },
    threads: {
      t0: [semwait('s')],
      t1: [fetchAdd('x', 1, 'r'), sempost('s')],
      t2: [semwait('s')],
      t3: [semwait('s'), fetchAdd('x', 1, 'r')],
    },
  },
  'a failure after a permit': {
    variables: { x: 0 },
    semaphores: { s: 1 },
    threads: {
      t1: [semwait('s'), store('x', 0)],
      t2: [semwait('s'), assert(0)],
      t3: [sempost('s'), semwait('s')],
    },
  },
  'a second bug behind a choice that another thread makes': {
    variables: { y: 0, z: 0 },
    threads: {
      t0: [load('y', 'r'), assert(['!=', 'r', 0], 'y is set')],
      t1: [store('z', 1)],
      t2: [store('y', 1), load('z', 'q')],
      t3: [choose(2, 'r')],
    },
    atEnd: { second: ['!', ['&&', ['==', ['reg', 't2', 'q'], 0], ['==', ['reg', 't3', 'r'], 1]]] },
  },
  'a choice, then a failure, beside a store': {
    variables: { x: 0 },
    threads: { t0: [choose(2, 'q'), assert(0)], t1: [store('x', 1)] },
  },
  'failures before any choice': { threads: { t0: [assert(0)], t1: [assert(0)] } },
  'a store against three updates that change nothing': {
    variables: { x: 0 },
    threads: {
      t1: [atomicStore('x', 0)],
      t2: [exchange('x', 0, 'r')],
      t3: [compareExchange('x', 1, 0, 'r')],
      t4: [compareExchange('x', 1, 2, 'r')],
    },
  },
  'a store, two swaps that never take place and one that does': {
    variables: { x: 2 },
    threads: {
      t0: [store('x', 0)],
      t1: [compareExchange('x', 1, 2, 'r')],
      t2: [compareExchange('x', 0, 2, 'r')],
      t3: [compareExchange('x', 1, 1, 'r')],
    },
  },
  'a spin beside updates that change nothing': {
    variables: { x: 0 },
    threads: {
      t0: [store('x', 0)],
      t1: [set('q', 2), whileLoop(['==', 'q', 2], [load('x', 'q')])],
      t2: [exchange('x', 0, 'r')],
      t4: [compareExchange('x', 2, 2, 'r')],
    },
  },
  'swaps that fail, and an invariant of two variables': {
    variables: { x: 0, y: 0 },
    threads: {
      t0: [atomicStore('y', 1), atomicStore('x', 2)],
      t1: [atomicLoad('x', 'r'), exchange('x', 1)],
      t2: [compareExchange('y', 1, 0), compareExchange('y', 1, 0)],
    },
    invariants: { two: ['!=', ['+', 'x', 'y'], 3] },
  },
  'an invariant of two variables that two updates break': {
    variables: { x: 2, y: 0 },
    threads: {
      t0: [fetchAdd('y', 2, 'r')],
      t1: [atomicStore('x', 0)],
      t2: [compareExchange('y', 2, 1, 'r')],
      t3: [fetchAdd('x', 2, 'r')],
    },
    invariants: { holds: ['!=', ['+', 'x', 'y'], 3] },
  },
  'a trylock beside stores that break an invariant together': {
    variables: { x: 1, y: 0 },
    mutexes: { m: 'plain' },
    threads: { t0: [trylock('m')], t1: [atomicStore('x', 0)], t2: [store('y', 2)] },
    invariants: { two: ['!=', ['+', 'x', 'y'], 3] },
  },
  'a trylock beside three stores of which two break an invariant': {
    variables: { x: 1, y: 0 },
    mutexes: { m: 'plain' },
    threads: {
      t0: [fetchAdd('y', 1, 'r')],
      t1: [store('x', 0)],
      t2: [store('x', 0)],
      t3: [trylock('m', 'k')],
    },
    invariants: { holds: ['!=', ['+', 'x', 'y'], 2] },
  },
  'trylocks beside a lock and a store that fails': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: {
      t0: [store('x', 2)],
      t1: [trylock('m')],
      t2: [lock('m'), store('x', 0)],
      t3: [atomicLoad('x', 'r')],
      t4: [trylock('m')],
    },
    invariants: { holds: ['!=', 'x', 2] },
  },
}

/** The same under a PP set: programs that were judged wrongly with those points only. */
export const onceWrongAt: Readonly<Record<string, { readonly points: string; readonly program: Program }>> = {
  'a transition ended by a semaphore, which is then posted twice': {
    points: 'yield',
    program: {
      mutexes: { m: 'plain' },
      semaphores: { s: 0 },
      threads: {
        t0: [sempost('s')],
        t1: [sempost('s')],
        t2: [lock('m'), semwait('s')],
        t3: [semtrywait('s', 'k'), lock('m')],
      },
    },
  },
  'a trylock after which its thread reads what another changed': {
    points: 'yield,release',
    program: {
      variables: { x: 0, y: 1 },
      mutexes: { m: 'plain' },
      threads: {
        t0: [trylock('m', 'k'), when(['==', 'k', 0], [load('y', 'r')])],
        t1: [exchange('x', 1, 'r')],
        t2: [trylock('m')],
        t3: [store('y', 1)],
      },
      invariants: { holds: ['!=', ['+', 'x', 'y'], 1] },
    },
  },
  'a failure before which each alternative of another thread is tried': {
    points: 'yield',
    program: {
      variables: { x: 0, y: 0 },
      mutexes: { m: 'plain' },
      threads: {
        t0: [
          atomically(
            [load('y', 'r'), when(['==', 'r', 0], [store('y', 2)])],
            [load('x', 'r'), assert(['!=', 'r', 0])],
          ),
        ],
        t1: [atomically([store('x', 2)], [])],
        t2: [atomically([store('x', 1)], [])],
        t3: [atomically([lock('m'), unlock('m')], [store('y', 0)])],
      },
    },
  },
}

/** `optimal` lost classes of these: what a transaction does when it no longer follows another depends on all it finds. */
export const onceWrongTransactions: Readonly<Record<string, Program>> = {
  'a transaction that branches, against a store, after one that may give up': {
    variables: { x: 1, y: 0 },
    threads: {
      t0: [
        atomically(
          [load('x', 'r'), when(['==', 'r', 0], [store('y', 1)], [load('x', 'r')])],
          [fetchAdd('x', 1)],
        ),
      ],
      t1: [load('y', 'r')],
      t2: [store('x', 0)],
      t3: [
        atomically([load('x', 'r'), when(['==', 'r', 1], [xabort()]), store('y', 2)]),
        atomically([store('x', 2), store('x', 1)], [], 'q'),
      ],
    },
    abortCodes: 'conflict',
  },
  'conflicts decide who may abort, beside one that waits by giving up': {
    variables: { x: 0, y: 0 },
    threads: {
      t0: [
        atomically([load('x', 'r'), when(['==', 'r', 1], [xabort(1)], [store('x', 1)])], [fetchAdd('x', 1)]),
      ],
      t1: [atomically([atomicStore('x', 2), store('x', 2)], [])],
      t2: [store('x', 2)],
      t3: [atomically([load('x', 'r'), when(['==', 'r', 2], [xabort()]), store('y', 1)])],
      t4: [store('y', 0)],
    },
    abortCodes: 'conflict',
  },
  'three transactions, of which one branches, beside a lock': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: {
      t0: [atomically([store('x', 2), compareExchange('x', 0, 0, 'r')], [], 'q')],
      t2: [atomically([load('x', 'r'), atomicStore('x', 0)], [], 'q')],
      t3: [atomically([load('x', 'r'), when(['==', 'r', 2], [store('x', 1)])], [fetchAdd('x', 1)])],
      t4: [lock('m')],
    },
  },
  'transactions that branch and abort only by conflicts': {
    variables: { x: 0, y: 0 },
    threads: {
      t1: [atomically([load('x', 'r'), when(['==', 'r', 2], [xabort()]), store('y', 2)])],
      t2: [store('x', 1)],
      t3: [
        atomically(
          [load('y', 'r'), when(['==', 'r', 0], [load('x', 'r')], [load('x', 'r')])],
          [fetchAdd('x', 1)],
        ),
      ],
      t4: [store('y', 0)],
    },
    abortCodes: 'conflict',
  },
}
