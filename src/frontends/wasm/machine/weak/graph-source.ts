import { THREAD_LIVE } from '../../../../machine/machine.js'
import { Op } from '../../../../machine/operation.js'
import type { GraphSource } from '../../../../memory/graph-source.js'
import type { ProgramKernel } from '../program-kernel.js'
import { SOURCES } from '../thread-states.js'
import { cellLocation } from './cells.js'
import { objectOf, operationOf, stateOf } from './object-operations.js'

/** Calls in the source that do more to other threads than is shown. */
const beyond =
  /^(?:pthread_(?:detach|cond_(?:timed|clock)|rwlock_(?:timed|clock)|mutex_(?:consistent|set))|cnd_timed|thrd_detach|fl_|__cxa_guard)|wait_(?:for|until)|counting_semaphore|binary_semaphore|latch|std::barrier|future|promise/
/** What is freed is told by races under C11; under other models nothing tells. */
const freeing = /^(?:free|realloc|operator delete)/

/** Where they happen concerns nobody else. */
const ownAffairs = new Set<number>([Op.start, Op.processExit, Op.pause, Op.load, Op.store, Op.mutexSetup])

/** See `GraphSource`. */
export function graphSourceOf(kernel: ProgramKernel): GraphSource {
  const calls = [...new Set(kernel.artifact.sites.map(({ callee = '' }) => callee))]
  const reachesBeyond = calls.some((name) => beyond.test(name))
  const frees = calls.some((name) => freeing.test(name))
  const isAlone = () =>
    kernel.set.created.filter((thread) => kernel.pending.status[thread] === THREAD_LIVE).length === 1
  return {
    get memory() {
      return kernel.weak?.memory ?? null
    },
    get isShownWhole() {
      return !reachesBeyond && (!frees || kernel.memoryModel === 'c11')
    },
    pendingAccess(thread) {
      const { states, weak } = kernel
      if (kernel.spins.blocked[thread] === 1) return null
      return states.condition[thread] === SOURCES ? weak!.pendingAccess(thread) : null
    },
    pendingObject: (thread) => operationOf(kernel, thread),
    stateOf: (operation) => stateOf(kernel, operation),
    pendingSetup: (thread) => (kernel.pending.kind[thread] === Op.mutexSetup ? objectOf(kernel, thread) : -1),
    locationThere: cellLocation,
    pendingEdge(thread) {
      const { pending, states, threads } = kernel
      if (pending.kind[thread] === Op.create)
        return { creates: threads.child(thread, states.children[thread] + 1), joins: -1 }
      return pending.kind[thread] === Op.join ? { creates: -1, joins: states.object[thread] } : null
    },
    isOwnAffair(thread) {
      const kind = kernel.pending.kind[thread]
      // Freeing is, as long as there is one thread; under C11 always, since what is not ordered with it is a race.
      return ownAffairs.has(kind) || (kind === Op.free && (kernel.memoryModel === 'c11' || isAlone()))
    },
    isSpinning: (thread) => kernel.spins.blocked[thread] === 1,
  }
}
