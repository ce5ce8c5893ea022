import { grown } from '../../machine/growing.js'

export const NO_NODE = -1

/** Thread and value of a choice in four bytes. */
export function packChoice(thread: number, value: number): number {
  if (thread > 0xffff || value > 0x7fff) {
    throw new RangeError(
      `best-first search holds at most 65 536 threads and 32 768 alternatives of one operation, not thread ` +
        `${thread} with alternative ${value}; use another strategy, such as optimal`,
    )
  }
  return (value << 16) | thread
}

export const choiceThread = (choice: number): number => choice & 0xffff
export const choiceValue = (choice: number): number => choice >>> 16

/**
 * The execution tree of Gambit §3.2. A node is an execution: that of its parent up to `step`, the choice of the node
 * there, default behaviour after it. A leaf is still to be executed (it is in the fringe); an inner node has been, and
 * has a leaf below it. Nodes delete themselves: one without successors goes, and so do ancestors left without.
 *
 * Four columns of four bytes. A node that is out on disk has no slot here but still counts as its parent's successor.
 */
export class ExecutionTree {
  static readonly bytesPerNode = 16
  /** Parent, or `NO_NODE` for the root; links the free slots. */
  parent = new Int32Array(64)
  /** Successors that are not done with, or -1 for a free slot. */
  successors = new Int32Array(64).fill(-1)
  /** Where it leaves its parent's execution; -1 for the root. */
  step = new Int32Array(64)
  /** What it does there, see `packChoice`. */
  choice = new Int32Array(64)

  created = 0
  /** Nodes not done with, those on disk included. */
  live = 0
  peak = 0
  private used = 0
  private free = NO_NODE

  /**
   * @param makeRoom asked when all slots are taken: may move leaves to disk, or do nothing
   * @param onGrow told the new number of slots
   */
  constructor(
    private readonly makeRoom: (slots: number) => void,
    private readonly onGrow: (slots: number) => void,
  ) {}

  get slots(): number {
    return this.parent.length
  }

  add(parent: number, step: number, choice: number): number {
    if (parent !== NO_NODE) this.successors[parent]++
    this.created++
    if (++this.live > this.peak) this.peak = this.live
    return this.place(parent, step, choice)
  }

  /** A node that comes back from disk. */
  place(parent: number, step: number, choice: number): number {
    if (this.free === NO_NODE && this.used === this.slots) {
      this.makeRoom(this.slots)
      if (this.free === NO_NODE) this.grow()
    }
    let node = this.free
    if (node === NO_NODE) node = this.used++
    else this.free = this.parent[node]
    this.parent[node] = parent
    this.successors[node] = 0
    this.step[node] = step
    this.choice[node] = choice
    return node
  }

  /** Gives up the slot of a leaf that goes to disk. */
  vacate(node: number): void {
    this.parent[node] = this.free
    this.successors[node] = -1
    this.free = node
  }

  /** Deletes an executed node without successors, and ancestors that have none left; tells of each. */
  detach(node: number, onDelete: (node: number) => void): void {
    let at = node
    while (at !== NO_NODE && this.successors[at] === 0) {
      const parent = this.parent[at]
      onDelete(at)
      this.vacate(at)
      this.live--
      if (parent !== NO_NODE) this.successors[parent]--
      at = /* mutant: ancestors */ parent
    }
  }

  private grow(): void {
    const size = this.slots * 2
    this.parent = grown(this.parent, size)
    const old = this.successors.length
    this.successors = grown(this.successors, size).fill(-1, old)
    this.step = grown(this.step, size)
    this.choice = grown(this.choice, size)
    this.onGrow(size)
  }
}
