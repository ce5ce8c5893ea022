import { Mode, Op } from '../../../machine/operation.js'
import { resettable } from './execution-state.js'
import type { Kernel } from './kernel.js'
import { misuse } from './sync-objects.js'

/**
 * Locks that the program builds itself, as `faultline.h` declares them. Taking and giving back is done by the program's
 * own operations; this only knows who holds what.
 */
export class OwnLocks {
  /** By address: the thread that holds it. */
  private readonly holders = new Map<number, number>()

  constructor(private readonly kernel: Kernel) {
    kernel.hasState(
      resettable(
        () => this.holders.size === 0,
        () => this.holders.clear(),
      ),
    )
  }

  readonly calls = {
    fl_own_lock: (taken: number, address: number): void => {
      const { kernel, holders } = this
      const lock = address >>> 0
      const location = kernel.addresses.object('mutex', lock, 4)
      kernel.pending.site[kernel.running] = kernel.callSite()
      kernel.record(taken ? Op.customLock : Op.customUnlock, Mode.write, location, -1)
      const holder = holders.get(lock)
      if (taken) {
        if (holder !== undefined) this.misuse('takes', location, `which ${this.nameOf(holder)} holds`)
        holders.set(lock, kernel.running)
        return
      }
      if (holder !== kernel.running) {
        const who = holder === undefined ? 'nobody' : this.nameOf(holder)
        this.misuse('gives back', location, `which ${who} holds`)
      }
      holders.delete(lock)
    },
  }

  private nameOf(thread: number): string {
    return thread === this.kernel.running ? 'it already' : this.kernel.threads.labelOf(thread)
  }

  private misuse(verb: string, location: number, why: string): never {
    const { kernel } = this
    const lock = kernel.describe(location).replace(/^mutex/, 'lock')
    return misuse(kernel, verb, lock, why, kernel.callSite())
  }
}
