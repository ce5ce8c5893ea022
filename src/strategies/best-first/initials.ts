import type { HappensBefore } from '../../ordering/happens-before.js'
import { grown } from '../../program/growing.js'

/**
 * The threads that can begin the reversal of a race: those whose first transition, in what follows `earlier` without
 * depending on it up to and with `later`, needs nothing else of that stretch (source sets; Abdulla, Aronis, Jonsson,
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

  find(hb: HappensBefore, earlier: number, later: number): void {
    this.count = 0
    for (let d = earlier + 1; d < later; d++) if (!hb.ordered(earlier, d)) this.consider(hb, d)
    this.consider(hb, later)
  }

  includes(thread: number): boolean {
    for (let i = 0; i < this.count; i++) if (this.thread[i] === thread) return true
    return false
  }

  private consider(hb: HappensBefore, d: number): void {
    const thread = hb.thread[d]
    for (let i = 0; i < this.count; i++) {
      if (this.thread[i] === thread || hb.ordered(this.transition[i], d)) return
    }
    if (this.count === this.thread.length) {
      this.thread = grown(this.thread, this.count * 2)
      this.transition = grown(this.transition, this.count * 2)
    }
    this.thread[this.count] = thread
    this.transition[this.count++] = d
  }
}
