import type { SavedBranch } from '../reduction/wakeup-tree.js'
import type { Kept } from './part.js'

/** A step that sleeps at a point. */
export interface Sleeper {
  readonly thread: number
  readonly value: number
  readonly isRestricted: boolean
  readonly cells: readonly number[]
}

/**
 * Of the point that a step leads to:
 * - `waiting`: nobody has made the step yet;
 * - `opening`: a part makes it for the first time;
 * - `running`: a part explores what follows, and keeps it to itself;
 * - `open`: what is to be explored from it is here, as its children;
 * - `done`: nothing is left.
 */
export type NodeState = 'waiting' | 'opening' | 'running' | 'open' | 'done'

/** A step, and the point it leads to, in the part of the execution tree that the parts of a search share. */
export class Node {
  private current: NodeState = 'waiting'
  /** How many here and below still wait or run. */
  private live = 1
  /** Nobody planned for what follows: it was a leaf of a wakeup tree. */
  isLeaf = true
  /** In the order in which they are taken: those not waiting come first, and stay. */
  children: Node[] = []
  /** Of the point below, once it is open: rows of [thread, alternatives], and who sleeps there, children apart. */
  alternatives: readonly (readonly number[])[] | null = null
  sleepers: readonly Sleeper[] | null = null
  /** Threads marked there. */
  readonly marked = new Set<number>()
  cost: readonly [before: number, staying: number] | null = null
  /** Races with this step that have to be looked at at the end of every execution, as pairs of depths. */
  races: readonly number[] = []
  /** Branches of the point below that were explored before it came here. */
  doneBefore = 0
  /** Of a part: how much of it is estimated to be done, from 0 to 1. */
  share = 0
  /** Of a part that was given up: where it stood. */
  kept: Kept | null = null
  readonly depth: number

  constructor(
    /** Null for the beginning of the program. */
    readonly parent: Node | null,
    readonly thread: number,
    /** Not known before it is opened where any will do. */
    public value: number,
    public arity: number,
    /** What it touches; a prediction until it is opened. */
    public cells: readonly number[],
  ) {
    this.depth = parent === null ? -1 : parent.depth + 1
    parent?.count(1)
  }

  get state(): NodeState {
    return this.current
  }

  set state(state: NodeState) {
    const difference = livesIn(state) - livesIn(this.current)
    this.current = state
    if (difference !== 0) this.count(difference)
  }

  /** Nothing waits or runs here or below. */
  get isFinished(): boolean {
    return this.live === 0
  }

  forgetChildren(): void {
    const live = this.children.reduce((sum, child) => sum + child.live, 0)
    this.children = []
    if (live > 0) this.count(-live)
  }

  private count(difference: number): void {
    for (let node: Node | null = this; node !== null; node = node.parent) node.live += difference
  }

  alternativesOf(thread: number): number {
    return this.alternatives?.find(([t]) => t === thread)?.[1] ?? 0
  }

  /** From the first step to this one. */
  path(): Node[] {
    const nodes: Node[] = []
    for (let node: Node = this; node.parent !== null; node = node.parent) nodes.push(node)
    return nodes.reverse()
  }
}

function livesIn(state: NodeState): number {
  return state === 'open' || state === 'done' ? 0 : 1
}

/** Branches as wakeup trees read them; what was a leaf is one whatever has come of it. */
export function branchRows(nodes: readonly Node[], level = 0): SavedBranch[] {
  const rows: SavedBranch[] = []
  const stack = nodes.toReversed().map((node): [Node, number] => [node, level])
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const [node, at] = next
    rows.push([at, node.thread, node.value, node.arity, node.cells])
    if (!node.isLeaf) for (const child of node.children.toReversed()) stack.push([child, at + 1])
  }
  return rows
}

/** The inverse, below a node. */
export function addBranches(owner: Node, rows: readonly SavedBranch[]): void {
  const last: Node[] = [owner]
  for (const [level, thread, value, arity, cells] of rows) {
    const parent = last[level]
    const node = new Node(parent, thread, value, arity, cells)
    if (level > 0) parent.isLeaf = false
    parent.children.push(node)
    last.length = level + 1
    last.push(node)
  }
}
