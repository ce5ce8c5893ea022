import { grown } from '../machine/growing.js'
import { joinClock, widened } from './clock-rows.js'

/**
 * Vector clocks of the transitions of the current execution, as a stack. They count transitions by their place in the
 * execution: `rows[b * stride + t] = i + 1` says that transition i is the latest of thread t that happens before b or
 * is b.
 *
 * What a thread's next transition starts from is not stored: it is the clock of its latest transition, joined with
 * those of transitions that created or woke it since (its *pushes*). So `pop` undoes a transition without copying rows.
 *
 * Invariant: entries of a row from the number of threads on are 0.
 */
export class TransitionClocks {
  /** Length of a row. */
  stride = 8
  rows = new Int32Array(64 * 8)
  /** Per thread: its latest transition + 1, or 0. */
  private latest = new Int32Array(8)
  /** Per transition: what it replaced in `latest`. */
  private before = new Int32Array(64)
  private depths = 64

  /** Per thread: its newest push + 1, or 0. */
  private newest = new Int32Array(8)
  /** Who was pushed, by which transition, and that thread's push before + 1. */
  private target = new Int32Array(16)
  private pusher = new Int32Array(16)
  private older = new Int32Array(16)
  private pushes = 0

  reserve(depths: number, threads: number): void {
    if (threads > this.stride) this.widen(threads)
    if (depths <= this.depths) return
    this.depths *= 2
    this.rows = grown(this.rows, this.depths * this.stride)
    this.before = grown(this.before, this.depths)
  }

  /** Writes what the thread's next transition starts from into the first `length` entries. */
  start(thread: number, into: Int32Array, length: number): void {
    const { rows } = this
    const latest = this.latest[thread]
    const row = (latest - 1) * this.stride
    if (latest === 0) for (let t = 0; t < length; t++) into[t] = 0
    else for (let t = 0; t < length; t++) into[t] = rows[row + t]
    if (this.newest[thread] > 0) this.joinPushes(thread, latest, Infinity, into, 0, length)
  }

  /** The same into the row of transition d, which it is. */
  open(d: number, thread: number, length: number): void {
    const { rows, stride } = this
    const latest = this.latest[thread]
    const into = d * stride
    const row = (latest - 1) * stride
    if (latest === 0) for (let t = 0; t < length; t++) rows[into + t] = 0
    else for (let t = 0; t < length; t++) rows[into + t] = rows[row + t]
    if (this.newest[thread] > 0) this.joinPushes(thread, latest, d, rows, into, length)
  }

  /** Writes what transition d, the latest of its thread by now, started from. */
  startOf(d: number, thread: number, into: Int32Array, length: number): void {
    const { rows } = this
    const latest = this.before[d]
    const row = (latest - 1) * this.stride
    for (let t = 0; t < length; t++) into[t] = latest === 0 ? 0 : rows[row + t]
    this.joinPushes(thread, latest, d, into, 0, length)
  }

  /** Joins all that has happened up to now in a thread into a clock. */
  joinThread(thread: number, into: Int32Array, length: number): void {
    const latest = this.latest[thread]
    if (latest > 0) joinClock(into, 0, this.rows, (latest - 1) * this.stride, length)
    if (this.newest[thread] > 0) this.joinPushes(thread, latest, Infinity, into, 0, length)
  }

  /** Transition d, whose row is complete, is the latest of its thread now. */
  enter(d: number, thread: number): void {
    this.before[d] = this.latest[thread]
    this.latest[thread] = d + 1
  }

  /** Whatever the target does next happens after transition d. */
  push(d: number, target: number): void {
    const i = this.pushes++
    if (i === this.target.length) {
      this.target = grown(this.target, i * 2)
      this.pusher = grown(this.pusher, i * 2)
      this.older = grown(this.older, i * 2)
    }
    this.target[i] = target
    this.pusher[i] = d
    this.older[i] = this.newest[target]
    this.newest[target] = i + 1
  }

  /** Forgets transition d, the latest of all. */
  pop(d: number, thread: number): void {
    while (/* mutant: forgets creators */ this.pushes > 0 && this.pusher[this.pushes - 1] === d) {
      const i = --this.pushes
      this.newest[this.target[i]] = this.older[i]
    }
    // mutant: forgets steps
    this.latest[thread] = this.before[d]
  }

  /** Those before transition d that the thread's latest one came before; it knows of the others. */
  private joinPushes(
    thread: number,
    latest: number,
    d: number,
    into: Int32Array,
    at: number,
    length: number,
  ): void {
    for (let i = this.newest[thread]; i > 0 && this.pusher[i - 1] >= latest; i = this.older[i - 1]) {
      if (this.pusher[i - 1] < d) joinClock(into, at, this.rows, this.pusher[i - 1] * this.stride, length)
    }
  }

  private widen(threads: number): void {
    const old = this.stride
    this.stride = Math.max(threads, old * 2)
    this.rows = widened(this.rows, old, this.stride)
    this.latest = grown(this.latest, this.stride)
    this.newest = grown(this.newest, this.stride)
  }
}
