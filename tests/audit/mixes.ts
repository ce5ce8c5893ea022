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
  exit,
  fetchAdd,
  join,
  load,
  lock,
  loop,
  output,
  point,
  rdlock,
  rwunlock,
  sempost,
  semtimedwait,
  semtrywait,
  semvalue,
  semwait,
  set,
  signal,
  store,
  timedlock,
  timedwait,
  trylock,
  tryrdlock,
  trywrlock,
  unlock,
  wait,
  when,
  whileLoop,
  wrlock,
  xabort,
  yieldNow,
} from '../../src/frontends/model/build.js'
import type { Statement } from '../../src/frontends/model/program.js'
import type { Draw } from './draw.js'

/** A few statements that belong together. */
export type Fragment = (draw: Draw) => Statement[]

/**
 * What the programs of a mix are made of. A mix dwells on one primitive or a pair: what goes wrong shows where several
 * threads use the same one at once, which programs that may use anything seldom do.
 */
export interface Mix {
  readonly name: string
  readonly fragments: readonly (readonly [weight: number, fragment: Fragment])[]
  /** Of ten programs, how many have each. */
  readonly invariant?: number
  readonly atEnd?: number
  readonly spurious?: number
  /** Readers wait for waiting writers. */
  readonly preferWriters?: boolean
  readonly family?: number
  readonly compareOutputs?: number
  /** Why transactions abort. */
  readonly abortCodes?: string
}

const value = (draw: Draw) => draw.below(3)
const variable = (draw: Draw) => (draw.below(3) === 0 ? 'y' : 'x')

const loads: Fragment = (d) => [load(variable(d), 'r')]
const stores: Fragment = (d) => [store(variable(d), value(d))]
const atomics: Fragment = (d) =>
  d.of([
    () => [atomicLoad(variable(d), 'r')],
    () => [atomicStore(variable(d), value(d))],
    () => [exchange(variable(d), value(d), 'r')],
    () => [fetchAdd(variable(d), value(d), 'r')],
    () => [compareExchange(variable(d), value(d), value(d), 'r')],
  ])()

/** Updates of one variable with so few values that many change nothing. */
const update: Fragment = (d) =>
  d.of<() => Statement[]>([
    () => [exchange('x', value(d), 'r')],
    () => [compareExchange('x', value(d), value(d), 'r')],
    () => [compareExchange('x', value(d), value(d), 'r')],
    () => [fetchAdd('x', value(d), 'r')],
    () => [atomicStore('x', value(d))],
    () => [store('x', value(d))],
  ])()

/** What follows depends on what an update saw. */
const updateAndBranch: Fragment = (d) => [
  compareExchange('x', value(d), value(d), 'r'),
  when(['==', 'r', value(d)], update(d), d.below(2) === 0 ? update(d) : undefined),
]

const checkedLoad: Fragment = (d) => [load(variable(d), 'r'), assert(['!=', 'r', value(d)])]
const fails: Fragment = () => [assert(0)]
const body: Fragment = (d) => (d.below(2) === 0 ? [] : d.of([loads, stores, atomics])(d))
const chooses: Fragment = (d) => [choose(2 + d.below(2), 'q')]
const choosesAndBranches: Fragment = (d) => [
  choose(2, 'q'),
  when('q', stores(d), d.below(2) === 0 ? loads(d) : undefined),
]
const choosesAndFails: Fragment = (d) => [choose(2 + d.below(2), 'q'), assert(['!=', 'q', d.below(2)])]
const storesChosen: Fragment = (d) => [choose(2, 'q'), store(variable(d), 'q')]

