import { Mode, Op } from '../../../machine/operation.js'
import { rwlockState } from '../../../ordering/blocking.js'
import { isDeadline, passDeadline } from './deadlines.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { DESTROYED_OWNER, SyncObjects } from './sync-objects.js'
import { READABLE, WRITABLE } from './thread-states.js'

/** How far a call is that waits to take a lock for writing. */
const QUEUED = 2

/** What `runtime/attributes.c` keeps of PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP. */
const WRITERS_FIRST = 2

/**
 * Reader-writer locks. They live in the program's memory: word 0 is the number of readers, or -1 for a writer; word 1
 * the writer's thread index + 1; word 2 tells whether the lock was destroyed; word 3 is how many writers wait whom readers
 * let go first, which is none unless the platform or the lock is such; word 4 is 1 for a lock that was asked to be. A
 * thread may read-lock several times. Who reads is part of the state of threads: the memory has no room for it.
 */
export class ReaderWriterLocks {
  /** Readers wait for waiting writers, whatever the lock. */
  preferWriters = false

  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'rwlock', name: 'reader-writer lock' })
  }

  readonly calls = {
    __wrap_pthread_rwlock_init: (address: number, attributes: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('reader-writer lock', address, 32)
      const at = address >>> 2
      const { words } = kernel.memory
      const kind = attributes === 0 ? 0 : words[(attributes >>> 2) + 1]
      words.fill(0, at, at + 8)
      if (kind === WRITERS_FIRST) words[at + 4] = 1
      for (const thread of kernel.set.created) while (this.forget(thread, address)) {}
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), 0)
      return 0
    },

    __wrap_pthread_rwlock_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      this.check(address, 'destroys')
      const [holder] = holdersOf(kernel, address)
      if (holder !== undefined) {
        const who = holder === kernel.running ? 'it holds itself' : `${kernel.threads.labelOf(holder)} holds`
        this.objects.misuse('destroys', address, `which ${who}`)
      }
      kernel.memory.words[(address >>> 2) + 2] = DESTROYED_OWNER
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), 0)
      return 0
    },

    __wrap_pthread_rwlock_rdlock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.readLock, address, READABLE)) return 0
      return this.takeForReading(Op.readLock, address, 0)
    },

    __wrap_pthread_rwlock_tryrdlock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryReadLock, address)) return 0
      return this.takeForReading(Op.tryReadLock, address, errno.busy)
    },

    /** The time does not matter: it is up to the schedule whether the lock is free in time. */
    __wrap_pthread_rwlock_timedrdlock: (address: number, deadline: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryReadLock, address)) return 0
      return this.inTime(this.takeForReading(Op.tryReadLock, address, errno.timedOut), deadline)
    },

    __wrap_pthread_rwlock_wrlock: (address: number): number => {
      if (this.preferWriters || this.kernel.memory.words[(address >>> 2) + 4] === 1)
        return this.requestForWriting(address)
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.writeLock, address, WRITABLE)) return 0
      return this.takeForWriting(Op.writeLock, address, 0)
    },

    __wrap_pthread_rwlock_trywrlock: (address: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryWriteLock, address)) return 0
      return this.takeForWriting(Op.tryWriteLock, address, errno.busy)
    },

    __wrap_pthread_rwlock_timedwrlock: (address: number, deadline: number): number => {
      if (this.kernel.phase() === 0 && this.objects.stopsBefore(Op.tryWriteLock, address)) return 0
      return this.inTime(this.takeForWriting(Op.tryWriteLock, address, errno.timedOut), deadline)
    },

    /** Announced as read or write unlock, by what the thread holds. */
    __wrap_pthread_rwlock_unlock: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0) {
        kernel.faults.checkObject('reader-writer lock', address)
        const kind = isWriter(kernel, kernel.running, address) ? Op.writeUnlock : Op.readUnlock
        if (this.objects.stopsBefore(kind, address)) return 0
      }
      this.check(address, 'unlocks')
      const at = address >>> 2
      const { words } = kernel.memory
      if (isWriter(kernel, kernel.running, address)) {
        const state = stateOf(kernel, address)
        words[at] = 0
        words[at + 1] = 0
        kernel.record(Op.writeUnlock, Mode.write, this.objects.location(address), state)
      } else {
        if (!this.forget(kernel.running, address))
          this.objects.misuse('unlocks', address, 'which it does not hold')
        const state = stateOf(kernel, address)
        words[at]--
        kernel.record(Op.readUnlock, Mode.commute, this.objects.location(address), state)
      }
      kernel.released()
      return 0
    },
  }

  private takeForReading(kind: number, address: number, failure: number): number {
    const { kernel } = this
    this.check(address, 'read-locks')
    const at = address >>> 2
    const { words } = kernel.memory
    if (words[at] < 0 || words[at + 3] > 0) {
      if (kind === Op.readLock) this.objects.misuse('read-locks', address, 'which it holds for writing')
      return this.refuse(kind, address, failure)
    }
    kernel.states.readLocks[kernel.running].push(address)
    const state = stateOf(kernel, address)
    words[at]++
    kernel.record(kind, Mode.commute, this.objects.location(address), state)
    return 0
  }

  /** Where readers wait for waiting writers: takes the lock, or begins to wait and takes it later. */
  private requestForWriting(address: number): number {
    const { kernel } = this
    const phase = kernel.phase()
    if (phase === 0 && this.objects.stopsBefore(Op.writeRequest, address)) return 0
    if (phase < QUEUED) {
      this.check(address, 'write-locks')
      const { running } = kernel
      const isHeld = kernel.memory.words[address >>> 2] !== 0
      if (!isHeld || isWriter(kernel, running, address) || reads(kernel, running, address))
        return this.takeForWriting(Op.writeRequest, address, 0)
      kernel.record(Op.writeQueue, Mode.write, this.objects.location(address), stateOf(kernel, address))
      kernel.memory.words[(address >>> 2) + 3]++
      if (kernel.stopsBefore(Op.queuedWriteLock, this.objects.location(address), WRITABLE, address, QUEUED))
        return 0
    }
    return this.takeForWriting(Op.queuedWriteLock, address, 0)
  }

  private takeForWriting(kind: number, address: number, failure: number): number {
    const { kernel } = this
    this.check(address, 'write-locks')
    const at = address >>> 2
    const { words } = kernel.memory
    if (words[at] !== 0) {
      if (kind !== Op.tryWriteLock) {
        const how = words[at] < 0 ? 'writing' : 'reading'
        this.objects.misuse('write-locks', address, `which it holds for ${how}`)
      }
      return this.refuse(kind, address, failure)
    }
    const state = stateOf(kernel, address)
    if (kind === Op.queuedWriteLock) words[at + 3]--
    words[at] = -1
    words[at + 1] = kernel.running + 1
    kernel.record(kind, Mode.write, this.objects.location(address), state)
    return 0
  }

  private refuse(kind: number, address: number, code: number): number {
    this.kernel.record(kind, Mode.read, this.objects.location(address), stateOf(this.kernel, address))
    return code
  }

  /** The result of a timed call; one that came too late took its time. */
  private inTime(result: number, deadline: number): number {
    if (result !== errno.timedOut) return result
    if (!isDeadline(this.kernel, deadline)) return errno.invalid
    passDeadline(this.kernel, deadline)
    return result
  }

  /** Ends one read lock of a thread; false when it has none. */
  private forget(thread: number, address: number): boolean {
    const list = this.kernel.states.readLocks[thread]
    const i = list.lastIndexOf(address)
    if (i >= 0) list.splice(i, 1)
    return i >= 0
  }

  private check(address: number, verb: string): void {
    this.kernel.faults.checkAlive('reader-writer lock', address)
    if (this.kernel.memory.words[(address >>> 2) + 2] === DESTROYED_OWNER) {
      this.objects.misuse(verb, address, 'which was destroyed')
    }
    if (!isLock(this.kernel, address)) this.objects.misuse(verb, address, 'which was not initialised')
  }
}

