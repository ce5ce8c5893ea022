import {
  assert,
  at,
  atomically,
  atomicLoad,
  fetchAdd,
  load,
  lock,
  set,
  store,
  unlock,
  when,
  whileLoop,
  xabort,
} from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'

/** The programs of Blum, "Practical Concurrency Testing", chapter 6, for some threads that do it some times. */

type Body = (thread: number) => readonly Statement[]

function threads(count: number, times: number, body: Body): Program['threads'] {
  return Object.fromEntries(
    Array.from({ length: count }, (_, i) => [`t${i}`, Array.from({ length: times }, () => body(i)).flat()]),
  )
}

const add: readonly Statement[] = [load('x', 'r'), store('x', ['+', 'r', 1])]

/** Figure 6.1: the lock keeps out other locks, but no transaction. */
export const htm1 = (count: number, times: number): Program => ({
  name: `htm1(${count},${times})`,
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  threads: threads(count, times, () => [atomically(add, [lock('m'), ...add, unlock('m')])]),
  atEnd: { 'nothing is lost': ['==', 'x', count * times] },
})

/** Figure 6.2: a transaction looks whether somebody has the lock. */
export const htm2 = (count: number, times: number): Program => ({
  name: `htm2(${count},${times})`,
  variables: { x: 0, prevent: 0 },
  mutexes: { m: 'plain' },
  threads: threads(count, times, () => [
    atomically(
      [load('prevent', 'p'), when('p', [xabort()]), ...add],
      [lock('m'), store('prevent', 1), ...add, store('prevent', 0), unlock('m')],
    ),
  ]),
  atEnd: { 'nothing is lost': ['==', 'x', count * times] },
})

/** A transaction, or else an atomic addition. */
export const counter = (count: number, times: number): Program => ({
  name: `counter(${count},${times})`,
  variables: { x: 0 },
  threads: threads(count, times, () => [atomically(add, [fetchAdd('x', 1)])]),
  atEnd: { 'nothing is lost': ['==', 'x', count * times] },
})

/** Figure 6.3: each transaction conflicts with the others' aborts, and with nothing else. */
export const fig63 = (count: number, times: number): Program => ({
  name: `fig63(${count},${times})`,
  arrays: { a: Array.from({ length: count }, () => 0) },
  threads: threads(count, times, (i) => [
    atomically(
      [load(at('a', i), 'r'), store(at('a', i), ['+', 'r', 1])],
      [
        set('sum', 0),
        ...Array.from({ length: count }, (_, k) => [
          load(at('a', k), 'r'),
          set('sum', ['+', 'sum', 'r']),
        ]).flat(),
        assert(['<', 'sum', count * times]),
      ],
    ),
  ]),
})

/** Two elements of an array change places; who cannot do it in a transaction locks both. */
export const swap = (count: number, times: number, isOrdered: boolean): Program => ({
  name: `${isOrdered ? 'swap' : 'swapbug'}(${count},${times})`,
  arrays: { a: [0, 1, 2].slice(0, Math.max(2, count)), busy: [0, 0, 0].slice(0, Math.max(2, count)) },
  mutexes: { m0: 'plain', m1: 'plain', m2: 'plain' },
  threads: threads(count, times, (i) => {
    const [one, other] = [i % Math.max(2, count), (i + 1) % Math.max(2, count)]
    const [first, second] = isOrdered && one > other ? [other, one] : [one, other]
    const exchange = [
      load(at('a', one), 'p'),
      load(at('a', other), 'q'),
      store(at('a', one), 'q'),
      store(at('a', other), 'p'),
    ]
    const looks = [one, other].flatMap((k) => [load(at('busy', k), 'b'), when('b', [xabort()])])
    return [
      atomically(
        [...looks, ...exchange],
        [
          lock(`m${first}`),
          lock(`m${second}`),
          store(at('busy', one), 1),
          store(at('busy', other), 1),
          ...exchange,
          store(at('busy', one), 0),
          store(at('busy', other), 0),
          unlock(`m${second}`),
          unlock(`m${first}`),
        ],
      ),
    ]
  }),
})

/** Tried again and again until it succeeds, where it may abort any number of times. */
export const retries = (count: number, times: number): Program => ({
  name: `retries(${count},${times})`,
  variables: { x: 0 },
  threads: threads(count, times, () => [
    set('s', 0),
    whileLoop(
      ['!=', 's', -1],
      [{ op: 'xbegin', into: 's' }, when(['==', 's', -1], [...add, { op: 'xend' }])],
    ),
  ]),
  atEnd: { 'nothing is lost': ['==', 'x', count * times] },
})

/**
 * t3 fails where y is 0 beside an x of 2. That was planned to come after t0 gave up, and taken to begin all the same with t3, where
 * a leaf was planned that failed at once.
 */
export const failsAfterAnother: Program = {
  name: 'a failure that comes after a transaction that it has nothing to do with',
  variables: { x: 2, y: 0 },
  mutexes: { m: 'plain' },
  threads: {
    t0: [atomically([lock('m'), store('x', 2), unlock('m')], [store('y', 1)])],
    t1: [lock('m'), store('x', 0), unlock('m')],
    t2: [{ op: 'atomically', body: [load('x', 'r'), when(['==', 'r', 2], [xabort()]), store('x', 0)] }],
    t3: [atomically([atomicLoad('y', 'r'), store('y', 0)], [], 'q')],
  },
  invariants: { holds: ['!=', ['+', 'x', 'y'], 2] },
}

/** A planned step of it may turn out to be asleep, with nothing else planned there, or with what is planned there another part's. */
export const plannedAsleep: Program = {
  name: 'a transaction that touches x or not, beside two stores',
  variables: { x: 2, y: 0 },
  mutexes: { m: 'plain' },
  threads: {
    t0: [store('x', 1)],
    t1: [store('x', 0)],
    t2: [
      atomically(
        [load('y', 'r'), when(['==', 'r', 0], [store('y', 2)], [load('x', 'r')])],
        [fetchAdd('x', 1)],
      ),
      store('y', 2),
    ],
    t3: [lock('m'), load('y', 'r'), unlock('m')],
  },
  invariants: { holds: ['!=', ['+', 'x', 'y'], 1] },
}

/**
 * Where t1 takes the mutex before t0 comes to its transaction, that cannot abort by a conflict. Coming there was no reason to try
 * t1 before it, since it neither found the mutex free nor took it.
 */
export const lockBeforeArrival: Program = {
  name: 'a mutex taken before another thread comes to a transaction that would take it',
  abortCodes: 'conflict',
  variables: { y: 0 },
  mutexes: { m: 'plain' },
  threads: { t0: [store('y', 1), atomically([lock('m'), unlock('m')], [], 's')], t1: [lock('m')] },
}
