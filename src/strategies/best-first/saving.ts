import { NO_FOOTPRINT } from '../reduction/footprints.js'
import type { StrategyContext } from '../registry.js'
import type { SearchParts } from './search-parts.js'
import { NO_RECORD, NOT_EXECUTED } from './siblings.js'
import { choiceThread, choiceValue, NO_NODE, packChoice } from './tree.js'

/** The search between two executions as plain data. Nodes are numbered anew, parents before children. */
export interface SavedTree {
  readonly created: number
  readonly peak: number
  readonly executions: number
  /** Rows of [parent, successors, step, thread, value]. */
  readonly nodes: readonly (readonly number[])[]
  /** Key and leaves of each bin, bottom first. */
  readonly fringe: readonly (readonly [number, readonly number[]])[]
  /** Rows of [owner, depth, thread, value, order, footprint…], the oldest of each owner first. */
  readonly siblings: readonly (readonly number[])[]
}

export function saveSearch({
  tree,
  fringe,
  siblings,
  footprints,
  executions,
  keepsSiblings,
}: SearchParts): SavedTree {
  const nodes: number[][] = []
  const numbers = new Map<number, number>()
  const row = (parent: number, successors: number, step: number, choice: number) =>
    nodes.push([parent, successors, step, choiceThread(choice), choiceValue(choice)]) - 1
  const numberOf = (node: number): number => {
    if (node === NO_NODE) return NO_NODE
    const unnumbered: number[] = []
    for (let n = node; n !== NO_NODE && !numbers.has(n); n = tree.parent[n]) unnumbered.push(n)
    for (let n = unnumbered.pop(); n !== undefined; n = unnumbered.pop()) {
      const parent = tree.parent[n] === NO_NODE ? NO_NODE : numbers.get(tree.parent[n])!
      numbers.set(n, row(parent, tree.successors[n], tree.step[n], tree.choice[n]))
    }
    return numbers.get(node)!
  }
  const bins = Array.from(fringe.contents(), ({ key, nodes, rows }): [number, number[]] => {
    const leaves: number[] = []
    for (let i = 0; i < rows.length; i += 3) leaves.push(row(numberOf(rows[i]), 0, rows[i + 1], rows[i + 2]))
    for (const node of nodes) leaves.push(numberOf(node))
    return [key, leaves]
  })
  const records: number[][] = []
  if (keepsSiblings) {
    for (const [node, number] of numbers) {
      const own: number[][] = []
      for (let r = siblings.first[node]; r !== NO_RECORD; r = siblings.next[r]) {
        const choice = siblings.choice[r]
        const cells = siblings.footprint[r] === NO_FOOTPRINT ? [] : footprints.save(siblings.footprint[r])
        own.push([
          number,
          siblings.depth[r],
          choiceThread(choice),
          choiceValue(choice),
          siblings.order[r],
          ...cells,
        ])
      }
      for (const record of own.reverse()) records.push(record)
    }
  }
  return {
    created: tree.created,
    peak: tree.peak,
    executions,
    nodes,
    fringe: bins,
    siblings: records,
  }
}

export function loadSearch(parts: SearchParts, saved: SavedTree, context: StrategyContext): void {
  const { tree, fringe, siblings, footprints } = parts
  const choiceHere = (thread: number, value: number) => packChoice(context.threadHere(thread), value)
  const isLeaf = new Set(saved.fringe.flatMap(([, leaves]) => leaves))
  const slots: number[] = []
  const load = (i: number) => {
    const [parent, successors, step, thread, value] = saved.nodes[i]
    // The root's choice means nothing.
    const choice = parent === NO_NODE ? 0 : choiceHere(thread, value)
    slots[i] = tree.place(parent === NO_NODE ? NO_NODE : slots[parent], step, choice)
    tree.successors[slots[i]] = successors
    tree.live++
  }
  saved.nodes.forEach((_, i) => {
    if (!isLeaf.has(i)) load(i)
  })
  for (const [owner, depth, thread, value, order, ...cells] of saved.siblings) {
    const footprint = cells.length === 0 ? NO_FOOTPRINT : footprints.load(cells, context.locationHere)
    siblings.add(slots[owner], depth, choiceHere(thread, value), order, NO_NODE, footprint)
  }
  // Leaves last, each into the fringe at once: so they can go to disk when memory is short.
  for (const [key, leaves] of saved.fringe) {
    for (const i of leaves) {
      load(i)
      if (parts.keepsSiblings) {
        const [parent, , step, thread, value] = saved.nodes[i]
        const record = siblings.find(slots[parent], step, choiceHere(thread, value))
        if (record !== NO_RECORD && siblings.order[record] === NOT_EXECUTED) siblings.node[record] = slots[i]
      }
      fringe.push(slots[i], key)
    }
  }
  tree.created = saved.created
  tree.peak = Math.max(saved.peak, tree.live)
  parts.executions = saved.executions
}
