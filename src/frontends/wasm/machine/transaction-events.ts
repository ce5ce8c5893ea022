import { type EventLog, Order } from '../../../machine/events.js'
import type { LocationTable } from '../../../machine/names.js'
import { kinds, Mode, Op } from '../../../machine/operation.js'

/** By kind: 1 for what does not look at its object. */
const isMereWrite = kinds(
  ({ mode, varies, waits, locks }) => mode !== Mode.read && !varies && !waits && locks !== 'takes',
)

/** What was logged from there on was done at once with all else, and is atomic to others. */
export function makeAtomic(events: EventLog, from: number): void {
  for (let i = from; i < events.count; i++) {
    if (events.kind[i] === Op.load) events.kind[i] = Op.atomicLoad
    else if (events.kind[i] === Op.store) events.kind[i] = Op.atomicStore
    events.order[i] = Order.seqCst | (events.order[i] & Order.failed)
  }
}

/** What the body of the transaction under way has logged: the events from `from` on. */
export class TransactionEvents {
  from = 0

  constructor(
    readonly events: EventLog,
    private readonly locations: LocationTable,
  ) {}

  /** Locks that it has taken and not given back. */
  taken(): Set<number> {
    const { events } = this
    const taken = new Set<number>()
    for (let i = this.from; i < events.count; i++) {
      if (events.mode[i] !== Mode.write) continue
      const kind = events.kind[i]
      if (kind === Op.lock || kind === Op.tryLock || kind === Op.timedLock) taken.add(events.location[i])
      else if (kind === Op.unlock) taken.delete(events.location[i])
    }
    return taken
  }

  /** How many places it has touched, but for the last events. */
  places(last = 0): number {
    const { events } = this
    const touched = new Set<number>()
    for (let i = this.from; i < events.count - last; i++)
      if (events.mode[i] !== Mode.none) touched.add(events.location[i])
    return touched.size
  }

  /** To others, all that a transaction does is atomic: two of them never race, and one orders whoever sees what it wrote. */
  makeAtomic(): void {
    makeAtomic(this.events, this.from)
  }

  /** Only reads are left, of what it had not written itself: they led to its abort. */
  keepReads(): void {
    const { events, locations } = this
    const written = new Set<number>()
    let to = this.from
    for (let i = this.from; i < events.count; i++) {
      const location = events.location[i]
      if (events.mode[i] === Mode.none) continue
      if (isMereWrite[events.kind[i]] === 0 && !written.has(location)) {
        const isMemory = locations.kinds[location] === 'memory'
        events.kind[to] = isMemory ? Op.atomicLoad : Op.probe
        events.mode[to] = Mode.read
        events.location[to] = location
        events.site[to] = events.site[i]
        // Who waits for a mutex could have gone before a look that found it free: the log keeps what it found.
        events.aux[to] = isMemory ? -1 : events.aux[i]
        events.order[to] = Order.seqCst
        events.known[to] = 0
        to++
      }
      if (events.mode[i] === Mode.write) written.add(location)
    }
    events.count = to
  }

  /** Takes out the last event, unless it came before that many, and gives what it looked at. */
  takeLast(from: number): readonly number[] {
    const { events } = this
    if (events.count <= from) return []
    const last = --events.count
    return isMereWrite[events.kind[last]] === 0 ? [events.location[last]] : []
  }

  /** It is as if nothing had been. */
  drop(): void {
    this.events.count = this.from
  }
}
