import { Mode, Op } from '../../../machine/operation.js'
import { isDeadline, passDeadline } from './deadlines.js'
import { errno, setErrno } from './errno.js'
import type { Kernel } from './kernel.js'
import { DESTROYED, SyncObjects } from './sync-objects.js'
import { PERMIT_LEFT } from './thread-states.js'

/** Second word of a semaphore that can be used: there is no static initialiser, so nothing else has it. */
const ALIVE = 0x73656d61
const MAX_VALUE = 0x7fffffff

/**
 * POSIX semaphores (those with a name: `runtime/named-semaphores.c`). They live in the program's memory: word 0 is the count, word 1 tells whether the semaphore
 * was initialised. Like all of them these calls return -1 and leave the error in `errno`.
 */
export class Semaphores {
  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'semaphore', name: 'semaphore' })
  }

  readonly calls = {
    __wrap_sem_init: (address: number, _shared: number, value: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('semaphore', address, 16)
      if (value >>> 0 > MAX_VALUE) return this.refuse(Op.mutexSetup, address, 0, errno.invalid)
      this.make(address, value)
      return 0
    },

    /** Who waits for it goes on, into an error. */
    __wrap_sem_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      this.check(address, 'destroys')
      kernel.memory.words[(address >>> 2) + 1] = DESTROYED
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), MAX_VALUE)
      return 0
    },

    __wrap_sem_wait: (address: number): number => this.acquire(address, true),

    __wrap_sem_trywait: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semTryWait, address)) return 0
      return this.take(Op.semTryWait, address, errno.again)
    },

    /** The time does not matter: it is up to the schedule whether a permit comes in time. */
    __wrap_sem_timedwait: (address: number, deadline: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semTryWait, address)) return 0
      kernel.cancellation.point()
      return this.takeUntil(address, deadline)
    },

    /** Ends its transition whether or not somebody waits already: who waits depends on the order, a stop must not. */
    __wrap_sem_post: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semPost, address)) return 0
      this.check(address, 'posts')
      const at = address >>> 2
      const count = kernel.memory.words[at]
      if (count === MAX_VALUE) return this.refuse(Op.semRead, address, count, errno.overflow)
      kernel.memory.words[at] = count + 1
      kernel.record(Op.semPost, Mode.commute, this.objects.location(address), count)
      kernel.stopNext()
      return 0
    },

    __wrap_sem_getvalue: (address: number, result: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('result', result)
        if (this.objects.stopsBefore(Op.semRead, address)) return 0
      }
      this.check(address, 'reads')
      const count = kernel.memory.words[address >>> 2]
      kernel.record(Op.semRead, Mode.read, this.objects.location(address), count)
      kernel.memory.words[result >>> 2] = count
      kernel.record(Op.store, Mode.write, kernel.addresses.locate(result, 4), -1)
      return 0
    },
  }

  /** `std::counting_semaphore`: `runtime/include/semaphore`; and named semaphores. */
  readonly libraryCalls = {
    fl_semaphore_make: (address: number, permits: number): void => this.make(address, permits),

    fl_semaphore_acquire: (address: number): void => {
      this.acquire(address, false)
    },

    fl_semaphore_try: (address: number): number => (this.calls.__wrap_sem_trywait(address) === 0 ? 1 : 0),

    fl_semaphore_value: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semRead, address)) return 0
      this.check(address, 'reads')
      const count = kernel.memory.words[address >>> 2]
      kernel.record(Op.semRead, Mode.read, this.objects.location(address), count)
      return count
    },

    fl_semaphore_try_until: (address: number, deadline: number): number =>
      this.calls.__wrap_sem_timedwait(address, deadline) === 0 ? 1 : 0,

    /** So many posts, in one step. */
    fl_semaphore_release: (address: number, count: number, most: number): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semPost, address)) return
      this.check(address, 'releases')
      const at = address >>> 2
      const { words } = kernel.memory
      if (count < 0 || words[at] + count > most) {
        this.objects.misuse(
          'releases',
          address,
          `which would then have ${words[at] + count} permits, more than the ${most} it may have`,
        )
      }
      for (let i = 0; i < count; i++) {
        kernel.record(Op.semPost, Mode.commute, this.objects.location(address), words[at])
        words[at]++
      }
      if (count > 0) kernel.stopNext()
    },
  }

  private make(address: number, permits: number): void {
    const { kernel } = this
    const at = address >>> 2
    kernel.memory.words[at] = permits
    kernel.memory.words[at + 1] = ALIVE
    kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), permits)
  }

  private takeUntil(address: number, deadline: number): number {
    const { kernel } = this
    if (!isDeadline(kernel, deadline)) return this.take(Op.semTryWait, address, errno.invalid)
    const result = this.take(Op.semTryWait, address, errno.timedOut)
    if (result !== 0) passDeadline(kernel, deadline)
    return result
  }

  private acquire(address: number, isCancellable: boolean): number {
    const { kernel } = this
    if (kernel.phase() === 0) {
      if (isCancellable) kernel.cancellation.begin()
      if (this.objects.stopsBefore(Op.semWait, address, PERMIT_LEFT)) return 0
    }
    if (kernel.cancellation.isMet()) this.giveUp(address)
    const result = this.take(Op.semWait, address, 0)
    kernel.cancellation.end()
    return result
  }

  private take(kind: number, address: number, failure: number): number {
    const { kernel } = this
    const at = address >>> 2
    const count = kernel.memory.words[at]
    // Whoever destroyed it let the wait go on: the two are in this order.
    if (kernel.memory.words[at + 1] === DESTROYED)
      kernel.record(kind, Mode.read, this.objects.location(address), count)
    this.check(address, 'waits for')
    if (count === 0) return this.refuse(kind, address, count, failure)
    kernel.memory.words[at] = count - 1
    kernel.record(kind, Mode.write, this.objects.location(address), count)
    return 0
  }

  /** The wait is given up: its thread has been asked to end. */
  private giveUp(address: number): never {
    const { kernel } = this
    this.check(address, 'waits for')
    kernel.cancellation.look(Op.cancelled)
    kernel.record(
      Op.semTryWait,
      Mode.read,
      this.objects.location(address),
      kernel.memory.words[address >>> 2],
    )
    return kernel.cancellation.act()
  }

  /** The operation has no effect. */
  private refuse(kind: number, address: number, count: number, code: number): number {
    const { kernel } = this
    kernel.record(kind, Mode.read, this.objects.location(address), count)
    setErrno(kernel, code)
    return -1
  }

  private check(address: number, verb: string): void {
    const { kernel } = this
    kernel.faults.checkAlive('semaphore', address)
    const state = kernel.memory.words[(address >>> 2) + 1]
    this.objects.checkState(verb, address, state, ALIVE)
  }
}

/** Whether a wait can go on: into the semaphore, or into an error when it is none. */
export function hasPermit({ memory }: Kernel, address: number): boolean {
  const at = address >>> 2
  return memory.words[at] !== 0 || memory.words[at + 1] !== ALIVE
}
