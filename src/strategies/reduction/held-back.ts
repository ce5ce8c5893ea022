import type { HappensBefore } from '../../ordering/happens-before.js'
import { grown } from '../../program/growing.js'
import type { Footprints } from './footprints.js'
import type { SleepSets } from './sleep-sets.js'

/** Not known which sleeper makes the reversal redundant, or none does. */
const NOBODY = -1

/**
 * Races whose reversal a sleeper made redundant as far as could be seen when they happened. Whether it still does is
 * asked at the end of every execution that contains the race; only transitions that are new since it was asked last can
 * change the answer, and of those only the ones that do not happen after the earlier transition of the race.
 *
 * A stack, by the later transition of the race.
 */
export class HeldBack {
  count = 0
  earlier = new Int32Array(16)
  later = new Int32Array(16)
  /** Index in the sleep sets, among those before `earlier`; these do not change while the race is there. */
  private sleeper = new Int32Array(16)
  /** Transitions before this one leave the sleeper what it is. */
  private checked = new Int32Array(16)
  /** The sleeper's own step, from which on nothing matters, or -1. */
  private ownStep = new Int32Array(16)

  push(earlier: number, later: number): void {
    const i = this.count
    if (i === this.earlier.length) {
      for (const key of ['earlier', 'later', 'sleeper', 'checked', 'ownStep'] as const)
        this[key] = grown(this[key], i * 2)
    }
    this.earlier[i] = earlier
    this.later[i] = later
    this.sleeper[i] = NOBODY
    this.count = i + 1
  }

  /** The reversal of race i was found to be redundant up to `end` because of that sleeper; its own step, or -1. */
  cover(i: number, sleeper: number, ownStep: number, end: number): void {
    this.sleeper[i] = sleeper
    this.ownStep[i] = ownStep
    this.checked[i] = end
  }

  /** It was not found to be redundant. */
  uncover(i: number): void {
    this.sleeper[i] = NOBODY
  }

  save(): number[] {
    return Array.from({ length: this.count }, (_, i) => [this.earlier[i], this.later[i]]).flat()
  }

  load(pairs: readonly number[]): void {
    for (let i = 0; i < pairs.length; i += 2) this.push(pairs[i], pairs[i + 1])
  }

  /** The search goes back: only the first `depth` transitions are left. */
  truncate(depth: number): void {
    while (this.count > 0 && this.later[this.count - 1] >= depth) this.count--
    for (let i = 0; i < this.count; i++) {
      if (this.checked[i] > depth) this.checked[i] = depth
      if (this.ownStep[i] >= depth) this.ownStep[i] = -1
    }
  }

  /** Whether the same sleeper still makes the reversal of race i redundant, with all transitions up to `end`. */
  isStillCovered(i: number, hb: HappensBefore, sleep: SleepSets, pool: Footprints, end: number): boolean {
    const sleeper = this.sleeper[i]
    if (sleeper === NOBODY) return false
    if (this.ownStep[i] >= 0) return true
    const e = this.earlier[i]
    const thread = sleep.thread[sleeper]
    for (let d = this.checked[i]; d < end; d++) {
      if (hb.ordered(e, d)) continue
      if (hb.thread[d] === thread) {
        if (hb.value[d] !== sleep.value[sleeper]) return false
        this.ownStep[i] = d
        break
      }
      if (pool.dependsOn(sleep.footprint[sleeper], hb, d)) return false
    }
    this.checked[i] = Math.max(this.checked[i], end)
    return true
  }
}
