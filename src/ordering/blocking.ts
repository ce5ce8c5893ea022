import { announcedMode, kinds, Mode, Op, type OperationName, operations } from '../machine/operation.js'

/**
 * When a blocking operation could have run earlier: the facts about objects that race reversal needs. The object's
 * state just before an event is in the event's `aux`: for a mutex 0 when free, else the owner's thread index + 1; for
 * a reader-writer lock what `rwlockState` says; for a semaphore its count.
 */

const WAITING_WRITER = 1 << 16

/** State of a reader-writer lock: the number of readers, or -1 for a writer; and of writers that readers wait for. */
export function rwlockState(readers: number, waitingWriters: number): number {
  return readers + WAITING_WRITER * waitingWriters
}

function waitingIn(state: number): number {
  return Math.floor((state + 1) / WAITING_WRITER)
}

function readersIn(state: number): number {
  return state - waitingIn(state) * WAITING_WRITER
}

/**
 * - `none`: the operation is always enabled, every conflict can be reversed;
 * - `mutex`: it needs the mutex free;
 * - `counted`: it needs a count of readers, writers or permits;
 * - `spin`: it needs a write to something it read;
 * - `cancelled`: it needs a request to end, or else what it would have waited for;
 * - `never`: what it waits for cannot be undone, so it cannot go before it (barrier).
 */
export type BlockingRule = 'none' | 'mutex' | 'counted' | 'spin' | 'cancelled' | 'never'

const ruleOf = {
  mutex: 'mutex',
  permit: 'counted',
  readable: 'counted',
  writable: 'counted',
  spin: 'spin',
  request: 'cancelled',
  arrivals: 'never',
  // The order that a join makes is no conflict.
  thread: 'none',
} as const
const byKind: readonly BlockingRule[] = operations.map(({ waits }) => (waits ? ruleOf[waits] : 'none'))

export function blockingRule(kind: number, mode: number): BlockingRule {
  // A lock that only reads is one the thread holds already.
  return kind === Op.lock && mode === Mode.read ? 'none' : byKind[kind]
}

/** By kind: 1 for operations that neither wait nor order threads by anything but their conflicts. */
export const isUnhindered = kinds(({ waits, edge }) => waits === undefined && edge === undefined)
isUnhindered[Op.resume] = isUnhindered[Op.cancelled] = 0

export function isFree(mutexState: number): boolean {
  return mutexState === 0
}

/** By kind of a try: the operation that it does if it can be done at once, or in time; -1 for what is no try. */
export const blockingKind: readonly number[] = operations.map(({ tries }) =>
  tries === undefined ? -1 : Op[tries as OperationName],
)

/** The count after an event on a semaphore or reader-writer lock. A try that failed has another mode. */
export function applyCount(kind: number, mode: number, state: number): number {
  const tried = blockingKind[kind]
  if (tried >= 0 && mode !== announcedMode[tried]) return state
  const { adds, sets, queues = 0 } = operations[kind]
  if (adds !== undefined) return state + adds
  if (sets === undefined && queues === 0) return state
  return rwlockState(sets ?? readersIn(state), waitingIn(state) + queues)
}

/** Whether the operation can run in that state. */
export function countAllows(kind: number, state: number): boolean {
  const { waits } = operations[kind]
  if (waits === 'permit') return state > 0
  if (waits === 'readable') return readersIn(state) >= 0 && waitingIn(state) === 0
  return readersIn(state) === 0
}

const forReaders = kinds(({ waits }) => waits === 'writable')

/** Whether an operation may have to wait for several readers. */
export function waitsForReaders(kind: number): boolean {
  return forReaders[kind] === 1
}
