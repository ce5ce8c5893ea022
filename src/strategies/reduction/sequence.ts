import { grown } from '../../machine/growing.js'
import { Mode } from '../../machine/operation.js'
import type { HappensBefore } from '../../ordering/happens-before.js'
import type { Footprints, Touches } from './footprints.js'

/** Sequences up to this length are looked through, longer ones are looked up in. */
const SHORT = 4
const NEVER = 0x7fffffff

/**
 * Transitions of the current execution that a reversal consists of, but for its last step; some are taken out again while a
 * place for the reversal is looked for. They are in the order of the execution.
 *
 * Of long ones it is written down who has steps in them, and when each location is first touched and first changed. What
 * was taken out still counts for the latter: it says where nothing is, and where something may be.
 */
export class Sequence implements Touches {
  /** Transitions are `at[from]` … `at[end - 1]`. */
  at = new Int32Array(64)
  from = 0
  end = 0
  private isIndexed = false
  /** What is written down holds for the sequence under consideration if it has its number. */
  private number = 0
  private threadNumber = new Int32Array(16)
  private steps = new Int32Array(16)
  private placeNumber = new Int32Array(64)
  private touched = new Int32Array(64)
  private changed = new Int32Array(64)

  constructor(
    private readonly hb: HappensBefore,
    private readonly pool: Footprints,
  ) {}

  /** What comes before f when it is moved before e, of the transitions before `end`. */
  collect(e: number, f: number, end: number): void {
    if (end - e > this.at.length) this.at = new Int32Array(2 * (end - e))
    this.from = 0
    this.end = this.hb.stretch(e, f, end, this.at)
    this.isIndexed = false
  }

  clear(): void {
    this.from = this.end = 0
  }

  get isEmpty(): boolean {
    return this.from === this.end
  }

  /** The last transition, or -1. */
  get last(): number {
    return this.isEmpty ? -1 : this.at[this.end - 1]
  }

  /** Where the thread's first step is; `end` if there is none. */
  indexOf(thread: number): number {
    const { at, end } = this
    const threads = this.hb.thread
    if (end - this.from > SHORT && this.stepsOf(thread) === 0) return end
    let own = this.from
    while (own < end && threads[at[own]] !== thread) own++
    return own
  }

  /** Whether a footprint depends on one of the transitions before that place. */
  conflicts(footprint: number, before: number): boolean {
    const { at, hb, pool } = this
    if (before - this.from > SHORT) {
      this.index()
      if (!pool.mayMeet(footprint, this, before < this.end ? at[before] : NEVER)) return false
    }
    for (let i = this.from; i < before; i++) if (pool.dependsOn(footprint, hb, at[i])) return true
    return false
  }

  touches(location: number, mode: number, d: number): boolean {
    if (location >= this.placeNumber.length || this.placeNumber[location] !== this.number) return false
    return (mode === Mode.read ? this.changed[location] : this.touched[location]) < d
  }

  /** Takes the transition at that place out. Most are near the beginning. */
  takeOut(own: number): void {
    const { at } = this
    if (this.isIndexed) this.steps[this.hb.thread[at[own]]]--
    for (let i = own; i > this.from; i--) at[i] = at[i - 1]
    this.from++
  }

  /** Takes the last transition out and tells which it was. */
  takeLast(): number {
    const d = this.at[--this.end]
    if (this.isIndexed) this.steps[this.hb.thread[d]]--
    return d
  }

  /** Its transitions, to go back to. */
  copy(): Int32Array {
    return this.at.slice(this.from, this.end)
  }

  restore(copy: Int32Array): void {
    this.at.set(copy)
    this.from = 0
    this.end = copy.length
    this.isIndexed = false
  }

  private stepsOf(thread: number): number {
    this.index()
    return thread < this.steps.length && this.threadNumber[thread] === this.number ? this.steps[thread] : 0
  }

  private index(): void {
    if (this.isIndexed) return
    this.isIndexed = true
    const number = ++this.number
    const { at, end, hb } = this
    const { thread: threads, eventEnd, location: places, mode: modes } = hb
    for (let i = this.from; i < end; i++) {
      const d = at[i]
      const thread = threads[d]
      if (thread >= this.steps.length) this.widen(thread)
      if (this.threadNumber[thread] === number) this.steps[thread]++
      else {
        this.threadNumber[thread] = number
        this.steps[thread] = 1
      }
      for (let k = hb.eventStart(d); k < eventEnd[d]; k++) {
        if (modes[k] !== Mode.none) this.touch(places[k], modes[k], d, number)
      }
    }
  }

  private touch(place: number, mode: number, d: number, number: number): void {
    if (place >= this.placeNumber.length) {
      const size = Math.max(place + 1, 2 * this.placeNumber.length)
      this.placeNumber = grown(this.placeNumber, size)
      this.touched = grown(this.touched, size)
      this.changed = grown(this.changed, size)
    }
    if (this.placeNumber[place] !== number) {
      this.placeNumber[place] = number
      this.touched[place] = d
      this.changed[place] = NEVER
    }
    if (mode !== Mode.read && this.changed[place] === NEVER) this.changed[place] = d
  }

  private widen(thread: number): void {
    const size = Math.max(thread + 1, 2 * this.steps.length)
    this.steps = grown(this.steps, size)
    this.threadNumber = grown(this.threadNumber, size)
  }
}
