import { THREAD_DONE } from '../../../machine/machine.js'
import type { Kernel } from './kernel.js'
import { isOpen } from './latches.js'
import { isNormal, isOwner } from './mutexes.js'
import { onceRunner } from './once.js'
import { isOver } from './phase-barriers.js'
import { canTake } from './rwlocks.js'
import { hasPermit } from './semaphores.js'
import { countSubsets } from './subsets.js'
import {
  ALWAYS,
  BEGINS,
  CHOICES,
  COUNT_ZERO,
  MAY_WAKE,
  MUTEX_FREE,
  NEVER,
  NEVER_JOINABLE,
  NOTIFIED,
  ONCE_IDLE,
  PERMIT_LEFT,
  PHASE_OVER,
  READABLE,
  RELEASED,
  SOURCES,
  SUBSETS,
  THREAD_ENDED,
  WAITERS,
  WOKEN,
  WRITABLE,
} from './thread-states.js'

/** In how many ways the pending operation of a live thread can go now. */
export function countAlternatives(kernel: Kernel, thread: number): number {
  const { spins, states, memory, weak } = kernel
  if (spins.blocked[thread] === 1 && !(weak ?? spins).canGoOn(thread)) return 0
  const condition = states.condition[thread]
  if (condition === ALWAYS) return 1
  if (states.cancellable[thread] === 1 && states.cancelPending[thread] === 1) return 1
  const object = states.object[thread]
  switch (condition) {
    case MUTEX_FREE: {
      const owner = memory.words[(object >>> 2) + 1]
      if (owner === thread + 1) return isNormal(kernel, object) ? 0 : 1
      // Whoever locks what is no mutex goes on, into an error.
      return owner === 0 || !isOwner(kernel, owner) ? 1 : 0
    }
    case WOKEN:
      return states.signalled[thread] === 1 && memory.words[(object >>> 2) + 1] === 0 ? 1 : 0
    case THREAD_ENDED:
      return canJoin(kernel, thread, object) ? 1 : 0
    case MAY_WAKE:
      return kernel.spuriousWakeups.isLeft ? 2 : 1
    case WAITERS:
      return Math.max(1, kernel.waiters.count(object))
    case ONCE_IDLE:
      return onceRunner(memory.words[object >>> 2]) < 0 ? 1 : 0
    case PERMIT_LEFT:
      return hasPermit(kernel, object) ? 1 : 0
    case READABLE:
      return canTake(kernel, thread, object, false) ? 1 : 0
    case WRITABLE:
      return canTake(kernel, thread, object, true) ? 1 : 0
    case SUBSETS:
      return countSubsets(kernel.waiters.count(object), states.wanted[thread])
    case RELEASED:
    case NOTIFIED:
      return states.signalled[thread]
    case COUNT_ZERO:
      return isOpen(kernel, object) ? 1 : 0
    case PHASE_OVER:
      return isOver(kernel, object, states.wanted[thread]) ? 1 : 0
    case SOURCES:
      return weak!.alternatives(thread)
    case BEGINS:
      return kernel.transactions!.alternatives(thread)
    case CHOICES:
      return object
    case NEVER:
      return 0
    default:
      return 1
  }
}

/** A thread that has ended can be joined; what the joining thread itself made impossible is an error, at once. */
function canJoin(kernel: Kernel, thread: number, target: number): boolean {
  if (target < 0 || kernel.pending.status[target] === THREAD_DONE) return true
  return !waitsForEnd(kernel, thread, target)
}

/** Whether a join has to wait for the end of its thread, unless that has ended. */
export function waitsForEnd({ states }: Kernel, thread: number, target: number): boolean {
  const by = states.detachedBy[target]
  return target !== thread && by !== NEVER_JOINABLE && by !== thread + 1
}
