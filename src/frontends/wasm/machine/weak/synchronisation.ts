import { Order } from '../../../../machine/events.js'
import { Mode, Op } from '../../../../machine/operation.js'
import { EventKind } from '../../../../memory/graph.js'
import type { Access, WeakMemory } from '../../../../memory/weak-memory.js'
import type { Kernel } from '../kernel.js'
import { acquired, released, synchronises } from './handovers.js'

/** Bits of a mutex's first word that make it another than a plain one: recursive, error-checking, robust. */
const SPECIAL = 7

const locking: readonly number[] = [Op.lock, Op.tryLock, Op.timedLock, Op.reacquire]

/** Bytes of a POSIX spin lock. */
const SPIN_LOCK_SIZE = 4

const FREE = 0
const HELD = 1

/**
 * What threads do to each other otherwise than by accesses. A plain mutex is a location of the execution graph: locking is
 * an update that needs to find it free, unlocking a write. So the order of critical sections is part of the graph. Of
 * everything else only the order that it makes is.
 */
export class Synchronisation {
  private readonly isC11: boolean

  constructor(
    private readonly kernel: Kernel,
    private readonly memory: WeakMemory,
  ) {
    this.isC11 = memory.model === 'c11'
  }

  /** An operation of a thread, with the arguments of `Kernel.record`. */
  recorded(thread: number, kind: number, mode: number, location: number, aux: number): void {
    const { memory } = this
    if (kind === Op.create) {
      memory.synchronise(thread, [])
      memory.begin(aux, thread)
    } else if (kind === Op.join) memory.join(thread, aux)
    else if (kind === Op.exit) memory.end(thread)
    else if (synchronises[kind] === 0 || location < 0) return
    else if (this.isPlainMutex(location) && mode === Mode.write && this.usesMutex(thread, kind, location))
      return
    else {
      const isOpenLatch = kind === Op.semRead && this.isCountedDown(location)
      const from = isOpenLatch ? [2 * location] : acquired(kind, mode, location)
      memory.synchronise(thread, [location], from, released(kind, mode, location))
    }
  }

  /** What locking or unlocking a mutex is as an access. */
  mutexAccess(kind: number, location: number, site: number): Access | null {
    if (!this.isPlainMutex(location)) return null
    const isLock = locking.includes(kind)
    if (!isLock && kind !== Op.unlock) return null
    const { graph } = this.memory
    if (graph.modificationOrder[location] === undefined) graph.addLocation(location, FREE)
    const unlockOrder = this.isC11 ? Order.release : Order.seqCst
    return {
      kind: isLock ? EventKind.update : EventKind.write,
      location,
      order: isLock ? Order.acquire : unlockOrder,
      failure: Order.relaxed,
      isAtomic: true,
      expected: isLock ? FREE : null,
      site,
    }
  }

  private usesMutex(thread: number, kind: number, location: number): boolean {
    const { memory, kernel } = this
    const access = this.mutexAccess(kind, location, kernel.pending.site[thread])
    if (access === null) return false
    const last = memory.graph.last(location)
    memory.perform(thread, access, last, access.kind === EventKind.update ? HELD : FREE)
    return true
  }

  private isPlainMutex(location: number): boolean {
    const { locations, addresses, memory } = this.kernel
    if (locations.kinds[location] !== 'mutex') return false
    // A spin lock is a word that says who holds it.
    if (addresses.size[location] === SPIN_LOCK_SIZE) return true
    return (memory.words[addresses.start[location] >>> 2] & SPECIAL) === 0
  }

  private isCountedDown(location: number): boolean {
    const { locations, addresses, memory } = this.kernel
    return locations.kinds[location] === 'barrier' && memory.words[addresses.start[location] >>> 2] === 0
  }
}
