import { grown } from '../machine/growing.js'

/** One row of `stride` entries per thread; rows of other things (locks, locations) have the same length. */
const firstStride = 8

/** Where the numbering of events starts anew, long before they leave 31 bits. */
const lastSequence = 2 ** 30

/**
 * Vector clocks of threads, in *sequence numbers*: each event has one, larger than those of all events before it, also
 * of earlier executions. `rows[p * stride + q]` is the latest event of thread q that is ordered before what thread p
 * does next; an event e of thread q is ordered before it exactly if `e <= rows[p * stride + q]`.
 *
 * Since numbers never go back, what earlier executions left behind in any clock or history is older than everything
 * and orders nothing: beginning an execution costs one row per thread and nothing per location.
 */
export class ThreadClocks {
  stride = firstStride
  rows = new Int32Array(firstStride * firstStride)
  /** Sequence number of the execution's first event. */
  base = 1

  /**
   * Begins an execution of so many events. True when the numbers started anew: everything kept must then be forgotten.
   */
  begin(threads: number, events: number): boolean {
    if (threads > this.stride) {
      throw new RangeError('widen before beginning')
    }
    const restarted = this.base + events > lastSequence
    if (restarted) this.base = 1
    this.rows.fill(this.base - 1, 0, threads * this.stride)
    return restarted
  }

  end(events: number): void {
    this.base += events
  }

  /** Makes rows long enough for that many threads; true if they changed, so that other rows must as well. */
  widen(threads: number): boolean {
    if (threads <= this.stride) return false
    while (this.stride < threads) this.stride *= 2
    this.rows = new Int32Array(this.stride * this.stride)
    return true
  }
}

/** Rows of one or more clocks for each of many objects, found by index. */
export class ObjectClocks {
  rows = new Int32Array(0)
  private row = new Int32Array(64)
  private count = 0

  constructor(
    /** Clocks each object has. */
    private readonly each: number,
    private stride: number,
  ) {}

  /** Where the first clock of an object begins in `rows`; the next one is a stride further on. */
  of(object: number): number {
    const known = object < this.row.length ? this.row[object] : 0
    return (known > 0 ? known - 1 : this.add(object)) * this.each * this.stride
  }

  /** Whether an object has clocks: without any, nothing was ever released there. */
  has(object: number): boolean {
    return object < this.row.length && this.row[object] > 0
  }

  clear(): void {
    this.rows.fill(0)
  }

  /** All is forgotten: used between executions, where it means nothing any more. */
  widen(stride: number): void {
    this.stride = stride
    this.rows = new Int32Array(this.count * this.each * stride)
  }

  private add(object: number): number {
    if (object >= this.row.length) this.row = grown(this.row, Math.max(object + 1, this.row.length * 2))
    const row = this.count++
    this.row[object] = row + 1
    const needed = this.count * this.each * this.stride
    if (needed > this.rows.length) this.rows = grown(this.rows, Math.max(needed, this.rows.length * 2))
    return row
  }
}
