import { grown } from '../../machine/growing.js'
import type { HappensBefore } from '../../ordering/happens-before.js'
import type { Footprints } from './footprints.js'
import type { SleepSets } from './sleep-sets.js'

/** It is not one sleeper that makes the reversal redundant. */
const NOBODY = -1
/** To be looked at whatever has happened. */
const NEVER = -1

/**
 * Races whose reversal could not be planned when they happened, because that depends on what comes later. They are
 * looked at again at the end of every execution that contains the race; only transitions that are new since the last
 * look can change anything, and of those only the ones that do not happen after the earlier transition of the race.
 *
 * A stack, by the later transition of the race.
 */
export class HeldBack {
  count = 0
  earlier = new Int32Array(16)
  later = new Int32Array(16)
  /** Index in the sleep sets, among those before `earlier`; these do not change while the race is there. */
  private sleeper = new Int32Array(16)
  /** Transitions before this one have been looked at; `NEVER` if a look rested on transitions that are gone. */
  private checked = new Int32Array(16)
  /** The last transition that was part of the reversal looked at. */
  private lastUsed = new Int32Array(16)
  /** The sleeper's own step, from which on nothing matters, or -1. */
  private ownStep = new Int32Array(16)

  push(earlier: number, later: number): void {
    const i = this.count
    if (i === this.earlier.length) {
      for (const key of ['earlier', 'later', 'sleeper', 'checked', 'lastUsed', 'ownStep'] as const)
        this[key] = grown(this[key], i * 2)
    }
    this.earlier[i] = earlier
    this.later[i] = later
    this.sleeper[i] = NOBODY
    this.ownStep[i] = -1
    this.checked[i] = NEVER
    this.count = i + 1
  }

  /** The reversal of race i was found to be redundant up to `end` because of that sleeper; its own step, or -1. */
  cover(i: number, sleeper: number, ownStep: number, end: number): void {
    this.sleeper[i] = sleeper
    this.ownStep[i] = ownStep
    this.checked[i] = end
    this.lastUsed[i] = -1
  }

  /** It was planned, with transitions up to `lastUsed`, of those before `end`. */
  planned(i: number, lastUsed: number, end: number): void {
    this.sleeper[i] = NOBODY
    this.checked[i] = end
    this.lastUsed[i] = lastUsed
  }

  save(): number[] {
    return Array.from({ length: this.count }, (_, i) => [this.earlier[i], this.later[i]]).flat()
  }

  /** Those whose later transition is that one, as pairs. */
  of(later: number): number[] {
    const pairs: number[] = []
    for (let i = 0; i < this.count; i++)
      if (this.later[i] === later) pairs.push(this.earlier[i], this.later[i])
    return pairs
  }

  /** The branches of that depth are others now. */
  lookAgain(depth: number): void {
    for (let i = 0; i < this.count; i++) if (this.earlier[i] === depth) this.checked[i] = NEVER
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
      if (this.lastUsed[i] >= depth) this.checked[i] = NEVER
    }
  }

  /** Whether what was found for race i still holds with all transitions up to `end`. */
  isSettled(i: number, hb: HappensBefore, sleep: SleepSets, pool: Footprints, end: number): boolean {
    if (this.checked[i] === NEVER) return false
    const sleeper = this.sleeper[i]
    if (sleeper !== NOBODY && this.ownStep[i] >= 0) return true
    const e = this.earlier[i]
    for (let d = this.checked[i]; d < end; d++) {
      if (hb.ordered(e, d)) continue
      if (sleeper === NOBODY) return false
      if (hb.thread[d] === sleep.thread[sleeper]) {
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
