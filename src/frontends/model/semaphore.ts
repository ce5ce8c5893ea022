import { Mode, Op } from '../../machine/operation.js'
import { Result } from './program.js'
import { DONE, ENDS, type ModelState, notEnabled } from './state.js'

/** Semaphores: the state logged is the count before the operation. */

export function semWaitAlternatives(s: ModelState, t: number): number {
  return s.cells[s.object[t]] > 0 ? 1 : 0
}

export function semWait(s: ModelState, t: number): number {
  if (s.cells[s.object[t]] === 0) notEnabled(s, t)
  return take(s, t, Op.semWait, Result.ok)
}

export function semTryWait(s: ModelState, t: number): number {
  return take(s, t, Op.semTryWait, Result.again)
}

export function semTimedWait(s: ModelState, t: number): number {
  return take(s, t, Op.semTryWait, Result.timedOut)
}

function take(s: ModelState, t: number, kind: number, failure: number): number {
  const cell = s.object[t]
  const count = s.cells[cell]
  if (count > 0) s.cells[cell] = count - 1
  s.result[t] = count > 0 ? Result.ok : failure
  s.record(t, kind, count > 0 ? Mode.write : Mode.read, cell, count)
  return DONE
}

/** Ends its transition whether or not somebody waits already: who waits depends on the order, a stop must not. */
export function semPost(s: ModelState, t: number): number {
  const cell = s.object[t]
  s.result[t] = Result.ok
  s.record(t, Op.semPost, Mode.commute, cell, s.cells[cell]++)
  return DONE | ENDS
}

export function semRead(s: ModelState, t: number): number {
  const cell = s.object[t]
  s.result[t] = s.cells[cell]
  s.record(t, Op.semRead, Mode.read, cell, s.cells[cell])
  return DONE
}
