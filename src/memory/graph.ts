import { Order } from '../machine/events.js'
import type { Clock } from './clocks.js'
import type { Trail } from './trail.js'

/** What an event of an execution graph is; an update both reads and writes, a compare-exchange that failed only reads. */
export const EventKind = { read: 1, write: 2, update: 3, fence: 4, sync: 8, failedUpdate: 17 } as const

/** What a location holds. */
export type Value = number | bigint

const NONE = -1

/**
 * An execution graph: the events of an execution so far, which write each read sees (`source`), and the order of the
 * writes to each location (`modificationOrder`). Events are added in the order in which the machine does them, each after
 * all events of its thread and after the write it sees; a write may be put anywhere in modification order. Each location
 * begins with an event of its own, by no thread, that comes before all others.
 */
export class ExecutionGraph {
  count = 0
  thread: number[] = []
  kind: number[] = []
  location: number[] = []
  /** See `Order`; of a compare-exchange that failed, that of its failure. */
  order: number[] = []
  isAtomic: boolean[] = []
  /** The write that a read sees, or -1. */
  source: number[] = []
  /** What a write leaves, or what a read sees. */
  value: Value[] = []
  /** Place among the events of its thread, from 1. */
  rank: number[] = []
  /** Place in the modification order of its location. */
  position: number[] = []
  /** The event and all that happens before it. */
  clock: Clock[] = []
  /** What somebody who acquires this write learns of; null: nothing. */
  released: (Clock | null)[] = []
  /** Fences that order stores, before this event in its thread. */
  storeFences: number[] = []
  readers: (readonly number[])[] = []
  /** Events that synchronise with a later one: what comes after each. */
  after: (readonly number[])[] = []
  site: number[] = []
  /** It is left aside for now: see `leaveOut`. */
  isOut: boolean[] = []
  /** The transaction that it is part of, from 1 on, or 0: to others, all of one is at one place. */
  transaction: number[] = []
  /** By transaction, its events. */
  readonly transactions: number[][] = [[]]

  byThread: number[][] = []
  modificationOrder: number[][] = []
  /** See `takeOldest`. */
  private oldest = 0

  constructor(private readonly trail: Trail) {}

  reset(): void {
    this.count = this.oldest = 0
    this.transactions.length = 1
    this.transactions[0] = []
    this.byThread.length = 0
    this.modificationOrder.length = 0
  }

  /** The first write of a location. */
  addLocation(location: number, value: Value): void {
    const event = this.append(NONE, EventKind.write, location, Order.relaxed, false, NONE, NONE)
    this.value[event] = value
    this.modificationOrder[location] = [event]
  }

  /** An event without a place yet: the last of its thread, seen by nobody. */
  append(
    thread: number,
    kind: number,
    location: number,
    order: number,
    isAtomic: boolean,
    source: number,
    site: number,
  ): number {
    const event = this.count++
    this.thread[event] = thread
    this.kind[event] = kind
    this.location[event] = location
    this.order[event] = order
    this.isAtomic[event] = isAtomic
    this.source[event] = source
    this.value[event] = 0
    this.position[event] = 0
    this.released[event] = null
    this.readers[event] = nobody
    this.after[event] = nobody
    this.site[event] = site
    this.isOut[event] = false
    this.transaction[event] = 0
    this.rank[event] = thread < 0 ? 0 : this.eventsOf(thread).length + 1
    this.clock[event] = noClock
    this.storeFences[event] = 0
    return event
  }

  /** Puts an event that was appended into the graph: `predecessor` is the write that it follows in modification order. */
  place(event: number, predecessor: number): void {
    this.eventsOf(this.thread[event]).push(event)
    if (this.source[event] >= 0) addTo(this.readers, this.source[event], event)
    if (!this.writes(event)) return
    const order = this.modificationOrder[this.location[event]]
    order.splice(this.position[predecessor] + 1, 0, event)
    for (let i = this.position[predecessor] + 1; i < order.length; i++) this.position[order[i]] = i
  }

  /** An event synchronises with a later one. */
  synchronises(event: number, later: number): void {
    const { after, trail } = this
    if (after[event] === nobody) trail.entry(after, event, nobody)
    else trail.added(after[event])
    addTo(after, event, later)
  }

