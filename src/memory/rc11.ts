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
  /** Atomic events and fences of the graph, and those of them that are sequentially consistent. */
  private atomics: number[] = []
  private sequential: number[] = []
  /** By event: the search in which it was come to last. */
  private readonly reached: number[] = []
  private readonly base: Marks = { number: 0, of: [] }
  private readonly fenced: Marks = { number: 0, of: [] }
  private search = 0

  constructor(private readonly graph: ExecutionGraph) {}

  /**
   * Whether the graph with `event`, appended with its place in modification order, is allowed. Nothing happens after the event
   * yet, and nobody sees it: so whatever it adds to `psc` leads to it or away from it or, by what happens before it, away from
   * a fence. Without it the graph is allowed: only a cycle through one of these can be new.
   */
  allows(event: number): boolean {
    return /* mutant: psc */ !this.closesCycle(event)
  }

  private closesCycle(event: number): boolean {
    const { graph } = this
    this.list()
    if (isSequential(graph, event) && this.leadsBack(event)) return true
    for (const fence of this.sequential) {
      if (isFence(graph, fence) && graph.happensBefore(fence, event) && this.leadsBack(fence)) return true
    }
    return false
  }

  private list(): void {
    const { graph, atomics, sequential } = this
    atomics.length = sequential.length = 0
    for (let e = 0; e < graph.count; e++) {
      if (graph.thread[e] < 0 || graph.isOut[e]) continue
      if (!graph.isAtomic[e] && !isFence(graph, e)) continue
      atomics.push(e)
      if (isSequential(graph, e)) sequential.push(e)
    }
  }

  /** Whether `psc` leads from an event back to it. */
  private leadsBack(event: number): boolean {
    const search = ++this.search
    const { reached, sequential } = this
    const open = [event]
    for (let a = open.pop(); a !== undefined; a = open.pop()) {
      this.lookFrom(a)
      for (const b of sequential) {
        if (reached[b] === search || !this.leadsTo(a, b)) continue
        if (b === event) return true
        reached[b] = search
        open.push(b)
      }
    }
    return false
  }

  /** Marks what `scb` and, after a fence, `eco` lead to from an event: see `leadsTo`. */
  private lookFrom(a: number): void {
    const { graph, atomics, base, fenced } = this
    base.number++
    fenced.number++
    for (const to of atomics) if (this.scb(a, to)) base.of[to] = base.number
    if (/* mutant: after a fence */ !isFence(graph, a)) return
    for (const from of atomics) {
      if (!graph.happensBefore(a, from)) continue
      for (const to of atomics) {
        if (this.scb(from, to)) base.of[to] = base.number
        if (this.eco(from, to)) fenced.of[to] = fenced.number
      }
    }
  }

  /** Whether `psc` leads to b from the event that was looked from last. */
  private leadsTo(a: number, b: number): boolean {
    const { graph, atomics, base, fenced } = this
    if (base.of[b] === base.number) return true
    if (!isFence(graph, b)) return false
    const fences = /* mutant: fences */ isFence(graph, a)
    if (fences && graph.happensBefore(a, b)) return true
    for (const e of atomics) {
      if (!graph.happensBefore(e, b)) continue
      if (base.of[e] === base.number || (fences && fenced.of[e] === fenced.number)) return true
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

function isFence(graph: ExecutionGraph, event: number): boolean {
  return graph.kind[event] === EventKind.fence
}

function isSequential(graph: ExecutionGraph, event: number): boolean {
  return graph.order[event] === Order.seqCst && (graph.isAtomic[event] || isFence(graph, event))
}
