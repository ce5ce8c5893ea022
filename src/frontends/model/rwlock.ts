import { Mode, Op } from '../../machine/operation.js'
import { rwlockState } from '../../ordering/blocking.js'
import { Action } from './actions.js'
import { Result } from './program.js'
import { AGAIN, DONE, type ModelState, notEnabled, RELEASED } from './state.js'

/**
 * Reader-writer locks: number of readers, or -1 for a writer; then the writer's thread index + 1; then how many writers
 * wait whom readers let go first, which is none unless the platform is such. One thread may read-lock several times.
 * What is logged is the state before the operation (`rwlockState`).
 */

function stateOf(s: ModelState, cell: number): number {
  return rwlockState(s.cells[cell], s.cells[cell + 2])
}

function isReadable(s: ModelState, cell: number): boolean {
  return s.cells[cell] >= 0 && s.cells[cell + 2] === 0
}

function holdIndex(s: ModelState, t: number, cell: number): number {
  return t * s.layout.rwlocks + s.layout.detail[cell]
}

/** The thread holds the lock in a way that makes it wait for itself. */
function blocksItself(s: ModelState, t: number, cell: number, writing: boolean): boolean {
  return s.cells[cell + 1] === t + 1 || (writing && s.readHolds[holdIndex(s, t, cell)] > 0)
}

export function readLockAlternatives(s: ModelState, t: number): number {
  const cell = s.object[t]
  return isReadable(s, cell) || blocksItself(s, t, cell, false) ? 1 : 0
}

export function writeLockAlternatives(s: ModelState, t: number): number {
  const cell = s.object[t]
  return s.cells[cell] === 0 || blocksItself(s, t, cell, true) ? 1 : 0
}

export function readLock(s: ModelState, t: number): number {
  const cell = s.object[t]
  if (isReadable(s, cell)) return takeForReading(s, t, Op.readLock, cell)
  if (!blocksItself(s, t, cell, false)) notEnabled(s, t)
  return s.fail(t, 'lock-misuse', `read-locks rwlock ${s.nameOf(cell)}, which it holds for writing`)
}

export function writeLock(s: ModelState, t: number): number {
  const cell = s.object[t]
  if (s.cells[cell] === 0) return takeForWriting(s, t, Op.writeLock, cell)
  if (!blocksItself(s, t, cell, true)) notEnabled(s, t)
  const how = s.cells[cell] < 0 ? 'writing' : 'reading'
  return s.fail(t, 'lock-misuse', `write-locks rwlock ${s.nameOf(cell)}, which it holds for ${how}`)
}

/** Where readers wait for waiting writers: takes the lock, or begins to wait. */
export function writeRequest(s: ModelState, t: number): number {
  const cell = s.object[t]
  if (s.cells[cell] === 0) return takeForWriting(s, t, Op.writeRequest, cell)
  if (blocksItself(s, t, cell, true)) return writeLock(s, t)
  s.record(t, Op.writeQueue, Mode.write, cell, stateOf(s, cell))
  s.cells[cell + 2]++
  s.announce(t, Action.queuedWriteLock, cell, 0, 0, s.pending.site[t])
  return AGAIN
}

export function queuedWriteLock(s: ModelState, t: number): number {
  const cell = s.object[t]
  if (s.cells[cell] !== 0) notEnabled(s, t)
  const state = stateOf(s, cell)
  s.cells[cell + 2]--
  return takeForWriting(s, t, Op.queuedWriteLock, cell, state)
}

export function tryReadLock(s: ModelState, t: number): number {
  const cell = s.object[t]
  return isReadable(s, cell) ? takeForReading(s, t, Op.tryReadLock, cell) : busy(s, t, Op.tryReadLock, cell)
}

export function tryWriteLock(s: ModelState, t: number): number {
  const cell = s.object[t]
  return s.cells[cell] === 0 ? takeForWriting(s, t, Op.tryWriteLock, cell) : busy(s, t, Op.tryWriteLock, cell)
}

function takeForReading(s: ModelState, t: number, kind: number, cell: number): number {
  s.readHolds[holdIndex(s, t, cell)]++
  s.result[t] = Result.ok
  s.record(t, kind, Mode.commute, cell, stateOf(s, cell))
  s.cells[cell]++
  return DONE
}

function takeForWriting(
  s: ModelState,
  t: number,
  kind: number,
  cell: number,
  state = stateOf(s, cell),
): number {
  s.cells[cell] = -1
  s.cells[cell + 1] = t + 1
  s.result[t] = Result.ok
  s.record(t, kind, Mode.write, cell, state)
  return DONE
}

function busy(s: ModelState, t: number, kind: number, cell: number): number {
  s.result[t] = Result.busy
  s.record(t, kind, Mode.read, cell, stateOf(s, cell))
  return DONE
}

export function rwUnlock(s: ModelState, t: number): number {
  const cell = s.object[t]
  s.result[t] = Result.ok
  if (s.cells[cell + 1] === t + 1) {
    const state = stateOf(s, cell)
    s.cells[cell] = 0
    s.cells[cell + 1] = 0
    s.record(t, Op.writeUnlock, Mode.write, cell, state)
    return DONE | RELEASED
  }
  const hold = holdIndex(s, t, cell)
  if (s.readHolds[hold] === 0) {
    return s.fail(t, 'lock-misuse', `unlocks rwlock ${s.nameOf(cell)}, which it does not hold`)
  }
  s.readHolds[hold]--
  s.record(t, Op.readUnlock, Mode.commute, cell, stateOf(s, cell))
  s.cells[cell]--
  return DONE | RELEASED
}
