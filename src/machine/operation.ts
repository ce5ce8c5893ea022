/**
 * The visible actions of a thread, and how each touches the object it acts on.
 *
 * One table serves every front end, reduction, sampler, detector and report: adding an operation is one row here.
 */

/** How an operation touches its object. `src/ordering/dependence.ts` says which modes conflict. */
export const Mode = {
  /** Touches no shared object. */
  none: 0,
  /** Observes: commutes with other reads. */
  read: 1,
  /** Changes, or both observes and changes. */
  write: 2,
  /** Changes in a way that commutes with its own kind (semaphore post, reader lock and unlock). */
  commute: 3,
} as const

/** Which preemption-point kind guards an operation. `unlock` is the one kind whose point lies *after* the operation. */
export type PointKind = 'yield' | 'lock' | 'unlock' | 'sync' | 'atomic' | 'access' | 'none'

export interface OperationInfo {
  readonly name: string
  /** The strongest mode the operation can turn out to have: what a stopped thread announces. */
  readonly mode: number
  readonly point: PointKind
  /** `to`: the target thread's future happens after this. `from`: this happens after the target's past. */
  readonly edge?: 'to' | 'from'
  /** The thread may have to wait before it can do this. */
  readonly blocking?: boolean
  /** Its mode can turn out weaker than announced (a compare-exchange or trylock that fails is a read). */
  readonly varies?: boolean
}

