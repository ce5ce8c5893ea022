import { Order } from '../machine/events.js'
import { EventKind, type ExecutionGraph } from './graph.js'

/**
 * The condition of RC11 on sequentially consistent atomics and fences: `psc` has no cycle (Lahav et al., PLDI 2017,
 * section 3.1). Coherence and atomicity are seen to before, by which writes are offered; that program order and
 * reads-from have no cycle follows from events being added in that order. Relations are the paper's, by name; an update
 * is one event here and two there, which makes no difference: what leaves its read part also leaves its write part, by
 * modification order.
 *
 * Endpoints of `scb` are atomic: without data races, all orders that others make are part of happens-before.
 */
export class SequentialOrder {
  /** Atomic events and fences of the graph, and those of them that are sequentially consistent; of as many events as were there. */
  private readonly atomics: number[] = []
  private readonly sequential: number[] = []
  /** The sequentially consistent events from which `psc` leads through the new event: fences before it, and itself. */
  private readonly entries: number[] = []
  private readonly open: number[] = []
  /** By event: the search in which it was come to last. */
  private readonly reached: number[] = []
  private readonly base: Marks = { number: 0, of: [] }
  private readonly fenced: Marks = { number: 0, of: [] }
  private search = 0

  constructor(private readonly graph: ExecutionGraph) {}

  /**
   * Whether the graph with `event`, appended with its place in modification order after `write`, is allowed. Nothing happens
   * after the event yet, and nobody sees it: so what it adds to `psc` leads to it; or away from it, or from a fence that
   * happens before it, and then by modification order, or reads-before, to one of the writes that come after `write`. Without it the
   * graph is allowed: only a cycle that leaves by one of these can be new.
   */
  allows(event: number, write: number): boolean {
    return /* mutant: psc */ !this.closesCycle(event, write)
  }

  private closesCycle(event: number, write: number): boolean {
    const { graph, entries, sequential } = this
    this.list()
    entries.length = 0
    for (const s of sequential) {
      if (s === event || (isFence(graph, s) && !graph.isOut[s] && graph.happensBefore(s, event)))
        entries.push(s)
    }
    if (entries.length === 0) return false
    this.lookThrough(event, write)
    const search = ++this.search
    for (const b of sequential) if (!graph.isOut[b] && this.isMarked(b, false)) this.reach(b)
    if (this.reaches(entries)) return true
    if (entries.length === 1 && entries[0] === event) return false
    // From fences more is to be reached. The event itself leads nowhere that was not looked at.
    this.lookThrough(event, write)
    for (const b of sequential)
      if (this.reached[b] !== search && !graph.isOut[b] && this.isMarked(b, true)) this.reach(b)
    return this.reaches(entries.filter((s) => s !== event))
  }

  /** Brings the lists up to the events that there are: only what was added since some were taken back need be looked at. */
  private list(): void {
    const { graph, atomics, sequential } = this
    const from = graph.takeOldest()
    shorten(atomics, from)
    shorten(sequential, from)
    for (let e = from; e < graph.count; e++) {
      if (graph.thread[e] < 0 || (!graph.isAtomic[e] && !isFence(graph, e))) continue
      atomics.push(e)
      if (isSequential(graph, e)) sequential.push(e)
    }
  }

  private reach(event: number): void {
    this.reached[event] = this.search
    this.open.push(event)
  }

  /** Whether `psc` leads to one of these from those that were reached. */
  private reaches(targets: readonly number[]): boolean {
    const { graph, reached, sequential, open, search } = this
    const isThere = () => targets.some((s) => reached[s] === search)
    for (let a = open.pop(); a !== undefined; a = open.pop()) {
      if (isThere()) break
      this.lookFrom(a)
      for (const b of sequential)
        if (reached[b] !== search && !graph.isOut[b] && this.leadsTo(a, b)) this.reach(b)
    }
    open.length = 0
    return isThere()
  }

  /** Marks what `scb` and `eco` lead to from a new event. */
  private lookThrough(event: number, write: number): void {
    const { graph, base, fenced } = this
    base.number++
    fenced.number++
    const order = graph.modificationOrder[graph.location[write]]
    for (let i = graph.position[write] + 1; i < order.length; i++) {
      const later = order[i]
      if (graph.isAtomic[later] && this.scb(event, later)) base.of[later] = base.number
      fenced.of[later] = fenced.number
      for (const reader of graph.readers[later]) fenced.of[reader] = fenced.number
    }
  }

