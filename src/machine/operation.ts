/**
 * The visible actions of a thread, and how each touches the object it acts on.
 *
 * One table serves every front end, reduction, sampler, detector and report: adding an operation is one row here. What
 * others need to know of an operation by its kind is a column, from which they make typed arrays; `kinds` does that.
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
export type PointKind = 'yield' | 'txn' | 'lock' | 'unlock' | 'sync' | 'atomic' | 'access' | 'none'

/**
 * Clocks of a synchronisation object, as bits:
 * - `open`: by whoever opened it for others (unlock, write unlock, post, anything on a condition or a barrier);
 * - `taken`: by whoever took it, which is what makes a try fail;
 * - `shared`: by readers who left, for whom only a writer waits.
 */
export const ObjectClock = { open: 1, taken: 2, shared: 4 } as const

/** How an operation on a synchronisation object orders threads. */
export interface Handover {
  /** Ordered after what these clocks say. */
  readonly after?: number
  /** What waits for these clocks is ordered after it. */
  readonly before?: number
}

export interface OperationInfo {
  readonly name: string
  /** The strongest mode the operation can turn out to have: what a stopped thread announces. */
  readonly mode: number
  readonly point: PointKind
  /** `to`: the target thread's future happens after this. `from`: this happens after the target's past. */
  readonly edge?: 'to' | 'from'
  /** Its mode can turn out weaker than announced (a compare-exchange or trylock that fails is a read). */
  readonly varies?: boolean
  /**
   * What the thread may have to wait for before it can do this: a free mutex; a permit left; that nobody writes; that
   * nobody holds the lock; the end of a thread; a write to something it read; a request to end, or what it would have
   * waited for; all others to arrive.
   */
  readonly waits?: 'mutex' | 'permit' | 'readable' | 'writable' | 'thread' | 'spin' | 'request' | 'arrivals'
  /** The blocking operation that this one does if it can be done at once, or in time. */
  readonly tries?: string
  /** What it does to the locks that its thread holds, unless it turned out a read. */
  readonly locks?: 'takes' | 'gives'
  /** That lock may be held by others of its kind at the same time. */
  readonly shared?: boolean
  /** What it adds to the count of its semaphore or reader-writer lock (readers, -1 for a writer), or makes of it. */
  readonly adds?: number
  readonly sets?: number
  /** What it adds to the number of writers that wait for its lock, and that readers wait for. */
  readonly queues?: number
  /**
   * How it orders threads through its object, by the mode as it turned out. An order is there exactly when the later
   * operation could not have gone as it went without the earlier one; an operation whose outcome did not depend on
   * another's is not ordered after it, though their order may matter to a third.
   */
  readonly orders?: Partial<Record<keyof typeof Mode, Handover>>
  /** What race detectors take it for. */
  readonly access?: 'read' | 'write'
  /** It touches one object, and is announced as it turns out: theorem 1 of the POS paper was checked for such. */
  readonly single?: boolean
  /** It changes nothing at all, so that a thread that spins may do it. */
  readonly idle?: boolean
  /** A thread about to do it has given up the processor: leaving it there costs no preemption. */
  readonly givesWay?: boolean
  /** Says nothing to a reader: bookkeeping, most of it beside another operation that is shown. */
  readonly silent?: boolean
  /** How it is told: what a thread does, and what was done. */
  readonly verb?: string
  readonly noun?: string
}

const { open, taken, shared } = ObjectClock
const takes: Handover = { after: open, before: taken }
const failedTry: Handover = { after: taken }
const hands: Handover = { after: open, before: open }
const everything: Handover = { after: open | taken | shared, before: open | taken | shared }