const rows = {
  load: { name: 'read', mode: Mode.read, point: 'access' },
  store: { name: 'write', mode: Mode.write, point: 'access' },
  atomicLoad: { name: 'atomic load', mode: Mode.read, point: 'atomic' },
  atomicStore: { name: 'atomic store', mode: Mode.write, point: 'atomic' },
  atomicUpdate: { name: 'atomic update', mode: Mode.write, point: 'atomic', varies: true },
  fence: { name: 'fence', mode: Mode.none, point: 'atomic' },

  lock: { name: 'lock', mode: Mode.write, point: 'lock', blocking: true },
  tryLock: { name: 'try lock', mode: Mode.write, point: 'lock', varies: true },
  timedLock: { name: 'timed lock', mode: Mode.write, point: 'lock', varies: true },
  unlock: { name: 'unlock', mode: Mode.write, point: 'unlock' },
  mutexSetup: { name: 'init or destroy', mode: Mode.write, point: 'sync' },

  /** A lock of the program's own, built from other operations, was taken, or is about to be given back. */
  ownLock: { name: 'take', mode: Mode.write, point: 'none' },
  ownUnlock: { name: 'give back', mode: Mode.write, point: 'none' },

  readLock: { name: 'read lock', mode: Mode.commute, point: 'lock', blocking: true },
  writeLock: { name: 'write lock', mode: Mode.write, point: 'lock', blocking: true },
  tryReadLock: { name: 'try read lock', mode: Mode.write, point: 'lock', varies: true },
  tryWriteLock: { name: 'try write lock', mode: Mode.write, point: 'lock', varies: true },
  readUnlock: { name: 'read unlock', mode: Mode.commute, point: 'unlock' },
  writeUnlock: { name: 'write unlock', mode: Mode.write, point: 'unlock' },

  condWait: { name: 'wait', mode: Mode.write, point: 'sync' },
  /** End of a wait that may end by itself (timed, or spurious wake-ups on): enabled at once, outcome read from the state. */
  condReturn: { name: 'return from wait', mode: Mode.write, point: 'sync' },
  /** Takes the mutex again after a wake-up. */
  reacquire: { name: 'reacquire', mode: Mode.write, point: 'lock', blocking: true },
  condSignal: { name: 'signal', mode: Mode.write, point: 'sync' },
  condBroadcast: { name: 'broadcast', mode: Mode.write, point: 'sync' },
  /** Logged beside a signal or broadcast, once per thread woken. */
  wake: { name: 'wake', mode: Mode.none, point: 'none', edge: 'to' },

  semWait: { name: 'semaphore wait', mode: Mode.write, point: 'sync', blocking: true },
  semTryWait: { name: 'semaphore try wait', mode: Mode.write, point: 'sync', varies: true },
  semPost: { name: 'semaphore post', mode: Mode.commute, point: 'sync' },
  semRead: { name: 'semaphore value', mode: Mode.read, point: 'sync' },

  barrierArrive: { name: 'barrier arrive', mode: Mode.write, point: 'sync' },
  barrierLeave: { name: 'barrier leave', mode: Mode.read, point: 'sync', blocking: true },

  /** First step of a thread whose first operation is not known before it runs. */
  start: { name: 'start', mode: Mode.none, point: 'yield' },
  create: { name: 'create', mode: Mode.none, point: 'sync', edge: 'to' },
  join: { name: 'join', mode: Mode.none, point: 'sync', edge: 'from', blocking: true },
  /** Decides who may join a thread: a detach, or logged beside a join; mode read when it came too late. */
  claim: { name: 'detach', mode: Mode.write, point: 'sync', varies: true },
  /** Writes that its thread has ended, in programs that cancel threads: see `cancelled`. */
  exit: { name: 'exit', mode: Mode.none, point: 'none' },

  /** Asks a thread to end itself; logged once more for the condition variable on which that thread waits. */
  cancel: { name: 'cancel', mode: Mode.write, point: 'sync' },
  /** A thread looks whether it has been asked to end, in a call of its own or beside another operation. */
  cancelPoint: { name: 'look for cancellation of', mode: Mode.read, point: 'sync' },
  /**
   * Logged first when a wait for a permit or for the end of a thread does not happen because its thread was asked to
   * end; the event after it reads what it waited for.
   */
  cancelled: { name: 'stop waiting, by cancellation of', mode: Mode.read, point: 'none', blocking: true },

  /** End of `main` or `exit()`: runs only when no other thread can. */
  processExit: { name: 'end of program', mode: Mode.none, point: 'yield' },
  yield: { name: 'yield', mode: Mode.none, point: 'yield' },
  userPoint: { name: 'preemption point', mode: Mode.none, point: 'yield' },

  /**
   * Logged first in the transition of a thread that goes on after a spin blocked it: one event per distinct location
   * it read in the iteration that blocked, mode read, aux = index of that iteration's first event. A write to any of
   * these locations enables the thread, so its going on must be ordered after the writes to all of them.
   */
  resume: { name: 'go on spinning', mode: Mode.read, point: 'none', blocking: true },

  /**
   * Logged last, mode read, in a transition that ends before an operation only because of the state of its object (it
   * cannot be done now, or has several alternatives now) and not because the point is in the PP set: how far the
   * transition went depended on that object.
   */
  probe: { name: 'find blocked', mode: Mode.read, point: 'none' },

  choose: { name: 'choose', mode: Mode.none, point: 'none' },
  output: { name: 'output', mode: Mode.write, point: 'sync' },
  /** Touches nothing shared unless freed memory is reused. */
  malloc: { name: 'allocate', mode: Mode.write, point: 'access' },
  free: { name: 'free', mode: Mode.write, point: 'access' },
  /** Logged beside malloc and free where freed memory is reused: what there is of it, by size. */
  freeList: { name: 'free memory', mode: Mode.write, point: 'none' },
  /**
   * What an invariant has to do with an operation, logged beside it: a write where writes to anything the invariant
   * reads are told as one object, reads of all it read where it was looked at.
   */
  watch: { name: 'invariant', mode: Mode.write, point: 'none' },
  /**
   * The thread has gone round loops for long without coming to a point, while others could run: it stops, whatever the
   * PP set, so that an execution in which it waits for one of them can end.
   */
  pause: { name: 'pause', mode: Mode.none, point: 'yield' },
} as const satisfies Record<string, OperationInfo>

export type OperationName = keyof typeof rows

const names = Object.keys(rows) as OperationName[]

/** Numeric kind of each operation, dense from 0. */
export const Op = Object.freeze(Object.fromEntries(names.map((name, i) => [name, i]))) as {
  readonly [K in OperationName]: number
}

/** By numeric kind. */
export const operations: readonly OperationInfo[] = names.map((name) => rows[name])

/** Announced mode by numeric kind, as a typed array for the hot path. */
export const announcedMode = Uint8Array.from(operations, (o) => o.mode)

export const EDGE_NONE = 0
export const EDGE_TO = 1
export const EDGE_FROM = 2

/** Thread edge by numeric kind. */
export const edgeOf = Uint8Array.from(operations, (o) =>
  o.edge === 'to' ? EDGE_TO : o.edge === 'from' ? EDGE_FROM : EDGE_NONE,
)