/** What a transaction does to memory, and what is done when it aborts. */
const transacts: Fragment = (d) => [
  atomically([...body(d), ...d.of([stores, update])(d)], body(d), d.below(2) === 0 ? 'q' : undefined),
]
/** What it does depends on what it finds; it may give up. */
const transactsAndBranches: Fragment = (d) => [
  atomically(
    [load(variable(d), 'r'), when(['==', 'r', value(d)], d.of([stores, gives, loads])(d), body(d))],
    d.below(2) === 0 ? [fetchAdd('x', 1)] : checkedLoad(d),
  ),
]
const gives: Fragment = (d) => [xabort(d.below(2))]
const transactsInLock: Fragment = (d) => [lock('m'), atomically(stores(d), loads(d)), unlock('m')]
const locksInTransaction: Fragment = (d) => [atomically([lock('m'), ...body(d), unlock('m')], stores(d))]
/** Tried until it commits, which may take a change by another thread. */
const transactsUntil: Fragment = (d) => [
  atomically([load('x', 'r'), when(['==', 'r', value(d)], [xabort()]), ...stores(d)]),
]

/** Sections usually end; now and then a thread keeps what it has. */
const ending = (d: Draw, end: Statement): Statement[] => (d.below(6) === 0 ? [] : [end])
const mutexOf = (d: Draw) => (d.below(4) === 0 ? 'n' : 'm')

const lockSection: Fragment = (d) => {
  const m = mutexOf(d)
  return [lock(m), ...body(d), ...ending(d, unlock(m))]
}
const twoLocks: Fragment = (d) => {
  const [a, b] = d.below(2) === 0 ? ['m', 'n'] : ['n', 'm']
  return [lock(a), lock(b), unlock(b), unlock(a)]
}
const trySection: Fragment = (d) => {
  const end = d.below(3) === 0 ? [] : [unlock('m')]
  return [trylock('m', 'k'), when(['==', 'k', 0], [...body(d), ...end])]
}
const bareTrylock: Fragment = () => [trylock('m')]
const timedSection: Fragment = (d) => [timedlock('m', 'k'), when(['==', 'k', 0], [...body(d), unlock('m')])]

const readSection: Fragment = (d) => [rdlock('rw'), ...body(d), ...ending(d, rwunlock('rw'))]
const writeSection: Fragment = (d) => [wrlock('rw'), ...body(d), ...ending(d, rwunlock('rw'))]
const tryReadSection: Fragment = (d) => [
  tryrdlock('rw', 'k'),
  when(['==', 'k', 0], [...body(d), ...ending(d, rwunlock('rw'))]),
]
const tryWriteSection: Fragment = (d) => [
  trywrlock('rw', 'k'),
  when(['==', 'k', 0], [...body(d), ...ending(d, rwunlock('rw'))]),
]
const nestedReads: Fragment = (d) => [
  rdlock('rw'),
  rdlock('rw'),
  ...body(d),
  rwunlock('rw'),
  ...ending(d, rwunlock('rw')),
]
const meetInReadSection: Fragment = (d) => [rdlock('rw'), ...body(d), barrier('b', 'k'), rwunlock('rw')]

const meet: Fragment = (d) => [d.below(2) === 0 ? barrier('b') : barrier('b', 'k')]
const post: Fragment = () => [sempost('s')]
const take: Fragment = () => [semwait('s')]
const tryTake: Fragment = (d) => [d.of([semtrywait, semvalue])('s', 'k')]
const timedTake: Fragment = () => [semtimedwait('s', 'k')]
const semaphoreSection: Fragment = (d) => [semwait('s'), ...body(d), ...ending(d, sempost('s'))]
const takeInLock: Fragment = (d) => [lock('m'), semwait('s'), ...body(d), unlock('m')]

const waits: Fragment = () => [lock('m'), wait('c', 'm'), unlock('m')]
const waitsFor: Fragment = () => [
  lock('m'),
  load('x', 'r'),
  when(['==', 'r', 0], [wait('c', 'm'), load('x', 'r')]),
  unlock('m'),
]
const timedWaits: Fragment = () => [lock('m'), timedwait('c', 'm', 'k'), unlock('m')]
const tells: Fragment = (d) => [d.of([signal, broadcast])('c')]
const setsAndTells: Fragment = (d) => [lock('m'), store('x', 1), d.of([signal, broadcast])('c'), unlock('m')]

