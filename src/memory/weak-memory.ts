import type { MemoryModel } from '../machine/platform.js'
import type { Access } from './access.js'
import { acquires, type Clock, joined, releases, ThreadKnowledge, withRank } from './clocks.js'
import { EventKind, ExecutionGraph, type Value } from './graph.js'
import { Offer } from './offer.js'
import { SequentialOrder } from './rc11.js'
import { StoreOrder } from './store-order.js'
import { Trail } from './trail.js'

const noFloors: ReadonlyMap<number, number> = new Map()
const noObjects: readonly number[] = []

/** A write to come. */
export interface NextWrite {
  readonly thread: number
  readonly access: Access
  /** The write that it follows in modification order, which it sees if it is an update. */
  readonly after: number
  readonly written: Value
}

/**
 * Memory between a program and its front end under a memory model weaker than sequential consistency: an execution graph
 * that grows by one event per operation. A load has an alternative for each write that it may see, the newest first; a
 * store for each write that it may follow in modification order, the end first; an update sees the write that it follows.
 * Offered is what leaves the graph consistent, so every execution is one that the model allows. That every one the model
 * allows can be had: these models are closed under taking events away that nothing depends on, and forbid cycles of
 * program order and reads-from, so its events can be added in such an order.
 *
 * The newest is always allowed, since nothing comes after it.
 */
export class WeakMemory {
  /** By what is kept there, what is done can be taken back. */
  readonly trail = new Trail()
  readonly graph = new ExecutionGraph(this.trail)
  private readonly knowledge = new ThreadKnowledge(this.trail)
  private readonly storeOrder: StoreOrder
  private readonly sequentialOrder: SequentialOrder
  private readonly isC11: boolean
  /** By thread: fences that order stores so far. */
  private readonly storeFences: number[] = []
  /** By synchronisation object: the last event on it. */
  private readonly lastSync = new Map<number, number>()
  /** By thread and location: what it must see at least, after it went round a loop for nothing; see `freshen`. */
  private readonly floors: (Map<number, number> | undefined)[] = []
  /** By thread: the alternatives of its next access. */
  private readonly offered: Offer[] = []
  /** By thread: see `foretell`. */
  private readonly foretold: { events: number; alternative: number; write: number }[] = []

  constructor(readonly model: MemoryModel) {
    this.storeOrder = new StoreOrder(this.graph, model)
    this.sequentialOrder = new SequentialOrder(this.graph)
    this.isC11 = model === 'c11'
  }

  reset(): void {
    this.graph.reset()
    this.knowledge.reset()
    this.storeFences.length = 0
    this.lastSync.clear()
    this.floors.length = 0
    for (const offer of this.offered) offer?.withdraw()
    this.foretold.length = 0
    this.trail.isOn = false
    this.trail.clear()
  }

  /** Takes back all that was done since there were so many events, and the trail had come so far. */
  goBack(events: number, mark: number): void {
    this.graph.takeBackTo(events)
    this.trail.goBack(mark)
    for (const offer of this.offered) offer?.withdrawFrom(events + 1)
    this.foretold.length = 0
  }

  begin(thread: number, parent: number): void {
    this.countFences(thread, 0)
    this.floors[thread] = undefined
    this.knowledge.begin(thread, parent)
    this.graph.eventsOf(thread)
    const start = this.addSync(thread)
    const creation = parent < 0 ? -1 : this.graph.eventsOf(parent).at(-1)
    if (creation !== undefined && creation >= 0) this.graph.synchronises(creation, start)
  }

  /** In how many ways an access can go now. */
  alternatives(thread: number, access: Access): number {
    return this.sources(thread, access).length
  }

  /** The write that an alternative sees, or follows in modification order. */
  sourceOf(thread: number, access: Access, alternative: number): number {
    const foretold = this.foretold[thread]
    if (
      foretold !== undefined &&
      foretold.events === this.graph.count &&
      foretold.alternative === alternative
    )
      return foretold.write
    const source = this.sources(thread, access)[alternative]
    if (source === undefined)
      throw new Error(`alternative ${alternative} of an access is not there; please report this`)
    return source
  }

