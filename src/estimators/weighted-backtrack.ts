import type { Saved } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import { type Estimate, type Estimator, type Leaf, nothingKnown } from './estimator.js'

/**
 * The weighted backtrack estimator (Kilby, Slaney, Thiébaux, Walsh, "Estimating Search Tree Size", AAAI 2006; for DPOR
 * Šimša, Bryant, Gibson, "Runtime Estimation and Resource Allocation for Concurrency Testing", CMU-PDL-12-113, 2012;
 * Blum, "Practical Concurrency Testing", §3.4.3).
 *
 * Each leaf stands for a part of the tree: the probability of reaching it by a random descent that takes every known
 * branch with equal probability. The parts of the leaves seen add up to the share done; the size is the number of leaves
 * divided by it (Blum prints 1 for the number of leaves, but the example divides the number).
 *
 * A branch that becomes known late makes the parts of all earlier leaves below its point smaller. No leaf has to be
 * looked at again: below a choice that is done the parts add up to the whole, so the share at a point is
 * (choices done + share below the current choice) / choices known, from the leaf up to the root.
 */
class WeightedBacktrack implements Estimator {
  readonly name = 'weighted backtrack'
  private leaves = 0
  private spent = 0
  private leaf: Leaf | null = null
  /** As of the last leaf; not reckoned yet while `leaf` is there. */
  private share = 0
  /** Choices done at each depth of the path, the current one left out. */
  private done = new Int32Array(64)

  add(leaf: Leaf): void {
    const { depth, fork } = leaf
    if (depth > this.done.length) this.done = grown(this.done, depth * 2)
    const { done } = this
    if (fork >= 0) done[fork]++
    done.fill(0, fork + 1, depth)
    this.leaf = leaf
    this.leaves++
    this.spent += leaf.cost
  }

  estimate(): Estimate {
    this.reckon()
    const { leaves, share, spent } = this
    return leaves === 0 ? nothingKnown : { size: leaves / share, share, cost: spent / share, spent }
  }

  save(): Saved {
    this.reckon()
    const { leaves, share, spent } = this
    return { leaves, share, spent, done: [...this.done] }
  }

  load(saved: Saved): void {
    this.leaves = saved.leaves as number
    this.share = saved.share as number
    this.spent = saved.spent as number
    this.done = Int32Array.from(saved.done as number[])
    this.leaf = null
  }

  private reckon(): void {
    const { leaf, done } = this
    if (leaf === null) return
    let share = 1
    for (let d = leaf.depth - 1; d >= leaf.root; d--)
      share = (done[d] + share) / (done[d] + 1 + leaf.untried(d))
    this.share = share
    this.leaf = null
  }
}

export function weightedBacktrack(): Estimator {
  return new WeightedBacktrack()
}
