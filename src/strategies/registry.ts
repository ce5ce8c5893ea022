import type { Saved, Strategy } from '../execution/strategy.js'
import type { Machine } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import type { PriorityFunction } from './best-first/branch.js'
import type { Order } from './depth-first.js'
import type { Divisible, PartStart } from './parallel/part.js'
import type { HitBoundObserver } from './pos-bound.js'

/** What a strategy is made from. */
export interface StrategyContext {
  readonly machine: Machine
  /** The strategy's own stream; when a saved search is read back, in the state it had. */
  readonly random: Random
  readonly order: Order
  /** What stood after the colon of the name, or ''. */
  readonly argument: string
  /** Largest bound asked for; undefined means go on until nothing is left. */
  readonly bound?: number | undefined
  /** Of bounded searches: explore within this bound, and end; smaller ones are done. */
  readonly only?: number | undefined
  /** For strategies that can move what they keep to disk: beyond this much memory they do. */
  readonly memoryLimitBytes?: number | undefined
  /** Priority functions of the user's own, for best-first search, by the name that the argument calls them. */
  readonly priorities?: Readonly<Record<string, PriorityFunction>> | undefined
  /** Indexes in a saved search → indexes in this process. */
  readonly threadHere: (saved: number) => number
  readonly locationHere: (saved: number) => number
}

/** What a strategy promises once `begin` has returned false. */
export type StrategyPromise =
  /** Every happens-before class under the PP set. */
  | 'all'
  /** Every class within the bound reached. */
  | 'bounded'
  /** Nothing: it samples for ever. */
  | 'sample'

export interface StrategyEntry {
  readonly name: string
  /** One line of help. */
  readonly summary: string
  /** Help for the part after the colon, if the strategy takes one. */
  readonly argument?: string
  readonly promise: StrategyPromise
  /** What a bound counts, for strategies with one. */
  readonly bounds?: 'preemption' | 'delay'
  /**
   * Runs every execution within its bound, leaving none out for another one: if some are cut at the step limit, all
   * schedules were still explored up to there. A reduction cannot say that.
   */
  readonly everyPrefix?: true
  /** Goes by `--order`. */
  readonly ordered?: true
  /** Keeps within `--memory`, and takes priority functions of the user's own. */
  readonly prioritised?: true
  /** Page in docs/algorithms. */
  readonly page: string
  /** Of samplers that promise a least probability for every class: what tells it for this program. */
  watchBound?(machine: Machine): HitBoundObserver
  create(context: StrategyContext): Strategy
  /** Absent: `create` with the generator restored is enough. */
  load?(context: StrategyContext, saved: Saved): Strategy
  /** Of searches that can be divided (`Divisible`): a part of one, from its beginning. */
  open?(context: StrategyContext, start: PartStart): Strategy & Divisible
}

/** A strategy name or argument that is not right; the message says what would be. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
}
