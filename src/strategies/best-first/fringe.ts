import { grown } from '../../machine/growing.js'
import type { SpillStore } from './spill.js'
import { type ExecutionTree, NO_NODE } from './tree.js'

/** Leaves of one bin on disk, bottom first: rows of [parent, step, choice]. */
interface Segment {
  readonly position: number
  readonly count: number
}

interface Bin {
  /** Smaller is more promising. */
  readonly key: number
  top: number
  bottom: number
  /** On disk, below everything in memory; the last one lies on top. */
  readonly segments: Segment[]
}

const ROW = 3
/** Leaves read back at a time. */
const segmentLength = 1 << 14

/**
 * The executions still to be run, in bins of equal priority. Each bin is a stack, so that equals are searched depth
 * first, which deletes nodes soonest (Gambit §4.4). A stack is linked through its nodes: a leaf can be moved to a
 * better bin. The bottom of a stack may be out on disk; what comes next does not depend on that.
 *
 * Invariant: bins in `heap` and in `byKey` are the same; a bin may be empty until it is the most promising.
 */
export class Fringe {
  /** Leaves in memory, and in all. */
  inMemory = 0
  size = 0
  /** Leaves written to disk so far. */
  spilled = 0
  /** Per node: its bin or -1, and its neighbours in the stack. */
  private bin: Int32Array
  private above: Int32Array
  private below: Int32Array
  private readonly bins: Bin[] = []
  private readonly freeBins: number[] = []
  private readonly byKey = new Map<number, number>()
  /** Indexes of bins, the smallest key first. */
  private readonly heap: number[] = []
  private onDisk = 0

  /**
   * @param onVacate a leaf is about to go to disk
   * @param onReturn a leaf has come back, as that node
   */
  constructor(
    private readonly tree: ExecutionTree,
    private readonly store: SpillStore,
    private readonly onVacate: (node: number) => void,
    private readonly onReturn: (node: number) => void,
  ) {
    this.bin = new Int32Array(tree.slots)
    this.above = new Int32Array(tree.slots)
    this.below = new Int32Array(tree.slots)
  }

  /** Bytes per slot of the tree that the fringe adds. */
  static readonly bytesPerNode = 12

  /** Makes room for nodes up to that number. */
  ensure(slots: number): void {
    this.bin = grown(this.bin, slots)
    this.above = grown(this.above, slots)
    this.below = grown(this.below, slots)
  }

  push(node: number, key: number): void {
    this.pushAt(node, this.binFor(key))
    this.size++
  }

  /** Moves a leaf to the top of a better bin. */
  promote(node: number, key: number): void {
    if (this.keyOf(node) <= key) return
    this.unlink(node)
    this.pushAt(node, this.binFor(key))
  }

  keyOf(node: number): number {
    return this.bins[this.bin[node]].key
  }

  /** The key of what `pop` returns next, or Infinity. */
  bestKey(): number {
    this.dropEmpty()
    return this.heap.length === 0 ? Infinity : this.bins[this.heap[0]].key
  }

  /** Takes out the most promising leaf added last, or `NO_NODE`. */
  pop(): number {
    this.dropEmpty()
    if (this.heap.length === 0) return NO_NODE
    const best = this.heap[0]
    if (this.bins[best].top === NO_NODE) this.reload(best)
    const node = this.bins[best].top
    this.unlink(node)
    this.size--
    return node
  }

  /** Moves about half of the leaves in memory to disk, the least promising and oldest first. */
  spill(): void {
    // Empty bins stay: one of them may be waiting for what `reload` brings.
    const wanted = this.inMemory >> 1
    if (wanted === 0) return
    const order = this.heap.toSorted((a, b) => this.bins[b].key - this.bins[a].key)
    let left = wanted
    const rows = new Int32Array(wanted * ROW)
    const cuts: { bin: Bin; start: number; count: number }[] = []
    for (const index of order) {
      const bin = this.bins[index]
      while (bin.bottom !== NO_NODE && left > 0) {
        const start = wanted - left
        let count = 0
        for (; count < segmentLength && left > 0 && bin.bottom !== NO_NODE; count++, left--) {
          const node = bin.bottom
          const at = (start + count) * ROW
          rows[at] = this.tree.parent[node]
          rows[at + 1] = this.tree.step[node]
          rows[at + 2] = this.tree.choice[node]
          this.onVacate(node)
          this.unlink(node)
          this.tree.vacate(node)
        }
        cuts.push({ bin, start, count })
      }
      if (left === 0) break
    }
    const position = this.store.write(rows)
    for (const { bin, start, count } of cuts) bin.segments.push({ position: position + start * ROW, count })
    this.onDisk += wanted
    this.spilled += wanted
  }

