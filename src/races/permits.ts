import type { Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { LocationTable } from '../machine/names.js'
import { Mode, Op } from '../machine/operation.js'
import { copyClock, joinClock } from '../ordering/clock-rows.js'
import type { ThreadClocks } from './thread-clocks.js'

const AS_LOCK = 0
const AS_COUNT = 1
const IRREGULAR = 2
/** Added once it was destroyed or set up again. */
const ENDED = 4

/**
 * Semaphores under limited happens-before. One that is used as a lock is one: it starts with a single permit, and who
 * posts has waited before. Any other orders a wait after those posts without which the wait could not have ended,
 * however the rest of the execution is rearranged: a post by which another thread only gives back what it took is none
 * of them.
 */
export class Permits {
  /** Semaphores of the program, by location. */
  private readonly semaphores: number[] = []
  private known = 0
  /** By location: how this execution uses it. */
  private use = new Uint8Array(64)
  /** By location: permits at the beginning, -1 when no operation was seen yet. */
  private initial = new Int32Array(64)

  /** What was done to semaphores so far, with the clock of the thread that did it. */
  private count = 0
  private location = new Int32Array(16)
  private thread = new Int32Array(16)
  private sequence = new Int32Array(16)
  /** +1 for a post, -1 for a wait. */
  private change = new Int32Array(16)
  private rows = new Int32Array(16 * 8)

  /** By semaphore and thread: permits taken and not given back. Only for programs with semaphores. */
  private readonly held = new Map<number, number>()

  constructor(private readonly clocks: ThreadClocks) {}

  /** Looks the execution over: who uses which semaphore as what is known only at its end. */
  begin(trace: Trace, locations: LocationTable): void {
    for (; this.known < locations.count; this.known++) {
      if (locations.kinds[this.known] === 'semaphore') this.semaphores.push(this.known)
    }
    if (this.semaphores.length === 0) return
    this.count = 0
    if (this.known > this.use.length) {
      const size = Math.max(this.known, this.use.length * 2)
      this.use = grown(this.use, size)
      this.initial = grown(this.initial, size)
    }
    for (const semaphore of this.semaphores) {
      this.use[semaphore] = AS_LOCK
      this.initial[semaphore] = -1
    }
    this.judge(trace)
  }

  private judge({ events, length, thread, eventEnd }: Trace): void {
    this.held.clear()
    for (let d = 0, i = 0; d < length; d++) {
      for (; i < eventEnd[d]; i++) {
        const kind = events.kind[i]
        const location = events.location[i]
        if (kind === Op.mutexSetup) {
          if (this.semaphores.includes(location)) this.setUp(location, events.aux[i])
        } else if (kind === Op.semPost || kind === Op.semWait || kind === Op.semTryWait) {
          this.judgeUse(location, thread[d], changeOf(kind, events.mode[i]), events.aux[i])
        }
      }
    }
  }

  private setUp(location: number, permits: number): void {
    if (this.initial[location] < 0) this.initial[location] = permits
    else if (this.use[location] < ENDED) this.use[location] += ENDED
  }

  private judgeUse(location: number, thread: number, change: number, before: number): void {
    if (this.initial[location] < 0) this.initial[location] = before
    // Set up again in the middle: nothing is known about it.
    if (this.use[location] >= ENDED) this.use[location] = ENDED + IRREGULAR
    const key = location * 2 ** 16 + thread
    const held = (this.held.get(key) ?? 0) - change
    this.held.set(key, held)
    const isLock = /* mutant: permits of a lock */ this.initial[location] === 1 && held >= 0 && held <= 1
    if (!isLock && this.use[location] === AS_LOCK) this.use[location] = AS_COUNT
  }

  isLock(location: number): boolean {
    return this.use[location] % ENDED === AS_LOCK
  }

  /** A post or a wait of thread p on a semaphore that is no lock. */
  event(p: number, kind: number, mode: number, location: number, sequence: number): void {
    const change = changeOf(kind, mode)
    if (change === 0) return
    if (kind === Op.semWait && this.use[location] % ENDED === AS_COUNT) this.follow(p, location)
    const i = this.count++
    const { stride, rows } = this.clocks
    if (i === this.location.length) {
      this.location = grown(this.location, i * 2)
      this.thread = grown(this.thread, i * 2)
      this.sequence = grown(this.sequence, i * 2)
      this.change = grown(this.change, i * 2)
    }
    if ((i + 1) * stride > this.rows.length) this.rows = grown(this.rows, (i + 1) * stride * 2)
    this.location[i] = location
    this.thread[i] = p
    this.sequence[i] = sequence
    this.change[i] = change
    rows[p * stride + p] = sequence
    copyClock(this.rows, i * stride, rows, p * stride, stride)
  }

  /** Orders thread p after every post that it cannot do without. */
  private follow(p: number, location: number): void {
    const { rows, stride } = this.clocks
    for (let again = true; again; ) {
      again = false
      for (let e = 0; e < this.count; e++) {
        if (this.location[e] !== location || this.change[e] < 0 || this.isBefore(e, p)) continue
        // mutant: needed post
        if (this.mostWithout(e, p, location) > 0) continue
        // mutant: post
        joinClock(rows, p * stride, this.rows, e * stride, stride)
        again = true
      }
    }
  }

  private isBefore(e: number, p: number): boolean {
    const q = this.thread[e]
    return q === p || this.sequence[e] <= this.clocks.rows[p * this.clocks.stride + q]
  }

  /**
   * The most permits there can be for thread p if post e, and all that must follow it, has not happened: what must come
   * before p counts, and of each other thread as much as gives most. An upper bound: threads are taken one by one.
   */
  private mostWithout(e: number, p: number, location: number): number {
    const { stride } = this.clocks
    let permits = this.initial[location]
    for (let q = 0; q < stride; q++) {
      let sum = 0
      let most = 0
      for (let f = 0; f < this.count; f++) {
        if (this.thread[f] !== q || this.location[f] !== location) continue
        if (f === e || this.rows[f * stride + this.thread[e]] >= this.sequence[e]) break
        sum += this.change[f]
        most = this.isBefore(f, p) ? sum : Math.max(most, sum)
      }
      permits += most
    }
    return permits
  }
}

function changeOf(kind: number, mode: number): number {
  if (kind === Op.semPost) return 1
  return (kind === Op.semWait || kind === Op.semTryWait) && mode === Mode.write ? -1 : 0
}
