import { Mode, Op } from '../../machine/operation.js'
import { MUTEX_ERRORCHECK, MUTEX_RECURSIVE } from './layout.js'
import { Result } from './program.js'
import { DONE, type ModelState, notEnabled, RELEASED } from './state.js'

/**
 * Mutexes: owner's thread index + 1 (0: free), then depth. The state logged with every operation is the owner before
 * it. Taking or leaving a recursive mutex one more time is a read: nobody else can tell.
 */

export function lock(s: ModelState, t: number): number {
  return acquire(s, t, Op.lock)
}

export function tryLock(s: ModelState, t: number): number {
  return acquire(s, t, Op.tryLock)
}

export function timedLock(s: ModelState, t: number): number {
  return acquire(s, t, Op.timedLock)
}

/** A plain lock waits for another owner. The owner itself goes on, into an error. */
export function lockAlternatives(s: ModelState, t: number): number {
  const owner = s.cells[s.object[t]]
  return owner === 0 || owner === t + 1 ? 1 : 0
}

function acquire(s: ModelState, t: number, kind: number): number {
  const cell = s.object[t]
  const owner = s.cells[cell]
  if (owner === 0) {
    s.cells[cell] = t + 1
    s.cells[cell + 1] = 1
    s.result[t] = Result.ok
    s.record(t, kind, Mode.write, cell, 0)
    return DONE
  }
  const type = s.layout.detail[cell]
  if (owner === t + 1 && type === MUTEX_RECURSIVE) {
    s.cells[cell + 1]++
    s.result[t] = Result.ok
    return recordUnseen(s, t, kind, cell)
  }
  if (kind === Op.lock) {
    if (owner !== t + 1) notEnabled(s, t)
    if (type !== MUTEX_ERRORCHECK)
      return s.fail(t, 'lock-misuse', `locks mutex ${s.nameOf(cell)}, which it holds already`)
  }
  const again = owner === t + 1 && type === MUTEX_ERRORCHECK && kind !== Op.tryLock
  s.result[t] = again ? Result.deadlock : kind === Op.timedLock ? Result.timedOut : Result.busy
  s.record(t, kind, Mode.read, cell, owner)
  return DONE
}

export function unlock(s: ModelState, t: number): number {
  const cell = s.object[t]
  const owner = s.cells[cell]
  if (owner !== t + 1) {
    if (s.layout.detail[cell] === MUTEX_ERRORCHECK) {
      s.result[t] = Result.notOwner
      s.record(t, Op.unlock, Mode.read, cell, owner)
      return DONE
    }
    const holder = owner === 0 ? 'which nobody holds' : `which ${s.threads.labelOf(owner - 1)} holds`
    return s.fail(t, 'lock-misuse', `unlocks mutex ${s.nameOf(cell)}, ${holder}`)
  }
  s.result[t] = Result.ok
  if (s.cells[cell + 1] > 1) {
    s.cells[cell + 1]--
    return recordUnseen(s, t, Op.unlock, cell)
  }
  release(s, t, cell)
  return DONE | RELEASED
}

/** Frees a mutex held once, as an unlock or as part of a wait. */
export function release(s: ModelState, t: number, cell: number): void {
  const owner = s.cells[cell]
  s.cells[cell] = 0
  s.cells[cell + 1] = 0
  s.record(t, Op.unlock, Mode.write, cell, owner)
}

/** A read for the others, yet the thread's own state changed: no iteration with this in it is an idle one. */
function recordUnseen(s: ModelState, t: number, kind: number, cell: number): number {
  s.record(t, kind, Mode.read, cell, t + 1)
  s.spins.disturb(t)
  return DONE
}
