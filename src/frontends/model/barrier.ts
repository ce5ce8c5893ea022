import { THREAD_LIVE } from '../../machine/machine.js'
import { Mode, Op } from '../../machine/operation.js'
import { Action } from './actions.js'
import { AGAIN, DONE, ENDS, type ModelState, notEnabled } from './state.js'

/**
 * Barriers: how many have arrived, then the generation. Every generation is a location of its own, so that leaving one
 * does not conflict with arriving at the next.
 */

export function barrierArrive(s: ModelState, t: number): number {
  const barrier = s.object[t]
  const generation = s.cells[barrier + 1]
  s.recordAt(t, Op.barrierArrive, Mode.write, s.barrierLocation(barrier, generation), -1)
  if (++s.cells[barrier] < s.layout.detail[barrier]) {
    s.generation[t] = generation
    s.action[t] = Action.barrierLeave
    s.pending.kind[t] = Op.barrierLeave
    return AGAIN
  }
  s.cells[barrier] = 0
  s.cells[barrier + 1] = generation + 1
  // With more threads than the barrier counts, who arrives next might have arrived now instead: the last arrival is
  // an operation on the next generation too.
  const next = s.barrierLocation(barrier, generation + 1)
  s.recordAt(t, Op.barrierArrive, Mode.write, next, -1)
  for (let other = 0; other < s.threads.count; other++) {
    if (other === t || s.pending.status[other] !== THREAD_LIVE) continue
    if (s.action[other] === Action.barrierArrive && s.object[other] === barrier)
      s.pending.location[other] = next
  }
  s.result[t] = 1
  return s.layout.detail[barrier] > 1 ? DONE | ENDS : DONE
}

export function barrierLeaveAlternatives(s: ModelState, t: number): number {
  return s.cells[s.object[t] + 1] > s.generation[t] ? 1 : 0
}

export function barrierLeave(s: ModelState, t: number): number {
  if (barrierLeaveAlternatives(s, t) === 0) notEnabled(s, t)
  s.recordAt(t, Op.barrierLeave, Mode.read, s.barrierLocation(s.object[t], s.generation[t]), -1)
  s.result[t] = 0
  return DONE
}
