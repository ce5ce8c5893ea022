import { THREAD_LIVE } from '../../../../machine/machine.js'
import { Op } from '../../../../machine/operation.js'
import type { GraphSource } from '../../../../memory/graph-source.js'
import type { ProgramKernel } from '../program-kernel.js'
import type { Recall } from '../recall.js'
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

/** See `GraphSource`; of what is done from memory, `recall` knows. */
export function graphSourceOf(kernel: ProgramKernel, recall: Recall): GraphSource {
  const calls = [...new Set(kernel.artifact.sites.map(({ callee = '' }) => callee))]
  const reachesBeyond = calls.some((name) => beyond.test(name))
  const frees = calls.some((name) => freeing.test(name))
  const isAlone = () => {
    const { status } = kernel.pending
    let live = 0
    for (let t = 0; t < kernel.threads.count; t++) if (status[t] === THREAD_LIVE) live++
    return live === 1
  }
  return {
    get memory() {
      return kernel.weak?.memory ?? null
    },
    get isShownWhole() {
      return !reachesBeyond && (!frees || kernel.memoryModel === 'c11')
    },
    pendingAccess(thread) {
      const { states, weak } = kernel
      if (!recall.isHere) return recall.isAboutToAccess(thread) ? weak!.pendingAccess(thread) : null
      if (kernel.spins.blocked[thread] === 1) return null
      return states.condition[thread] === SOURCES ? weak!.pendingAccess(thread) : null
    },
    pendingObject: (thread) =>
      recall.isHere ? operationOf(kernel, thread) : recall.pendingOperation(thread),
    stateOf(operation) {
      const known = recall.isHere ? undefined : recall.mutexState(operation)
      if (known !== undefined) return known
      recall.catchUp()
      return stateOf(kernel, operation)
    },
    pendingSetup: (thread) => (kernel.pending.kind[thread] === Op.mutexSetup ? objectOf(kernel, thread) : -1),
    locationThere: cellLocation,
    pendingEdge(thread) {
      const { pending, states, threads } = kernel
      const { isHere } = recall
      if (pending.kind[thread] === Op.create) {
        const children = isHere ? states.children[thread] : recall.childrenOf(thread)
        return { creates: threads.child(thread, children + 1), joins: -1 }
      }
      if (pending.kind[thread] !== Op.join) return null
      return { creates: -1, joins: isHere ? states.object[thread] : recall.objectOf(thread) }
    },
    isOwnAffair(thread) {
      const kind = kernel.pending.kind[thread]
      // Freeing is, as long as there is one thread; under C11 always, since what is not ordered with it is a race.
      return ownAffairs.has(kind) || (kind === Op.free && (kernel.memoryModel === 'c11' || isAlone()))
    },
    isSpinning: (thread) => recall.isHere && kernel.spins.blocked[thread] === 1,
  }
}
