import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import { kinds, Op } from '../machine/operation.js'
import { isEverywhere } from '../machine/points.js'

const objectWaits: readonly unknown[] = ['mutex', 'permit', 'readable', 'writable']
/** Whether these can be done is decided by what others do to the same object, and by nothing else. */
const waitsForObject = kinds(({ waits }) => objectWaits.includes(waits))
waitsForObject[Op.reacquire] = 0
/** These decide that. */
const actsOnObject = kinds(({ locks, adds }) => locks !== undefined || adds !== undefined)
actsOnObject[Op.reacquire] = 0
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
 * further (creation, conditions, the end of a thread), all threads are looked at again.
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
  /** Objects acted on, and threads that ran, since. */
  private readonly touched: number[] = []
  private readonly ran: number[] = []
  /** By location, as lists: threads about to do what depends on it. -1 ends a list. */
  private head = new Int32Array(0)
  private next = new Int32Array(0)
  /** By thread: the location under which it is listed, or -1. */
  private listed = new Int32Array(0)
  /** Threads that are looked at each time. */
  private restless: number[] = []

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
    if (this.ran.at(-1) !== thread) this.ran.push(thread)
    if (actsOnObject[k] === 1) this.touched.push(location[thread])
    else if (isHarmless[k] === 0) this.isValid = false
  }

  update(): void {
    const { ran, touched } = this
    const { status } = this.machine.pending
    for (let i = 0; i < ran.length; i++) if (status[ran[i]] !== THREAD_LIVE) this.isValid = false
    if (!this.isValid) {
      this.lookAtAll()
      return
    }
    for (let i = 0; i < ran.length; i++) this.place(ran[i])
    for (let i = 0; i < touched.length; i++) {
      for (let t = this.head[touched[i]] ?? -1; t >= 0; t = this.next[t]) this.look(t)
    }
    for (let i = 0; i < this.restless.length; i++) this.look(this.restless[i])
    ran.length = 0
    touched.length = 0
  }

  lookAtAll(): void {
    const { threads, locations, pending } = this.machine
    const { count } = threads
    if (count > this.alternatives.length) {
      this.alternatives = new Int32Array(2 * count)
      this.next = new Int32Array(2 * count)
      this.listed = new Int32Array(2 * count)
      this.bits = new Uint32Array((2 * count + 31) >>> 5)
      this.head.fill(-1)
    }
    if (locations.count > this.head.length) this.head = new Int32Array(2 * locations.count).fill(-1)
    for (let t = 0; t < this.listed.length; t++) if (this.listed[t] >= 0) this.head[this.listed[t]] = -1
    this.listed.fill(-1)
    this.alternatives.fill(0)
    this.bits.fill(0)
    this.restless.length = 0
    this.ran.length = 0
    this.touched.length = 0
    this.exits = 0
    for (let t = 0; t < count; t++) if (pending.status[t] === THREAD_LIVE) this.place(t)
    this.isValid = true
  }

  /** A thread has come to another operation. */
  private place(thread: number): void {
    const { kind, location } = this.machine.pending
    const k = kind[thread]
    if (this.listed[thread] >= 0) this.unlist(thread)
    else if (this.restless.includes(thread)) this.restless = this.restless.filter((t) => t !== thread)
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