/** Whether a thread can go on: into the lock, or into an error when it would wait for itself or it is no lock. */
export function canTake(kernel: Kernel, thread: number, address: number, writing: boolean): boolean {
  const { words } = kernel.memory
  const at = address >>> 2
  const isOpen = writing ? words[at] === 0 : words[at] >= 0 && words[at + 3] === 0
  if (isOpen || !isLock(kernel, address)) return true
  return isWriter(kernel, thread, address) || (writing && reads(kernel, thread, address))
}

/** Threads that have to be done with the lock before another can take it for reading. */
export function beforeReaders(kernel: Kernel, address: number): number[] {
  if (kernel.memory.words[address >>> 2] < 0) return holdersOf(kernel, address)
  const { pending, states } = kernel
  return kernel.set.created.filter(
    (thread) => pending.kind[thread] === Op.queuedWriteLock && states.object[thread] === address,
  )
}

function stateOf({ memory }: Kernel, address: number): number {
  const at = address >>> 2
  return rwlockState(memory.words[at], memory.words[at + 3])
}

/** Threads that hold the lock. */
export function holdersOf(kernel: Kernel, address: number): number[] {
  const { words } = kernel.memory
  const at = address >>> 2
  if (words[at] < 0) return [words[at + 1] - 1]
  return words[at] === 0 ? [] : kernel.set.created.filter((thread) => reads(kernel, thread, address))
}

function isWriter({ memory }: Kernel, thread: number, address: number): boolean {
  const at = address >>> 2
  return memory.words[at] < 0 && memory.words[at + 1] === thread + 1
}

function reads({ states }: Kernel, thread: number, address: number): boolean {
  return states.readLocks[thread].includes(address)
}

/** Whether memory has what a lock can be; a destroyed one is none. */
function isLock({ memory, threads }: Kernel, address: number): boolean {
  const at = address >>> 2
  const { words } = memory
  if (words[at + 2] !== 0 || words[at] < -1) return false
  return words[at] < 0 ? words[at + 1] > 0 && words[at + 1] <= threads.count : words[at + 1] === 0
}
