import { grown } from '../machine/growing.js'
import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import { kinds, Op } from '../machine/operation.js'
import { isEverywhere } from '../machine/points.js'

const objectWaits: readonly unknown[] = ['mutex', 'permit', 'readable', 'writable']
/** Whether these can be done is decided by what others do to the same object, and by nothing else. */
const waitsForObject = kinds(({ waits }) => objectWaits.includes(waits))
/** These decide that. */
const actsOnObject = kinds(({ locks, adds }) => locks !== undefined || adds !== undefined)
/** These change nothing of what others can do, but that one who spins may go on. */
const isHarmless = kinds(({ point }) => point === 'access' || point === 'atomic' || point === 'yield')
isHarmless[Op.join] = 1
isHarmless[Op.processExit] = 0
/** If these can be done, they can until they are, in one way. */
const staysPossible = kinds(
  ({ point, locks }) => point === 'access' || point === 'atomic' || point === 'yield' || locks === 'gives',
)
staysPossible[Op.create] = staysPossible[Op.join] = 1

/**
 * Which threads can run, brought up to date by what was done since it was last asked for: the cost of a step does not
 * grow with threads that have ended, or that wait for an object which nobody has touched. Where an operation may reach
 * further (conditions, barriers), all threads are looked at again.
 *
 * For machines whose transitions do what they announce, with points everywhere. A program that overwrites the memory of
 * a lock may enable a thread unnoticed for a while; so this is for strategies that sample, and whoever finds that nobody
 * can run should look at all.
 */
export class EnabledThreads {
  /** By thread that can run: alternatives of its pending operation. */
  alternatives = new Int32Array(0)
  /** A bit per thread that can run. */
  bits = new Uint32Array(0)
  /** Threads that can run in more than one way. */
  several = 0
  /** Threads that are about to end the program. */
  exits = 0
  /** The `arrived` threads that have come to an operation since this was last asked for. */
  arrivals = new Int32Array(0)
  arrived = 0
  /** Nothing was done since it was last asked for. */
  isUpToDate = false
  private isValid = false
  /** A thread was created since. */
  private hasCreated = false
  /** By thread: 1 if it is one of those that have begun and not ended. */
  private isKnown = new Uint8Array(0)
  /** Objects that somebody waits for, perhaps: all that have a row or a list. */
  private readonly awaited: number[] = []
  /** Objects acted on, and threads that ran, since. */
  private touched = new Int32Array(64)
  private touchedCount = 0
  private ran = new Int32Array(64)
  private ranCount = 0
  /** By location: where the bits of the threads that are about to lock it begin in `lockers`, or -1. */
  private row = new Int32Array(0)
  /** A bit per thread, for each mutex that threads have come to. */
  private lockers = new Uint32Array(0)
  private lockersEnd = 0
  /** By location, as lists: threads about to do anything else that depends on it. -1 ends a list. */
  private head = new Int32Array(0)
  private next = new Int32Array(0)
  /** By thread: the location under which it is listed, or -1. */
  private listed = new Int32Array(0)
  /** By thread: 1 if it is listed as one that is about to lock. */
  private isLocker = new Uint8Array(0)
  /** Threads that are looked at each time. */
  private readonly restless: number[] = []

  constructor(private readonly machine: Machine) {}

  static suits(machine: Machine): boolean {
    return isEverywhere(machine.points) && !machine.isCompound
  }

  /** Forgets everything. */
  begin(): void {
    this.isValid = false
    this.isUpToDate = false
  }

  /** A thread is about to do its pending operation. */
  runs(thread: number): void {
    this.isUpToDate = false
    if (!this.isValid) return
    const { kind, location } = this.machine.pending
    const k = kind[thread]
    if (this.ranCount === 0 || this.ran[this.ranCount - 1] !== thread) {
      if (this.ranCount === this.ran.length) this.ran = grown(this.ran, 2 * this.ranCount)
      this.ran[this.ranCount++] = thread
    }
    if (actsOnObject[k] === 1) this.touch(location[thread])
    else if (k === Op.create) this.hasCreated = true
    else if (isHarmless[k] === 0) this.isValid = false
  }

