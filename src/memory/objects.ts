import type { ObjectKind } from '../machine/names.js'
import { Op } from '../machine/operation.js'

/**
 * What a synchronisation object holds:
 * - mutex: 0, or who holds it, and how often besides once (`mutexState`);
 * - semaphore: its count;
 * - once: 0, `ONCE_DONE`, or who runs the initialiser, as index + 1;
 * - rwlock: `w` and the writer, `r` and the readers in order, or nothing;
 * - condition: who waits, in order of arrival;
 * - barrier: the generation, `:`, and who has arrived.
 */
export type ObjectState = number | string

export const ONCE_DONE = -1

/** Types of mutexes: what the holder's locking it again does. */
export const MutexType = { plain: 0, recursive: 1, errorcheck: 2, normal: 3 } as const

/** What a thread is about to do to a synchronisation object, as plain data. */
export interface ObjectOperation {
  readonly type: ObjectKind
  /** See `Op`. */
  readonly kind: number
  readonly thread: number
  /** Which object it is. */
  readonly object: number
  /** Of mutexes: see `MutexType`; of barriers: how many it takes. */
  readonly detail: number
  /** Of waiting on a condition: the mutex that is given back in the same step; else -1. */
  readonly gives: number
}

const TIMES = 1 << 16

export function mutexState(owner: number, times: number): number {
  return owner === 0 ? 0 : owner + (times - 1) * TIMES
}

export function threadsState(threads: readonly number[]): string {
  return threads.join(',')
}

const threadsIn = (list: string): number[] => (list === '' ? [] : list.split(',').map(Number))

/** Whether it may fail instead of waiting. */
export function isTry(kind: number): boolean {
  return tries.has(kind)
}

const tries = new Set<number>([Op.tryLock, Op.timedLock, Op.tryReadLock, Op.tryWriteLock, Op.semTryWait])

/** In how many ways an operation can go in a state of its object; 0: its thread waits. */
export function waysOf(op: ObjectOperation, state: ObjectState): number {
  const { kind, thread } = op
  if (isTry(kind)) return 1
  switch (op.type) {
    case 'mutex':
      if (kind !== Op.lock && kind !== Op.reacquire) return 1
      if (isOwn(op, state)) return op.detail === MutexType.normal ? 0 : 1
      return state === 0 ? 1 : 0
    case 'once':
      return kind !== Op.lock || (state as number) <= 0 ? 1 : 0
    case 'semaphore':
      return kind !== Op.semWait || (state as number) > 0 ? 1 : 0
    case 'rwlock': {
      const holders = String(state)
      // Who waits for itself goes on, into an error.
      if (kind === Op.readLock) return holders[0] !== 'w' || holders === `w${thread}` ? 1 : 0
      if (kind !== Op.writeLock) return 1
      return holders === '' || holdersOf(holders).includes(thread) ? 1 : 0
    }
    case 'condition':
      return kind === Op.condSignal ? Math.max(1, threadsIn(String(state)).length) : 1
    default:
      return 1
  }
}

/** What it leaves, going in one of those ways. */
export function leftBy(op: ObjectOperation, state: ObjectState, way: number): ObjectState {
  switch (op.type) {
    case 'mutex':
      return mutexAfter(op, state as number)
    case 'once':
      if (op.kind === Op.unlock) return ONCE_DONE
      return state === 0 ? op.thread + 1 : state
    case 'semaphore':
      if (op.kind === Op.semPost) return (state as number) + 1
      return op.kind === Op.semRead || state === 0 ? state : (state as number) - 1
    case 'rwlock':
      return rwlockAfter(op, String(state))
    case 'condition': {
      const waiting = threadsIn(String(state))
      if (op.kind === Op.condWait) return threadsState([...waiting, op.thread])
      return threadsState(op.kind === Op.condSignal ? waiting.filter((_, i) => i !== way) : [])
    }
    default: {
      const { generation, arrived } = barrierOf(String(state))
      const all = [...arrived, op.thread]
      return all.length < op.detail ? barrierState(generation, all) : barrierState(generation + 1, [])
    }
  }
}

/** Threads that wait and that it lets go on. */
export function wokenBy(op: ObjectOperation, state: ObjectState, way: number): readonly number[] {
  if (op.kind === Op.condSignal) return threadsIn(String(state)).slice(way, way + 1)
  if (op.kind === Op.condBroadcast) return threadsIn(String(state))
  if (op.kind !== Op.barrierArrive) return nobody
  const { arrived } = barrierOf(String(state))
  return arrived.length + 1 < op.detail ? nobody : arrived
}

const nobody: readonly number[] = []

function isOwn({ thread }: ObjectOperation, state: ObjectState): boolean {
  return state !== 0 && (state as number) % TIMES === thread + 1
}

function mutexAfter(op: ObjectOperation, state: number): number {
  const isOwned = isOwn(op, state)
  if (op.kind === Op.unlock) return !isOwned ? state : state >= TIMES ? state - TIMES : 0
  if (state === 0) return op.thread + 1
  return isOwned && op.detail === MutexType.recursive ? state + TIMES : state
}

/** A mutex that is given back as part of a wait. */
export const GIVEN_BACK = 0

export function rwlockState(writer: number, readers: readonly number[]): string {
  if (writer >= 0) return `w${writer}`
  return readers.length === 0 ? '' : `r${threadsState([...readers].sort((a, b) => a - b))}`
}

function holdersOf(state: string): number[] {
  return threadsIn(state.slice(1))
}

function rwlockAfter({ kind, thread }: ObjectOperation, state: string): string {
  const isWritten = state[0] === 'w'
  const readers = isWritten ? [] : holdersOf(state)
  switch (kind) {
    case Op.readLock:
    case Op.tryReadLock:
      return isWritten ? state : rwlockState(-1, [...readers, thread])
    case Op.writeLock:
    case Op.tryWriteLock:
      return state === '' ? rwlockState(thread, []) : state
    case Op.writeUnlock:
      return ''
    default: {
      const at = readers.indexOf(thread)
      return at < 0 ? state : rwlockState(-1, [...readers.slice(0, at), ...readers.slice(at + 1)])
    }
  }
}

export function barrierState(generation: number, arrived: readonly number[]): string {
  return `${generation}:${threadsState([...arrived].sort((a, b) => a - b))}`
}

function barrierOf(state: string): { generation: number; arrived: number[] } {
  const [generation, arrived] = state.split(':')
  return { generation: Number(generation), arrived: threadsIn(arrived) }
}

const knownKinds: Partial<Record<ObjectKind, readonly number[]>> = {
  mutex: [Op.lock, Op.tryLock, Op.timedLock, Op.unlock, Op.reacquire],
  once: [Op.lock, Op.unlock],
  semaphore: [Op.semWait, Op.semTryWait, Op.semPost, Op.semRead],
  rwlock: [Op.readLock, Op.tryReadLock, Op.readUnlock, Op.writeLock, Op.tryWriteLock, Op.writeUnlock],
  condition: [Op.condWait, Op.condSignal, Op.condBroadcast],
  barrier: [Op.barrierArrive],
}

/** Whether the above knows of an operation on an object of a kind. */
export function isKnownOperation(type: ObjectKind, kind: number): boolean {
  return knownKinds[type]?.includes(kind) ?? false
}
