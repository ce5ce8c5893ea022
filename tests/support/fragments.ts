import {
  assert,
  at,
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
import { Result, type Statement } from '../../src/frontends/model/program.js'
import type { Draw } from './draw.js'

/** A few statements that belong together. */
export type Fragment = (draw: Draw) => Statement[]

const value = (draw: Draw) => draw.below(3)
const variable = (draw: Draw) => (draw.below(3) === 0 ? 'y' : 'x')

export const loads: Fragment = (d) => [load(variable(d), 'r')]
export const stores: Fragment = (d) => [store(variable(d), value(d))]
export const atomics: Fragment = (d) =>
  d.of([
    () => [atomicLoad(variable(d), 'r')],
    () => [atomicStore(variable(d), value(d))],
    () => [exchange(variable(d), value(d), 'r')],
    () => [fetchAdd(variable(d), value(d), 'r')],
    () => [compareExchange(variable(d), value(d), value(d), 'r')],
  ])()

/** Updates of one variable with so few values that many change nothing. */
export const update: Fragment = (d) =>
  d.of<() => Statement[]>([
    () => [exchange('x', value(d), 'r')],
    () => [compareExchange('x', value(d), value(d), 'r')],
    () => [compareExchange('x', value(d), value(d), 'r')],
    () => [fetchAdd('x', value(d), 'r')],
    () => [atomicStore('x', value(d))],
    () => [store('x', value(d))],
  ])()

/** What follows depends on what an update saw. */
export const updateAndBranch: Fragment = (d) => [
  compareExchange('x', value(d), value(d), 'r'),
  when(['==', 'r', value(d)], update(d), d.below(2) === 0 ? update(d) : undefined),
]

export const checkedLoad: Fragment = (d) => [load(variable(d), 'r'), assert(['!=', 'r', value(d)])]

/** What stands inside sections unless somebody wants less. */
export const usualInner: readonly Fragment[] = [loads, stores, atomics]

export const fails: Fragment = () => [assert(0)]
/** What stands inside a section: nothing, or one of what there may be. */
export const body: Fragment = (d) => (d.below(2) === 0 ? [] : d.of(d.inner)(d))
export const chooses: Fragment = (d) => [choose(2 + d.below(2), 'q')]
export const choosesAndBranches: Fragment = (d) => [
  choose(2, 'q'),
  when('q', stores(d), d.below(2) === 0 ? loads(d) : undefined),
]
/** What it touches depends on what it finds. */
export const readsAndBranches: Fragment = (d) => [
  load(variable(d), 'r'),
  when(['==', 'r', value(d)], d.of([stores, update, loads])(d), body(d)),
]
export const choosesAndFails: Fragment = (d) => [choose(2 + d.below(2), 'q'), assert(['!=', 'q', d.below(2)])]
export const storesChosen: Fragment = (d) => [choose(2, 'q'), store(variable(d), 'q')]

/** What a transaction does to memory, and what is done when it aborts. */
export const transacts: Fragment = (d) => [
  atomically([...body(d), ...d.of([stores, update])(d)], body(d), d.below(2) === 0 ? 'q' : undefined),
]
/** What it does depends on what it finds; it may give up. */
export const transactsAndBranches: Fragment = (d) => [
  atomically(
    [load(variable(d), 'r'), when(['==', 'r', value(d)], d.of([stores, gives, loads])(d), body(d))],
    d.below(2) === 0 ? [fetchAdd('x', 1)] : checkedLoad(d),
  ),
]
export const gives: Fragment = (d) => [xabort(d.below(2))]
export const transactsInLock: Fragment = (d) => [lock('m'), atomically(stores(d), loads(d)), unlock('m')]
export const locksInTransaction: Fragment = (d) => [
  atomically([lock('m'), ...body(d), unlock('m')], stores(d)),
]
/** Tried until it commits, which may take a change by another thread. */
export const transactsUntil: Fragment = (d) => [
  atomically([load('x', 'r'), when(['==', 'r', value(d)], [xabort()]), ...stores(d)]),
]

/** Sections usually end; now and then a thread keeps what it has. */
const ending = (d: Draw, end: Statement, ofTimes = 6): Statement[] =>
  d.below(ofTimes) === 0 && d.leavesOpen ? [] : [end]
const mutexOf = (d: Draw) => (d.below(4) === 0 ? 'n' : 'm')

export const lockSection: Fragment = (d) => {
  const m = mutexOf(d)
  return [lock(m), ...body(d), ...ending(d, unlock(m))]
}
export const twoLocks: Fragment = (d) => {
  const [a, b] = d.below(2) === 0 ? ['m', 'n'] : ['n', 'm']
  return [lock(a), lock(b), unlock(b), unlock(a)]
}
export const trySection: Fragment = (d) => {
  const end = ending(d, unlock('m'), 3)
  return [trylock('m', 'k'), when(['==', 'k', 0], [...body(d), ...end])]
}
export const bareTrylock: Fragment = () => [trylock('m')]
export const timedSection: Fragment = (d) => [
  timedlock('m', 'k'),
  when(['==', 'k', 0], [...body(d), unlock('m')]),
]

export const readSection: Fragment = (d) => [rdlock('rw'), ...body(d), ...ending(d, rwunlock('rw'))]
export const writeSection: Fragment = (d) => [wrlock('rw'), ...body(d), ...ending(d, rwunlock('rw'))]
export const tryReadSection: Fragment = (d) => [
  tryrdlock('rw', 'k'),
  when(['==', 'k', 0], [...body(d), ...ending(d, rwunlock('rw'))]),
]
export const tryWriteSection: Fragment = (d) => [
  trywrlock('rw', 'k'),
  when(['==', 'k', 0], [...body(d), ...ending(d, rwunlock('rw'))]),
]
export const nestedReads: Fragment = (d) => [
  rdlock('rw'),
  rdlock('rw'),
  ...body(d),
  rwunlock('rw'),
  ...ending(d, rwunlock('rw')),
]
export const meetInReadSection: Fragment = (d) => [
  rdlock('rw'),
  ...body(d),
  barrier('b', 'k'),
  rwunlock('rw'),
]

export const meet: Fragment = (d) => [d.below(2) === 0 ? barrier('b') : barrier('b', 'k')]
export const post: Fragment = () => [sempost('s')]
export const take: Fragment = () => [semwait('s')]
export const tryTake: Fragment = (d) => [d.of([semtrywait, semvalue])('s', 'k')]
export const timedTake: Fragment = () => [semtimedwait('s', 'k')]
export const semaphoreSection: Fragment = (d) => [semwait('s'), ...body(d), ...ending(d, sempost('s'))]
export const takeInLock: Fragment = (d) => [lock('m'), semwait('s'), ...body(d), unlock('m')]

export const waits: Fragment = () => [lock('m'), wait('c', 'm'), unlock('m')]
export const waitsFor: Fragment = () => [
  lock('m'),
  load('x', 'r'),
  when(['==', 'r', 0], [wait('c', 'm'), load('x', 'r')]),
  unlock('m'),
]
export const timedWaits: Fragment = () => [lock('m'), timedwait('c', 'm', 'k'), unlock('m')]
export const tells: Fragment = (d) => [d.of([signal, broadcast])('c')]
export const setsAndTells: Fragment = (d) => [
  lock('m'),
  store('x', 1),
  d.of([signal, broadcast])('c'),
  unlock('m'),
]

/** Waits while x has, or until it has, one value. */
export const spinsOn: Fragment = (d) => {
  const v = value(d)
  const pause = d.below(3) === 0 ? [yieldNow()] : []
  const round = [load('x', 'q'), ...pause]
  return d.below(2) === 0
    ? [set('q', v), whileLoop(['==', 'q', v], round)]
    : [set('q', v + 1), whileLoop(['!=', 'q', v], round)]
}
export const spinsOnUpdate: Fragment = (d) => [
  set('k', 1),
  whileLoop('k', [exchange('x', 1, 'k')]),
  ...(d.below(3) === 0 ? [] : [atomicStore('x', 0)]),
]
export const spinsOnTrylock: Fragment = (d) => [
  set('k', 1),
  whileLoop('k', [trylock('m', 'k')]),
  ...ending(d, unlock('m')),
]
export const pauses: Fragment = (d) => [d.of([yieldNow, point])()]
export const ends: Fragment = () => [exit()]
export const prints: Fragment = (d) => [output(d.below(2) === 0 ? 'r' : value(d))]

/** A count that is taken down; who sees it reach nought goes on, or waits for it. */
export const countsDown: Fragment = (d) => [
  fetchAdd('x', -1, 'r'),
  when(['==', 'r', 1], d.below(2) === 0 ? [sempost('s')] : [store('y', 1)]),
]
export const countsUp: Fragment = () => [fetchAdd('x', 1, 'r')]
export const startsAndJoins: Fragment = () => [join('last')]

// --- what only programs that may use anything are made of

/** Waits until x is set, however often the wait ends before. */
export const waitsUntil: Fragment = () => [
  lock('m'),
  load('x', 'r'),
  whileLoop(['==', 'r', 0], [wait('c', 'm'), load('x', 'r')]),
  unlock('m'),
]
export const storesSum: Fragment = (d) => [store(variable(d), ['+', d.of(['r', 'q']), 1])]
export const elements: Fragment = (d) => {
  const place = d.of([at('a', 0), at('a', 1), at('a', ['&', 'r', 1])])
  return [d.below(2) === 0 ? load(place, 'r') : store(place, value(d))]
}
export const locksTwice: Fragment = (d) =>
  d.below(2) === 0
    ? [lock('rec'), lock('rec'), ...body(d), unlock('rec'), unlock('rec')]
    : [trylock('rec', 'k'), when(['==', 'k', 0], [unlock('rec')])]
export const locksInError: Fragment = () => [lock('err'), lock('err', 'k'), unlock('err'), unlock('err', 'q')]
export const branches: Fragment = (d) => [
  when([d.of(['==', '<']), d.of(['r', 'q', 'k']), value(d)], body(d), body(d)),
]
export const repeats: Fragment = (d) => [loop(2, d.of(d.inner)(d))]
export const spinsOnLockOfItsOwn: Fragment = (d) => [
  set('k', 1),
  whileLoop('k', [exchange('spinlock', 1, 'k'), ...(d.below(2) === 0 ? [] : [yieldNow()])]),
  load('x', 'r'),
  atomicStore('spinlock', 0),
]
export const spinsOnBusyLock: Fragment = () => [
  set('k', Result.busy),
  whileLoop('k', [trylock('m', 'k')]),
  unlock('m'),
]
export const misuses: Fragment = (d) =>
  d.of([[unlock('m')], [lock('n'), lock('n')], [wait('c', 'm')], [rwunlock('rw')], [exit()]])
