import { grown } from '../../machine/growing.js'
import type { Footprints } from './footprints.js'

/** No node. */
export const NIL = -1
/** Alternative not known: all of them are to be tried. Only leaves have it. */
export const ANY_VALUE = -1

const columns = ['thread', 'value', 'arity', 'footprint', 'firstChild', 'nextSibling'] as const

/**
 * Ordered trees of (thread, alternative) steps still to be explored, one per depth of the path, in one pool of nodes.
 * A leaf stands for everything that can follow it.
 */
export class WakeupTrees {
  thread = new Int32Array(16)
  value = new Int32Array(16)
  /** How many alternatives the step's operation has; 0 when not known. */
  arity = new Int32Array(16)
  /** What the step touches; for the last step of a sequence a prediction. */
  footprint = new Int32Array(16)
  firstChild = new Int32Array(16)
  nextSibling = new Int32Array(16)
  /** First branch of each depth, or NIL. */
  private root = new Int32Array(16).fill(NIL)
  private used = 0
  private free = NIL
  /** Nodes in use, for reports. */
  size = 0

  constructor(private readonly footprints: Footprints) {}

  first(depth: number): number {
    return depth < this.root.length ? this.root[depth] : NIL
  }

  /** The thread of a branch that takes the only alternative of one of these threads, as bits; else -1. */
  stepThatFits(node: number, able: number): number {
    const thread = this.thread[node]
    return thread < 31 && this.value[node] === 0 && ((able >>> thread) & 1) === 1 ? thread : -1
  }

  /** The depth has no branches; what was there has been taken. */
  clear(depth: number): void {
    this.reserveDepth(depth)
    this.root[depth] = NIL
  }

  /** Takes the first branch of a depth out; its children become the branches of the next depth. */
  takeFirst(depth: number): number {
    this.reserveDepth(depth + 1)
    const node = this.root[depth]
    this.root[depth] = this.nextSibling[node]
    this.root[depth + 1] = this.firstChild[node]
    return node
  }

  /** Takes the first branch of a depth out, and frees it with all below it. */
  dropFirst(depth: number): void {
    const node = this.takeFirst(depth)
    this.releaseAll(this.root[depth + 1])
    this.root[depth + 1] = NIL
    this.release(node)
  }

  /** Frees a node taken out. */
  release(node: number): void {
    this.footprints.release(this.footprint[node])
    this.nextSibling[node] = this.free
    this.free = node
    this.size--
  }

  /** Appends a branch below `parent`, or at the depth when parent is NIL; takes over the footprint. */
  append(
    depth: number,
    parent: number,
    thread: number,
    value: number,
    arity: number,
    footprint: number,
  ): number {
    let last = parent === NIL ? this.root[depth] : this.firstChild[parent]
    if (last !== NIL) while (this.nextSibling[last] !== NIL) last = this.nextSibling[last]
    return this.appendAfter(last, depth, parent, thread, value, arity, footprint)
  }

  /** The same when the last branch there is known; NIL if there is none. */
  appendAfter(
    last: number,
    depth: number,
    parent: number,
    thread: number,
    value: number,
    arity: number,
    footprint: number,
  ): number {
    const node = this.node(thread, value, arity, footprint)
    if (last !== NIL) this.nextSibling[last] = node
    else if (parent === NIL) this.root[depth] = node
    else this.firstChild[parent] = node
    return node
  }

  /** The branch below `parent`, or of the depth when parent is NIL, that is that step; NIL if there is none. */
  find(depth: number, parent: number, thread: number, value: number): number {
    const first = parent === NIL ? this.root[depth] : this.firstChild[parent]
    for (let node = first; node !== NIL; node = this.nextSibling[node]) {
      if (this.thread[node] === thread && (this.value[node] === value || this.value[node] === ANY_VALUE))
        return node
    }
    return NIL
  }

  hasBranch(depth: number, parent: number, thread: number, value: number): boolean {
    return this.find(depth, parent, thread, value) !== NIL
  }

