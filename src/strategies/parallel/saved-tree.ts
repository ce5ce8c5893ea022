import type { Plan } from '../reduction/above-root.js'
import type { Sleeper } from './node.js'
import { Node } from './node.js'
import type { HandedPoint, Kept } from './part.js'

/** A plan that leads into a branch of which a part has yet to tell. */
export interface WaitingPlan {
  readonly owner: Node
  readonly origin: Node
  readonly plan: Plan
}

/** A node with the level it is on; each before its children, in order. Those that run are saved as waiting. */
interface SavedNode {
  readonly level: number
  readonly step: readonly [thread: number, value: number, arity: number, cells: readonly number[]]
  readonly state: 'waiting' | 'open' | 'done'
  readonly isLeaf: boolean
  readonly races: readonly number[]
  readonly alternatives: HandedPoint['alternatives'] | null
  readonly sleepers: readonly Sleeper[] | null
  readonly marked: readonly number[]
  readonly cost: readonly [number, number] | null
  readonly kept: Kept | null
  /** For estimates; absent where there is nothing to say. */
  readonly share?: number
  readonly doneBefore?: number
}

/** Plain data; threads and locations by index. */
export interface SavedTree {
  readonly nodes: readonly SavedNode[]
  readonly isLimited: boolean
  /** Owner and origin are numbers of nodes. */
  readonly waiting: readonly { readonly owner: number; readonly origin: number; readonly plan: Plan }[]
}

export function saveTree(root: Node, isLimited: boolean, waiting: readonly WaitingPlan[]): SavedTree {
  const nodes: SavedNode[] = []
  const numbers = new Map<Node, number>()
  const stack: Node[] = [root]
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    const { thread, value, arity, cells, state, isLeaf, races, alternatives, sleepers, cost, kept } = node
    const { share, doneBefore } = node
    numbers.set(node, nodes.length)
    nodes.push({
      level: node.depth + 1,
      step: [thread, value, arity, cells],
      state: state === 'open' || state === 'done' ? state : 'waiting',
      isLeaf,
      races,
      alternatives,
      sleepers,
      marked: [...node.marked],
      cost,
      kept,
      ...(share > 0 ? { share } : {}),
      ...(doneBefore > 0 ? { doneBefore } : {}),
    })
    for (const child of node.children.toReversed()) stack.push(child)
  }
  return {
    nodes,
    isLimited,
    waiting: waiting.map(({ owner, origin, plan }) => ({
      owner: numbers.get(owner)!,
      origin: numbers.get(origin)!,
      plan,
    })),
  }
}

/** Into a root that has nothing yet. */
export function loadTree(root: Node, saved: SavedTree): WaitingPlan[] {
  const last: Node[] = []
  const all = saved.nodes.map((row) => {
    const [thread, value, arity, cells] = row.step
    const parent = last[row.level - 1]
    const node = row.level === 0 ? root : new Node(parent, thread, value, arity, cells)
    if (node !== root) parent.children.push(node)
    node.isLeaf = row.isLeaf
    node.races = row.races
    node.alternatives = row.alternatives
    node.sleepers = row.sleepers
    for (const t of row.marked) node.marked.add(t)
    node.cost = row.cost
    node.kept = row.kept
    node.share = row.share ?? 0
    node.doneBefore = row.doneBefore ?? 0
    node.state = row.state
    last.length = row.level
    last.push(node)
    return node
  })
  return saved.waiting.map(({ owner, origin, plan }) => ({ owner: all[owner], origin: all[origin], plan }))
}
