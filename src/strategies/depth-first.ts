import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import { grown } from '../program/growing.js'
import type { Random } from '../random/random.js'
import type { StrategyContext } from './registry.js'

/** Which option comes first: go on with the same thread, leave it, or any. */
export type Order = 'stay' | 'preempt' | 'random'

/**
 * Every execution, one after the other, without reduction. Keeps the options of each choice point on the path:
 * O(depth × options).
 */
class DepthFirst implements Strategy {
  readonly name = 'dfs'
  readonly footprints = false
  readonly script = { thread: new Int32Array(64), value: new Int32Array(64), length: 0 }
  private started = false
  private depth = 0
  /** Options of depth d are those from `first[d]` up to `first[d + 1]`; `at[d]` is being explored. */
  private first = new Int32Array(65)
  private at = new Int32Array(64)
  private optionThread = new Int32Array(256)
  private optionValue = new Int32Array(256)

  constructor(
    private readonly order: Order,
    private readonly random: Random,
  ) {}

  begin(): boolean {
    if (this.started) {
      while (this.depth > 0 && this.at[this.depth - 1] + 1 === this.first[this.depth]) this.depth--
      if (this.depth === 0) return false
      this.set(this.depth - 1, this.at[this.depth - 1] + 1)
    }
    this.started = true
    this.script.length = this.depth
    return true
  }

  choose(point: ChoicePoint): number {
    const d = point.depth
    if (d === this.at.length) {
      this.at = grown(this.at, d * 2)
      this.first = grown(this.first, d * 2 + 1)
      this.script.thread = grown(this.script.thread, d * 2)
      this.script.value = grown(this.script.value, d * 2)
    }
    const start = this.first[d]
    const end = start + point.count
    if (end > this.optionThread.length) {
      this.optionThread = grown(this.optionThread, end * 2)
      this.optionValue = grown(this.optionValue, end * 2)
    }
    const lead = this.leadingOption(point)
    // A rotation: all options once, the leading one first.
    for (let i = 0; i < point.count; i++) {
      const option = (lead + i) % point.count
      this.optionThread[start + i] = point.thread[option]
      this.optionValue[start + i] = point.value[option]
    }
    this.first[d + 1] = end
    this.depth = d + 1
    this.set(d, start)
    return lead
  }

  end(): void {}

  save(): Saved {
    return {
      started: this.started,
      order: this.order,
      random: this.random.save(),
      first: [...this.first.subarray(0, this.depth + 1)],
      at: [...this.at.subarray(0, this.depth)],
      threads: [...this.optionThread.subarray(0, this.first[this.depth])],
      values: [...this.optionValue.subarray(0, this.first[this.depth])],
    }
  }

  load(saved: Saved, context: StrategyContext): this {
    const { started, first, at, threads, values } = saved as unknown as {
      started: boolean
      first: number[]
      at: number[]
      threads: number[]
      values: number[]
    }
    this.started = started
    this.depth = at.length
    this.first = grown(Int32Array.from(first), Math.max(65, first.length * 2))
    this.at = grown(Int32Array.from(at), this.first.length - 1)
    this.script.thread = new Int32Array(this.at.length)
    this.script.value = new Int32Array(this.at.length)
    this.optionThread = grown(Int32Array.from(threads, context.threadHere), threads.length * 2 + 256)
    this.optionValue = grown(Int32Array.from(values), values.length * 2 + 256)
    for (let d = 0; d < this.depth; d++) this.set(d, at[d])
    return this
  }

  private set(depth: number, option: number): void {
    this.at[depth] = option
    this.script.thread[depth] = this.optionThread[option]
    this.script.value[depth] = this.optionValue[option]
  }

  private leadingOption(point: ChoicePoint): number {
    if (this.order === 'random') return this.random.below(point.count)
    if (point.stay < 0) return 0
    return this.order === 'stay' ? point.stay : (point.stay + 1) % point.count
  }
}

export function depthFirst(context: StrategyContext): Strategy {
  return new DepthFirst(context.order, context.random)
}

export function loadDepthFirst(context: StrategyContext, saved: Saved): Strategy {
  return new DepthFirst(context.order, context.random).load(saved, context)
}