  /** Whether there are more nodes than that at these depths. Looks at few more than that. */
  holdsMoreThan(most: number, from: number, to: number): boolean {
    let count = 0
    const nodes: number[] = []
    for (let d = from; d < to; d++) {
      if (this.first(d) !== NIL) nodes.push(this.first(d))
      for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
        if (++count > most) return true
        if (this.nextSibling[node] !== NIL) nodes.push(this.nextSibling[node])
        if (this.firstChild[node] !== NIL) nodes.push(this.firstChild[node])
      }
    }
    return false
  }

  save(depths: number): SavedBranch[][] {
    return Array.from({ length: depths }, (_, d) => this.saveTree(this.root[d]))
  }

  load(
    saved: readonly (readonly SavedBranch[])[],
    threadHere: (t: number) => number,
    locationHere: (l: number) => number,
  ): void {
    for (let d = 0; d < saved.length; d++) this.loadTree(d, saved[d], threadHere, locationHere)
  }

  /** Other branches at a depth than those it has. */
  replace(
    depth: number,
    saved: readonly SavedBranch[],
    threadHere: (t: number) => number,
    locationHere: (l: number) => number,
  ): void {
    this.releaseAll(this.root[depth])
    this.clear(depth)
    this.loadTree(depth, saved, threadHere, locationHere)
  }

  /** Frees a node, those beside it that come after it, and all below them. */
  private releaseAll(first: number): void {
    const nodes = first === NIL ? [] : [first]
    for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
      if (this.nextSibling[node] !== NIL) nodes.push(this.nextSibling[node])
      if (this.firstChild[node] !== NIL) nodes.push(this.firstChild[node])
      this.release(node)
    }
  }

  private loadTree(
    d: number,
    branches: readonly SavedBranch[],
    threadHere: (t: number) => number,
    locationHere: (l: number) => number,
  ): void {
    this.reserveDepth(d)
    // The last node of each level: the parent of what comes one level below, and the sibling of what comes beside it.
    const last: number[] = []
    for (const [level, thread, value, arity, cells] of branches) {
      const footprint = this.footprints.load(cells, locationHere)
      const parent = level === 0 ? NIL : last[level - 1]
      const sibling = last.length > level ? last[level] : NIL
      last.length = level
      const node = this.appendAfter(sibling, d, parent, threadHere(thread), value, arity, footprint)
      last.push(node)
    }
  }

  /** A tree is as high as an execution is long: neither this nor what reads the result may call itself per level. */
  private saveTree(root: number): SavedBranch[] {
    const rows: SavedBranch[] = []
    const path: number[] = []
    let node = root
    for (;;) {
      while (node !== NIL) {
        const cells = this.footprints.save(this.footprint[node])
        const { thread, value, arity } = this
        rows.push([path.length, thread[node], value[node], arity[node], cells])
        path.push(node)
        node = this.firstChild[node]
      }
      const done = path.pop()
      if (done === undefined) return rows
      node = this.nextSibling[done]
    }
  }

  private node(thread: number, value: number, arity: number, footprint: number): number {
    let node = this.free
    if (node !== NIL) this.free = this.nextSibling[node]
    else {
      node = this.used++
      if (node === this.thread.length) {
        for (const key of columns) this[key] = grown(this[key], node * 2)
      }
    }
    this.thread[node] = thread
    this.value[node] = value
    this.arity[node] = arity
    this.footprint[node] = footprint
    this.firstChild[node] = NIL
    this.nextSibling[node] = NIL
    this.size++
    return node
  }

  private reserveDepth(depth: number): void {
    if (depth < this.root.length) return
    const old = this.root.length
    this.root = grown(this.root, Math.max(depth + 1, old * 2))
    this.root.fill(NIL, old)
  }
}

/** Level (0 for a branch of the depth), thread, alternative, arity, footprint cells. Each before its children, in order. */
export type SavedBranch = readonly [
  level: number,
  thread: number,
  value: number,
  arity: number,
  cells: readonly number[],
]
