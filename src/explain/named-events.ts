import type { Machine } from '../machine/machine.js'
import { announcedMode, operations } from '../machine/operation.js'
import { modesConflict } from '../ordering/dependence.js'
import type { ConflictOrder } from './flips.js'
import type { Place, RecordedEvent, Recording } from './recording.js'

/** An operation that an explanation names. */
export interface NamedEvent {
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly object: string
  readonly place: Place | null
  /** Its place in the execution; what never happened comes after all else. */
  readonly position: number
  readonly happened: boolean
  /** See `RecordedEvent.isSilent`. */
  readonly isSilent: boolean
}

/** How many operations of a thread count as "not long before". */
const lookBack = 8

export const isRelease = (kind: number): boolean => operations[kind].locks === 'gives'
export const isAcquire = (kind: number): boolean => operations[kind].locks === 'takes'

/** The two operations of an order, as seen in the recording of the failing execution. */
export interface NamedOrder {
  readonly first: NamedEvent
  readonly second: NamedEvent
}

/** Finds the operations that orders and explanations speak of. */
export class EventFinder {
  readonly events: readonly NamedEvent[]

  constructor(
    private readonly machine: Machine,
    readonly recording: Recording,
  ) {
    this.events = recording.events.map(named)
  }

  /** Of a lock order, the accesses that the locks protect tell more than the locks. */
  order(order: ConflictOrder): NamedOrder | null {
    const first = this.eventOf(order.first, order.location)
    const second = this.eventOf(order.second, order.location, order.secondThread)
    if (first === null || second === null) return null
    return this.protectedPair(first, second) ?? { first, second }
  }

  /**
   * Last operation of a thread before a position that tells something: one on the locations in question if there is one
   * not long before.
   */
  lastBefore(thread: number, position: number, locations: readonly number[]): NamedEvent | undefined {
    const earlier = this.events
      .slice(0, position)
      .filter((e) => e.thread === thread && !e.isSilent)
      .slice(-lookBack)
    return earlier.findLast((e) => e.location >= 0 && locations.includes(e.location)) ?? earlier.at(-1)
  }

  /** What a thread was about to do when the execution ended. */
  pendingOf(thread: number): NamedEvent | null {
    const end = this.recording.ends.get(thread)
    if (end === undefined) return null
    const { location, kind, place, object } = end
    const position = this.events.length + 1
    return {
      thread,
      kind,
      mode: announcedMode[kind],
      location,
      object,
      place,
      position,
      happened: false,
      isSilent: false,
    }
  }

  /**
   * The same operation, of another recording, in this one: the thread's operation of the same rank, if that is at the same
   * place. Otherwise it did not happen here.
   */
  counterpart(event: NamedEvent, other: EventFinder): NamedEvent {
    const isSame = (e: NamedEvent) =>
      e.thread === event.thread && e.place?.name === event.place?.name && e.kind === event.kind
    const rank = other.events.filter((e) => isSame(e) && e.position < event.position).length
    const here = event.happened ? this.events.filter(isSame)[rank] : undefined
    return here ?? { ...event, happened: false, position: this.events.length + 1 }
  }

  private eventOf(transition: number, location: number, thread = -1): NamedEvent | null {
    const { recording, machine } = this
    const events = this.events.filter((_, i) => recording.events[i].transition === transition)
    const meets = (e: NamedEvent) =>
      e.location === location || (machine.locations.overlaps[location] ?? []).includes(e.location)
    const found = location < 0 ? undefined : events.findLast(meets)
    if (found && !found.isSilent) return found
    // What is logged beside an operation stands for it.
    const beside = events.findLast((e) => !e.isSilent)
    if (found && beside) return beside
    const isLast = transition >= recording.transitions.length - 1
    if (isLast && thread >= 0) {
      const pending = this.pendingOf(thread)
      if (pending && (location < 0 || meets(pending) || events.length === 0)) return pending
    }
    return beside ?? null
  }

  /** Where the lock that a thread failed on was taken last, by whomever. */
  lastTaken(thread: number): NamedEvent | undefined {
    const { location, position } = this.pendingOf(thread) ?? { location: -1, position: 0 }
    return this.events.findLast(
      (e) => e.position < position && e.location === location && location >= 0 && isAcquire(e.kind),
    )
  }

  private protectedPair(first: NamedEvent, second: NamedEvent): NamedOrder | null {
    if (!isAcquire(first.kind) || !isAcquire(second.kind) || !second.happened) return null
    const mine = this.section(first)
    const theirs = this.section(second)
    for (const b of theirs) {
      const a = mine.findLast((e) => e.location === b.location && modesConflict(e.mode, b.mode))
      if (a) return { first: a, second: b }
    }
    return null
  }

  /** Memory accesses from an acquire up to the release of the same lock. */
  private section(acquire: NamedEvent): NamedEvent[] {
    const inside: NamedEvent[] = []
    for (let i = acquire.position + 1; i < this.events.length; i++) {
      const event = this.events[i]
      if (event.thread !== acquire.thread) continue
      if (event.location === acquire.location && isRelease(event.kind)) break
      if (event.location >= 0 && this.machine.locations.kinds[event.location] === 'memory') inside.push(event)
    }
    return inside
  }
}

function named(e: RecordedEvent, position: number): NamedEvent {
  const { thread, kind, mode, location, object, place, isSilent } = e
  return { thread, kind, mode, location, object, place, position, happened: true, isSilent }
}

export function operationName(kind: number): string {
  return operations[kind].name
}
