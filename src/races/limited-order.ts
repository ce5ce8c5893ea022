import type { Trace } from '../execution/trace.js'
import type { EventLog } from '../machine/events.js'
import type { Machine } from '../machine/machine.js'
import type { ObjectKind } from '../machine/names.js'
import { EDGE_NONE, edgeOf, Mode, Op } from '../machine/operation.js'
import { joinClock } from '../ordering/clock-rows.js'
import { lockRule, SHARED, TAKES } from './lock-rules.js'
import { LockSets } from './lock-sets.js'
import { Permits } from './permits.js'
import { threadEdge } from './pure-order.js'
import type { DetectorEntry, RaceOrder } from './race-order.js'
import { ObjectClocks, ThreadClocks } from './thread-clocks.js'

/**
 * Limited happens-before (O'Callahan and Choi, PPoPP 2003; Quicksand §2.2): threads are ordered only where one could not
 * have gone on without the other, by create, wake, join, a post or a barrier. The hand-over of a lock orders nothing;
 * instead, accesses under a common lock do not race. Reports what pure happens-before misses because two critical
 * sections happened to come in this order, and some pairs that other communication keeps apart.
 */
export class LimitedOrder implements RaceOrder {
  readonly clocks = new ThreadClocks()
  /** Permits are judged by executions as a whole. */
  readonly undo = null
  readonly lockSets = new LockSets()
  locks = new Int32Array(8)
  private readonly objects = new ObjectClocks(1, this.clocks.stride)
  private readonly permits = new Permits(this.clocks)
  private threads = 0
  private events!: EventLog
  private kinds: readonly ObjectKind[] = []

  begin(machine: Machine, trace: Trace): void {
    this.events = trace.events
    this.kinds = machine.locations.kinds
    this.threads = machine.threads.count
    if (this.clocks.widen(this.threads)) {
      this.locks = new Int32Array(this.clocks.stride)
      this.objects.widen(this.clocks.stride)
    }
    if (this.clocks.begin(this.threads, trace.events.count)) this.objects.clear()
    this.locks.fill(0)
    this.permits.begin(trace, machine.locations)
  }

  event(i: number, p: number, sequence: number): void {
    const { events } = this
    const kind = events.kind[i]
    const edge = edgeOf[kind]
    if (edge !== EDGE_NONE) {
      // mutant: threads
      threadEdge(this.clocks, edge, p, events.aux[i], sequence, this.threads)
      return
    }
    const mode = events.mode[i]
    const rule = lockRule[kind]
    if (rule !== 0) {
      // A lock taken once more by its owner, or a try that failed, is a read.
      // mutant: failed try
      if (mode === Mode.read || mode === Mode.none) return
      if (this.kinds[events.location[i]] === 'once') this.once(p, kind, events.location[i], sequence)
      const isExclusive = /* mutant: exclusive */ (rule & SHARED) === 0
      const change = /* mutant: takes */ (rule & TAKES) !== 0 ? this.lockSets.add : this.lockSets.remove
      this.locks[p] = change.call(this.lockSets, this.locks[p], events.location[i], isExclusive)
      return
    }
    if (kind === Op.barrierArrive) this.arrive(i, p, sequence)
    else if (kind === Op.barrierLeave) /* mutant: leaves a barrier */ this.acquire(p, events.location[i])
    else if (kind === Op.semPost || kind === Op.semWait || kind === Op.semTryWait)
      this.semaphore(p, kind, mode, events.location[i], sequence)
  }

  /** Atomics order nothing here. */
  overwrite(): void {}

  end(events: number): void {
    this.clocks.end(events)
  }

  exclude(locksA: number, locksB: number): boolean {
    return this.lockSets.exclude(locksA, locksB)
  }

  /**
   * Arrivals of one generation come in any order, but nobody goes on before all have come. The last to arrive logs a
   * second arrival, at the generation to come, and goes on at once.
   */
  private arrive(i: number, p: number, sequence: number): void {
    const { events } = this
    const isLast = i > 0 && events.kind[i - 1] === Op.barrierArrive && events.site[i - 1] === events.site[i]
    if (isLast) /* mutant: last at a barrier */ this.acquire(p, events.location[i - 1])
    else this.release(p, events.location[i], sequence)
  }

  /** Nobody goes on before the first to come has initialised what it is about; those after it order nothing. */
  private once(p: number, kind: number, location: number, sequence: number): void {
    if (kind === Op.lock) this.acquire(p, location)
    else if (!this.initialised(location)) this.release(p, location, sequence)
  }

  private initialised(location: number): boolean {
    const at = this.objects.of(location)
    for (let t = 0; t < this.threads; t++) if (this.objects.rows[at + t] >= this.clocks.base) return true
    return false
  }

  private semaphore(p: number, kind: number, mode: number, location: number, sequence: number): void {
    if (/* mutant: semaphore as a lock */ !this.permits.isLock(location))
      this.permits.event(p, kind, mode, location, sequence)
    else if (kind === Op.semPost) this.locks[p] = this.lockSets.remove(this.locks[p], location, true)
    else if (mode === Mode.write) this.locks[p] = this.lockSets.add(this.locks[p], location, true)
  }

  private release(p: number, location: number, sequence: number): void {
    const { rows, stride } = this.clocks
    rows[p * stride + p] = sequence
    const at = this.objects.of(location)
    joinClock(this.objects.rows, at, rows, p * stride, this.threads)
  }

  private acquire(p: number, location: number): void {
    const { rows, stride } = this.clocks
    const at = this.objects.of(location)
    joinClock(rows, p * stride, this.objects.rows, at, this.threads)
  }
}

export const limited: DetectorEntry = {
  name: 'limited',
  summary: 'also what another order of the same locks would leave unordered',
  isExact: false,
  order: () => new LimitedOrder(),
}
