import { Footprints } from '../reduction/footprints.js'
import type { StrategyContext } from '../registry.js'
import type { PriorityFunction } from './branch.js'
import { Fringe } from './fringe.js'
import { NO_RECORD, Siblings } from './siblings.js'
import { fileSpill, type SpillStore } from './spill.js'
import { ExecutionTree, NO_NODE } from './tree.js'

export interface BestFirstOptions {
  /** Priority functions of one's own, by the name that the argument calls them. */
  readonly functions?: Readonly<Record<string, PriorityFunction>>
  /** Of tree, fringe, records of siblings and footprints; beyond it the least promising leaves go to disk. */
  readonly memoryLimitBytes?: number
  readonly spill?: SpillStore
}

/** Unless `--memory` or the option says otherwise. */
export const defaultMemoryLimitBytes = 256 * 2 ** 20

/** All that outlives an execution. */
export interface SearchParts {
  readonly tree: ExecutionTree
  readonly fringe: Fringe
  readonly siblings: Siblings
  readonly footprints: Footprints
  readonly keepsSiblings: boolean
  executions: number
  /** Something was left out for its preemptions. */
  limited: boolean
}

/** Tree, fringe, and the link to the records of siblings. */
export const bytesPerSlot = ExecutionTree.bytesPerNode + Fringe.bytesPerNode + 4

export function makeParts(
  context: StrategyContext,
  options: BestFirstOptions,
  keepsSiblings: boolean,
): SearchParts {
  const limit =
    options.memoryLimitBytes ?? (context.options?.memory as number | undefined) ?? defaultMemoryLimitBytes
  const footprints = new Footprints(context.machine.locations)
  const tree: ExecutionTree = new ExecutionTree(
    (slots) => {
      if (slots * 2 * bytesPerSlot + siblings.bytes + footprints.bytes > limit) fringe.spill()
    },
    (slots) => {
      fringe.ensure(slots)
      siblings.ensure(slots)
    },
  )
  const siblings = new Siblings(tree.slots, (footprint) => footprints.release(footprint))
  const recordOf = (node: number) =>
    keepsSiblings ? siblings.find(tree.parent[node], tree.step[node], tree.choice[node]) : NO_RECORD
  const fringe: Fringe = new Fringe(
    tree,
    options.spill ?? fileSpill(),
    (node) => {
      const record = recordOf(node)
      if (record !== NO_RECORD) siblings.node[record] = NO_NODE
    },
    (node) => {
      const record = recordOf(node)
      if (record !== NO_RECORD) siblings.node[record] = node
    },
  )
  return { tree, fringe, siblings, footprints, keepsSiblings, executions: 0, limited: false }
}
