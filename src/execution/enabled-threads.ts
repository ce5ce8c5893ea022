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
  /** By thread: alternatives of its pending operation; 0 if it cannot run. */
  alternatives = new Int32Array(0)
  /** A bit per thread that can run. */
  bits = new Uint32Array(0)
  /** Threads that are about to end the program. */
  exits = 0
  private isValid = false
  /** A thread was created since. */
  private hasCreated = false
  /** By thread: 1 if it is one of those that have begun and not ended. */
  private isKnown = new Uint8Array(0)
  /** Objects that somebody waits for, perhaps. */
  private readonly awaited: number[] = []
  /** Objects acted on, and threads that ran, since. */
  private touched = new Int32Array(64)
  private touchedCount = 0
  private ran = new Int32Array(64)
  private ranCount = 0
  /** By location, as lists: threads about to do what depends on it. -1 ends a list. */
  private head = new Int32Array(0)
  private next = new Int32Array(0)
  /** By thread: the location under which it is listed, or -1. */
  private listed = new Int32Array(0)
  /** Threads that are looked at each time. */
  private readonly restless: number[] = []

  constructor(private readonly machine: Machine) {}

  static suits(machine: Machine): boolean {
    return isEverywhere(machine.points) && !machine.isCompound
  }

  /** Forgets everything. */
  begin(): void {
    this.isValid = false
  }

  /** A thread is about to do its pending operation. */
  runs(thread: number): void {
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

  update(): void {
    const { pending, threads } = this.machine
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
      this.bits = new Uint32Array((2 * count + 31) >>> 5)
      this.head.fill(-1)
    }
    if (locations.count > this.head.length) this.head = new Int32Array(2 * locations.count).fill(-1)
    for (let t = 0; t < this.listed.length; t++) if (this.listed[t] >= 0) this.head[this.listed[t]] = -1
    this.listed.fill(-1)
    this.awaited.length = 0
    this.isKnown.fill(0)
    this.hasCreated = false
    this.alternatives.fill(0)
    this.bits.fill(0)
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

  /**
   * Whether a mutex can be locked is the same for all who are about to, but for its owner, who is none of these: it has
   * run since it took it. So one of them is asked, and the others only if that has changed.
   */
  private lookAtWaiters(location: number): void {
    if (location < 0 || location >= this.head.length) return
    const { kind } = this.machine.pending
    let ways = -1
    let isChanged = true
    for (let t = this.head[location]; t >= 0; t = this.next[t]) {
      if (kind[t] !== Op.lock) this.look(t)
      else if (ways < 0) {
        ways = this.machine.alternatives(t)
        isChanged = ways !== this.alternatives[t]
        if (isChanged) this.set(t, ways)
      } else if (isChanged) this.set(t, ways)
    }
  }

  /**
   * A thread has ended. Those who join are looked at anyway; a mutex that it held may have been given back, which shows in
   * any of those who wait for it.
   */
  private remove(thread: number): void {
    this.set(thread, 0)
    const { awaited, head } = this
    let kept = 0
    for (let i = 0; i < awaited.length; i++) {
      const first = head[awaited[i]]
      if (first < 0) continue
      awaited[kept++] = awaited[i]
      if (this.alternatives[first] !== this.machine.alternatives(first)) this.touch(awaited[i])
    }
    awaited.length = kept
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
    if (k === Op.processExit) {
      this.exits++
      this.set(thread, 0)
      return
    }
    this.look(thread)
    if (waitsForObject[k] === 1 && location[thread] >= 0) this.list(thread, location[thread])
    else if (this.alternatives[thread] !== 1 || staysPossible[k] === 0) this.restless.push(thread)
  }

  private look(thread: number): void {
    this.set(thread, this.machine.alternatives(thread))
  }

  private set(thread: number, alternatives: number): void {
    this.alternatives[thread] = alternatives
    if (alternatives > 0) this.bits[thread >>> 5] |= 1 << (thread & 31)
    else this.bits[thread >>> 5] &= ~(1 << (thread & 31))
  }

  private list(thread: number, location: number): void {
    if (location >= this.head.length) {
      const longer = new Int32Array(2 * location).fill(-1)
      longer.set(this.head)
      this.head = longer
    }
    if (this.head[location] < 0) this.awaited.push(location)
    this.next[thread] = this.head[location]
    this.head[location] = thread
    this.listed[thread] = location
  }

  private unlist(thread: number): void {
    const location = this.listed[thread]
    this.listed[thread] = -1
    if (this.head[location] === thread) {
      this.head[location] = this.next[thread]
      return
    }
    let t = this.head[location]
    while (this.next[t] !== thread) t = this.next[t]
    this.next[t] = this.next[thread]
  }
}
