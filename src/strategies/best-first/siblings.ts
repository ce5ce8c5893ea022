import { grown } from '../../machine/growing.js'
import { NO_FOOTPRINT } from '../reduction/footprints.js'
import { NO_NODE } from './tree.js'

/** Of a record: the branch has not been executed yet. */
export const NOT_EXECUTED = -1
/** Of a record: what the owner's own execution did there, before any other branch. */
export const OWN_BRANCH = 0

export const NO_RECORD = -1

/**
 * What has been tried where: per node of the tree, the branches that leave its execution, kept for as long as the node
 * lives. A position of the search (a prefix of an execution) belongs to exactly one node, its *owner*: the one whose
 * default behaviour leads through it, that is the last node on the way from the root whose step lies before it. All
 * executions through the position are the owner's or those of nodes below it, so the owner is there while any is.
 *
 * Records of one owner are a linked list, 24 bytes each; footprints come on top.
 */
export class Siblings {
  static readonly bytesPerRecord = 24
  /** Per node: its first record. */
  first: Int32Array
  next = new Int32Array(64)
  depth = new Int32Array(64)
  choice = new Int32Array(64)
  /** `NOT_EXECUTED`, `OWN_BRANCH`, or the number of the execution that went there first: a total order of siblings. */
  order = new Int32Array(64)
  /** The leaf that is to go there, `NO_NODE` once it has been executed or while it is on disk. */
  node = new Int32Array(64)
  /** What its first transition did, from when it was executed. Owned by the record. */
  footprint = new Int32Array(64)
  private used = 0
  private free = NO_RECORD
  private records = 0

  constructor(
    slots: number,
    private readonly releaseFootprint: (footprint: number) => void,
  ) {
    this.first = new Int32Array(slots).fill(NO_RECORD)
  }

  get bytes(): number {
    return this.next.length * Siblings.bytesPerRecord
  }

  get count(): number {
    return this.records
  }

  ensure(slots: number): void {
    const old = this.first.length
    this.first = grown(this.first, slots).fill(NO_RECORD, old)
  }

  add(owner: number, depth: number, choice: number, order: number, node: number, footprint: number): number {
    let record = this.free
    if (record !== NO_RECORD) this.free = this.next[record]
    else {
      record = this.used++
      if (record === this.next.length) this.grow()
    }
    this.next[record] = this.first[owner]
    this.first[owner] = record
    this.depth[record] = depth
    this.choice[record] = choice
    this.order[record] = order
    this.node[record] = node
    this.footprint[record] = footprint
    this.records++
    return record
  }

  find(owner: number, depth: number, choice: number): number {
    for (let r = this.first[owner]; r !== NO_RECORD; r = this.next[r]) {
      if (this.depth[r] === depth && this.choice[r] === choice) return r
    }
    return NO_RECORD
  }

  /** Forgets all records of a node that is deleted. */
  drop(owner: number): void {
    for (let r = this.first[owner]; r !== NO_RECORD; ) {
      const next = this.next[r]
      if (this.footprint[r] !== NO_FOOTPRINT) this.releaseFootprint(this.footprint[r])
      this.next[r] = this.free
      this.free = r
      this.records--
      r = next
    }
    this.first[owner] = NO_RECORD
  }

  private grow(): void {
    const size = this.next.length * 2
    for (const key of ['next', 'depth', 'choice', 'order', 'node', 'footprint'] as const) {
      this[key] = grown(this[key], size)
    }
    this.node.fill(NO_NODE, size / 2)
  }
}