  /** Brings everything up to date. */
  update(): void {
    const { pending, threads } = this.machine
    this.isUpToDate = true
    this.arrived = 0
    if (!this.isValid || threads.count > this.alternatives.length) {
      this.lookAtAll()
      return
    }
    const { ran, ranCount } = this
    for (let i = 0; i < ranCount; i++) this.forget(ran[i])
    for (let i = 0; i < ranCount; i++) if (pending.status[ran[i]] !== THREAD_LIVE) this.remove(ran[i])
    for (let i = 0; i < this.touchedCount; i++) this.lookAtWaiters(this.touched[i])
    for (let i = 0; i < this.restless.length; i++) this.look(this.restless[i])
    for (let i = 0; i < ranCount; i++) {
      if (pending.status[ran[i]] === THREAD_LIVE && this.isKnown[ran[i]] === 0) this.place(ran[i])
    }
    if (this.hasCreated) this.placeCreated()
    this.ranCount = 0
    this.touchedCount = 0
  }

  lookAtAll(): void {
    const { threads, locations, pending } = this.machine
    const { count } = threads
    if (count > this.alternatives.length) {
      this.alternatives = new Int32Array(2 * count)
      this.isKnown = new Uint8Array(2 * count)
      this.next = new Int32Array(2 * count)
      this.listed = new Int32Array(2 * count)
      this.isLocker = new Uint8Array(2 * count)
      this.arrivals = new Int32Array(2 * count)
      this.bits = new Uint32Array((2 * count + 31) >>> 5)
      this.head.fill(-1)
    }
    if (locations.count > this.head.length) this.head = new Int32Array(2 * locations.count).fill(-1)
    for (let t = 0; t < this.listed.length; t++) if (this.listed[t] >= 0) this.head[this.listed[t]] = -1
    this.listed.fill(-1)
    this.isLocker.fill(0)
    for (const location of this.awaited) if (location < this.row.length) this.row[location] = -1
    this.lockersEnd = 0
    this.awaited.length = 0
    this.isKnown.fill(0)
    this.hasCreated = false
    this.alternatives.fill(0)
    this.bits.fill(0)
    this.several = 0
    this.restless.length = 0
    this.ranCount = 0
    this.touchedCount = 0
    this.exits = 0
    for (let t = 0; t < count; t++) if (pending.status[t] === THREAD_LIVE) this.place(t)
    this.isValid = true
  }

  private placeCreated(): void {
    this.hasCreated = false
    const { status } = this.machine.pending
    const { count } = this.machine.threads
    for (let t = 0; t < count; t++) if (status[t] === THREAD_LIVE && this.isKnown[t] === 0) this.place(t)
  }

  private touch(location: number): void {
    if (this.touchedCount === this.touched.length) this.touched = grown(this.touched, 2 * this.touchedCount)
    this.touched[this.touchedCount++] = location
  }

  private lookAtWaiters(location: number): void {
    if (location < 0) return
    if (location < this.row.length && this.row[location] >= 0) this.lookAtLockers(this.row[location])
    if (location >= this.head.length) return
    for (let t = this.head[location]; t >= 0; t = this.next[t]) this.look(t)
  }

  /**
   * Whether a mutex can be locked is the same for all who are about to, but for its owner, who is none of these: it has
   * run since it took it. So one of them is asked, and the others only if that has changed.
   */
  private lookAtLockers(row: number): void {
    const one = this.lockerIn(row)
    if (one < 0) return
    const ways = this.machine.alternatives(one)
    if (ways === this.waysOf(one)) return
    const { bits, lockers } = this
    for (let i = 0; i < bits.length; i++) {
      if (ways > 0) bits[i] |= lockers[row + i]
      else bits[i] &= ~lockers[row + i]
    }
  }

  private lockerIn(row: number): number {
    const { lockers } = this
    for (let i = 0; i < this.bits.length; i++) {
      const word = lockers[row + i]
      if (word !== 0) return (i << 5) + 31 - Math.clz32(word & -word)
    }
    return -1
  }

  /** Whether a thread was found to be able to run. */
  includes(thread: number): boolean {
    return ((this.bits[thread >>> 5] >>> (thread & 31)) & 1) === 1
  }

  /** How many alternatives a thread was found to have. */
  private waysOf(thread: number): number {
    return this.includes(thread) ? this.alternatives[thread] : 0
  }