// A table: one line each, or two.
// biome-ignore format: the columns are easier to read
const rows = {
  load: { name: 'read', mode: Mode.read, point: 'access', access: 'read', single: true, verb: 'reads',
    noun: 'read of' },
  store: { name: 'write', mode: Mode.write, point: 'access', access: 'write', single: true, verb: 'writes',
    noun: 'write to' },
  atomicLoad: { name: 'atomic load', mode: Mode.read, point: 'atomic', access: 'read', single: true,
    verb: 'reads', noun: 'read of' },
  atomicStore: { name: 'atomic store', mode: Mode.write, point: 'atomic', access: 'write', single: true,
    verb: 'writes', noun: 'write to' },
  atomicUpdate: { name: 'atomic update', mode: Mode.write, point: 'atomic', varies: true, access: 'write',
    single: true, verb: 'updates', noun: 'update of' },
  /** Of what a system keeps for its threads, such as the signals sent to one: each in one step, and no race. */
  look: { name: 'look', mode: Mode.read, point: 'sync', single: true, orders: { read: { after: open } },
    silent: true },
  change: { name: 'use', mode: Mode.write, point: 'sync', single: true, orders: { write: hands },
    verb: 'uses', noun: 'use of' },
  fence: { name: 'fence', mode: Mode.none, point: 'atomic', idle: true },

  lock: { name: 'lock', mode: Mode.write, point: 'lock', waits: 'mutex', locks: 'takes', single: true,
    orders: { write: takes, read: { after: open | taken } }, verb: 'locks', noun: 'lock of' },
  tryLock: { name: 'try lock', mode: Mode.write, point: 'lock', varies: true, tries: 'lock', locks: 'takes',
    single: true, orders: { write: takes, read: failedTry }, verb: 'tries to lock', noun: 'attempt to lock' },
  timedLock: { name: 'timed lock', mode: Mode.write, point: 'lock', varies: true, tries: 'lock',
    locks: 'takes', orders: { write: takes, read: failedTry }, verb: 'locks', noun: 'timed lock of' },
  unlock: { name: 'unlock', mode: Mode.write, point: 'unlock', locks: 'gives', single: true,
    orders: { write: { before: open }, read: { after: open | taken } }, verb: 'unlocks', noun: 'unlock of' },
  mutexSetup: { name: 'init or destroy', mode: Mode.write, point: 'sync', single: true,
    orders: { write: everything, read: { after: open | taken | shared } }, verb: 'sets up or destroys',
    noun: 'set-up or destruction of' },

  /** A lock that the program builds from other operations was taken, or is about to be given back. */
  customLock: { name: 'take', mode: Mode.write, point: 'none', locks: 'takes',
    orders: { write: takes, commute: takes }, verb: 'takes', noun: 'taking of' },
  customUnlock: { name: 'give back', mode: Mode.write, point: 'none', locks: 'gives',
    orders: { write: { before: open }, commute: { before: open } }, verb: 'gives back', noun: 'giving back of' },

  readLock: { name: 'read lock', mode: Mode.commute, point: 'lock', waits: 'readable', locks: 'takes',
    shared: true, adds: 1, single: true, orders: { commute: takes }, verb: 'read-locks',
    noun: 'read lock of' },
  writeLock: { name: 'write lock', mode: Mode.write, point: 'lock', waits: 'writable', locks: 'takes',
    sets: -1, single: true, orders: { write: { after: open | shared, before: taken } }, verb: 'write-locks',
    noun: 'write lock of' },
  /**
   * Where readers wait for waiting writers, a write lock is one of these: it takes a lock that is free; else its thread
   * joins those who wait (logged as `writeQueue`), and takes it later.
   */
  writeRequest: { name: 'write lock', mode: Mode.write, point: 'lock', locks: 'takes', sets: -1,
    orders: { write: { after: open | shared, before: taken } }, verb: 'write-locks', noun: 'write lock of' },
  writeQueue: { name: 'wait to write-lock', mode: Mode.write, point: 'none', queues: 1,
    orders: { write: { before: taken } }, verb: 'waits to write-lock', noun: 'wait to write-lock' },
  queuedWriteLock: { name: 'write lock', mode: Mode.write, point: 'lock', waits: 'writable', locks: 'takes',
    sets: -1, queues: -1, orders: { write: { after: open | shared, before: taken } }, verb: 'write-locks',
    noun: 'write lock of' },
  tryReadLock: { name: 'try read lock', mode: Mode.write, point: 'lock', varies: true, tries: 'readLock',
    locks: 'takes', shared: true, adds: 1, single: true, orders: { commute: takes, read: failedTry },
    verb: 'tries to read-lock', noun: 'attempt to read-lock' },
  tryWriteLock: { name: 'try write lock', mode: Mode.write, point: 'lock', varies: true, tries: 'writeLock',
    locks: 'takes', sets: -1, single: true,
    orders: { write: { after: open | shared, before: taken }, read: failedTry },
    verb: 'tries to write-lock', noun: 'attempt to write-lock' },
  readUnlock: { name: 'read unlock', mode: Mode.commute, point: 'unlock', locks: 'gives', shared: true,
    adds: -1, single: true, orders: { commute: { before: shared } }, verb: 'unlocks', noun: 'unlock of' },
  writeUnlock: { name: 'write unlock', mode: Mode.write, point: 'unlock', locks: 'gives', sets: 0,
    single: true, orders: { write: { before: open } }, verb: 'unlocks', noun: 'unlock of' },

  condWait: { name: 'wait', mode: Mode.write, point: 'sync', orders: { write: hands }, verb: 'waits on',
    noun: 'wait on' },
  /** End of a wait that may end by itself (timed, or spurious wake-ups on): enabled at once, outcome read from the state. */
  condReturn: { name: 'return from wait', mode: Mode.write, point: 'sync', orders: { write: hands },
    givesWay: true, verb: 'returns from its wait on', noun: 'return from its wait on' },
  /** Takes the mutex again after a wake-up. */
  reacquire: { name: 'reacquire', mode: Mode.write, point: 'lock', waits: 'mutex', locks: 'takes',
    orders: { write: takes }, verb: 'takes back', noun: 'taking back of' },
  condSignal: { name: 'signal', mode: Mode.write, point: 'sync', orders: { write: hands }, verb: 'signals',
    noun: 'signal on' },
  condBroadcast: { name: 'broadcast', mode: Mode.write, point: 'sync', orders: { write: hands },
    verb: 'broadcasts on', noun: 'broadcast on' },
  /** Logged beside a signal or broadcast, once per thread woken. */
  wake: { name: 'wake', mode: Mode.none, point: 'none', edge: 'to', silent: true },

  semWait: { name: 'semaphore wait', mode: Mode.write, point: 'sync', waits: 'permit', adds: -1,
    single: true, orders: { write: takes }, verb: 'waits on', noun: 'wait on' },
  semTryWait: { name: 'semaphore try wait', mode: Mode.write, point: 'sync', varies: true, tries: 'semWait',
    adds: -1, single: true, orders: { write: takes, read: failedTry }, verb: 'tries to take',
    noun: 'attempt to take' },
  semPost: { name: 'semaphore post', mode: Mode.commute, point: 'sync', adds: 1, single: true,
    orders: { commute: { before: open } }, verb: 'posts', noun: 'post of' },
  semRead: { name: 'semaphore value', mode: Mode.read, point: 'sync', single: true,
    orders: { read: { after: open | taken } }, verb: 'reads', noun: 'look at' },

  barrierArrive: { name: 'barrier arrive', mode: Mode.write, point: 'sync', single: true,
    orders: { write: hands }, verb: 'arrives at', noun: 'arrival at' },
  barrierLeave: { name: 'barrier leave', mode: Mode.read, point: 'sync', waits: 'arrivals', single: true,
    orders: { read: { after: open } }, verb: 'leaves', noun: 'leaving of' },

  /** First step of a thread whose first operation is not known before it runs. */
  start: { name: 'start', mode: Mode.none, point: 'yield', silent: true },
  create: { name: 'create', mode: Mode.none, point: 'sync', edge: 'to', verb: 'creates a thread',
    noun: 'creation of a thread' },
  join: { name: 'join', mode: Mode.none, point: 'sync', edge: 'from', waits: 'thread',
    verb: 'joins a thread', noun: 'join of a thread' },
  /** Decides who may join a thread: a detach, or logged beside a join; mode read when it came too late. */
  claim: { name: 'detach', mode: Mode.write, point: 'sync', varies: true },
  /** Writes that its thread has ended, in programs that cancel threads: see `cancelled`. */
  exit: { name: 'exit', mode: Mode.none, point: 'none', silent: true },

  /** Asks a thread to end itself; logged once more for the condition variable on which that thread waits. */
  cancel: { name: 'cancel', mode: Mode.write, point: 'sync' },
  /** A thread looks whether it has been asked to end, in a call of its own or beside another operation. */
  cancelPoint: { name: 'look for cancellation of', mode: Mode.read, point: 'sync' },
  /**
   * Logged first when a wait for a permit or for the end of a thread does not happen because its thread was asked to
   * end; the event after it reads what it waited for.
   */
  cancelled: { name: 'stop waiting, by cancellation of', mode: Mode.read, point: 'none', waits: 'request' },

  /** End of `main` or `exit()`: runs only when no other thread can. */
  processExit: { name: 'end of program', mode: Mode.none, point: 'yield', silent: true },
  yield: { name: 'yield', mode: Mode.none, point: 'yield', idle: true, givesWay: true },
  userPoint: { name: 'preemption point', mode: Mode.none, point: 'yield', idle: true },

  /**
   * Logged first in the transition of a thread that goes on after a spin blocked it: one event per distinct location
   * it read in the iteration that blocked, mode read, aux = index of that iteration's first event. A write to any of
   * these locations enables the thread, so its going on must be ordered after the writes to all of them.
   */
  resume: { name: 'go on spinning', mode: Mode.read, point: 'none', waits: 'spin', silent: true },

  /**
   * Logged last, mode read, in a transition that ends before an operation only because of the state of its object (it
   * cannot be done now, or has several alternatives now) and not because the point is in the PP set: how far the
   * transition went depended on that object.
   */
  probe: { name: 'find blocked', mode: Mode.read, point: 'none', silent: true },

  /**
   * A transaction begins; its whole body follows in the same transition, each access as an atomic one, and then `txEnd`
   * or `txAbort`. aux is 1 where the body does the same whatever it reads: see `Footprints.predictedBody`.
   */
  txBegin: { name: 'begin transaction', mode: Mode.none, point: 'txn', verb: 'begins a transaction',
    noun: 'begin of a transaction' },
  txEnd: { name: 'commit', mode: Mode.none, point: 'none', verb: 'commits its transaction',
    noun: 'commit of a transaction' },
  /** aux is what the begin returns. Of the body only the reads that led here are left. */
  txAbort: { name: 'abort', mode: Mode.none, point: 'none', verb: 'aborts its transaction',
    noun: 'abort of a transaction' },
  /**
   * What a transaction would touch, where others can make it abort by a conflict: logged when its thread comes to its
   * begin, since what others do from then on counts, and when it aborts by one, since that takes such an access.
   */
  txWatch: { name: 'watch for conflicts', mode: Mode.commute, point: 'none', silent: true },

  choose: { name: 'choose', mode: Mode.none, point: 'none', verb: 'chooses', noun: 'choice' },
  output: { name: 'output', mode: Mode.write, point: 'sync', verb: 'prints', noun: 'output' },
  /** Touches nothing shared unless freed memory is reused. */
  malloc: { name: 'allocate', mode: Mode.write, point: 'access', silent: true },
  /** Freeing is a write to the whole block: an access and a free that nothing orders race (Landslide §3.4.2). */
  free: { name: 'free', mode: Mode.write, point: 'access', access: 'write', single: true, verb: 'frees',
    noun: 'release of' },
  /**
   * Logged beside malloc and free where freed memory is reused: what there is of it, by size. Memory that was freed is
   * given out again after it was freed.
   */
  freeList: { name: 'free memory', mode: Mode.write, point: 'none',
    orders: { write: hands, read: { after: open } } },
  /**
   * What an invariant has to do with an operation, logged beside it: a write where writes to anything the invariant
   * reads are told as one object, reads of all it read where it was looked at.
   */
  watch: { name: 'invariant', mode: Mode.write, point: 'none', silent: true },
  /**
   * The thread has gone round loops for long without coming to a point, while others could run: it stops, whatever the
   * PP set, so that an execution in which it waits for one of them can end.
   */
  pause: { name: 'pause', mode: Mode.none, point: 'yield', idle: true, givesWay: true },
} as const satisfies Record<string, OperationInfo>

export type OperationName = keyof typeof rows

const names = Object.keys(rows) as OperationName[]

/** Numeric kind of each operation, dense from 0. */
export const Op = Object.freeze(Object.fromEntries(names.map((name, i) => [name, i]))) as {
  readonly [K in OperationName]: number
}

/** By numeric kind. */
export const operations: readonly OperationInfo[] = names.map((name) => rows[name])

/** By numeric kind: 1 where an operation is such, for the hot path. */
export function kinds(isSuch: (operation: OperationInfo) => boolean): Uint8Array {
  return Uint8Array.from(operations, (operation) => (isSuch(operation) ? 1 : 0))
}

/** Announced mode by numeric kind, as a typed array for the hot path. */
export const announcedMode = Uint8Array.from(operations, (o) => o.mode)

export const EDGE_NONE = 0
export const EDGE_TO = 1
export const EDGE_FROM = 2

/** Thread edge by numeric kind. */
export const edgeOf = Uint8Array.from(operations, (o) =>
  o.edge === 'to' ? EDGE_TO : o.edge === 'from' ? EDGE_FROM : EDGE_NONE,
)
