import { grown } from '../../machine/growing.js'
import { type ExecutionTree, NO_NODE } from './tree.js'

/** Nodes from below the root to the one being executed: where it deviates from the default behaviour, and how. */
export class Deltas {
  length = 0
  /** The next of them to come. */
  at = 0
  /** Rising. */
  step = new Int32Array(16)
  choice = new Int32Array(16)
  node = new Int32Array(16)
  root = NO_NODE

  /** Goes over to another node; returns how many of the `depths` steps of the last execution it has in common. */
  moveTo(tree: ExecutionTree, leaf: number, depths: number): number {
    let length = 0
    let root = leaf
    for (; tree.parent[root] !== NO_NODE; root = tree.parent[root]) length++
    if (length > this.step.length) {
      this.node = grown(this.node, length * 2)
      this.step = grown(this.step, length * 2)
      this.choice = grown(this.choice, length * 2)
    }
    // Where an execution has no delta it follows the default behaviour: both agree up to the first step at which only
    // one of them has a delta, or they have different ones.
    let common = length < this.length ? Math.min(depths, this.step[length]) : depths
    let node = leaf
    for (let i = length - 1; i >= 0; i--, node = tree.parent[node]) {
      const step = tree.step[node]
      const choice = tree.choice[node]
      if (i >= this.length) common = Math.min(common, step)
      else if (this.step[i] !== step || this.choice[i] !== choice) {
        common = /* mutant: shared prefix */ Math.min(common, step, this.step[i])
      }
      this.node[i] = node
      this.step[i] = step
      this.choice[i] = choice
    }
    this.length = length
    this.root = root
    this.at = 0
    while (this.at < length && this.step[this.at] < common) this.at++
    return common
  }

  /** Whether the next delta is at this depth. */
  isAt(d: number): boolean {
    return this.at < this.length && this.step[this.at] === d
  }

  /** The node whose default behaviour leads through the position before step d. */
  ownerOf(d: number): number {
    for (let i = this.length - 1; i >= 0; i--)
      if (/* mutant: node of step */ this.step[i] < d) return this.node[i]
    return this.root
  }
}
