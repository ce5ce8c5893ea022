import type { Observer } from '../execution/observer.js'
import type { Saved, Strategy } from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import { grown } from '../program/growing.js'
import type { Estimate, Estimator, Leaf } from './estimator.js'

/**
 * Watches a depth-first search and feeds an estimator. An observer: hand it to the runner beside the strategy. Costs
 * are steps; `timeLeft` turns them into time.
 *
 * A search that goes bound by bound has a tree for each bound, so estimates are of the bound under way, and begin anew
 * with the next. Executions repeated to check determinism are left out.
 */
export class Forecast implements Observer {
  readonly footprints = false
  private estimator: Estimator
  private readonly leaf: { -readonly [K in keyof Leaf]: Leaf[K] }
  /** The path of the last execution; -1 before the first. */
  private length = -1
  private thread = new Int32Array(64)
  private value = new Int32Array(64)
  private bound: number | undefined

  constructor(
    private readonly strategy: Strategy,
    private readonly makeEstimator: () => Estimator,
  ) {
    if (!strategy.untried) {
      throw new TypeError(`${strategy.name} is not a depth-first search: there is nothing to estimate`)
    }
    this.estimator = makeEstimator()
    this.bound = strategy.completedBound
    this.leaf = { depth: 0, fork: -1, cost: 0, untried: (depth) => strategy.untried!(depth) }
  }

  end(trace: Trace): void {
    if (this.strategy.completedBound !== this.bound) this.restart()
    const fork = this.forkOf(trace)
    if (fork === trace.length && fork === this.length) return
    const { leaf } = this
    leaf.depth = trace.length
    leaf.fork = this.length < 0 ? -1 : fork
    leaf.cost = trace.length
    this.keep(trace, Math.max(leaf.fork, 0))
    this.estimator.add(leaf)
  }

  estimate(): Estimate {
    return this.estimator.estimate()
  }

  /** Seconds still needed, if steps go on taking as long as those so far did; undefined while nothing is known. */
  timeLeft(secondsSoFar: number): number | undefined {
    const { cost, spent } = this.estimate()
    return spent === 0 ? undefined : (secondsSoFar / spent) * Math.max(0, cost - spent)
  }

  save(): Saved {
    return {
      estimator: this.estimator.save(),
      bound: this.bound === Infinity ? null : this.bound,
      thread: [...this.thread.subarray(0, Math.max(0, this.length))],
      value: [...this.value.subarray(0, Math.max(0, this.length))],
      started: this.length >= 0,
    }
  }

  load(saved: Saved, threadHere: (saved: number) => number = (index) => index): this {
    this.estimator.load(saved.estimator as Saved)
    this.bound = (saved.bound as number | null | undefined) ?? this.strategy.completedBound
    const thread = (saved.thread as number[]).map(threadHere)
    this.length = saved.started ? thread.length : -1
    const size = Math.max(64, thread.length * 2)
    this.thread = grown(Int32Array.from(thread), size)
    this.value = grown(Int32Array.from(saved.value as number[]), size)
    return this
  }

  private restart(): void {
    this.bound = this.strategy.completedBound
    this.estimator = this.makeEstimator()
    this.length = -1
  }

  /** First depth at which the execution differs from the last one. */
  private forkOf({ length, thread, value }: Trace): number {
    let d = 0
    while (d < length && d < this.length && thread[d] === this.thread[d] && value[d] === this.value[d]) d++
    return d
  }

  private keep({ length, thread, value }: Trace, from: number): void {
    if (length > this.thread.length) {
      this.thread = grown(this.thread, length * 2)
      this.value = grown(this.value, length * 2)
    }
    for (let d = from; d < length; d++) {
      this.thread[d] = thread[d]
      this.value[d] = value[d]
    }
    this.length = length
  }
}
