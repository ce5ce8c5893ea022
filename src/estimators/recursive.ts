import type { Saved } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import { type Estimate, type Estimator, type Leaf, nothingKnown } from './estimator.js'

/**
 * The recursive estimator (Kilby, Slaney, Thiébaux, Walsh, "Estimating Search Tree Size", AAAI 2006; for DPOR Šimša,
 * Bryant, Gibson, CMU-PDL-12-113, 2012; Blum, "Practical Concurrency Testing", §3.4.3): below each point, branches not begun are taken to be as large as
 * the average of those that have. What the branches of a point come to is scaled by known / begun; the point's own cost
 * is not (Blum scales all of it in words, only the branches in the example).
 *
 * We run every execution from the beginning, so all its cost belongs to the leaf. Where executions go on from a
 * checkpoint at the fork, as in Blum, `charge: 'transitions'` spreads it over the new transitions.
 */
class Recursive implements Estimator {
  readonly name = 'recursive'
  private leaves = 0
  private spent = 0
  private depth = 0
  private leaf: Leaf | null = null
  /** As of the last leaf; not reckoned yet while `leaf` is there. */
  private size = 1
  private cost = 0
  /** Choices done at each depth of the path, the current one left out. */
  private done = new Int32Array(64)
  /** Leaves and cost below the choices done at each depth. */
  private doneSize = new Float64Array(64)
  private doneCost = new Float64Array(64)
  /** Cost of the transition into each point of the path; of the root 0. Entry `depth` is the leaf. */
  private own = new Float64Array(65)

  constructor(private readonly charge: Charge) {}

  add(leaf: Leaf): void {
    this.reserve(leaf.depth)
    if (leaf.fork >= 0) this.finish(leaf.fork)
    this.descend(leaf)
    this.leaf = leaf
    this.leaves++
    this.spent += leaf.cost
  }

  estimate(): Estimate {
    this.reckon()
    const { leaves, size, cost, spent } = this
    return leaves === 0 ? nothingKnown : { size, share: leaves / size, cost, spent }
  }

  save(): Saved {
    this.reckon()
    const { leaves, spent, depth, size, cost } = this
    const arrays = [this.done, this.doneSize, this.doneCost, this.own].map((a) => [
      ...a.subarray(0, depth + 1),
    ])
    return { leaves, spent, depth, size, cost, arrays }
  }

  load(saved: Saved): void {
    this.leaves = saved.leaves as number
    this.spent = saved.spent as number
    this.size = saved.size as number
    this.cost = saved.cost as number
    this.depth = saved.depth as number
    this.reserve(this.depth)
    const [done, doneSize, doneCost, own] = saved.arrays as number[][]
    this.done.set(done)
    this.doneSize.set(doneSize)
    this.doneCost.set(doneCost)
    this.own.set(own)
    this.leaf = null
  }

  private reckon(): void {
    const { leaf, done, doneSize, doneCost, own } = this
    if (leaf === null) return
    let size = 1
    let cost = own[leaf.depth]
    for (let d = leaf.depth - 1; d >= 0; d--) {
      const scale = 1 + leaf.untried(d) / (done[d] + 1)
      size = scale * (doneSize[d] + size)
      cost = own[d] + scale * (doneCost[d] + cost)
    }
    this.size = size
    this.cost = cost
    this.leaf = null
  }

  /** What lies below the current choice at that depth is complete: adds it to what is done there. */
  private finish(fork: number): void {
    const { done, doneSize, doneCost, own } = this
    let size = 1
    let cost = own[this.depth]
    for (let d = this.depth - 1; d > fork; d--) {
      size += doneSize[d]
      cost += own[d] + doneCost[d]
    }
    done[fork]++
    doneSize[fork] += size
    doneCost[fork] += cost
  }

  private descend({ depth, fork, cost }: Leaf): void {
    const { done, doneSize, doneCost, own } = this
    const first = fork + 1
    for (let d = first; d < depth; d++) {
      done[d] = 0
      doneSize[d] = 0
      doneCost[d] = 0
    }
    // The point after the fork is new as well; the root is nobody's transition.
    const from = Math.max(first, 1)
    const transitions = depth - from + 1
    const each = this.charge === 'transitions' && transitions > 0 ? cost / transitions : 0
    for (let d = from; d <= depth; d++) own[d] = each
    if (this.charge === 'leaf') this.own[depth] = cost
    this.depth = depth
  }

  private reserve(depth: number): void {
    if (depth < this.done.length) return
    this.done = grown(this.done, depth * 2)
    this.doneSize = grown(this.doneSize, depth * 2)
    this.doneCost = grown(this.doneCost, depth * 2)
    this.own = grown(this.own, depth * 2 + 1)
  }
}

/** Where the cost of an execution belongs: all to its end, or evenly to the transitions that are new. */
export type Charge = 'leaf' | 'transitions'

export function recursive({ charge = 'leaf' }: { charge?: Charge } = {}): Estimator {
  return new Recursive(charge)
}