  /** It is known that this alternative of the thread's next access, which is done next, sees or follows that write. */
  foretell(thread: number, alternative: number, write: number): void {
    const foretold = (this.foretold[thread] ??= { events: 0, alternative: 0, write: 0 })
    foretold.events = this.graph.count
    foretold.alternative = alternative
    foretold.write = write
  }

  /** The alternative that sees, or follows, a write; -1 if there is none. */
  alternativeFor(thread: number, access: Access, write: number): number {
    const offer = this.offered[thread]
    if (offer?.isFor(access, this.graph.count)) return offer.sources.indexOf(write)
    // Of the older ones nobody need know.
    const found: number[] = []
    this.findSources(thread, access, found, write)
    return found.at(-1) === write ? found.length - 1 : -1
  }

  /**
   * Whether the graph is allowed in which, of each thread, only so many events are left, the next of one thread is a write, and
   * the next of another a read that sees it. What is left is known to be allowed.
   */
  allowsRevisit(
    lengths: Int32Array,
    { thread, access, after, written }: NextWrite,
    reader: { readonly thread: number; readonly access: Access; readonly event: number },
  ): boolean {
    const { graph, knowledge, trail } = this
    const { isOn } = trail
    trail.isOn = false
    const restore = graph.leaveOut(lengths)
    const { storeFences } = this
    const fences = storeFences[reader.thread]
    storeFences[reader.thread] = graph.storeFences[reader.event]
    const kept = knowledge.keep(thread)
    const known = knowledge.of(reader.thread)
    for (const t of [thread, reader.thread]) knowledge.put(t, graph.clock[graph.eventsOf(t).at(-1)!])
    let isAllowed = this.offers(thread, access, after)
    if (isAllowed) {
      const write = this.perform(thread, access, after, written)
      isAllowed = this.offers(reader.thread, reader.access, write)
      graph.takeBack()
    }
    kept()
    knowledge.put(reader.thread, known)
    storeFences[reader.thread] = fences
    restore()
    trail.isOn = isOn
    return isAllowed
  }

  /** Whether an access may see, or follow, a write, whatever its thread waits for. */
  private offers(thread: number, access: Access, write: number): boolean {
    const order = this.graph.modificationOrder[access.location]
    const place = this.graph.position[write]
    for (let i = order.length - 1; i > place; i--) if (this.isKnown(thread, order[i])) return false
    return place === order.length - 1 || this.allows(thread, access, write, order[place + 1])
  }

  private sources(thread: number, access: Access): readonly number[] {
    const { count } = this.graph
    const offer = (this.offered[thread] ??= new Offer())
    if (offer.isFor(access, count)) return offer.sources
    offer.sources.length = 0
    this.findSources(thread, access, offer.sources)
    offer.hold(access, count)
    return offer.sources
  }

  /** The newest first, down to `oldest`. */
  private findSources(thread: number, access: Access, found: number[], oldest = -1): void {
    const { graph } = this
    const writes = graph.modificationOrder[access.location]
    const floor = this.floors[thread]?.get(access.location) ?? -1
    for (let i = writes.length - 1; i >= 0; i--) {
      const write = writes[i]
      const next = writes[i + 1] ?? -1
      if (next < 0 || this.allows(thread, access, write, next)) found.push(write)
      if (write === floor || write === oldest || /* mutant: knows of */ this.isKnown(thread, write)) break
    }
  }

  /** Whether the thread knows of a write, so that it can see nothing older. */
  private isKnown(thread: number, write: number): boolean {
    return this.isPast(thread, write) || /* mutant: has seen */ this.isSeenInPast(thread, write)
  }

  private isSeenInPast(thread: number, write: number): boolean {
    const readers = this.graph.readers[write]
    for (let i = 0; i < readers.length; i++) if (this.isPast(thread, readers[i])) return true
    return false
  }

