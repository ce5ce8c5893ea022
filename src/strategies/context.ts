import type { Machine } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import type { OptionOrder } from './option-order.js'

/** Values of options that only one strategy has, by the name of the option: `priorities` for `--priorities`. */
export type StrategyOptions = Readonly<Record<string, unknown>>

/** What a strategy is made from. */
export interface StrategyContext {
  readonly machine: Machine
  /** The strategy's own stream; when a saved search is read back, in the state it had. */
  readonly random: Random
  readonly order: OptionOrder
  /** What stood after the colon of the name, or ''. */
  readonly argument: string
  /** Largest bound asked for; undefined means go on until nothing is left. */
  readonly bound?: number | undefined
  /** Values of the strategy's own options (`StrategyEntry.options`), by name. */
  readonly options?: StrategyOptions | undefined
  /** Of bounded searches: explore within this bound, and end; smaller ones are done. */
  readonly only?: number | undefined
  /** Indexes in a saved search → indexes in this process. */
  readonly threadHere: (saved: number) => number
  readonly locationHere: (saved: number) => number
}
