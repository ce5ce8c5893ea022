// Small model programs, each with one bug that few schedules show. Most carry threads or steps that have nothing to do
// with it, as real tests do.
import { build } from '../dist/index.js'

const {
  assert,
  at,
  atomicLoad,
  atomicStore,
  compareExchange,
  exchange,
  fetchAdd,
  load,
  lock,
  rdlock,
  rwunlock,
  sempost,
  semwait,
  set,
  signal,
  store,
  unlock,
  wait,
  when,
  whileLoop,
  wrlock,
} = build

/** 2n atomic steps on a variable that other such threads share: schedules that change nothing of interest. */
const noise = (n, variable = 'noise') => Array.from({ length: 2 * n }, () => fetchAdd(variable, 1))

/** Two threads check, then act: both can pass the check. */
const checkThenAct = {
  name: 'check then act',
  variables: { taken: 0, owners: 0, noise: 0 },
  threads: {
    push: [
      ...noise(3),
      atomicLoad('taken', 'r'),
      when(['==', 'r', 0], [atomicStore('taken', 1), fetchAdd('owners', 1)]),
    ],
    pop: [
      ...noise(3),
      atomicLoad('taken', 'r'),
      when(['==', 'r', 0], [atomicStore('taken', 1), fetchAdd('owners', 1)]),
    ],
    other: noise(4),
  },
  atEnd: { 'one owner': ['<', 'owners', 2] },
}

/** The balance is read under the lock and written under the lock, but not under the same one. */
const splitCriticalSection = {
  name: 'split critical section',
  variables: { balance: 0, log: 0 },
  mutexes: { m: 'plain', l: 'plain' },
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      name,
      [
        lock('m'),
        load('balance', 'r'),
        unlock('m'),
        lock('l'),
        load('log', 'q'),
        store('log', ['+', 'q', 1]),
        unlock('l'),
        lock('m'),
        store('balance', ['+', 'r', 1]),
        unlock('m'),
      ],
    ]),
  ),
  // Two lost updates, not one: needs all three to read first.
  atEnd: { 'something is kept': ['>', 'balance', 1] },
}

/** The reader sees the flag before the data. */
const orderViolation = {
  name: 'order violation',
  variables: { data: 0, ready: 0, noise: 0 },
  threads: {
    publish: [...noise(2), atomicStore('ready', 1), ...noise(1), atomicStore('data', 7)],
    consume: [
      ...noise(3),
      atomicLoad('ready', 'r'),
      when('r', [atomicLoad('data', 'd'), assert(['==', 'd', 7], 'data before ready')]),
    ],
    other: noise(3),
  },
}

/** Locks taken in a circle by three threads. */
const circle = {
  name: 'deadlock of three',
  variables: { x: 0, y: 0, z: 0 },
  mutexes: { a: 'plain', b: 'plain', c: 'plain' },
  threads: {
    one: [lock('a'), store('x', 1), lock('b'), store('y', 1), unlock('b'), unlock('a')],
    two: [lock('b'), store('y', 2), lock('c'), store('z', 2), unlock('c'), unlock('b')],
    three: [lock('c'), store('z', 3), lock('a'), store('x', 3), unlock('a'), unlock('c')],
  },
}

/** The condition is looked at outside the lock: the signal can come in between, and nobody signals again. */
const lostWakeup = {
  name: 'lost wake-up',
  variables: { ready: 0, noise: 0 },
  mutexes: { m: 'plain' },
  conditions: ['c'],
  threads: {
    waiter: [
      ...noise(2),
      atomicLoad('ready', 'r'),
      when(['==', 'r', 0], [lock('m'), wait('c', 'm'), unlock('m')]),
    ],
    setter: [...noise(2), atomicStore('ready', 1), lock('m'), signal('c'), unlock('m')],
    other: noise(4),
  },
}

/** A stack of two cells; popping reads top and next, then swaps: in between both are popped and the first pushed. */
const aba = {
  name: 'ABA',
  variables: { top: 1, popped: 0 },
  arrays: { next: [0, 2, 0], owned: [0, 0, 0] },
  threads: {
    victim: [
      atomicLoad('top', 't'),
      when('t', [
        atomicLoad(at('next', 't'), 'n'),
        compareExchange('top', 't', 'n', 'ok'),
        when(['==', 'ok', 't'], [fetchAdd(at('owned', 't'), 1)]),
      ]),
    ],
    thief: [
      atomicLoad('top', 't'),
      when('t', [
        atomicLoad(at('next', 't'), 'n'),
        compareExchange('top', 't', 'n', 'ok'),
        when(
          ['==', 'ok', 't'],
          [
            atomicLoad('top', 'u'),
            when('u', [
              atomicLoad(at('next', 'u'), 'v'),
              compareExchange('top', 'u', 'v', 'ok'),
              when(['==', 'ok', 'u'], [fetchAdd(at('owned', 'u'), 1)]),
            ]),
            // Pushes the first back.
            atomicLoad('top', 'w'),
            atomicStore(at('next', 't'), 'w'),
            compareExchange('top', 'w', 't'),
          ],
        ),
      ]),
    ],
    last: [
      fetchAdd('popped', 1),
      atomicLoad('top', 't'),
      when(
        ['==', 't', 2],
        [atomicLoad(at('owned', 2), 'o'), assert(['==', 'o', 0], 'a popped cell is on the stack')],
      ),
    ],
  },
}

/** Three increments, each load and store: only if one thread sleeps through both others is the result 1. */
const counterOfThree = {
  name: 'counter, all lost',
  variables: { x: 0 },
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      name,
      Array.from({ length: 2 }, () => [load('x', 'r'), store('x', ['+', 'r', 1])]).flat(),
    ]),
  ),
  atEnd: { 'more than two': ['>', 'x', 2] },
}

