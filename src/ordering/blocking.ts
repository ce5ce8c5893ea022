import { Mode, Op } from '../machine/operation.js'

/**
 * When a blocking operation could have run earlier: the facts about objects that race reversal needs. The object's
 * state just before an event is in the event's `aux`: for a mutex 0 when free, else the owner's thread index + 1; for
 * a reader-writer lock the number of readers, or -1 for a writer; for a semaphore its count.
 */

/**
 * - `none`: the operation is always enabled, every conflict can be reversed;
 * - `mutex`: it needs the mutex free;
 * - `counted`: it needs a count of readers, writers or permits;
 * - `spin`: it needs a write to something it read;
 * - `cancelled`: it needs a request to end, or else what it would have waited for;
 * - `never`: what it waits for cannot be undone, so it cannot go before it (barrier).
 */
export type BlockingRule = 'none' | 'mutex' | 'counted' | 'spin' | 'cancelled' | 'never'

const rules: BlockingRule[] = []
rules[Op.lock] = 'mutex'
rules[Op.reacquire] = 'mutex'
rules[Op.readLock] = 'counted'
rules[Op.writeLock] = 'counted'
rules[Op.semWait] = 'counted'
rules[Op.resume] = 'spin'
rules[Op.cancelled] = 'cancelled'
rules[Op.barrierLeave] = 'never'
const byKind: readonly BlockingRule[] = Object.values(Op).map((kind) => rules[kind] ?? 'none')

export function blockingRule(kind: number, mode: number): BlockingRule {
  // A lock that only reads is one the thread holds already.
  return kind === Op.lock && mode === Mode.read ? 'none' : byKind[kind]
}

export function isFree(mutexState: number): boolean {
  return mutexState === 0
}

/** The count after an event on a semaphore or reader-writer lock. */
export function applyCount(kind: number, mode: number, state: number): number {
  switch (kind) {
    case Op.semPost:
      return state + 1
    case Op.semWait:
      return state - 1
    case Op.semTryWait:
      return mode === Mode.write ? state - 1 : state
    case Op.readLock:
      return state + 1
    case Op.tryReadLock:
      return mode === Mode.commute ? state + 1 : state
    case Op.readUnlock:
      return state - 1
    case Op.writeLock:
      return -1
    case Op.tryWriteLock:
      return mode === Mode.write ? -1 : state
    case Op.writeUnlock:
      return 0
    default:
      return state
  }
}

/** Whether the operation can run in that state. */
export function countAllows(kind: number, state: number): boolean {
  if (kind === Op.semWait) return state > 0
  if (kind === Op.readLock) return state >= 0
  return state === 0
}
