import type { ChoicePoint } from '../../execution/strategy.js'
import { grown } from '../../machine/growing.js'
import { Need, type PriorityFunction } from './branch.js'
import { NO_RECORD } from './siblings.js'

/**
 * The choice points of the execution under way: what was taken and what else there was. Options of depth d are those
 * from `first[d]` up to `first[d + 1]`, ordered by thread. Depths shared with the execution before are kept.
 */
export class Choices {
  depths = 0
  /** What was taken. */
  thread = new Int32Array(64)
  value = new Int32Array(64)
  /** The option taken. */
  taken = new Int32Array(64)
  /** The thread of the step before, or -1. */
  previous = new Int32Array(64)
  /** The thread that it costs a preemption to leave, or -1. */
  staying = new Int32Array(64)
  /** Preemptions before the depth. */
  preemptions = new Int32Array(64)

  first = new Int32Array(65)
  optionThread = new Int32Array(256)
  optionValue = new Int32Array(256)
  /** The record of the option among what has been tried at this position, or `NO_RECORD`. */
  record = new Int32Array(256)
  /** What the races of this execution say of it, see `Need`. */
  need = new Uint8Array(256)
  /** The option was taken, has been tried, or is to be. */
  marked = new Uint8Array(256)
  /** Per priority function that has tags: those of the options, and of the thread that ran before each depth. */
  readonly tags: (Int32Array | null)[]
  readonly previousTags: (Int32Array | null)[]

  constructor(private readonly functions: readonly PriorityFunction[]) {
    this.tags = functions.map((f) => (f.tag ? new Int32Array(256) : null))
    this.previousTags = functions.map((f) => (f.tag ? new Int32Array(64) : null))
  }

  /** Records the options of a new depth, the deepest now. */
  open(point: ChoicePoint): void {
    const d = point.depth
    if (d === this.thread.length) this.growDepths(d * 2)
    const start = this.first[d]
    const end = start + point.count
    if (end > this.optionThread.length) this.growOptions(end * 2)
    for (let i = 0; i < point.count; i++) {
      this.optionThread[start + i] = point.thread[i]
      this.optionValue[start + i] = point.value[i]
      this.record[start + i] = NO_RECORD
      this.need[start + i] = Need.none
      this.marked[start + i] = 0
    }
    this.first[d + 1] = end
    this.previous[d] = point.previous
    this.staying[d] = point.stay >= 0 && /* mutant: voluntary */ !point.voluntary ? point.previous : -1
    this.preemptions[d] = d === 0 ? 0 : this.preemptions[d - 1] + this.cost(d - 1, this.taken[d - 1])
    this.depths = d + 1
    for (let f = 0; f < this.functions.length; f++) if (this.tags[f] !== null) this.fillTags(f, point)
  }

  take(d: number, option: number): void {
    this.taken[d] = option
    this.thread[d] = this.optionThread[option]
    this.value[d] = this.optionValue[option]
    this.marked[option] = 1
  }

  /** 1 if taking the option is a preemption. */
  cost(d: number, option: number): number {
    return this.staying[d] >= 0 && this.staying[d] !== this.optionThread[option] ? 1 : 0
  }

  find(d: number, thread: number, value: number): number {
    for (let i = this.first[d]; i < this.first[d + 1]; i++) {
      if (this.optionThread[i] === thread && this.optionValue[i] === value) return i
    }
    return -1
  }

  /** First option of the thread, or -1. */
  firstOf(d: number, thread: number): number {
    for (let i = this.first[d]; i < this.first[d + 1]; i++) if (this.optionThread[i] === thread) return i
    return -1
  }

  /** Whether some alternative of the thread was taken, has been tried, or is to be. */
  isMarked(d: number, thread: number): boolean {
    for (let i = this.first[d]; i < this.first[d + 1]; i++) {
      if (this.optionThread[i] === thread && this.marked[i] === 1) return true
    }
    return false
  }

  private fillTags(f: number, point: ChoicePoint): void {
    const d = point.depth
    const tag = (thread: number) => this.functions[f].tag!(point.machine, thread)
    for (let i = this.first[d]; i < this.first[d + 1]; i++) this.tags[f]![i] = tag(this.optionThread[i])
    this.previousTags[f]![d] = point.previous < 0 ? 0 : tag(point.previous)
  }

  private growDepths(size: number): void {
    for (const key of ['thread', 'value', 'taken', 'previous', 'staying', 'preemptions'] as const) {
      this[key] = grown(this[key], size)
    }
    this.first = grown(this.first, size + 1)
    this.previousTags.forEach((column, f) => {
      if (column !== null) this.previousTags[f] = grown(column, size)
    })
  }

  private growOptions(size: number): void {
    for (const key of ['optionThread', 'optionValue', 'record'] as const) this[key] = grown(this[key], size)
    this.need = grown(this.need, size)
    this.marked = grown(this.marked, size)
    this.tags.forEach((column, f) => {
      if (column !== null) this.tags[f] = grown(column, size)
    })
  }
}