  /** Nothing is left: gives up what is on disk. */
  close(): void {
    this.store.close()
  }

  /** All leaves by bin, bottom first: those in memory by node, those on disk by their rows. */
  *contents(): Generator<{ key: number; nodes: number[]; rows: Int32Array }> {
    for (const index of this.heap.toSorted((a, b) => this.bins[a].key - this.bins[b].key)) {
      const { key, segments, bottom } = this.bins[index]
      const rows = new Int32Array(segments.reduce((n, s) => n + s.count, 0) * ROW)
      let end = 0
      for (const { position, count } of segments) {
        rows.set(this.store.read(position, count * ROW), end)
        end += count * ROW
      }
      const nodes: number[] = []
      for (let node = bottom; node !== NO_NODE; node = this.above[node]) nodes.push(node)
      if (nodes.length + rows.length > 0) yield { key, nodes, rows }
    }
  }

  /** Brings the topmost leaves of a bin that are on disk back. */
  private reload(index: number): void {
    const { segments } = this.bins[index]
    const { position, count } = segments.pop()!
    const rows = this.store.read(position, count * ROW)
    this.onDisk -= count
    for (let at = 0; at < rows.length; at += ROW) {
      const node = this.tree.place(rows[at], rows[at + 1], rows[at + 2])
      this.onReturn(node)
      this.pushAt(node, index)
    }
    if (this.onDisk === 0) this.store.clear()
  }

  private binFor(key: number): number {
    const known = this.byKey.get(key)
    if (known !== undefined) return known
    const index = this.freeBins.pop() ?? this.bins.length
    this.bins[index] = { key, top: NO_NODE, bottom: NO_NODE, segments: [] }
    this.byKey.set(key, index)
    this.heap.push(index)
    this.rise(this.heap.length - 1)
    return index
  }

  private pushAt(node: number, index: number): void {
    const bin = this.bins[index]
    this.bin[node] = index
    this.below[node] = bin.top
    this.above[node] = NO_NODE
    if (bin.top !== NO_NODE) this.above[bin.top] = node
    else bin.bottom = node
    bin.top = node
    this.inMemory++
  }

  private unlink(node: number): void {
    const bin = this.bins[this.bin[node]]
    const above = this.above[node]
    const below = this.below[node]
    if (above !== NO_NODE) this.below[above] = below
    else bin.top = /* mutant: below the top */ below
    if (below !== NO_NODE) this.above[below] = above
    else bin.bottom = above
    this.bin[node] = -1
    this.inMemory--
  }

  /** Forgets the most promising bins while they are empty. */
  private dropEmpty(): void {
    while (this.heap.length > 0) {
      const index = this.heap[0]
      const bin = this.bins[index]
      if (bin.top !== NO_NODE || bin.segments.length > 0) return
      this.byKey.delete(bin.key)
      this.freeBins.push(index)
      const last = this.heap.pop()!
      if (this.heap.length > 0) {
        this.heap[0] = last
        this.sink()
      }
    }
  }

  private rise(from: number): void {
    const { heap, bins } = this
    let at = from
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (bins[heap[parent]].key <= bins[heap[at]].key) return
      ;[heap[parent], heap[at]] = [heap[at], heap[parent]]
      at = parent
    }
  }

  private sink(): void {
    const { heap, bins } = this
    for (let at = 0; ; ) {
      let least = at
      for (const child of [2 * at + 1, 2 * at + 2]) {
        if (child < heap.length && bins[heap[child]].key < bins[heap[least]].key) least = child
      }
      if (least === at) return
      ;[heap[least], heap[at]] = [heap[at], heap[least]]
      at = least
    }
  }
}
