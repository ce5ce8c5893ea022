import { grown } from '../../machine/growing.js'

const ROW = 3
/** A loop that stores and does more than this in one iteration is not taken for a spin. */
const MAX_ROWS = 256

/**
 * Who spins. A thread that comes back to where it was, with the same registers, having changed nothing since, would do
 * exactly the same again: it is blocked until another thread changes something it read or stored. Blocking
 * depends on events, not on values (a change that restores the old value also wakes), so that it is monotone and
 * commutes with independent operations.
 *
 * Per thread a list of what it did since it last changed anything.
 */
export class Spins {
  /** 1 when the thread's code can spin at all; nothing is kept for the others. */
  tracks = new Uint8Array(16)
  /** Counts what was no read and no yield. Two visits of one place with equal stamps had only such in between. */
  stamp = new Int32Array(16)
  /** The same, but that a transaction aborted does not count: that changes nothing, though something was chosen. */
  changes = new Int32Array(16)
  /** Rows in the thread's list. */
  count = new Int32Array(16)
  /** 1 while the thread is at the end of an iteration that changed nothing. */
  blocked = new Uint8Array(16)
  /** Rows of the iteration that blocked. */
  private from = new Int32Array(16)
  private to = new Int32Array(16)
  /** Rows of [cell read or -1, clock, index of the event]. */
  private readonly rows: Int32Array[] = []
  /** By cell: when it was changed last. */
  private readonly changedAt: Int32Array
  private clock = 0

  constructor(cells: number) {
    this.changedAt = new Int32Array(cells)
  }

  ensure(threads: number): void {
    if (threads <= this.tracks.length) return
    const size = Math.max(threads, this.tracks.length * 2)
    this.tracks = grown(this.tracks, size)
    this.stamp = grown(this.stamp, size)
    this.changes = grown(this.changes, size)
    this.count = grown(this.count, size)
    this.blocked = grown(this.blocked, size)
    this.from = grown(this.from, size)
    this.to = grown(this.to, size)
  }

  reset(): void {
    this.changedAt.fill(0)
    this.clock = 0
  }

  begin(thread: number, tracks: boolean): void {
    this.tracks[thread] = tracks ? 1 : 0
    this.stamp[thread] = 0
    this.changes[thread] = 0
    this.count[thread] = 0
    this.blocked[thread] = 0
    if (tracks) this.rows[thread] ??= new Int32Array(16 * ROW)
  }

  /** The thread read a cell, or yielded (-1). */
  read(thread: number, cell: number, event: number): void {
    const at = this.count[thread]++ * ROW
    let rows = this.rows[thread]
    if (at === rows.length) rows = this.rows[thread] = grown(rows, at * 2)
    rows[at] = cell
    rows[at + 1] = this.clock
    rows[at + 2] = event
  }

  /**
   * The thread stored what was there already. That changes nothing, so a spinning thread may do it; to others it is a
   * write as any other.
   */
  storeSame(thread: number, cell: number, event: number): void {
    if (this.count[thread] >= MAX_ROWS) {
      this.changed(cell)
      this.disturb(thread)
      return
    }
    // Its own store is no change to wait for; one that another thread has made by now stays one.
    const rows = this.rows[thread]
    const end = this.count[thread] * ROW
    for (let at = 0; at < end; at += ROW) if (!this.hasChanged(rows, at)) rows[at + 1] = this.clock + 1
    this.changed(cell)
    this.read(thread, cell, event)
  }

  changed(cell: number): void {
    this.changedAt[cell] = ++this.clock
  }

  /** The thread did something else than read, yield or store what was there. */
  disturb(thread: number): void {
    this.changes[thread]++
    this.choose(thread)
  }

  /** A choice was made for the thread: to come back to where it was need not mean that it goes on as before. */
  choose(thread: number): void {
    this.stamp[thread]++
    this.count[thread] = 0
  }

  /** The iteration that began at row `from` changed nothing and ends here. */
  block(thread: number, from: number): void {
    if (this.blocked[thread] === 1) return
    this.blocked[thread] = 1
    this.from[thread] = from
    this.to[thread] = this.count[thread]
  }

  /** Whether something a blocked thread read has been changed since. */
  canGoOn(thread: number): boolean {
    const rows = this.rows[thread]
    const end = this.to[thread] * ROW
    for (let at = this.from[thread] * ROW; at < end; at += ROW) if (this.hasChanged(rows, at)) return true
    return false
  }

  private hasChanged(rows: Int32Array, at: number): boolean {
    return rows[at] >= 0 && this.changedAt[rows[at]] > rows[at + 1]
  }

  /** Index of the first event of the iteration that blocked. */
  firstEvent(thread: number): number {
    return this.rows[thread][this.from[thread] * ROW + 2]
  }

  /** Distinct cells read in the iteration that blocked, in the order of their first read. */
  cellsRead(thread: number): number[] {
    const rows = this.rows[thread]
    const cells: number[] = []
    for (let i = this.from[thread]; i < this.to[thread]; i++) {
      const cell = rows[i * ROW]
      if (cell >= 0 && !cells.includes(cell)) cells.push(cell)
    }
    return cells
  }
}
