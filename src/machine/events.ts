import { grown } from './growing.js'
import { Mode } from './operation.js'

/** Bits of `EventLog.known`. `same`: an update that counts as a write has left what it found. */
export const Known = { seen: 1, written: 2, operand: 4, same: 8 } as const

/** When an atomic update changes the value it finds. */
export const Changes = {
  unknown: -1,
  always: 0,
  /** Only if it finds the operand (compare-exchange). */
  ifEqual: 1,
  /** Only if it does not find the operand (exchange). */
  unlessEqual: 2,
  never: 3,
  /** Only if not all bits of the operand are set, or clear, in what it finds (`or`, `and`). */
  unlessSet: 4,
  unlessClear: 5,
} as const

/** Memory orders of atomics, as C numbers them: `EventLog.order`. */
export const Order = {
  relaxed: 0,
  consume: 1,
  acquire: 2,
  release: 3,
  acqRel: 4,
  seqCst: 5,
  /** The part of the column that is an order. */
  mask: 7,
  /** Set beside the order of a compare-exchange that failed: it is a read. */
  failed: 8,
} as const

/**
 * What an execution did, one row per operation, in order. Written by the machine, read by everybody; reused between
 * executions. A machine whose `footprints` are off may leave it empty.
 */
export class EventLog {
  count = 0
  kind = new Uint8Array(256)
  /** The mode as it turned out, see `Mode`. */
  mode = new Uint8Array(256)
  /** Index into the location table, or -1. */
  location = new Int32Array(256)
  /** Index into the machine's sites, or -1. */
  site = new Int32Array(256)
  /**
   * By kind: the other thread for thread edges; for locks, reader-writer locks and semaphores the object's state just
   * before (`src/ordering/blocking.ts`), or just after when it is set up; for `resume`, the index of the first event of
   * the spin iteration that blocked; the value for choices; for `atomicUpdate` when it changes its object (`Changes`).
   * -1 where there is none.
   */
  aux = new Int32Array(256)
  /** Memory order of atomics and fences, see `Order`; for a compare-exchange the one that took effect. */
  order = new Uint8Array(256)
  /** Which of the three columns below are known: bits of `Known`. */
  known = new Uint8Array(256)
  /** Value found before: of reads and updates, of stores where the machine can tell what they replaced. */
  seen = new Int32Array(256)
  /** Value left behind, of writes and updates that changed it. */
  written = new Int32Array(256)
  /** Of updates whose `aux` is `Changes.ifEqual` or `unlessEqual`: the value compared with; else the bits looked at. */
  operand = new Int32Array(256)

  push(kind: number, mode: number, location: number, site: number, aux: number): void {
    const i = this.count
    if (i === this.kind.length) this.grow()
    this.kind[i] = kind
    this.mode[i] = location < 0 ? Mode.none : mode
    this.location[i] = location
    this.site[i] = site
    this.aux[i] = aux
    this.order[i] = Order.seqCst
    this.known[i] = 0
    this.count = i + 1
  }

  /** Sets the memory order of the event pushed last. */
  setOrder(order: number): void {
    this.order[this.count - 1] = order
  }

  /**
   * Adds the values of the event pushed last. Optional, and a machine may tell them at some points only: they sharpen
   * predictions and reports. The same holds for `Changes`.
   */
  values(known: number, seen: number, written: number, operand: number): void {
    const i = this.count - 1
    this.known[i] = known
    this.seen[i] = seen
    this.written[i] = written
    this.operand[i] = operand
  }

  /** Appends some events of another log. */
  append(other: EventLog, from: number, to: number): void {
    while (this.count + to - from > this.kind.length) this.grow()
    let i = this.count
    for (let k = from; k < to; k++, i++) {
      this.kind[i] = other.kind[k]
      this.mode[i] = other.mode[k]
      this.location[i] = other.location[k]
      this.site[i] = other.site[k]
      this.aux[i] = other.aux[k]
      this.order[i] = other.order[k]
      if ((this.known[i] = other.known[k]) === 0) continue
      this.seen[i] = other.seen[k]
      this.written[i] = other.written[k]
      this.operand[i] = other.operand[k]
    }
    this.count = i
  }

  /** Leaves room for so many events that are written later, or never. */
  skip(events: number): void {
    this.count += events
    while (this.count > this.kind.length) this.grow()
  }

  private grow(): void {
    const size = this.kind.length * 2
    this.kind = grown(this.kind, size)
    this.mode = grown(this.mode, size)
    this.location = grown(this.location, size)
    this.site = grown(this.site, size)
    this.aux = grown(this.aux, size)
    this.order = grown(this.order, size)
    this.known = grown(this.known, size)
    this.seen = grown(this.seen, size)
    this.written = grown(this.written, size)
    this.operand = grown(this.operand, size)
  }
}
