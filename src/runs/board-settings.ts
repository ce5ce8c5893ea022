import type { PointRule, RacePoint } from '../machine/points.js'

export interface BoardSettings {
  /** A job goes on while its estimate is below this many times the time left (Quicksand §3.5). */
  readonly etaFactor: number
  /** Executions before an estimate counts. */
  readonly etaThreshold: number
  /** The maximal state space before all others, however large. */
  readonly verify: boolean
  /**
   * The maximal state space is begun first, and stayed with if its estimate is below this part of the time left: then
   * all smaller ones would be work done twice (Quicksand §7). 0 leaves it for last, as in the paper's §3.
   */
  readonly trial: number
  /**
   * Every access is a point of the maximal set, and nothing else is run, as long as that is estimated to end in time
   * (`etaFactor`): for whoever has begun with that state space already.
   */
  readonly proof: boolean
  /** Rules that narrow every set. */
  readonly rules: readonly PointRule[]
}

export const defaultSettings: BoardSettings = {
  etaFactor: 2,
  etaThreshold: 32,
  verify: false,
  trial: 0.25,
  proof: false,
  rules: [],
}

/**
 * An access found to race, to become a point. It comes from a pair seen in both orders, or it is the earlier one of a
 * pair seen in one order only: the later one follows if preempting at the earlier one turns the order round
 * (Quicksand §3.5).
 */
export interface RacyAccess {
  readonly race: RacePoint
  readonly isBothOrder: boolean
}

/**
 * How many times too large the first estimates of a search may well be: they rest on a small part of its tree, and on
 * the time taken by code that was not optimised yet.
 */
export const firstDoubt = 8
