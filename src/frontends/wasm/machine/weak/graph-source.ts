import { THREAD_LIVE } from '../../../../machine/machine.js'
import { Op } from '../../../../machine/operation.js'
import type { GraphSource } from '../../../../memory/graph-source.js'
import type { ProgramKernel } from '../program-kernel.js'
import { SOURCES } from '../thread-states.js'

/** Calls in the source that do more to other threads than the execution graph tells. */
const beyond =
  /^(?:pthread_(?:cond|rwlock|barrier|spin|once|detach|mutex_(?:try|timed|clock|set))|sem_|cnd_|call_once|mtx_(?:try|timed)|thrd_detach|fl_|__cxa_guard)|condition_variable|shared_mutex|shared_timed|try_lock|call_once|semaphore|latch|barrier|future|promise/
/** What is freed is told by races under C11; under other models nothing tells. */
const freeing = /^(?:free|realloc|operator delete)/

/** Where they happen concerns nobody else. */
const ownAffairs = new Set<number>([Op.start, Op.processExit, Op.pause, Op.load, Op.store])
/** These do as long as there is one thread; under C11 always, since what is not ordered with them is a race. */
const ownWhenAlone = new Set<number>([Op.mutexSetup, Op.free])

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
    get isMemoryOnly() {
      return !reachesBeyond && (!frees || kernel.memoryModel === 'c11')
    },
    pendingAccess(thread) {
      const { pending, states, weak } = kernel
      if (kernel.spins.blocked[thread] === 1) return null
      if (states.condition[thread] === SOURCES) return weak!.pendingAccess(thread)
      const kind = pending.kind[thread]
      if (kind !== Op.lock && kind !== Op.unlock) return null
      return weak!.mutexAccess(kind, pending.location[thread], pending.site[thread])
    },
    pendingEdge(thread) {
      const { pending, states, threads } = kernel
      if (pending.kind[thread] === Op.create)
        return { creates: threads.child(thread, states.children[thread] + 1), joins: -1 }
      return pending.kind[thread] === Op.join ? { creates: -1, joins: states.object[thread] } : null
    },
    isOwnAffair(thread) {
      const kind = kernel.pending.kind[thread]
      return ownAffairs.has(kind) || (ownWhenAlone.has(kind) && (kernel.memoryModel === 'c11' || isAlone()))
    },
    fenceOrder: (thread) => kernel.weak!.announced[thread].order,
    isSpinning: (thread) => kernel.spins.blocked[thread] === 1,
  }
}
