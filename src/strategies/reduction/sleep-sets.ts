import type { HappensBefore } from '../../ordering/happens-before.js'
import { grown } from '../../program/growing.js'
import type { Footprints } from './footprints.js'

/**
 * Sleep sets (Godefroid, LNCS 1032, 1996, chapter 5) along the current path: at each depth, the (thread, alternative)
 * pairs whose exploration from here would only repeat what was explored before. An entry carries the footprint
 * recorded when it ran, since only the first operation of what a stopped thread will do is known in advance.
 *
 * One stack holds all depths: those of depth d lie in `start[d] … end[d]`, first the inherited ones, then those done
 * at this depth, which own their footprint. Adding to depth d forgets deeper depths, as a depth-first search does.
 */
export class SleepSets {
  private thread = new Int32Array(64)
  private value = new Int32Array(64)
  private footprint = new Int32Array(64)
  private start = new Int32Array(64)
  private owned = new Int32Array(64)
  private end = new Int32Array(64)

  constructor(private readonly footprints: Footprints) {}

  /** Begins depth 0, with nothing asleep. */
  reset(): void {
    this.start[0] = this.owned[0] = this.end[0] = 0
  }

  /** The set after transition d, from the set before it: whoever depends on it, or is it, wakes up. */
  descend(hb: HappensBefore, d: number): void {
    if (d + 1 === this.start.length) {
      this.start = grown(this.start, this.start.length * 2)
      this.owned = grown(this.owned, this.owned.length * 2)
      this.end = grown(this.end, this.end.length * 2)
    }
    let top = this.end[d]
    this.start[d + 1] = top
    const p = hb.thread[d]
    for (let i = this.start[d]; i < this.end[d]; i++) {
      if (this.thread[i] === p || this.footprints.dependsOn(this.footprint[i], hb, d)) continue
      this.set(top++, this.thread[i], this.value[i], this.footprint[i])
    }
    this.owned[d + 1] = this.end[d + 1] = top
  }

  /** Puts to sleep, at depth d, what has been explored from there. Takes over the footprint. */
  add(d: number, thread: number, value: number, footprint: number): void {
    this.set(this.end[d]++, thread, value, footprint)
  }

  /** Forgets depth d. */
  drop(d: number): void {
    for (let i = this.owned[d]; i < this.end[d]; i++) this.footprints.release(this.footprint[i])
    this.end[d] = this.owned[d]
  }

  isEmpty(d: number): boolean {
    return this.start[d] === this.end[d]
  }

  has(d: number, thread: number, value: number): boolean {
    for (let i = this.start[d]; i < this.end[d]; i++) {
      if (this.thread[i] === thread && this.value[i] === value) return true
    }
    return false
  }

  /** Calls back for each sleeper of depth d until one answers true; says whether one did. */
  some(d: number, test: (thread: number, value: number, footprint: number) => boolean): boolean {
    for (let i = this.start[d]; i < this.end[d]; i++) {
      if (test(this.thread[i], this.value[i], this.footprint[i])) return true
    }
    return false
  }

  save(depths: number): number[][][] {
    return Array.from({ length: depths }, (_, d) =>
      Array.from({ length: this.end[d] - this.start[d] }, (_, k) => {
        const i = this.start[d] + k
        const own = i >= this.owned[d] ? 1 : 0
        return [this.thread[i], this.value[i], own, ...this.footprints.save(this.footprint[i])]
      }),
    )
  }

  /** Inherited entries get a footprint of their own here: a little memory once, until the depth is left. */
  load(
    saved: readonly number[][][],
    threadHere: (t: number) => number,
    locationHere: (l: number) => number,
  ): void {
    let top = 0
    for (let d = 0; d < saved.length; d++) {
      while (d + 1 >= this.start.length) {
        this.start = grown(this.start, this.start.length * 2)
        this.owned = grown(this.owned, this.owned.length * 2)
        this.end = grown(this.end, this.end.length * 2)
      }
      this.start[d] = this.owned[d] = top
      for (const [thread, value, own, ...cells] of saved[d]) {
        if (own === 0) this.owned[d] = top + 1
        this.set(top++, threadHere(thread), value, this.footprints.load(cells, locationHere))
      }
      this.end[d] = top
    }
  }

  private set(i: number, thread: number, value: number, footprint: number): void {
    if (i === this.thread.length) {
      this.thread = grown(this.thread, i * 2)
      this.value = grown(this.value, i * 2)
      this.footprint = grown(this.footprint, i * 2)
    }
    this.thread[i] = thread
    this.value[i] = value
    this.footprint[i] = footprint
  }
}
