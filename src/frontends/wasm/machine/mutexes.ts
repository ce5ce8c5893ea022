import { Mode, Op } from '../../../machine/operation.js'
import { isDeadline, passDeadline } from './deadlines.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { RobustMutexes } from './robust-mutexes.js'
import { isCeiling } from './scheduling.js'
import { DESTROYED_OWNER, SyncObjects } from './sync-objects.js'
import { ALWAYS, MUTEX_FREE } from './thread-states.js'

const RECURSIVE = 1
const ERRORCHECK = 2
const TYPE_MASK = 3
const ROBUST = 4
/** The type was set, to `PTHREAD_MUTEX_NORMAL`; as runtime/attributes.c has it. */
const NORMAL = 32
/** Bits that attributes can set: type, robust, priority, normal, shared, priority ceiling. */
const KNOWN_BITS = 0x7fbf
/** The mutex has a priority ceiling, in the bits from `CEILING_SHIFT` on; as runtime/attributes.c has it. */
const PROTECT = 16
const CEILING_SHIFT = 8
const CEILING_MASK = 0x7f

/**
 * Mutexes live in the program's memory, so that a reset, a copy or a static initialiser does what it does on a real
 * system: word 0 is the type as libc's attributes encode it, word 1 the owner's thread index + 1 or 0, word 2 how
 * often the owner holds it, word 3 what `robust-mutexes.ts` says.
 */
export class Mutexes {
  private readonly robust: RobustMutexes

  readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'mutex', name: 'mutex' })
    this.robust = new RobustMutexes(kernel, (address) => this.objects.location(address))
  }

  readonly calls = {
    __wrap_pthread_mutex_init: (address: number, attributes: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address, ALWAYS)) return 0
      kernel.faults.checkAlive('mutex', address, 24)
      const at = address >>> 2
      const owner = ownerOf(kernel, kernel.memory.words[at + 1])
      kernel.memory.words.fill(0, at, at + 6)
      if (attributes !== 0) kernel.memory.words[at] = kernel.memory.words[attributes >>> 2] & KNOWN_BITS
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), owner)
      return 0
    },

    __wrap_pthread_mutex_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address, ALWAYS)) return 0
      this.check(address, 'destroys')
      const at = address >>> 2
      const owner = kernel.memory.words[at + 1]
      if (owner !== 0) {
        if (this.type(address) !== ERRORCHECK)
          this.objects.misuse('destroys', address, `which ${this.holder(owner)}`)
        kernel.record(Op.mutexSetup, Mode.read, this.objects.location(address), owner)
        return errno.busy
      }
      kernel.memory.words[at] = DESTROYED_OWNER
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), 0)
      return 0
    },

    __wrap_pthread_mutex_lock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.lock, address, MUTEX_FREE)) return 0
      return this.acquire(Op.lock, address)
    },

    __wrap_pthread_mutex_trylock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryLock, address, ALWAYS)) return 0
      return this.acquire(Op.tryLock, address)
    },

    /** The time does not matter: it is up to the schedule whether the mutex is free in time. */
    __wrap_pthread_mutex_timedlock: (address: number, deadline: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.timedLock, address, ALWAYS)) return 0
      const result = this.acquire(Op.timedLock, address)
      if (result !== errno.timedOut) return result
      if (!isDeadline(kernel, deadline)) return errno.invalid
      passDeadline(kernel, deadline)
      return result
    },

    __wrap_pthread_mutex_getprioceiling: (address: number, result: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('place for a priority', result)
        if (this.objects.stopsBefore(Op.mutexSetup, address, ALWAYS)) return 0
      }
      this.check(address, 'asks for the ceiling of')
      const word = kernel.memory.words[address >>> 2]
      kernel.record(
        Op.mutexSetup,
        Mode.read,
        this.objects.location(address),
        kernel.memory.words[(address >>> 2) + 1],
      )
      if ((word & PROTECT) === 0) return errno.invalid
      this.giveCeiling(result, word)
      return 0
    },

    /** Locks the mutex, changes its ceiling and unlocks it, in one step. */
    __wrap_pthread_mutex_setprioceiling: (address: number, ceiling: number, old: number): number => {
      const { kernel } = this
      if (!isCeiling(ceiling)) return errno.invalid
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.lock, address, MUTEX_FREE)) return 0
      this.check(address, 'sets the ceiling of')
      const at = address >>> 2
      const { words } = kernel.memory
      const word = words[at]
      if (words[at + 1] === kernel.running + 1) {
        kernel.record(Op.lock, Mode.read, this.objects.location(address), words[at + 1])
        return errno.deadlock
      }
      const isProtected = (word & PROTECT) !== 0
      kernel.record(Op.lock, Mode.write, this.objects.location(address), 0)
      if (isProtected) words[at] = (word & ~(CEILING_MASK << CEILING_SHIFT)) | (ceiling << CEILING_SHIFT)
      kernel.record(Op.unlock, Mode.write, this.objects.location(address), kernel.running + 1)
      kernel.released()
      if (isProtected && old !== 0) this.giveCeiling(old, word)
      return isProtected ? 0 : errno.invalid
    },

    __wrap_pthread_mutex_consistent: (address: number): number => {
      this.kernel.faults.checkObject('mutex', address)
      return this.robust.makeConsistent(address)
    },

    __wrap_pthread_mutex_unlock: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.unlock, address, ALWAYS)) return 0
      this.check(address, 'unlocks')
      const at = address >>> 2
      const owner = kernel.memory.words[at + 1]
      if (owner !== kernel.running + 1) {
        if (!this.refusesOthers(address)) {
          this.objects.misuse(
            'unlocks',
            address,
            owner === 0 ? 'which nobody holds' : `which ${this.nameOf(owner)} holds`,
          )
        }
        kernel.record(Op.unlock, Mode.read, this.objects.location(address), owner)
        return errno.notPermitted
      }
      if (kernel.memory.words[at + 2] > 1) {
        kernel.memory.words[at + 2]--
        this.recordUnseen(Op.unlock, address)
        return 0
      }
      this.release(address)
      kernel.released()
      return 0
    },
  }

  private acquire(kind: number, address: number): number {
    const { kernel } = this
    this.check(address, 'locks')
    const at = address >>> 2
    const { words } = kernel.memory
    const { running } = kernel
    const owner = words[at + 1]
    if (owner === 0) return this.take(kind, address)
    const own = owner === running + 1
    const type = this.type(address)
    if (own && type === RECURSIVE) {
      words[at + 2]++
      this.recordUnseen(kind, address)
      return 0
    }
    if (own && kind === Op.lock && type !== ERRORCHECK)
      this.objects.misuse('locks', address, 'which it holds already')
    kernel.record(kind, Mode.read, this.objects.location(address), owner)
    if (own && type === ERRORCHECK && kind !== Op.tryLock) return errno.deadlock
    return kind === Op.timedLock ? errno.timedOut : errno.busy
  }

  /** The running thread becomes the owner of a free mutex; the result of the call. */
  take(kind: number, address: number): number {
    const { kernel } = this
    const at = address >>> 2
    kernel.record(kind, Mode.write, this.objects.location(address), 0)
    if (this.robust.isLost(address)) {
      kernel.record(Op.unlock, Mode.write, this.objects.location(address), kernel.running + 1)
      return errno.notRecoverable
    }
    if (this.isTooLow(address)) {
      kernel.record(Op.unlock, Mode.write, this.objects.location(address), kernel.running + 1)
      return errno.invalid
    }
    kernel.memory.words[at + 1] = kernel.running + 1
    kernel.memory.words[at + 2] = 1
    return this.robust.took(address)
  }

  /** Frees a mutex held once, as an unlock or as part of a wait. */
  release(address: number): void {
    const at = address >>> 2
    const owner = this.kernel.memory.words[at + 1]
    this.kernel.memory.words[at + 1] = 0
    this.kernel.memory.words[at + 2] = 0
    this.robust.released(address)
    this.kernel.record(Op.unlock, Mode.write, this.objects.location(address), owner)
  }

  /** Whether the running thread holds the mutex, not more than once. */
  isHeldOnce(address: number): boolean {
    const { memory, running } = this.kernel
    const at = address >>> 2
    return memory.words[at + 1] === running + 1 && memory.words[at + 2] === 1
  }

  /** What keeps the running thread from waiting with this mutex: a result, or 0. */
  checkWait(address: number, condition: string): number {
    this.check(address, `waits on ${condition} with`)
    if (this.isHeldOnce(address)) return 0
    const at = address >>> 2
    const { words } = this.kernel.memory
    const { running } = this.kernel
    if (words[at + 1] !== running + 1 && this.type(address) === ERRORCHECK) return errno.notPermitted
    const why = words[at + 1] === running + 1 ? 'locked more than once' : 'which it does not hold'
    return this.objects.misuse(`waits on ${condition} with`, address, why)
  }

  /** Whether the running thread's priority is above the ceiling of a mutex. */
  private isTooLow(address: number): boolean {
    const word = this.kernel.memory.words[address >>> 2]
    return (word & PROTECT) !== 0 && this.kernel.scheduling.isAbove((word >>> CEILING_SHIFT) & CEILING_MASK)
  }

  private giveCeiling(result: number, word: number): void {
    const { kernel } = this
    kernel.memory.words[result >>> 2] = (word >>> CEILING_SHIFT) & CEILING_MASK
    kernel.record(Op.store, Mode.write, kernel.addresses.locate(result, 4), -1)
  }

  /** Whether unlocking it is an error, and no misuse, for who does not own it. */
  private refusesOthers(address: number): boolean {
    return this.type(address) !== 0 || (this.kernel.memory.words[address >>> 2] & ROBUST) !== 0
  }

  /** A mutex of the default type is one that checks for errors where misuse is answered by them. */
  private type(address: number): number {
    const { memory, lockErrors } = this.kernel
    const word = memory.words[address >>> 2]
    return lockErrors && (word & (TYPE_MASK | NORMAL)) === 0 ? ERRORCHECK : word & TYPE_MASK
  }

  /** A read for the others, yet the thread's own state changed: no iteration with this in it is an idle one. */
  private recordUnseen(kind: number, address: number): void {
    const { kernel } = this
    kernel.record(kind, Mode.read, this.objects.location(address), kernel.running + 1)
    kernel.disturb()
  }

  private check(address: number, verb: string): void {
    const { kernel } = this
    kernel.faults.checkAlive('mutex', address)
    const word = kernel.memory.words[address >>> 2]
    if (word === DESTROYED_OWNER) this.objects.misuse(verb, address, 'which was destroyed')
    const owner = kernel.memory.words[(address >>> 2) + 1]
    if ((word & ~KNOWN_BITS) !== 0 || (word & TYPE_MASK) > ERRORCHECK || !isOwner(kernel, owner)) {
      this.objects.misuse(verb, address, 'which was not initialised')
    }
  }

  private holder(owner: number): string {
    return owner === this.kernel.running + 1 ? 'it holds itself' : `${this.nameOf(owner)} holds`
  }

  private nameOf(owner: number): string {
    return this.kernel.threads.labelOf(owner - 1)
  }
}

/** Whether its owner, locking it again, waits for itself for ever. */
export function isNormal({ memory }: Kernel, address: number): boolean {
  return (memory.words[address >>> 2] & NORMAL) !== 0
}

/** Whether a mutex can hold this: 0, or the index of a thread + 1. */
export function isOwner(kernel: Kernel, owner: number): boolean {
  return owner >= 0 && owner <= kernel.threads.count
}

/**
 * Whom an initialisation finds there, 0 for nobody: a lock that was held until then could not have gone before it. (To set up
 * what is held is no mistake that could be told: memory that was never set up may look the same.)
 */
export function ownerOf(kernel: Kernel, word: number): number {
  return isOwner(kernel, word) ? word : 0
}
