import { Op } from '../../../../machine/operation.js'
import type { WeakMemory } from '../../../../memory/weak-memory.js'
import type { Kernel } from '../kernel.js'
import { acquired, released, synchronises } from './handovers.js'

/** What threads do to each other otherwise than by accesses, as far as memory is concerned: the order that it makes. */
export class Synchronisation {
  constructor(
    private readonly kernel: Kernel,
    private readonly memory: WeakMemory,
  ) {}

  /** An operation of a thread, with the arguments of `Kernel.record`. */
  recorded(thread: number, kind: number, mode: number, location: number, aux: number): void {
    const { memory } = this
    if (kind === Op.create) {
      memory.synchronise(thread, [])
      memory.begin(aux, thread)
    } else if (kind === Op.join) memory.join(thread, aux)
    else if (kind === Op.exit) memory.end(thread)
    else if (synchronises[kind] === 0 || location < 0) return
    else {
      const isOpenLatch = kind === Op.semRead && this.isCountedDown(location)
      const from = isOpenLatch ? [2 * location] : acquired(kind, mode, location)
      memory.synchronise(thread, [location], from, released(kind, mode, location))
    }
  }

  private isCountedDown(location: number): boolean {
    const { locations, addresses, memory } = this.kernel
    return locations.kinds[location] === 'barrier' && memory.words[addresses.start[location] >>> 2] === 0
  }
}
