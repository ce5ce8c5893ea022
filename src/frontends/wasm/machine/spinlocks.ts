import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { isOwner } from './mutexes.js'
import { ALWAYS, MUTEX_FREE } from './thread-states.js'

/** The word of a spin lock that was destroyed. */
const DESTROYED = 1 << 30
/** A mutex has its owner in the second word, a spin lock in the only one it has. */
const OWNER = 4
const SIZE = 4

/** POSIX spin locks: mutexes of one word, the owner's thread index + 1 or 0. Who waits is blocked, and does not spin. */
export class SpinLocks {
  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    __wrap_pthread_spin_init: (address: number, _shared: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('spin lock', address, 4)
      kernel.memory.words[address >>> 2] = 0
      kernel.record(Op.mutexSetup, Mode.write, this.location(address), 0)
      return 0
    },

    __wrap_pthread_spin_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.stopsBefore(Op.mutexSetup, address)) return 0
      const owner = this.check(address, 'destroys')
      if (owner !== 0) this.misuse('destroys', address, `which ${this.holder(owner)}`)
      kernel.memory.words[address >>> 2] = DESTROYED
      kernel.record(Op.mutexSetup, Mode.write, this.location(address), 0)
      return 0
    },

    __wrap_pthread_spin_lock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.stopsBefore(Op.lock, address, MUTEX_FREE)) return 0
      return this.acquire(Op.lock, address)
    },

    __wrap_pthread_spin_trylock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.stopsBefore(Op.tryLock, address)) return 0
      return this.acquire(Op.tryLock, address)
    },

    __wrap_pthread_spin_unlock: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.stopsBefore(Op.unlock, address)) return 0
      const owner = this.check(address, 'unlocks')
      if (owner !== kernel.running + 1) {
        this.misuse('unlocks', address, owner === 0 ? 'which nobody holds' : `which ${this.holder(owner)}`)
      }
      kernel.memory.words[address >>> 2] = 0
      kernel.record(Op.unlock, Mode.write, this.location(address), owner)
      kernel.released()
      return 0
    },
  }

  private acquire(kind: number, address: number): number {
    const { kernel } = this
    const owner = this.check(address, 'locks')
    if (owner === 0) {
      kernel.memory.words[address >>> 2] = kernel.running + 1
      kernel.record(kind, Mode.write, this.location(address), 0)
      return 0
    }
    if (kind === Op.lock) this.misuse('locks', address, 'which it holds already')
    kernel.record(kind, Mode.read, this.location(address), owner)
    return errno.busy
  }

  /** The owner + 1, or 0. */
  private check(address: number, verb: string): number {
    const { kernel } = this
    kernel.faults.checkAlive('spin lock', address)
    const owner = kernel.memory.words[address >>> 2]
    if (owner === DESTROYED) this.misuse(verb, address, 'which was destroyed')
    if (!isOwner(kernel, owner)) this.misuse(verb, address, 'which was not initialised')
    return owner
  }

  private holder(owner: number): string {
    return owner === this.kernel.running + 1
      ? 'it holds itself'
      : `${this.kernel.threads.labelOf(owner - 1)} holds`
  }

  private misuse(verb: string, address: number, why: string): never {
    const { kernel } = this
    const who = kernel.threads.labelOf(kernel.running)
    const what = kernel.describe(this.location(address))
    return kernel.fail('lock-misuse', `${who} ${verb} ${what}, ${why}`, kernel.pending.site[kernel.running])
  }

  private location(address: number): number {
    return this.kernel.addresses.object('mutex', address, SIZE)
  }

  private stopsBefore(kind: number, address: number, condition = ALWAYS): boolean {
    this.kernel.faults.checkObject('spin lock', address)
    return this.kernel.stopsBefore(kind, this.location(address), condition, address - OWNER)
  }
}
