import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { isOwner, ownerOf } from './mutexes.js'
import { DESTROYED_OWNER, SyncObjects } from './sync-objects.js'
import { MUTEX_FREE } from './thread-states.js'

/** A mutex has its owner in the second word, a spin lock in the only one it has. */
const OWNER = 4
const SIZE = 4

/** POSIX spin locks: mutexes of one word, the owner's thread index + 1 or 0. Who waits is blocked, and does not spin. */
export class SpinLocks {
  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'mutex', name: 'spin lock', size: SIZE, offset: -OWNER })
  }

  readonly calls = {
    __wrap_pthread_spin_init: (address: number, _shared: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('spin lock', address, 4)
      const owner = ownerOf(kernel, kernel.memory.words[address >>> 2])
      kernel.memory.words[address >>> 2] = 0
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), owner)
      return 0
    },

    __wrap_pthread_spin_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      const owner = this.check(address, 'destroys')
      if (owner !== 0) this.objects.misuse('destroys', address, `which ${this.holder(owner)}`)
      kernel.memory.words[address >>> 2] = DESTROYED_OWNER
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), 0)
      return 0
    },

    __wrap_pthread_spin_lock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.lock, address, MUTEX_FREE)) return 0
      return this.acquire(Op.lock, address)
    },

    __wrap_pthread_spin_trylock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryLock, address)) return 0
      return this.acquire(Op.tryLock, address)
    },

    __wrap_pthread_spin_unlock: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.unlock, address)) return 0
      const owner = this.check(address, 'unlocks')
      if (owner !== kernel.running + 1) {
        this.objects.misuse(
          'unlocks',
          address,
          owner === 0 ? 'which nobody holds' : `which ${this.holder(owner)}`,
        )
      }
      kernel.memory.words[address >>> 2] = 0
      kernel.record(Op.unlock, Mode.write, this.objects.location(address), owner)
      kernel.released()
      return 0
    },
  }

  private acquire(kind: number, address: number): number {
    const { kernel } = this
    const owner = this.check(address, 'locks')
    if (owner === 0) {
      kernel.memory.words[address >>> 2] = kernel.running + 1
      kernel.record(kind, Mode.write, this.objects.location(address), 0)
      return 0
    }
    if (kind === Op.lock) this.objects.misuse('locks', address, 'which it holds already')
    kernel.record(kind, Mode.read, this.objects.location(address), owner)
    return errno.busy
  }

  /** The owner + 1, or 0. */
  private check(address: number, verb: string): number {
    const { kernel } = this
    kernel.faults.checkAlive('spin lock', address)
    const owner = kernel.memory.words[address >>> 2]
    if (owner === DESTROYED_OWNER) this.objects.misuse(verb, address, 'which was destroyed')
    if (!isOwner(kernel, owner)) this.objects.misuse(verb, address, 'which was not initialised')
    return owner
  }

  private holder(owner: number): string {
    return owner === this.kernel.running + 1
      ? 'it holds itself'
      : `${this.kernel.threads.labelOf(owner - 1)} holds`
  }
}