/** A queue slot is claimed with a semaphore that lets in one too many. */
const semaphore = {
  name: 'one permit too many',
  variables: { inside: 0, noise: 0 },
  semaphores: { s: 2 },
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      name,
      [
        ...noise(1),
        semwait('s'),
        fetchAdd('inside', 1, 'r'),
        assert(['==', 'r', 0], 'two inside at once'),
        ...noise(1),
        fetchAdd('inside', -1),
        sempost('s'),
      ],
    ]),
  ),
}

/** Double-checked initialisation that sets the flag first. */
const doubleChecked = {
  name: 'double-checked initialisation',
  variables: { made: 0, value: 0, noise: 0 },
  mutexes: { m: 'plain' },
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      name,
      [
        ...noise(1),
        atomicLoad('made', 'r'),
        when(
          ['==', 'r', 0],
          [
            lock('m'),
            atomicLoad('made', 'r'),
            when(['==', 'r', 0], [atomicStore('made', 1), ...noise(1), atomicStore('value', 5)]),
            unlock('m'),
          ],
        ),
        atomicLoad('value', 'v'),
        assert(['==', 'v', 5], 'used before it was made'),
      ],
    ]),
  ),
}

/** Upgrading from reader to writer lets another writer in between. */
const upgrade = {
  name: 'lock upgrade',
  variables: { x: 0, noise: 0 },
  rwlocks: ['rw'],
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name) => [
      name,
      [
        rdlock('rw'),
        load('x', 'r'),
        rwunlock('rw'),
        ...noise(1),
        wrlock('rw'),
        store('x', ['+', 'r', 1]),
        rwunlock('rw'),
      ],
    ]),
  ),
  atEnd: { 'nothing is lost twice': ['>', 'x', 1] },
}

/** Figure 2 of the POS paper: exactly one order of ten steps fails. */
const figure2 = {
  name: 'figure 2 of POS',
  variables: { x: 0, y: 0, z: 0 },
  semaphores: { w: 0 },
  threads: {
    A: [fetchAdd('x', 1), fetchAdd('y', 1), sempost('w'), load('z', 'z'), assert(['<', 'z', 5])],
    B: [
      store('x', 1),
      load('x', 'a'),
      store('y', 'a'),
      semwait('w'),
      load('y', 'b'),
      store('z', ['+', 'a', 'b']),
    ],
  },
}

/** Peterson's lock with the turn taken before the flag is raised. */
const peterson = {
  name: "Peterson's lock, wrong way round",
  variables: { turn: 0, inside: 0 },
  arrays: { flag: [0, 0] },
  threads: Object.fromEntries(
    [0, 1].map((me) => [
      `p${me}`,
      [
        atomicStore('turn', 1 - me),
        atomicStore(at('flag', me), 1),
        atomicLoad(at('flag', 1 - me), 'f'),
        atomicLoad('turn', 't'),
        whileLoop(
          ['&&', 'f', ['==', 't', 1 - me]],
          [atomicLoad(at('flag', 1 - me), 'f'), atomicLoad('turn', 't')],
        ),
        fetchAdd('inside', 1, 'r'),
        assert(['==', 'r', 0], 'two inside at once'),
        fetchAdd('inside', -1),
        atomicStore(at('flag', me), 0),
      ],
    ]),
  ),
}

/** A spin lock whose holder lets go of it by mistake once it was handed on. */
const releasedTwice = {
  name: 'released twice',
  variables: { l: 0, inside: 0, noise: 0 },
  threads: Object.fromEntries(
    ['a', 'b', 'c'].map((name, i) => [
      name,
      [
        set('k', 1),
        whileLoop('k', [exchange('l', 1, 'k')]),
        fetchAdd('inside', 1, 'r'),
        assert(['==', 'r', 0], 'two inside at once'),
        fetchAdd('inside', -1),
        atomicStore('l', 0),
        ...(i === 0 ? [...noise(1), atomicStore('l', 0)] : []),
      ],
    ]),
  ),
}

export const buggyPrograms = [
  checkThenAct,
  splitCriticalSection,
  orderViolation,
  circle,
  lostWakeup,
  aba,
  counterOfThree,
  semaphore,
  doubleChecked,
  upgrade,
  figure2,
  peterson,
  releasedTwice,
]

/**
 * Without a bug, and too large to be done soon: for the memory curve. A bounded buffer used by four threads.
 * @type {import('../dist/index.js').Program}
 */
export const boundedBuffer = {
  name: 'bounded buffer',
  variables: { count: 0, in: 0, out: 0 },
  arrays: { slot: [0, 0] },
  mutexes: { m: 'plain' },
  semaphores: { free: 2, full: 0 },
  threads: Object.fromEntries(
    ['p', 'q'].flatMap((name, i) => [
      [
        `put-${name}`,
        Array.from({ length: 2 }, (_, k) => [
          semwait('free'),
          lock('m'),
          load('in', 'i'),
          store(at('slot', ['%', 'i', 2]), 10 * i + k + 1),
          store('in', ['+', 'i', 1]),
          unlock('m'),
          sempost('full'),
        ]).flat(),
      ],
      [
        `take-${name}`,
        Array.from({ length: 2 }, () => [
          semwait('full'),
          lock('m'),
          load('out', 'o'),
          load(at('slot', ['%', 'o', 2]), 'v'),
          store('out', ['+', 'o', 1]),
          unlock('m'),
          sempost('free'),
        ]).flat(),
      ],
    ]),
  ),
}