/** Waits while x has, or until it has, one value. */
const spinsOn: Fragment = (d) => {
  const v = value(d)
  const pause = d.below(3) === 0 ? [yieldNow()] : []
  const round = [load('x', 'q'), ...pause]
  return d.below(2) === 0
    ? [set('q', v), whileLoop(['==', 'q', v], round)]
    : [set('q', v + 1), whileLoop(['!=', 'q', v], round)]
}
const spinsOnUpdate: Fragment = (d) => [
  set('k', 1),
  whileLoop('k', [exchange('x', 1, 'k')]),
  ...(d.below(3) === 0 ? [] : [atomicStore('x', 0)]),
]
const spinsOnTrylock: Fragment = (d) => [
  set('k', 1),
  whileLoop('k', [trylock('m', 'k')]),
  ...ending(d, unlock('m')),
]
const pauses: Fragment = (d) => [d.of([yieldNow, point])()]
const ends: Fragment = () => [exit()]
const prints: Fragment = (d) => [output(d.below(2) === 0 ? 'r' : value(d))]

/** A count that is taken down; who sees it reach nought goes on, or waits for it. */
const countsDown: Fragment = (d) => [
  fetchAdd('x', -1, 'r'),
  when(['==', 'r', 1], d.below(2) === 0 ? [sempost('s')] : [store('y', 1)]),
]
const countsUp: Fragment = () => [fetchAdd('x', 1, 'r')]
const startsAndJoins: Fragment = () => [join('last')]