  /**
   * A thread has ended. Those who join are looked at anyway; a mutex that it held may have been given back, which shows in
   * any of those who wait for it.
   */
  private remove(thread: number): void {
    this.set(thread, 0)
    const { awaited, head, row } = this
    let kept = 0
    for (let i = 0; i < awaited.length; i++) {
      const location = awaited[i]
      const hasRow = location < row.length && row[location] >= 0
      const locker = hasRow ? this.lockerIn(row[location]) : -1
      const other = location < head.length ? head[location] : -1
      if (locker < 0 && other < 0) {
        if (hasRow) row[location] = -1
        continue
      }
      awaited[kept++] = location
      if (this.hasChanged(locker) || this.hasChanged(other)) this.touch(location)
    }
    awaited.length = kept
  }

  private hasChanged(thread: number): boolean {
    return thread >= 0 && this.waysOf(thread) !== this.machine.alternatives(thread)
  }

  /** A thread is somewhere else by now. */
  private forget(thread: number): void {
    this.isKnown[thread] = 0
    if (this.listed[thread] >= 0) this.unlist(thread)
    else if (this.restless.length > 0) {
      const at = this.restless.indexOf(thread)
      if (at >= 0) this.restless.splice(at, 1)
    }
  }

  /** A thread has come to another operation. */
  private place(thread: number): void {
    const { kind, location } = this.machine.pending
    const k = kind[thread]
    this.isKnown[thread] = 1
    this.arrivals[this.arrived++] = thread
    if (k === Op.processExit) {
      this.exits++
      this.set(thread, 0)
      return
    }
    this.look(thread)
    if (waitsForObject[k] === 1 && location[thread] >= 0) this.list(thread, location[thread])
    else if (this.waysOf(thread) !== 1 || staysPossible[k] === 0) this.restless.push(thread)
  }

  private look(thread: number): void {
    this.set(thread, this.machine.alternatives(thread))
  }

  private set(thread: number, alternatives: number): void {
    if (this.waysOf(thread) > 1) this.several--
    if (alternatives > 1) this.several++
    if (alternatives > 0) {
      this.alternatives[thread] = alternatives
      this.bits[thread >>> 5] |= 1 << (thread & 31)
    } else this.bits[thread >>> 5] &= ~(1 << (thread & 31))
  }

  private list(thread: number, location: number): void {
    this.listed[thread] = location
    if (this.machine.pending.kind[thread] === Op.lock) {
      // When somebody else gives the mutex back, there is one way to take it.
      if (this.waysOf(thread) > 1) this.several--
      this.alternatives[thread] = 1
      const row = this.rowOf(location)
      this.lockers[row + (thread >>> 5)] |= 1 << (thread & 31)
      this.isLocker[thread] = 1
      return
    }
    if (location >= this.head.length) this.head = longer(this.head, location)
    if (this.head[location] < 0) this.awaited.push(location)
    this.next[thread] = this.head[location]
    this.head[location] = thread
  }

  private rowOf(location: number): number {
    if (location >= this.row.length) this.row = longer(this.row, location)
    if (this.row[location] >= 0) return this.row[location]
    const words = this.bits.length
    const row = this.lockersEnd
    this.lockersEnd += words
    if (this.lockersEnd > this.lockers.length) {
      const more = new Uint32Array(2 * this.lockersEnd)
      more.set(this.lockers)
      this.lockers = more
    }
    this.lockers.fill(0, row, row + words)
    this.row[location] = row
    this.awaited.push(location)
    return row
  }

  private unlist(thread: number): void {
    const location = this.listed[thread]
    this.listed[thread] = -1
    if (this.isLocker[thread] === 1) {
      this.isLocker[thread] = 0
      this.lockers[this.row[location] + (thread >>> 5)] &= ~(1 << (thread & 31))
      return
    }
    if (this.head[location] === thread) {
      this.head[location] = this.next[thread]
      return
    }
    let t = this.head[location]
    while (this.next[t] !== thread) t = this.next[t]
    this.next[t] = this.next[thread]
  }
}

/** The same with room for an index, -1 where there was nothing. */
function longer(old: Int32Array, index: number): Int32Array<ArrayBuffer> {
  const fresh = new Int32Array(2 * index + 2).fill(-1)
  fresh.set(old)
  return fresh
}
