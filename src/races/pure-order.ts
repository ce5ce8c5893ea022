import type { Trace } from '../execution/trace.js'
import type { EventLog } from '../machine/events.js'
import type { Machine } from '../machine/machine.js'
import { EDGE_FROM, EDGE_NONE, edgeOf, kinds, Mode, ObjectClock, operations } from '../machine/operation.js'
import { joinClock } from '../ordering/clock-rows.js'
import { AtomicOrder } from './atomic-order.js'
import type { DetectorEntry, RaceOrder } from './race-order.js'
import { ObjectClocks, ThreadClocks } from './thread-clocks.js'
import { UndoLog } from './undo-log.js'

const clocksEach = Object.keys(ObjectClock).length

/** By kind and mode as it turned out: bits of `ObjectClock`. */
const modes = Object.keys(Mode).length
const afterOf = new Uint8Array(operations.length * modes)
const beforeOf = new Uint8Array(operations.length * modes)
operations.forEach(({ orders = {} }, kind) => {
  for (const [mode, { after = 0, before = 0 }] of Object.entries(orders)) {
    const at = kind * modes + Mode[mode as keyof typeof Mode]
    afterOf[at] = after
    beforeOf[at] = before
  }
})

const isAtomic = kinds(({ point }) => point === 'atomic')

/**
 * Pure happens-before: program order, the order between threads that create, wake and join make, and every order that
 * a synchronisation object or an atomic makes, as this execution went. What it leaves unordered first in an execution
 * can really be done at once (Landslide §3.4.4); what another order of the same locks would leave unordered, it misses.
 */
export class PureOrder implements RaceOrder {
  readonly clocks = new ThreadClocks()
  readonly undo = new UndoLog()
  /** Locks order accesses by their hand-over, so that held ones need not be looked at. */
  locks = new Int32Array(8)
  private readonly objects = new ObjectClocks(clocksEach, this.clocks.stride)
  private readonly atomics = new AtomicOrder(this.clocks, this.undo)
  private readonly clockRows = this.undo.register(() => this.clocks.rows)
  private readonly objectRows = this.undo.register(() => this.objects.rows)
  private threads = 0
  private events!: EventLog

  begin(machine: Machine, trace: Trace): void {
    this.events = trace.events
    this.threads = machine.threads.count
    if (this.clocks.widen(this.threads)) {
      this.locks = new Int32Array(this.clocks.stride)
      this.objects.widen(this.clocks.stride)
      this.atomics.widen()
    }
    if (this.clocks.begin(this.threads, trace.events.count)) {
      this.objects.clear()
      this.atomics.clear()
    }
    this.atomics.begin(machine.locations, trace.events, this.threads)
  }

  event(i: number, p: number, sequence: number): void {
    const { events } = this
    const kind = events.kind[i]
    if (isAtomic[kind] === 1) {
      // mutant: atomics
      this.atomics.event(i, p, sequence)
      return
    }
    const edge = edgeOf[kind]
    if (edge !== EDGE_NONE) {
      const changed = edge === EDGE_FROM ? p : events.aux[i]
      if (changed >= 0) this.undo.save(this.clockRows, changed * this.clocks.stride, this.threads)
      if (changed !== p) this.undo.save(this.clockRows, p * this.clocks.stride, this.threads)
      threadEdge(this.clocks, edge, p, events.aux[i], sequence, this.threads)
      return
    }
    const at = kind * modes + events.mode[i]
    const after = afterOf[at]
    const before = beforeOf[at]
    if ((after | before) === 0) return
    const { rows, stride } = this.clocks
    const own = p * stride
    const object = this.objects.of(events.location[i])
    const objects = this.objects.rows
    this.undo.save(this.clockRows, own, this.threads)
    // mutant: counts itself
    rows[own + p] = sequence
    for (let k = 0; k < clocksEach; k++) {
      if ((after & (1 << k)) !== 0)
        /* mutant: takes */ joinClock(rows, own, objects, object + k * stride, this.threads)
    }
    for (let k = 0; k < clocksEach; k++) {
      if ((before & (1 << k)) === 0) continue
      this.undo.save(this.objectRows, object + k * stride, this.threads)
      // mutant: gives
      joinClock(objects, object + k * stride, rows, own, this.threads)
    }
  }

  overwrite(location: number): void {
    this.atomics.overwrite(location)
  }

  end(events: number): void {
    this.clocks.end(events)
  }

  exclude(): boolean {
    return false
  }
}

/** Creating, waking and joining order threads in both detectors. */
export function threadEdge(
  { rows, stride }: ThreadClocks,
  edge: number,
  p: number,
  other: number,
  sequence: number,
  threads: number,
): void {
  if (other < 0) return
  if (edge === EDGE_FROM) {
    joinClock(rows, p * stride, rows, other * stride, threads)
    // All that the other did: it has ended.
    // mutant: join
    rows[p * stride + other] = sequence
    return
  }
  // mutant: creator
  rows[p * stride + p] = sequence
  // mutant: create and wake
  joinClock(rows, other * stride, rows, p * stride, threads)
}

export const pure: DetectorEntry = {
  name: 'pure',
  summary: 'what this execution leaves unordered',
  isExact: true,
  order: () => new PureOrder(),
}
