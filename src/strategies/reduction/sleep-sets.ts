import { grown } from '../../machine/growing.js'
import type { HappensBefore } from '../../ordering/happens-before.js'
import type { Footprints } from './footprints.js'

/** Flags of saved entries. */
export const OWN = 1
export const RESTRICTED = 2

/**
 * Sleep sets (Godefroid, LNCS 1032, 1996, chapter 5) along the current path: at each depth, the (thread, alternative)
 * pairs whose exploration from here would only repeat what was explored before. An entry carries the footprint
 * recorded when it ran, since only the first operation of what a stopped thread will do is known in advance.
 *
 * One stack holds all depths: those of depth d lie together, first the inherited ones, then those done
 * at this depth, which own their footprint. Adding to depth d forgets deeper depths, as a depth-first search does.
 */
export class SleepSets {
  /** Entries, by index; those of depth d are `start(d)` … `end(d) - 1`. */
  thread = new Int32Array(16)
  value = new Int32Array(16)
  footprint = new Int32Array(16)
  /** 1 for sleepers that stand only for what they begin: see `restrict`. */
  isRestricted = new Uint8Array(16)
  private starts = new Int32Array(16)
  private owned = new Int32Array(16)
  private ends = new Int32Array(16)

  constructor(private readonly footprints: Footprints) {}

  /** Begins depth 0, with nothing asleep. */
  reset(): void {
    this.starts[0] = this.owned[0] = this.ends[0] = 0
  }

  /** The set after transition d, from the set before it: whoever depends on it, or is it, wakes up. */
  descend(hb: HappensBefore, d: number): void {
    if (d + 1 === this.starts.length) {
      this.starts = grown(this.starts, this.starts.length * 2)
      this.owned = grown(this.owned, this.owned.length * 2)
      this.ends = grown(this.ends, this.ends.length * 2)
    }
    let top = this.ends[d]
    this.starts[d + 1] = top
    const p = hb.thread[d]
    for (let i = this.starts[d]; i < this.ends[d]; i++) {
      if (
        /* mutant: wakes */ this.thread[i] === p ||
        /* mutant: wakes by conflict */ this.footprints.dependsOn(this.footprint[i], hb, d)
      )
        continue
      this.set(top++, this.thread[i], this.value[i], this.footprint[i], this.isRestricted[i])
    }
    this.owned[d + 1] = this.ends[d + 1] = top
  }

  /** Puts to sleep, at depth d, what has been explored from there. Takes over the footprint. */
  add(d: number, thread: number, value: number, footprint: number): void {
    this.set(this.ends[d]++, thread, value, footprint, 0)
  }

  /**
   * From depth d on, those asleep there stand for an execution only if it does their step before anything that depends
   * on it: no longer for one that merely has not come to such a thing yet. `optimal.ts` says when that is needed.
   */
  restrict(d: number): void {
    // mutant: restricted
    for (let i = this.starts[d]; i < this.ends[d]; i++) this.isRestricted[i] = 1
  }

  /** Forgets depth d. */
  drop(d: number): void {
    for (let i = this.owned[d]; i < this.ends[d]; i++) this.footprints.release(this.footprint[i])
    this.ends[d] = this.owned[d]
  }

  start(d: number): number {
    return this.starts[d]
  }

  end(d: number): number {
    return this.ends[d]
  }

  isEmpty(d: number): boolean {
    return this.starts[d] === this.ends[d]
  }

  /** Those of the first 31 threads of which the first alternative sleeps, as bits. */
  threads(d: number): number {
    let threads = 0
    for (let i = this.starts[d]; i < this.ends[d]; i++) {
      if (this.thread[i] < 31 && this.value[i] === 0) threads |= 1 << this.thread[i]
    }
    return threads
  }

  has(d: number, thread: number, value: number): boolean {
    for (let i = this.starts[d]; i < this.ends[d]; i++) {
      if (this.thread[i] === thread && /* mutant: sleeping value */ this.value[i] === value) return true
    }
    return false
  }

  /** Whether any alternative of the thread sleeps at depth d. */
  hasThread(d: number, thread: number): boolean {
    for (let i = this.starts[d]; i < this.ends[d]; i++) if (this.thread[i] === thread) return true
    return false
  }

  save(depths: number): number[][][] {
    return Array.from({ length: depths }, (_, d) =>
      Array.from({ length: this.ends[d] - this.starts[d] }, (_, k) => {
        const i = this.starts[d] + k
        const own = i >= this.owned[d] ? OWN : 0
        const restricted = this.isRestricted[i] === 1 ? RESTRICTED : 0
        return [this.thread[i], this.value[i], own | restricted, ...this.footprints.save(this.footprint[i])]
      }),
    )
  }

  /** Inherited entries get a footprint of their own here: a little memory once, until the depth is left. */
  load(
    saved: readonly (readonly (readonly number[])[])[],
    threadHere: (t: number) => number,
    locationHere: (l: number) => number,
  ): void {
    let top = 0
    for (let d = 0; d < saved.length; d++) {
      while (d + 1 >= this.starts.length) {
        this.starts = grown(this.starts, this.starts.length * 2)
        this.owned = grown(this.owned, this.owned.length * 2)
        this.ends = grown(this.ends, this.ends.length * 2)
      }
      this.starts[d] = this.owned[d] = top
      for (const [thread, value, flags, ...cells] of saved[d]) {
        if ((flags & OWN) === 0) this.owned[d] = top + 1
        const footprint = this.footprints.load(cells, locationHere)
        this.set(top++, threadHere(thread), value, footprint, (flags & RESTRICTED) === 0 ? 0 : 1)
      }
      this.ends[d] = top
    }
  }

  private set(i: number, thread: number, value: number, footprint: number, isRestricted: number): void {
    if (i === this.thread.length) {
      this.thread = grown(this.thread, i * 2)
      this.value = grown(this.value, i * 2)
      this.footprint = grown(this.footprint, i * 2)
      this.isRestricted = grown(this.isRestricted, i * 2)
    }
    this.thread[i] = thread
    this.value[i] = value
    this.footprint[i] = footprint
    this.isRestricted[i] = isRestricted
  }
}
