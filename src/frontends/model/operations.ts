import type { Place } from './build.js'
import type { MemoryOrder } from './program.js'
import type { StatementName } from './shapes.js'

export type ThreadCode = Generator<Operation, unknown, number>
/** `args` are those of `t.create`. */
export type ThreadFunction = (t: Operations, ...args: number[]) => ThreadCode

/** What a thread yields; made by `Operations`. */
export interface Operation {
  readonly op: StatementName | 'head'
  readonly object?: Place
  readonly a?: number | string
  readonly b?: number | string
  readonly args?: readonly number[]
  readonly label?: string
  readonly order?: MemoryOrder
  readonly failure?: MemoryOrder
}

/** The operations of a thread. Results are as in data programs. */
export interface Operations {
  /** The same operations with a name for their site. */
  at(label: string): Operations
  load(from: Place): Operation
  store(to: Place, value: number): Operation
  atomicLoad(from: Place, order?: MemoryOrder): Operation
  atomicStore(to: Place, value: number, order?: MemoryOrder): Operation
  exchange(to: Place, value: number, order?: MemoryOrder): Operation
  fetchAdd(to: Place, value: number, order?: MemoryOrder): Operation
  compareExchange(
    to: Place,
    expected: number,
    desired: number,
    order?: MemoryOrder,
    failure?: MemoryOrder,
  ): Operation
  fence(order?: MemoryOrder): Operation
  lock(mutex: string): Operation
  trylock(mutex: string): Operation
  timedlock(mutex: string): Operation
  unlock(mutex: string): Operation
  rdlock(rwlock: string): Operation
  wrlock(rwlock: string): Operation
  tryrdlock(rwlock: string): Operation
  trywrlock(rwlock: string): Operation
  rwunlock(rwlock: string): Operation
  wait(condition: string, mutex: string): Operation
  timedwait(condition: string, mutex: string): Operation
  signal(condition: string): Operation
  broadcast(condition: string): Operation
  semwait(semaphore: string): Operation
  semtrywait(semaphore: string): Operation
  semtimedwait(semaphore: string): Operation
  sempost(semaphore: string): Operation
  semvalue(semaphore: string): Operation
  barrier(name: string): Operation
  /** Gives a handle for `join`. */
  create(thread: string, ...args: number[]): Operation
  /** A root or own child by name, or any thread by handle. */
  join(thread: string | number): Operation
  exit(): Operation
  yield(): Operation
  point(): Operation
  choose(count: number): Operation
  output(value: number | string): Operation
  /** Not an operation: called, not yielded. */
  assert(condition: boolean, message?: string): void
  /**
   * Repeats `body` while it returns true. A round that only read and yielded blocks the thread until another thread
   * changes something it read, so `body` must keep nothing between rounds. Used as `yield* t.spinWhile(...)`.
   */
  spinWhile(body: () => Generator<Operation, boolean, number>): Generator<Operation, void, number>
}

/** Thrown by `Operations.assert`. */
export class AssertionFailure extends Error {}

/** A place a thread comes back to; see `Operations.spinWhile`. */
export interface Head extends Operation {
  readonly op: 'head'
  stamp: number
  row: number
}

function makeOperations(label: string | undefined): Operations {
  const named = label === undefined ? {} : { label }
  const on =
    (op: StatementName) =>
    (object: Place): Operation => ({ op, object, ...named })
  const on2 =
    (op: StatementName) =>
    (object: Place, a: number | string): Operation => ({ op, object, a, ...named })
  const ordered = (order: MemoryOrder | undefined) => (order === undefined ? {} : { order })
  const alone = (op: StatementName) => (): Operation => ({ op, ...named })
  return {
    at: makeOperations,
    load: on('load'),
    store: on2('store'),
    atomicLoad: (object, order) => ({ op: 'atomicLoad', object, ...named, ...ordered(order) }),
    atomicStore: (object, a, order) => ({ op: 'atomicStore', object, a, ...named, ...ordered(order) }),
    exchange: (object, a, order) => ({ op: 'exchange', object, a, ...named, ...ordered(order) }),
    fetchAdd: (object, a, order) => ({ op: 'fetchAdd', object, a, ...named, ...ordered(order) }),
    compareExchange: (object, a, b, order, failure) => ({
      op: 'compareExchange',
      object,
      a,
      b,
      ...named,
      ...ordered(order),
      ...(failure === undefined ? {} : { failure }),
    }),
    fence: (order) => ({ op: 'fence', ...named, ...ordered(order) }),
    lock: on('lock'),
    trylock: on('trylock'),
    timedlock: on('timedlock'),
    unlock: on('unlock'),
    rdlock: on('rdlock'),
    wrlock: on('wrlock'),
    tryrdlock: on('tryrdlock'),
    trywrlock: on('trywrlock'),
    rwunlock: on('rwunlock'),
    wait: on2('wait'),
    timedwait: on2('timedwait'),
    signal: on('signal'),
    broadcast: on('broadcast'),
    semwait: on('semwait'),
    semtrywait: on('semtrywait'),
    semtimedwait: on('semtimedwait'),
    sempost: on('sempost'),
    semvalue: on('semvalue'),
    barrier: on('barrier'),
    create: (object, ...args) => ({ op: 'create', object, args, ...named }),
    join: (a) => ({ op: 'join', a, ...named }),
    exit: alone('exit'),
    yield: alone('yield'),
    point: alone('point'),
    choose: (a) => ({ op: 'choose', a, ...named }),
    output: (a) => ({ op: 'output', a, ...named }),
    assert(condition, message) {
      if (!condition) throw new AssertionFailure(message)
    },
    *spinWhile(body) {
      const head: Head = { op: 'head', stamp: -1, row: 0 }
      do yield head
      while (yield* body())
    },
  }
}

/** What every thread function is given. */
export const operations = makeOperations(undefined)
