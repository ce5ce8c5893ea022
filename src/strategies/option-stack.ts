import { grown } from '../machine/growing.js'

/**
 * The options of each choice point on the current path, in the order they are tried, with what each costs: the memory
 * of a depth-first search. O(depth × options).
 */
export class OptionStack {
  depth = 0
  /** Depths before this one belong to the whole search. */
  root = 0
  /** The path: what is taken at each depth. */
  readonly script = { thread: new Int32Array(64), value: new Int32Array(64), length: 0 }
  /** Options of depth d are those from `first[d]` up to `first[d + 1]`; `at[d]` is being explored. */
  private first = new Int32Array(65)
  private at = new Int32Array(64)
  private thread = new Int32Array(256)
  private value = new Int32Array(256)
  private cost = new Int32Array(256)
  /** Cost of the path up to and including each depth. */
  private total = new Int32Array(64)

  /** Opens a new depth, the deepest now. Follow with `add` for each option, then `enter`. */
  open(d: number): void {
    if (d === this.at.length) {
      this.at = grown(this.at, d * 2)
      this.total = grown(this.total, d * 2)
      this.first = grown(this.first, d * 2 + 1)
      this.script.thread = grown(this.script.thread, d * 2)
      this.script.value = grown(this.script.value, d * 2)
    }
    this.first[d + 1] = this.first[d]
    this.depth = d + 1
  }

  add(thread: number, value: number, cost: number): void {
    const i = this.first[this.depth]++
    if (i === this.thread.length) {
      this.thread = grown(this.thread, i * 2)
      this.value = grown(this.value, i * 2)
      this.cost = grown(this.cost, i * 2)
    }
    this.thread[i] = thread
    this.value[i] = value
    this.cost[i] = cost
  }

  /** Takes the first option of the deepest depth. */
  enter(): void {
    this.take(this.depth - 1, this.first[this.depth - 1])
  }

  /**
   * Goes on to the next option within the cost limit, leaving depths that have none; false when none is left.
   * `onSkip` is told of each option left out for its cost.
   */
  advance(limit: number, onSkip: () => void): boolean {
    for (; this.depth > this.root; this.depth--) {
      const d = this.depth - 1
      const before = d === 0 ? 0 : this.total[d - 1]
      for (let i = this.at[d] + 1; i < this.first[d + 1]; i++) {
        if (before + this.cost[i] > limit) {
          onSkip()
          continue
        }
        this.take(d, i)
        this.script.length = this.depth
        return true
      }
    }
    this.script.length = 0
    return false
  }

  /** Options of a depth that come after the one being explored, within the cost limit. */
  untried(d: number, limit: number): number {
    const before = d === 0 ? 0 : this.total[d - 1]
    let untried = 0
    for (let i = this.at[d] + 1; i < this.first[d + 1]; i++) if (before + this.cost[i] <= limit) untried++
    return untried
  }

  /** The same one by one, whatever they cost. */
  eachUntried(d: number, visit: (thread: number, value: number) => void): void {
    for (let i = this.at[d] + 1; i < this.first[d + 1]; i++) visit(this.thread[i], this.value[i])
  }

  /** What the whole path costs. */
  pathCost(): number {
    return this.depth === 0 ? 0 : this.total[this.depth - 1]
  }

  save(): OptionStackData {
    const options = this.first[this.depth]
    return {
      first: [...this.first.subarray(0, this.depth + 1)],
      at: [...this.at.subarray(0, this.depth)],
      thread: [...this.thread.subarray(0, options)],
      value: [...this.value.subarray(0, options)],
      cost: [...this.cost.subarray(0, options)],
    }
  }

  load(data: OptionStackData, threadHere: (saved: number) => number): void {
    this.depth = 0
    data.at.forEach((at, d) => {
      this.open(d)
      for (let i = data.first[d]; i < data.first[d + 1]; i++) {
        this.add(threadHere(data.thread[i]), data.value[i], data.cost[i])
      }
      this.take(d, at)
    })
  }

  private take(d: number, option: number): void {
    this.at[d] = option
    this.total[d] = (d === 0 ? 0 : this.total[d - 1]) + this.cost[option]
    this.script.thread[d] = this.thread[option]
    this.script.value[d] = this.value[option]
  }
}

export interface OptionStackData {
  readonly first: number[]
  readonly at: number[]
  readonly thread: number[]
  readonly value: number[]
  readonly cost: number[]
}