  private isPast(thread: number, event: number): boolean {
    const by = this.graph.thread[event]
    return by < 0 || (this.isC11 ? this.isBeforeNext(event, thread) : by === thread)
  }

  private isBeforeNext(event: number, thread: number): boolean {
    const { graph, knowledge } = this
    return (knowledge.of(thread)[graph.thread[event]] ?? 0) >= graph.rank[event]
  }

  private allows(thread: number, access: Access, write: number, next: number): boolean {
    const { graph } = this
    const kind = this.outcome(access, write)
    // Nothing comes between an update and what it saw.
    const splits = (kind & EventKind.write) !== 0 && graph.isUpdate(next) && graph.source[next] === write
    // mutant: atomicity
    if (splits || this.splitsTransaction(write, next, (kind & EventKind.write) !== 0)) return false
    const event = this.append(thread, access, write, kind)
    if (this.isC11) this.foresee(event, access)
    const isAllowed = this.isC11
      ? this.sequentialOrder.allows(event, write)
      : this.storeOrder.allows(event, next)
    graph.drop()
    return isAllowed
  }

  /** Nor between what a transaction read and what it wrote, or between what it wrote. */
  private splitsTransaction(write: number, next: number, isWriting: boolean): boolean {
    const { transaction, readers } = this.graph
    const one = transaction[next]
    if (one === 0) return false
    return transaction[write] === one || (isWriting && readers[write].some((r) => transaction[r] === one))
  }

  private outcome({ kind, expected }: Access, write: number): number {
    if (expected === null || this.graph.value[write] === expected) return kind
    return EventKind.failedUpdate
  }

  private append(thread: number, access: Access, write: number, kind: number): number {
    const { graph } = this
    const isWriting = (kind & EventKind.write) !== 0
    const order = kind === EventKind.failedUpdate ? access.failure : access.order
    const source = (kind & EventKind.read) !== 0 ? write : -1
    const event = graph.append(thread, kind, access.location, order, access.isAtomic, source, access.site)
    graph.storeFences[event] = this.storeFences[thread]
    if (isWriting) graph.position[event] = graph.position[write] + 0.5
    return event
  }

  /** What the event would know, for a graph that is only tried. */
  private foresee(event: number, access: Access): void {
    const { graph, knowledge } = this
    const thread = graph.thread[event]
    const known = knowledge.of(thread)
    const source = graph.source[event]
    const learnt =
      source >= 0 && access.isAtomic && acquires(graph.order[event]) ? graph.released[source] : null
    graph.clock[event] = withRank(joined(known, learnt), thread, graph.rank[event])
  }

  /** What an update or read finds under an alternative. */
  valueOf(write: number): Value {
    return this.graph.value[write]
  }

  /** Does an access, seeing or following `write`; `written` is what it leaves if it writes. */
  perform(thread: number, access: Access, write: number, written: Value): number {
    const { graph, knowledge } = this
    const kind = this.outcome(access, write)
    const event = this.append(thread, access, write, kind)
    const order = graph.order[event]
    const { isAtomic } = access
    knowledge.step(thread, graph.rank[event])
    const source = graph.source[event]
    if (source >= 0) knowledge.see(thread, graph.released[source], order, isAtomic)
    graph.clock[event] = knowledge.of(thread)
    if ((kind & EventKind.write) !== 0) {
      const updated = source >= 0 ? graph.released[source] : null
      graph.released[event] = knowledge.release(thread, order, isAtomic, updated)
      graph.value[event] = written
    } else graph.value[event] = graph.value[write]
    graph.place(event, write)
    return event
  }

