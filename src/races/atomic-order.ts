import { type EventLog, Order } from '../machine/events.js'
import type { LocationTable } from '../machine/names.js'
import { Mode, Op } from '../machine/operation.js'
import { copyClock, joinClock } from '../ordering/clock-rows.js'
import { ObjectClocks, type ThreadClocks } from './thread-clocks.js'
import type { UndoLog } from './undo-log.js'

/** By order: whether a read or a fence of that order acquires. `consume` is what compilers make of it: acquire. */
const acquires = Uint8Array.from(/* mutant: orders that acquire */ [0, 1, 1, 0, 1, 1])
/** By order: whether a write or a fence of that order releases. */
const releases = Uint8Array.from(/* mutant: orders that release */ [0, 0, 0, 1, 1, 1])

/**
 * The order that atomics make, after C++20 [intro.races] and [atomics.fences]:
 *
 * - a release write begins a release sequence, and an acquire read that sees it, or an update that continues it, is
 *   ordered after it;
 * - updates continue a sequence whatever their order; any other write ends it. (C11 also let relaxed stores of the same
 *   thread continue it; C++20 does not, and leaves less ordered.)
 * - a release fence makes later writes of its thread, of any order, begin a sequence as of the fence; an acquire fence
 *   orders its thread after the sequences that its earlier reads, of any order, have seen;
 * - a compare-exchange that failed is a read with its own order;
 * - an update that left the value as it was is a write, but a read that sees it is ordered after it only if another
 *   update has changed the value in between. A read that came right after it could have come before it and found the same.
 *   Reductions take the two for independent and show one order of them, so neither order may hide a race.
 *
 * Reads see the last write, since executions are sequentially consistent.
 */
export class AtomicOrder {
  /**
   * By location: the clock of the release sequence that its last write belongs to; then that of updates since which have
   * left the value as it was.
   */
  private readonly sequences: ObjectClocks
  /** By thread: its clock at its last release fence. */
  private released: Int32Array
  /** By thread: what its relaxed reads have seen. */
  private seen: Int32Array
  private locations!: LocationTable
  private events!: EventLog
  private threads = 0

  private readonly clockRows: number
  private readonly sequenceRows: number
  private readonly releasedRows: number
  private readonly seenRows: number

  constructor(
    private readonly clocks: ThreadClocks,
    private readonly undo: UndoLog,
  ) {
    this.sequences = new ObjectClocks(2, clocks.stride)
    this.released = new Int32Array(clocks.stride * clocks.stride)
    this.seen = new Int32Array(clocks.stride * clocks.stride)
    this.clockRows = undo.register(() => clocks.rows)
    this.sequenceRows = undo.register(() => this.sequences.rows)
    this.releasedRows = undo.register(() => this.released)
    this.seenRows = undo.register(() => this.seen)
  }

  widen(): void {
    const { stride } = this.clocks
    this.sequences.widen(stride)
    this.released = new Int32Array(stride * stride)
    this.seen = new Int32Array(stride * stride)
  }

  clear(): void {
    this.sequences.clear()
    this.released.fill(0)
    this.seen.fill(0)
  }

  begin(locations: LocationTable, events: EventLog, threads: number): void {
    this.locations = locations
    this.events = events
    this.threads = threads
  }

  event(i: number, p: number, sequence: number): void {
    const { events } = this
    const kind = events.kind[i]
    const order = events.order[i] & Order.mask
    this.undo.save(this.clockRows, p * this.clocks.stride, this.threads)
    this.clocks.rows[p * this.clocks.stride + p] = sequence
    if (kind === Op.fence) {
      this.fence(p, order)
      return
    }
    const location = events.location[i]
    if (location < 0) return
    const writes =
      kind === Op.atomicStore ||
      (kind === Op.atomicUpdate && /* mutant: failed exchange */ (events.order[i] & Order.failed) === 0)
    // mutant: acquire
    if (kind !== Op.atomicStore) this.read(p, location, order)
    if (!writes) return
    if (kind === Op.atomicStore) this.store(p, location, order)
    else this.update(p, location, order, /* mutant: unchanged */ events.mode[i] === Mode.read)
  }

  /** A plain write ends the release sequence of its location. */
  overwrite(location: number): void {
    if (this.sequences.has(location)) this.end(location)
  }

  private fence(p: number, order: number): void {
    const { rows, stride } = this.clocks
    const own = p * stride
    if (acquires[order] === 1) /* mutant: acquire fence */ joinClock(rows, own, this.seen, own, this.threads)
    if (releases[order] !== 1) return
    this.undo.save(this.releasedRows, own, this.threads)
    copyClock(/* mutant: release fence */ this.released, own, rows, own, this.threads)
  }

  private read(p: number, location: number, order: number): void {
    this.see(p, location, order)
    const overlaps = this.locations.anyOverlap ? this.locations.overlaps[location] : null
    if (overlaps !== null) for (const other of overlaps) this.see(p, other, order)
  }

  private see(p: number, location: number, order: number): void {
    if (!this.sequences.has(location)) return
    const { rows, stride } = this.clocks
    const from = this.sequences.of(location)
    if (acquires[order] === 1) joinClock(rows, p * stride, this.sequences.rows, from, this.threads)
    else {
      this.undo.save(this.seenRows, p * stride, this.threads)
      joinClock(this.seen, p * stride, this.sequences.rows, from, this.threads)
    }
  }

  private store(p: number, location: number, order: number): void {
    // mutant: ends a sequence
    this.end(location)
    this.release(p, this.sequences.of(location), order)
  }

  /** Continues the sequence. */
  private update(p: number, location: number, order: number, isUnchanged: boolean): void {
    const { stride } = this.clocks
    const at = this.sequences.of(location)
    const since = at + stride
    // mutant: continues a sequence
    this.undo.save(this.sequenceRows, at, 2 * stride)
    if (isUnchanged) {
      this.release(p, since, order)
      return
    }
    const { rows } = this.sequences
    // mutant: since
    joinClock(rows, at, rows, since, this.threads)
    this.release(p, at, order)
  }

  private release(p: number, to: number, order: number): void {
    const { rows, stride } = this.clocks
    const source = releases[order] === 1 ? rows : this.released
    // mutant: release
    joinClock(this.sequences.rows, to, source, p * stride, this.threads)
  }

  private end(location: number): void {
    const at = this.sequences.of(location)
    const length = 2 * this.clocks.stride
    this.undo.save(this.sequenceRows, at, length)
    this.sequences.rows.fill(0, at, at + length)
  }
}