export const mixes: readonly Mix[] = [
  {
    name: 'memory',
    fragments: [
      [3, loads],
      [4, stores],
      [1, checkedLoad],
    ],
    atEnd: 3,
    invariant: 2,
  },
  {
    name: 'rwlock',
    fragments: [
      [4, readSection],
      [3, writeSection],
      [1, stores],
      [1, checkedLoad],
    ],
    atEnd: 2,
  },
  {
    name: 'rwlock+barrier',
    fragments: [
      [2, readSection],
      [2, writeSection],
      [4, meetInReadSection],
      [2, meet],
      [1, checkedLoad],
    ],
  },
  {
    name: 'try-rwlock',
    fragments: [
      [2, readSection],
      [2, writeSection],
      [2, tryReadSection],
      [3, tryWriteSection],
      [1, stores],
    ],
  },
  {
    name: 'waiting-writers',
    fragments: [
      [3, readSection],
      [4, writeSection],
      [2, nestedReads],
      [1, tryReadSection],
      [1, tryWriteSection],
      [1, stores],
      [1, checkedLoad],
    ],
    preferWriters: true,
    atEnd: 2,
  },
  {
    name: 'trylock+invariant',
    fragments: [
      [3, bareTrylock],
      [2, trySection],
      [1, lockSection],
      [3, stores],
      [2, atomics],
    ],
    invariant: 8,
  },
  {
    name: 'mutex',
    fragments: [
      [5, lockSection],
      [2, twoLocks],
      [2, loads],
      [2, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'semaphore+mutex',
    fragments: [
      [3, post],
      [2, take],
      [2, takeInLock],
      [3, lockSection],
      [1, tryTake],
      [1, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'semaphore',
    fragments: [
      [4, post],
      [4, take],
      [2, tryTake],
      [2, semaphoreSection],
      [1, timedTake],
      [1, checkedLoad],
    ],
  },
  {
    name: 'choose+failure',
    fragments: [
      [2, chooses],
      [2, choosesAndFails],
      [1, choosesAndBranches],
      [1, storesChosen],
      [1, fails],
      [3, checkedLoad],
      [3, stores],
      [1, loads],
    ],
    atEnd: 3,
  },
  {
    name: 'spin+update',
    fragments: [
      [3, spinsOn],
      [2, spinsOnUpdate],
      [4, update],
      [1, stores],
    ],
  },
  {
    name: 'spin+lock',
    fragments: [
      [3, spinsOnTrylock],
      [2, spinsOn],
      [2, lockSection],
      [3, stores],
      [1, pauses],
    ],
  },
  {
    name: 'update',
    fragments: [
      [6, update],
      [2, updateAndBranch],
      [1, loads],
    ],
    atEnd: 1,
  },
  {
    name: 'update+invariant',
    fragments: [
      [4, atomics],
      [2, update],
      [1, stores],
      [1, loads],
    ],
    invariant: 8,
    atEnd: 1,
  },
  {
    name: 'update+rwlock',
    fragments: [
      [4, update],
      [2, updateAndBranch],
      [1, writeSection],
      [1, readSection],
    ],
  },
  {
    name: 'condition',
    fragments: [
      [3, waits],
      [2, waitsFor],
      [3, tells],
      [2, setsAndTells],
      [1, lockSection],
    ],
  },
  {
    name: 'condition+time',
    fragments: [
      [2, waits],
      [3, timedWaits],
      [3, tells],
      [1, setsAndTells],
      [1, timedSection],
    ],
    spurious: 5,
  },
  {
    name: 'barrier',
    fragments: [
      [5, meet],
      [2, stores],
      [1, loads],
      [1, checkedLoad],
      [1, lockSection],
    ],
    atEnd: 2,
  },
  {
    name: 'latch',
    fragments: [
      [4, countsDown],
      [2, countsUp],
      [2, take],
      [1, spinsOn],
      [1, checkedLoad],
    ],
  },
  {
    name: 'failure+blocking',
    fragments: [
      [2, checkedLoad],
      [1, fails],
      [2, stores],
      [2, lockSection],
      [1, take],
      [1, post],
      [1, meet],
      [1, twoLocks],
      [1, writeSection],
    ],
    atEnd: 2,
  },
  {
    name: 'family',
    fragments: [
      [3, stores],
      [3, loads],
      [1, checkedLoad],
      [2, lockSection],
      [2, startsAndJoins],
      [1, ends],
      [1, fails],
    ],
    family: 10,
  },
  {
    name: 'timed',
    fragments: [
      [3, timedSection],
      [2, timedTake],
      [1, post],
      [2, lockSection],
      [1, stores],
      [1, checkedLoad],
    ],
  },
  {
    name: 'output',
    fragments: [
      [4, prints],
      [2, loads],
      [2, stores],
      [1, lockSection],
      [1, chooses],
    ],
    compareOutputs: 7,
  },
  {
    name: 'transaction',
    fragments: [
      [6, transacts],
      [3, transactsAndBranches],
      [1, transactsInLock],
      [1, locksInTransaction],
      [1, transactsUntil],
      [2, stores],
      [1, loads],
      [1, lockSection],
    ],
    invariant: 1,
    atEnd: 2,
  },
  {
    name: 'transaction+conflict',
    fragments: [
      [6, transacts],
      [3, transactsAndBranches],
      [1, locksInTransaction],
      [1, transactsUntil],
      [3, stores],
      [2, update],
      [1, loads],
    ],
    abortCodes: 'conflict',
    atEnd: 2,
  },
  {
    name: 'everything',
    fragments: [
      loads,
      stores,
      atomics,
      update,
      checkedLoad,
      fails,
      chooses,
      lockSection,
      trySection,
      readSection,
      writeSection,
      tryWriteSection,
      meet,
      post,
      take,
      tryTake,
      waits,
      tells,
      timedSection,
      spinsOn,
      spinsOnTrylock,
      pauses,
      prints,
      (d: Draw) => [loop(2, stores(d))],
      transacts,
    ].map((f) => [1, f] as const),
    invariant: 2,
    atEnd: 2,
    spurious: 2,
    family: 3,
  },
]