  /**
   * A transaction of a thread commits: what it read and wrote, at one place, with full fences before and after. It sees and
   * replaces the newest of everything. That leaves nothing out under TSO: whatever comes after it in the order of all that
   * reaches memory can be done after it here, since nothing that it depends on waits for a store that comes after it.
   * (Under PSO a later store of the same thread may reach memory first, and it may depend on that.)
   */
  commit(thread: number, accesses: readonly { readonly access: Access; readonly written: Value }[]): void {
    const { graph } = this
    this.addSync(thread)
    const events: number[] = []
    const number = graph.transactions.push(events) - 1
    for (const { access, written } of accesses) {
      const event = this.perform(thread, access, graph.last(access.location), written)
      graph.transaction[event] = number
      events.push(event)
    }
    this.addSync(thread)
  }

  fence(thread: number, order: number, site: number): void {
    const { graph, knowledge } = this
    const event = graph.append(thread, EventKind.fence, -1, order, false, -1, site)
    knowledge.step(thread, graph.rank[event])
    knowledge.fence(thread, order)
    graph.clock[event] = knowledge.of(thread)
    graph.storeFences[event] = this.storeFences[thread]
    graph.place(event, -1)
    if (releases(order)) this.countFences(thread, this.storeFences[thread] + 1)
  }

  private countFences(thread: number, count: number): void {
    this.trail.entry(this.storeFences, thread, this.storeFences[thread])
    this.storeFences[thread] = count
  }

  /**
   * A synchronisation operation on an object, in the order in which they are done. Under C11 it learns of what was
   * released to the objects it acquires from, and releases to others; else it is a full fence, after the last operation on
   * each object.
   */
  synchronise(
    thread: number,
    objects: readonly number[],
    acquired: readonly number[] = noObjects,
    released: readonly number[] = noObjects,
  ): void {
    const event = this.addSync(thread, acquired)
    for (const object of released) this.knowledge.releaseTo(thread, object)
    for (const object of objects) {
      const last = this.lastSync.get(object)
      if (last !== undefined && last !== event) this.graph.synchronises(last, event)
      this.trail.key(this.lastSync, object)
      this.lastSync.set(object, event)
    }
  }

  join(thread: number, ended: number): void {
    const last = this.graph.eventsOf(ended).at(-1)
    this.knowledge.join(thread, ended)
    const event = this.addSync(thread)
    if (last !== undefined) this.graph.synchronises(last, event)
  }

  /** The last event of a thread: all it did has reached memory by then. */
  end(thread: number): void {
    this.addSync(thread)
  }

  private addSync(thread: number, acquired: readonly number[] = noObjects): number {
    const { graph, knowledge } = this
    const event = graph.append(thread, EventKind.sync, -1, 0, false, -1, -1)
    for (const object of acquired) knowledge.acquireFrom(thread, object)
    knowledge.step(thread, graph.rank[event])
    graph.clock[event] = knowledge.of(thread)
    graph.place(event, -1)
    return event
  }

  /** Whether a location has come to hold another value than the thread saw last. */
  hasNewer(thread: number, location: number): boolean {
    const { value } = this.graph
    const seen = this.lastSeen(thread, location)
    return seen < 0 || value[seen] !== value[this.graph.last(location)]
  }

  /**
   * From now on the thread sees nothing older than what there is: a thread that went round a loop for nothing goes on only
   * to see something newer. Executions in which it goes round once more for nothing say nothing that the one without
   * that round does not.
   */
  freshen(thread: number, location: number): void {
    const last = this.graph.last(location)
    const floors = (this.floors[thread] ??= new Map())
    if (floors.get(location) === last) return
    floors.set(location, last)
    this.offered[thread]?.withdraw()
  }

  /** By location: what the thread must see at least, after it went round a loop for nothing. */
  floorsOf(thread: number): ReadonlyMap<number, number> {
    return this.floors[thread] ?? noFloors
  }

  private lastSeen(thread: number, location: number): number {
    const { graph } = this
    const events = graph.eventsOf(thread)
    for (let i = events.length - 1; i >= 0; i--) {
      const event = events[i]
      if (graph.location[event] !== location) continue
      return graph.writes(event) ? event : graph.source[event]
    }
    return -1
  }

  /** How many events of each thread come before the next one of a thread. */
  known(thread: number): Clock {
    return this.knowledge.of(thread)
  }
}
