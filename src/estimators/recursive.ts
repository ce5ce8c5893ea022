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
  /**
   * The points of the path at which a choice is done, from the root down: most executions fork near their end, so that
   * there are few of them. At all other points of the path nothing is done but the current choice.
   */
  private forks = 0
  private forkDepth = new Int32Array(16)
  /** Choices done at each of these points, the current one left out; leaves and cost below them. */
  private done = new Int32Array(16)
  private doneSize = new Float64Array(16)
  private doneCost = new Float64Array(16)
  /** Cost of the path down to each of these points, and of each transition from there to the next. */
  private costTo = new Float64Array(16)
  private costPerStep = new Float64Array(16)
  /** Cost of each transition before the first of them; the root is nobody's. */
  private firstPerStep = 0
  /** Cost of the path down to the leaf. */
  private costToLeaf = 0

  constructor(private readonly charge: Charge) {}

  add(leaf: Leaf): void {
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
    const { leaves, spent, depth, size, cost, forks, firstPerStep, costToLeaf } = this
    const arrays = [
      this.forkDepth,
      this.done,
      this.doneSize,
      this.doneCost,
      this.costTo,
      this.costPerStep,
    ].map((array) => [...array.subarray(0, forks)])
    return { leaves, spent, depth, size, cost, firstPerStep, costToLeaf, arrays }
  }

  load(saved: Saved): void {
    this.leaves = saved.leaves as number
    this.spent = saved.spent as number
    this.size = saved.size as number
    this.cost = saved.cost as number
    this.depth = saved.depth as number
    this.firstPerStep = saved.firstPerStep as number
    this.costToLeaf = saved.costToLeaf as number
    const [forkDepth, done, doneSize, doneCost, costTo, costPerStep] = saved.arrays as number[][]
    this.forks = forkDepth.length
    while (this.forkDepth.length < this.forks) this.grow()
    this.forkDepth.set(forkDepth)
    this.done.set(done)
    this.doneSize.set(doneSize)
    this.doneCost.set(doneCost)
    this.costTo.set(costTo)
    this.costPerStep.set(costPerStep)
    this.leaf = null
  }

  private reckon(): void {
    const { leaf, forkDepth, done, doneSize, doneCost } = this
    if (leaf === null) return
    let fork = this.forks - 1
    let size = 1
    let cost = 0
    let below = this.costToLeaf
    for (let d = leaf.depth - 1; d >= 0; d--) {
      // What the transition into the point after this one cost.
      const here = this.costDownTo(d, fork)
      cost += below - here
      below = here
      const isFork = fork >= 0 && forkDepth[fork] === d
      const scale = 1 + leaf.untried(d) / ((isFork ? done[fork] : 0) + 1)
      size = scale * ((isFork ? doneSize[fork] : 0) + size)
      cost = scale * ((isFork ? doneCost[fork] : 0) + cost)
      if (isFork) fork--
    }
    this.size = size
    // Of a leaf that is the root, all of it; otherwise nothing is left, since the root is nobody's transition.
    this.cost = cost + below
    this.leaf = null
  }

  /** Cost of the path down to a point that lies no higher than that fork, and above the next. */
  private costDownTo(depth: number, fork: number): number {
    if (fork < 0) return this.firstPerStep * depth
    return this.costTo[fork] + this.costPerStep[fork] * (depth - this.forkDepth[fork])
  }

  /** What lies below the current choice at that depth is complete: adds it to what is done there. */
  private finish(depth: number): void {
    const { forkDepth, doneSize, doneCost } = this
    let last = this.forks - 1
    let size = 1
    let cost = this.costToLeaf
    for (; last >= 0 && forkDepth[last] > depth; last--) {
      size += doneSize[last]
      cost += doneCost[last]
    }
    const costTo = this.costDownTo(depth, last)
    if (last < 0 || forkDepth[last] < depth) {
      last++
      if (last === forkDepth.length) this.grow()
      this.forkDepth[last] = depth
      this.done[last] = 0
      this.doneSize[last] = 0
      this.doneCost[last] = 0
      this.costTo[last] = costTo
    }
    this.done[last]++
    this.doneSize[last] += size
    this.doneCost[last] += cost - costTo
    this.forks = last + 1
  }

  private descend({ depth, fork, cost }: Leaf): void {
    const last = this.forks - 1
    const transitions = depth - Math.max(fork, 0)
    const perStep = this.charge === 'transitions' && transitions > 0 ? cost / transitions : 0
    if (last < 0) this.firstPerStep = perStep
    else this.costPerStep[last] = perStep
    this.costToLeaf = (last < 0 ? 0 : this.costTo[last]) + cost
    this.depth = depth
  }

  private grow(): void {
    const size = 2 * this.forkDepth.length
    this.forkDepth = grown(this.forkDepth, size)
    this.done = grown(this.done, size)
    this.doneSize = grown(this.doneSize, size)
    this.doneCost = grown(this.doneCost, size)
    this.costTo = grown(this.costTo, size)
    this.costPerStep = grown(this.costPerStep, size)
  }
}

/** Where the cost of an execution belongs: all to its end, or evenly to the transitions that are new. */
export type Charge = 'leaf' | 'transitions'

export function recursive({ charge = 'leaf' }: { charge?: Charge } = {}): Estimator {
  return new Recursive(charge)
}
