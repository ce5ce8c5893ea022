import type { Observer } from '../execution/observer.js'
import type { Saved, Strategy } from '../execution/strategy.js'
import type { Machine } from '../machine/machine.js'
import type { StrategyContext } from './context.js'
import type { Divisible, PartStart } from './parallel/part.js'

export type { StrategyContext, StrategyOptions } from './context.js'

/** What a strategy promises once `begin` has returned false. */
export type StrategyPromise =
  /** Every happens-before class under the PP set. */
  | 'all'
  /** Every class within the bound reached. */
  | 'bounded'
  /** Nothing: it samples for ever. */
  | 'sample'

/** An option of one strategy; the command line offers it and passes it on. */
export interface StrategyOption {
  /** As the user writes it: `--priorities <module>`. */
  readonly flags: string
  readonly help: string
  /** Reads what the user wrote into plain data; throws a RangeError that says what would be right. */
  parse(text: string): unknown
  /** It is the path of a file: `parse` gets an absolute path. */
  readonly isPath?: true
  /** What the strategy gets instead of that value; called where the search is run, before it begins. */
  load?(value: unknown): Promise<unknown>
}

/** What a strategy says of its search beyond what all searches say. */
export interface StrategyStatistics {
  /** Their name in the report. */
  readonly name: string
  /** Watches the search, if that takes it. */
  watch?(machine: Machine, strategy: Strategy): Observer
  /** Plain data; undefined if there is nothing to say. `executions` is how many there have been. */
  read(strategy: Strategy, watcher: Observer | undefined, executions: number): Saved | undefined
  /** Of several searches of one program that draw samples: what holds for all of them together. */
  sum?(all: readonly (Saved | undefined)[]): Saved | undefined
  /** The same as a sentence for people. */
  text(data: Saved, search: { readonly strategy: string; readonly executions: number }): string
}

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
  /**
   * Of searches: whether it may be used under memory models weaker than sequential consistency, where reductions are not
   * known to be right; `bounded`: with a bound only. Samplers always may.
   */
  readonly anyMemoryModel?: 'always' | 'bounded'
  /** Goes by `--order`. */
  readonly ordered?: true
  /** Options that no other strategy has. */
  readonly options?: readonly StrategyOption[]
  readonly statistics?: StrategyStatistics
  /** Page in docs/algorithms. */
  readonly page: string
  create(context: StrategyContext): Strategy
  /** Absent: `create` with the generator restored is enough. */
  load?(context: StrategyContext, saved: Saved): Strategy
  /**
   * Of searches that keep a list of what is still to come, no two of which lead to the same: what `save` wrote, divided among
   * at most so many.
   */
  divides?(saved: Saved, parts: number): Saved[]
  /** Of searches that can be divided (`Divisible`): a part of one, from its beginning. */
  open?(context: StrategyContext, start: PartStart): Strategy & Divisible
}

/** A strategy name or argument that is not right; the message says what would be. */
export class StrategyError extends Error {
  override readonly name = 'StrategyError'
}

/** The program does what a strategy knows nothing of, which was not to be told beforehand. */
export class UnsuitableError extends StrategyError {}
