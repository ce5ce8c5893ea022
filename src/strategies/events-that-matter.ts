import type { Saved } from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { announcedMode, Mode, Op, operations } from '../machine/operation.js'
import type { StrategyContext } from './registry.js'

/** A thread reads, or writes, a location. */
interface Touch {
  readonly thread: number
  readonly isWrite: boolean
  /** The last execution in which it was seen to, and when: how many threads it had created by then, and one. */
  execution: number
  segment: number
}

const only = (...some: readonly number[]) => operations.map((_, kind) => (some.includes(kind) ? 1 : 0))

/** Touch nothing that others can see. */
const isPrivate = Uint8Array.from(only(Op.start, Op.choose, Op.malloc))
/** Nor do these, unless they write somewhere what comes of it. */
const isOfThreads = Uint8Array.from(only(Op.create, Op.join))
const isPlain = Uint8Array.from(only(Op.load, Op.store, Op.free, Op.output))

/**
 * Which operations can matter to another thread, as far as executions have shown it: synchronisation, atomics, and plain
 * accesses to locations that threads touch, one of them writing, in no order but that of their schedule. What the
 * creation of a thread puts before it, or a join after it, cannot be reversed, so it does not count; what is ordered by
 * locks does. Whatever was never seen before counts until it has been looked at.
 */
export class EventsThatMatter {
  /** How often the set has grown. */
  version = 0
  /** What came up and has never been looked at, as thread, location and bit of `known`. */
  private readonly unknown = new Set<string>()
  /** By location: 1 if its accesses matter. */
  private shared = new Uint8Array(64)
  /** By location. All conflicting pairs of a location that is not shared have been seen in order. */
  private readonly touches: Touch[][] = []
  /** By thread and location: 1 if it was seen to read, 2 to write. */
  private readonly known: Uint8Array[] = []
  /** Sites that create or join threads and touch shared memory beside that. */
  private readonly sites = new Set<string>()
  /** By thread, in the execution looked at: what of every thread creation and joining put before it. */
  private readonly clocks: Int32Array[] = []
  private executions = 0

  constructor(private readonly machine: Machine) {}

  /** Whether the pending operation of a thread does. */
  includes(thread: number): boolean {
    const { pending, locations } = this.machine
    const kind = pending.kind[thread]
    if (isPrivate[kind] === 1) return false
    if (isOfThreads[kind] === 1)
      return this.sites.size > 0 && this.sites.has(this.nameOf(pending.site[thread]))
    if (isPlain[kind] === 0) return true
    const location = pending.location[thread]
    if (location < 0) return kind !== Op.output
    if (this.shared[location] === 1 || locations.watchers[location] !== null) return true
    const bit = announcedMode[kind] === Mode.read ? 1 : 2
    if (((this.known[thread]?.[location] ?? 0) & bit) !== 0) return false
    this.unknown.add(`${thread} ${location} ${bit}`)
    return true
  }

  /** An execution should be looked at. */
  get hasUnknown(): boolean {
    return this.unknown.size > 0
  }

