import { grown } from '../../machine/growing.js'
import type { HappensBefore } from '../../ordering/happens-before.js'

/**
 * The threads that can begin the reversal of a race: those whose first transition, in what comes before `later` when
 * it is moved before `earlier` and in `later` itself, needs nothing else of that stretch (source sets; Abdulla, Aronis, Jonsson,
 * Sagonas, JACM 64(4), 2017, definition 4.3). Never empty.
 *
 * It is enough to compare with the initials found so far: whatever comes before a transition in the stretch comes
 * after, or is, one of them.
 */
export class Initials {
  count = 0
  thread = new Int32Array(8)
  /** The transition of each that comes first. */
  private transition = new Int32Array(8)

  private stretch = new Int32Array(64)

  /** Of the race of those transitions, in an execution whose transitions from `end` on are no part of the reversal. */
  find(hb: HappensBefore, earlier: number, later: number, end: number): void {
    this.count = 0
    if (end - earlier > this.stretch.length) this.stretch = new Int32Array(2 * (end - earlier))
    const length = hb.stretch(earlier, later, end, this.stretch)
    for (let i = 0; i < length; i++) this.consider(hb, this.stretch[i])
    this.consider(hb, later)
  }

  includes(thread: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.thread[i] === thread) return true
    return false
  }

  private consider(hb: HappensBefore, d: number): void {
    const thread = hb.thread[d]
    for (let i = 0; i < this.count; i++) {
      if (this.thread[i] === thread || /* mutant: initial */ hb.ordered(this.transition[i], d)) return
    }
    if (this.count === this.thread.length) {
      this.thread = grown(this.thread, this.count * 2)
      this.transition = grown(this.transition, this.count * 2)
    }
    this.thread[this.count] = thread
    this.transition[this.count++] = d
  }
}
