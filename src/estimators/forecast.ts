import type { Observer } from '../execution/observer.js'
import type { Saved, Strategy } from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Estimate, Estimator, Leaf } from './estimator.js'
import { recursive } from './recursive.js'

/** What a search has still before it. All of it is estimated. */
export interface Outlook {
  /** Executions the whole search will take, those given up as redundant included. */
  readonly executions: number
  /** How much of it is done, from 0 to 1. */
  readonly share: number
  readonly secondsLeft: number
  /** Executions this rests on. */
  readonly seen: number
  /** Of a search that goes bound by bound: the bound under way; the rest is of that bound alone. */
  readonly bound?: number
}

/**
 * Watches a depth-first search and feeds an estimator. An observer: hand it to the runner beside the strategy, from the
 * first execution of the search on. Costs are steps; `outlook` turns them into time. To be asked between two executions.
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
  /** See `Strategy.restarts`. */
  private restarts = 0
  /** Executions of the bound under way. */
  private seen = 0
  /** Steps of all bounds. */
  private steps = 0

  constructor(
    private readonly strategy: Strategy,
    private readonly makeEstimator: () => Estimator = recursive,
  ) {
    if (!strategy.untried) {
      throw new TypeError(`${strategy.name} is not a depth-first search: there is nothing to estimate`)
    }
    this.estimator = makeEstimator()
    this.bound = strategy.completedBound
    this.leaf = {
      depth: 0,
      fork: -1,
      cost: 0,
      get root() {
        return strategy.root ?? 0
      },
      untried: (depth) => strategy.untried!(depth),
    }
  }

  end(trace: Trace): void {
    const { completedBound, restarts = 0 } = this.strategy
    if (completedBound !== this.bound || restarts !== this.restarts) this.restart()
    const fork = this.forkOf(trace)
    if (fork === trace.length && fork === this.length) return
    const { leaf } = this
    leaf.depth = trace.length
    leaf.fork = this.length < 0 ? -1 : fork
    leaf.cost = trace.length
    this.seen++
    this.steps += trace.length
    this.keep(trace, Math.max(leaf.fork, 0))
    this.estimator.add(leaf)
  }

  estimate(): Estimate {
    return this.estimator.estimate()
  }

  /**
   * What is still to come, if steps go on taking as long as those so far did: those of `secondsSoFar`, in which all the
   * search up to now was done. Undefined before the first execution.
   */
  outlook(secondsSoFar: number): Outlook | undefined {
    if (this.seen === 0) return undefined
    const { size, share, cost, spent } = this.estimate()
    return {
      executions: size,
      share,
      secondsLeft: this.steps === 0 ? 0 : (secondsSoFar / this.steps) * Math.max(0, cost - spent),
      seen: this.seen,
      ...(this.bound === undefined ? {} : { bound: this.bound + 1 }),
    }
  }

  save(): Saved {
    return {
      estimator: this.estimator.save(),
      bound: this.bound === Infinity ? null : this.bound,
      thread: [...this.thread.subarray(0, Math.max(0, this.length))],
      value: [...this.value.subarray(0, Math.max(0, this.length))],
      started: this.length >= 0,
      seen: this.seen,
      steps: this.steps,
    }
  }

  load(saved: Saved, threadHere: (saved: number) => number = (index) => index): this {
    this.estimator.load(saved.estimator as Saved)
    this.bound = (saved.bound as number | null | undefined) ?? this.strategy.completedBound
    this.seen = saved.seen as number
    this.steps = saved.steps as number
    const thread = (saved.thread as number[]).map(threadHere)
    this.length = saved.started ? thread.length : -1
    const size = Math.max(64, thread.length * 2)
    this.thread = grown(Int32Array.from(thread), size)
    this.value = grown(Int32Array.from(saved.value as number[]), size)
    return this
  }

  private restart(): void {
    this.bound = this.strategy.completedBound
    this.restarts = this.strategy.restarts ?? 0
    this.estimator = this.makeEstimator()
    this.length = -1
    this.seen = 0
  }

  /** First depth at which the execution differs from the last one. */
  private forkOf({ length, thread, value, shared }: Trace): number {
    let d = Math.min(shared, length, Math.max(0, this.length))
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

/** A forecast of the search, or undefined if it is not depth first. The recursive estimator, unless another is given. */
export function forecastOf(strategy: Strategy, makeEstimator?: () => Estimator): Forecast | undefined {
  return strategy.untried ? new Forecast(strategy, makeEstimator) : undefined
}
