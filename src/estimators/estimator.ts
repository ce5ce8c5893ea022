import type { Saved } from '../execution/strategy.js'

/** One more leaf of a depth-first search's tree. */
export interface Leaf {
  /** Choices from the root of the tree to the leaf. */
  readonly depth: number
  /** Where the part of the tree begins that is searched, mostly 0: a search may give away what lies above. */
  readonly root: number
  /** The depth whose choice differs from that of the leaf before; -1 for the first leaf. */
  readonly fork: number
  /** Branches known so far, not begun yet, that leave this path at a depth. */
  untried(depth: number): number
  /** What reaching it cost, in any unit: steps, seconds. */
  readonly cost: number
}

export interface Estimate {
  /** Leaves the whole search will have: all executions, those given up as redundant included. */
  readonly size: number
  /** How much of the search is done, from 0 to 1. */
  readonly share: number
  /** What the whole search will cost, in the unit of `Leaf.cost`. */
  readonly cost: number
  /** What it has cost so far. */
  readonly spent: number
}

/**
 * Forecasts a depth-first search from the part it has seen.
 *
 * Protocol: `add` after every execution, in the order of the search, from its first execution on; `estimate` and `save`
 * at any time before the search goes on: what they need of the leaf is asked for then. The search is depth first: when
 * a leaf forks at some depth, all that lies below the previous leaf's choice there is done. Branches may become known
 * late, at any depth of the path. `add` takes time linear in the part of the path that is new, `estimate` in the depth,
 * and so does memory. After the last execution of a search an estimate of the size is exact.
 *
 * Neither estimator says anything about a search that reduces: what the reduction will find out later is not in the
 * tree yet. They underestimate while it keeps finding branches and overestimate when branches turn out redundant.
 */
export interface Estimator {
  readonly name: string
  add(leaf: Leaf): void
  estimate(): Estimate
  save(): Saved
  load(saved: Saved): void
}

export const nothingKnown: Estimate = { size: 1, share: 0, cost: 0, spent: 0 }
