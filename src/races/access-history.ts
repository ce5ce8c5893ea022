import { grown } from '../machine/growing.js'
import type { LocationTable } from '../machine/names.js'
import { accessClasses, racesWith } from './access.js'
import type { RaceOrder } from './race-order.js'
import type { RaceTable } from './race-table.js'
import type { UndoLog } from './undo-log.js'

/**
 * What was accessed so far in this execution, and the races of each further access.
 *
 * A *record* stands for all accesses of one thread at one site to one location, of one class and with the same locks
 * held; of these the latest is kept. That loses nothing: if it is ordered before a later access, so are the others.
 * (The epochs of FastTrack, which keep only the last write of all, would lose every pair but one: Quicksand §8.) Records
 * last from execution to execution, only their sequence numbers change, so that memory follows the program and not the
 * number of executions.
 *
 * Records are in lists by location, class and thread; the latest sequence number of each list tells whether it needs to
 * be looked at.
 */
export class AccessHistory {
  /** By location, class, thread: first record + 1. */
  private heads: Int32Array
  /** The same: sequence number of the latest access. */
  private latest: Int32Array
  /** By location: 0 untouched, the only thread that ever touched it + 1, or -1. */
  private owner = new Int32Array(64)
  /** By location: the record used last. */
  private recent = new Int32Array(64).fill(-1)
  private locations = 64
  /** Threads there are so far. */
  private threads = 0

  private count = 0
  private next = new Int32Array(64)
  private site = new Int32Array(64)
  private locks = new Int32Array(64)
  private sequence = new Int32Array(64)
  /** Number of (site, thread) in the table. */
  private access = new Int32Array(64)

  private readonly undo: UndoLog | null
  private readonly latestArray: number = -1
  private readonly recentArray: number = -1
  private readonly sequenceArray: number = -1

  constructor(
    private readonly order: RaceOrder,
    private readonly table: RaceTable,
    private stride: number,
  ) {
    this.heads = new Int32Array(this.locations * accessClasses * stride)
    this.latest = new Int32Array(this.locations * accessClasses * stride)
    const undo = (this.undo = order.undo)
    if (undo === null) return
    this.latestArray = undo.register(() => this.latest)
    this.recentArray = undo.register(() => this.recent)
    this.sequenceArray = undo.register(() => this.sequence)
  }

  /** Makes room for what an execution touched; between executions. */
  reserve(locations: number, threads: number, stride: number): void {
    this.threads = threads
    if (stride !== this.stride) {
      this.stride = stride
      this.forget()
    }
    if (locations <= this.locations) return
    this.locations = Math.max(locations, this.locations * 2)
    const rows = this.locations * accessClasses * this.stride
    this.heads = grown(this.heads, rows)
    this.latest = grown(this.latest, rows)
    this.owner = grown(this.owner, this.locations)
    const known = this.recent.length
    this.recent = grown(this.recent, this.locations).fill(-1, known)
  }

  /** Forgets everything. */
  forget(): void {
    const rows = this.locations * accessClasses * this.stride
    this.heads = new Int32Array(rows)
    this.latest = new Int32Array(rows)
    this.owner.fill(0)
    this.recent.fill(-1)
    this.count = 0
  }

  /** Takes in an access and reports the earlier ones it races with. */
  add(
    location: number,
    thread: number,
    site: number,
    kind: number,
    locks: number,
    sequence: number,
    locations: LocationTable,
  ): void {
    const slot = (location * accessClasses + kind) * this.stride + thread
    const record = this.recordOf(slot, thread, site, locks)
    const { undo } = this
    undo?.save(this.sequenceArray, record, 1)
    undo?.save(this.latestArray, slot, 1)
    this.sequence[record] = sequence
    this.latest[slot] = sequence
    const overlaps = locations.anyOverlap ? locations.overlaps[location] : null
    if (overlaps !== null) {
      for (const other of overlaps) this.compare(other, record, thread, kind, sequence, location)
    } else if (/* mutant: same record */ this.recent[location] === record) {
      // Nobody has come in between: what raced with it then has been reported, and nothing else can.
      return
    }
    undo?.save(this.recentArray, location, 1)
    this.recent[location] = record
    const owner = this.owner[location]
    if (owner === thread + 1) return
    if (owner === 0) {
      this.owner[location] = thread + 1
      return
    }
    // mutant: shared location
    this.owner[location] = -1
    this.compare(location, record, thread, kind, sequence, location)
  }

  /** A block of memory was allocated anew: what was done to its bytes before cannot race with what comes. */
  renew(location: number, locations: LocationTable): void {
    this.renewOne(location)
    for (const other of locations.overlaps[location] ?? []) this.renewOne(other)
  }

  private renewOne(location: number): void {
    if (location >= this.locations) return
    const from = location * accessClasses * this.stride
    const { undo } = this
    undo?.save(this.latestArray, from, accessClasses * this.stride)
    undo?.save(this.recentArray, location, 1)
    this.latest.fill(0, from, from + accessClasses * this.stride)
    for (let i = from; i < from + accessClasses * this.stride; i++) {
      for (let r = this.heads[i] - 1; r >= 0; r = this.next[r] - 1) {
        undo?.save(this.sequenceArray, r, 1)
        this.sequence[r] = 0
      }
    }
    this.recent[location] = -1
  }

  private compare(
    location: number,
    record: number,
    thread: number,
    kind: number,
    sequence: number,
    at: number,
  ): void {
    const { stride, threads, latest, heads, next } = this
    const { clocks } = this.order
    const { rows } = clocks
    const own = thread * clocks.stride
    const against = racesWith[kind]
    for (let k = 0; k < accessClasses; k++) {
      if ((against & (1 << k)) === 0) continue
      const from = (location * accessClasses + k) * stride
      for (let t = 0; t < threads; t++) {
        const known = rows[own + t]
        if (latest[from + t] <= known || t === thread) continue
        for (let r = heads[from + t] - 1; r >= 0; r = next[r] - 1) {
          if (this.sequence[r] <= known || this.order.exclude(this.locks[r], this.locks[record]))
            /* mutant: next record */ continue
          this.table.see(this.access[r], k, this.sequence[r], this.access[record], kind, sequence, at)
        }
      }
    }
  }

  private recordOf(slot: number, thread: number, site: number, locks: number): number {
    for (let r = this.heads[slot] - 1; r >= 0; r = this.next[r] - 1) {
      if (/* mutant: same site */ this.site[r] === site && /* mutant: same locks */ this.locks[r] === locks)
        return r
    }
    if (this.count === this.next.length) {
      const size = this.count * 2
      this.next = grown(this.next, size)
      this.site = grown(this.site, size)
      this.locks = grown(this.locks, size)
      this.sequence = grown(this.sequence, size)
      this.access = grown(this.access, size)
    }
    const record = this.count++
    this.next[record] = this.heads[slot]
    this.heads[slot] = record + 1
    this.site[record] = site
    this.locks[record] = locks
    this.access[record] = this.table.accessOf(site, thread)
    return record
  }
}