  /** Takes back an event that was appended and not placed. */
  drop(): void {
    if (--this.count < this.oldest) this.oldest = this.count
  }

  /** The first event that may be another one than when this was asked last. */
  takeOldest(): number {
    const { oldest } = this
    this.oldest = this.count
    return oldest
  }

  /**
   * Takes away, of each thread, the events beyond so many, until what is returned is called. Nothing that is left may
   * depend on them.
   */
  leaveOut(lengths: Int32Array): () => void {
    const threads = this.byThread
    const orders: [location: number, order: number[]][] = []
    const readers: [event: number, readers: readonly number[]][] = []
    const touched: number[] = []
    this.byThread = threads.map((events, thread) => {
      const length = lengths[thread]
      if (length >= events.length) return events.slice()
      for (let i = length; i < events.length; i++) this.isOut[events[i]] = true
      return events.slice(0, length)
    })
    threads.forEach((events, thread) => {
      for (let i = lengths[thread]; i < events.length; i++) {
        const event = events[i]
        const source = this.source[event]
        if (source >= 0 && !this.isOut[source]) {
          if (!readers.some(([other]) => other === source)) readers.push([source, this.readers[source]])
          this.readers[source] = this.readers[source].filter((reader) => reader !== event)
        }
        if (this.writes(event) && !touched.includes(this.location[event])) touched.push(this.location[event])
      }
    })
    // Not a copy of all orders: numbers of locations have gaps of millions.
    for (const location of touched) {
      const order = this.modificationOrder[location]
      orders.push([location, order])
      this.modificationOrder[location] = order.filter((event) => !this.isOut[event])
      this.renumber(location)
    }
    return () => {
      threads.forEach((events, thread) => {
        for (let i = lengths[thread]; i < events.length; i++) this.isOut[events[i]] = false
      })
      this.byThread = threads
      for (const [event, all] of readers) this.readers[event] = all
      for (const [location, order] of orders) {
        this.modificationOrder[location] = order
        this.renumber(location)
      }
    }
  }

  private renumber(location: number): void {
    const order = this.modificationOrder[location]
    for (let i = 0; i < order.length; i++) this.position[order[i]] = i
  }

  /** Takes back all events but so many, the last one first. What they synchronise with is the trail's. */
  takeBackTo(count: number): void {
    while (this.count > count) this.takeBack()
  }

  /** Takes back the event that was placed last. */
  takeBack(): void {
    this.drop()
    const event = this.count
    const thread = this.thread[event]
    if (thread >= 0) this.byThread[thread].pop()
    if (this.source[event] >= 0) (this.readers[this.source[event]] as number[]).pop()
    if (!this.writes(event)) return
    const location = this.location[event]
    const order = this.modificationOrder[location]
    const isLast = this.position[event] === order.length - 1
    order.splice(this.position[event], 1)
    if (!isLast) this.renumber(location)
  }

  eventsOf(thread: number): number[] {
    while (this.byThread.length <= thread) this.byThread.push([])
    return this.byThread[thread]
  }

  reads(event: number): boolean {
    return (this.kind[event] & EventKind.read) !== 0
  }

  writes(event: number): boolean {
    return (this.kind[event] & EventKind.write) !== 0
  }

  isUpdate(event: number): boolean {
    return this.kind[event] === EventKind.update
  }

  /** The write that follows in modification order, or -1. */
  next(write: number): number {
    return this.modificationOrder[this.location[write]][this.position[write] + 1] ?? NONE
  }

  /** The last write of a location. */
  last(location: number): number {
    return this.modificationOrder[location].at(-1)!
  }

  happensBefore(a: number, b: number): boolean {
    if (a === b) return false
    if (this.thread[a] < 0) return true
    if (this.thread[b] < 0) return false
    return (this.clock[b][this.thread[a]] ?? 0) >= this.rank[a]
  }
}

const noClock: Clock = []

/** Most events are seen by nobody: one list stands for all of theirs. */
const nobody: readonly number[] = []

function addTo(lists: (readonly number[])[], event: number, other: number): void {
  if (lists[event] === nobody) lists[event] = [other]
  else (lists[event] as number[]).push(other)
}