  /** Looks at an execution whose events were logged. */
  learn(trace: Trace): void {
    const { events } = trace
    this.executions++
    for (let t = 0; t < this.clocks.length; t++) this.clocks[t] = this.freshClock(t)
    for (let d = 0; d < trace.length; d++) {
      const thread = trace.thread[d]
      for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
        const kind = events.kind[i]
        const location = events.location[i]
        if (isOfThreads[kind] === 1) this.order(thread, events.aux[i], kind === Op.create)
        else if (kind !== Op.malloc && this.isMemory(location))
          this.touch(thread, location, events.mode[i] !== Mode.read)
      }
    }
    for (let d = 0; d < trace.length; d++) this.lookBeside(trace, d)
    this.settle()
  }

  /** What came up before and did not now may never come up again when somebody looks: it is taken as unordered. */
  private settle(): void {
    for (const text of this.unknown) {
      const [thread, location, bit] = text.split(' ').map(Number)
      if (((this.known[thread]?.[location] ?? 0) & bit) !== 0) continue
      this.shareIf(this.add(thread, location, bit === 2), location, () => true)
    }
    this.unknown.clear()
  }

  save(): Saved {
    const touches: number[][] = []
    this.touches.forEach((all, location) => {
      for (const { thread, isWrite } of all) touches.push([location, thread, isWrite ? 1 : 0])
    })
    const shared = [...this.shared.keys()].filter((location) => this.shared[location] === 1)
    const unknown = [...this.unknown].map((text) => text.split(' ').map(Number))
    return { version: this.version, shared, touches, unknown, sites: [...this.sites] }
  }

  load(saved: Saved, { threadHere, locationHere }: StrategyContext): this {
    this.version = saved.version as number
    for (const [thread, location, bit] of saved.unknown as number[][])
      this.unknown.add(`${threadHere(thread)} ${locationHere(location)} ${bit}`)
    for (const [location, thread, isWrite] of saved.touches as number[][])
      this.add(threadHere(thread), locationHere(location), isWrite === 1)
    for (const location of saved.shared as number[]) this.mark(locationHere(location))
    for (const site of saved.sites as string[]) this.sites.add(site)
    return this
  }

  /** Takes down the site of a creation or join that touches shared memory. */
  private lookBeside(trace: Trace, d: number): void {
    const { kind, location, site } = trace.events
    const first = trace.eventStart(d)
    const end = trace.eventEnd[d]
    let at = first
    while (at < end && isOfThreads[kind[at]] === 0) at++
    if (at === end) return
    for (let i = first; i < end; i++) {
      if (location[i] >= 0 && this.shared[location[i]] === 1) this.sites.add(this.nameOf(site[at]))
    }
  }

  private isMemory(location: number): boolean {
    if (location < 0) return false
    const kind = this.machine.locations.kinds[location]
    return kind === 'memory' || kind === 'output'
  }

  private nameOf(site: number): string {
    return this.machine.sites[site]?.name ?? ''
  }

  private touch(thread: number, location: number, isWrite: boolean): void {
    if (this.shared[location] === 1) return
    let own = this.touches[location]?.find((e) => e.thread === thread && e.isWrite === isWrite)
    const isNew = own === undefined
    own ??= this.add(thread, location, isWrite)
    const clock = this.clockOf(thread)
    own.execution = this.executions
    own.segment = clock[thread]
    // Pairs of other executions were compared when the later of the two was new.
    this.shareIf(own, location, (e) =>
      e.execution === this.executions ? clock[e.thread] < e.segment : isNew,
    )
  }

  /** Compares a touch with those by other threads that it conflicts with. */
  private shareIf(own: Touch, location: number, isUnordered: (other: Touch) => boolean): void {
    const { thread, isWrite } = own
    for (const place of [location, ...(this.machine.locations.overlaps[location] ?? [])]) {
      const isShared = (e: Touch) => e.thread !== thread && (e.isWrite || isWrite) && isUnordered(e)
      if (this.shared[place] === 1 || this.touches[place]?.some(isShared)) this.share(location)
    }
  }

  private share(location: number): void {
    if (this.shared[location] === 1) return
    this.mark(location)
    this.version++
    for (const other of this.machine.locations.overlaps[location] ?? []) this.share(other)
  }

  private mark(location: number): void {
    if (location >= this.shared.length)
      this.shared = grown(this.shared, Math.max(location + 1, 2 * this.shared.length))
    this.shared[location] = 1
  }

  private add(thread: number, location: number, isWrite: boolean): Touch {
    if (location >= this.shared.length) {
      this.mark(location)
      this.shared[location] = 0
    }
    const touch = { thread, isWrite, execution: -1, segment: 0 }
    ;(this.touches[location] ??= []).push(touch)
    let known = (this.known[thread] ??= new Uint8Array(64))
    if (location >= known.length) known = this.known[thread] = grown(known, 2 * location)
    known[location] |= isWrite ? 2 : 1
    return touch
  }

  /** What a thread did so far comes before all that another will do, or the other way round. */
  private order(thread: number, other: number, isCreate: boolean): void {
    if (other < 0) return
    const own = this.clockOf(thread)
    const theirs = this.clockOf(other)
    if (isCreate) {
      theirs.set(own)
      theirs[other] = 1
      own[thread]++
    } else for (let t = 0; t < own.length; t++) if (theirs[t] > own[t]) own[t] = theirs[t]
  }

  private clockOf(thread: number): Int32Array {
    const { count } = this.machine.threads
    while (this.clocks.length <= thread) this.clocks.push(this.freshClock(this.clocks.length))
    if (this.clocks[thread].length < count) this.clocks[thread] = grown(this.clocks[thread], count)
    return this.clocks[thread]
  }

  private freshClock(thread: number): Int32Array {
    const clock = new Int32Array(Math.max(this.machine.threads.count, thread + 1))
    clock[thread] = 1
    return clock
  }
}