  /** Marks what `scb` and, after a fence, `eco` lead to from an event: see `leadsTo`. */
  private lookFrom(a: number): void {
    const { graph, atomics, base, fenced } = this
    base.number++
    fenced.number++
    for (const to of atomics) if (!graph.isOut[to] && this.scb(a, to)) base.of[to] = base.number
    if (/* mutant: after a fence */ !isFence(graph, a)) return
    for (const from of atomics) {
      if (graph.isOut[from] || !graph.happensBefore(a, from)) continue
      for (const to of atomics) {
        if (graph.isOut[to]) continue
        if (this.scb(from, to)) base.of[to] = base.number
        if (this.eco(from, to)) fenced.of[to] = fenced.number
      }
    }
  }

  /** Whether `psc` leads to b from the event that was looked from last. */
  private leadsTo(a: number, b: number): boolean {
    const { graph } = this
    const fences = /* mutant: fences */ isFence(graph, a)
    return (fences && isFence(graph, b) && graph.happensBefore(a, b)) || this.isMarked(b, fences)
  }

  /** Whether b is, or as a fence comes after, what is marked; from fences, as led to by `eco` too. */
  private isMarked(b: number, fences: boolean): boolean {
    const { graph, atomics, base, fenced } = this
    if (base.of[b] === base.number) return true
    if (!isFence(graph, b)) return false
    for (const e of atomics) {
      if (base.of[e] !== base.number && !(fences && fenced.of[e] === fenced.number)) continue
      if (!graph.isOut[e] && graph.happensBefore(e, b)) return true
    }
    return false
  }

  private scb(a: number, b: number): boolean {
    const { graph } = this
    if (a === b) return false
    const sameThread = graph.thread[a] === graph.thread[b]
    if (sameThread && graph.rank[a] < graph.rank[b]) return true
    const sameLocation = graph.location[a] >= 0 && graph.location[a] === graph.location[b]
    if (sameLocation && graph.happensBefore(a, b)) return true
    if (/* mutant: order of writes */ this.mo(a, b) || /* mutant: reads before writes */ this.fr(a, b))
      return true
    if (sameThread || !graph.happensBefore(a, b)) return false
    const first = this.firstElsewhere(a)
    const last = this.lastElsewhere(b)
    return /* mutant: hb */ first >= 0 && last >= 0 && graph.happensBefore(first, last)
  }

  /** The next event of the thread that is not on the same location: others happen before no more than it does. */
  private firstElsewhere(a: number): number {
    const { graph } = this
    const events = graph.eventsOf(graph.thread[a])
    for (let i = graph.rank[a]; i < events.length; i++) if (this.isElsewhere(events[i], a)) return events[i]
    return -1
  }

  private lastElsewhere(b: number): number {
    const { graph } = this
    const events = graph.eventsOf(graph.thread[b])
    for (let i = graph.rank[b] - 2; i >= 0; i--) if (this.isElsewhere(events[i], b)) return events[i]
    return -1
  }

  private isElsewhere(a: number, b: number): boolean {
    const { location } = this.graph
    return location[a] < 0 || location[a] !== location[b]
  }

  private eco(a: number, b: number): boolean {
    const { graph } = this
    if (a === b || graph.location[a] < 0 || graph.location[a] !== graph.location[b]) return false
    if (this.mo(a, b) || this.fr(a, b)) return true
    if (!graph.reads(b)) return false
    const seen = graph.source[b]
    return a === seen || this.mo(a, seen) || this.fr(a, seen)
  }

  private mo(a: number, b: number): boolean {
    const { graph } = this
    return (
      graph.location[a] === graph.location[b] &&
      graph.writes(a) &&
      graph.writes(b) &&
      graph.position[a] < graph.position[b]
    )
  }

  /** Reads before: what it saw is older. */
  private fr(a: number, b: number): boolean {
    const { graph } = this
    return a !== b && graph.reads(a) && this.mo(graph.source[a], b)
  }
}

/** By event: its mark holds if it is this number. */
interface Marks {
  number: number
  readonly of: number[]
}

/** Leaves out those from an event on; they are in order. */
function shorten(list: number[], from: number): void {
  while (list.length > 0 && list[list.length - 1] >= from) list.pop()
}

function isFence(graph: ExecutionGraph, event: number): boolean {
  return graph.kind[event] === EventKind.fence
}

function isSequential(graph: ExecutionGraph, event: number): boolean {
  return graph.order[event] === Order.seqCst && (graph.isAtomic[event] || isFence(graph, event))
}
