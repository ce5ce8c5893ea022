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
  constructor(private readonly graph: ExecutionGraph) {}

  /** Whether the graph with `event`, appended with its place in modification order, is allowed. */
  allows(event: number): boolean {
    return /* mutant: psc */ !this.concerns(event) || isAcyclic(this.psc())
  }

  /** Whether anything that leaves `event` can be part of `psc`. */
  private concerns(event: number): boolean {
    const { graph } = this
    if (isSequential(graph, event)) return true
    for (let f = 0; f < event; f++) {
      if (graph.kind[f] !== EventKind.fence || graph.isOut[f]) continue
      if (isSequential(graph, f) && graph.happensBefore(f, event)) return true
    }
    return false
  }

  /** `psc` as successors of each sequentially consistent event. */
  private psc(): number[][] {
    const { graph } = this
    const atomics: number[] = []
    for (let e = 0; e < graph.count; e++) {
      if (graph.thread[e] < 0 || graph.isOut[e]) continue
      if (graph.isAtomic[e] || graph.kind[e] === EventKind.fence) atomics.push(e)
    }
    const sequential = atomics.filter((e) => isSequential(graph, e))
    const isFence = (e: number) => graph.kind[e] === EventKind.fence
    const follows = (a: number) => atomics.filter((b) => graph.happensBefore(a, b))
    const precedes = (b: number) => atomics.filter((a) => graph.happensBefore(a, b))
    const entries = sequential.map((b) => [b, ...(isFence(b) ? precedes(b) : [])])
    const pasts = entries.map((all) => all.slice(1))
    return sequential.map((a) => {
      const future = /* mutant: after a fence */ isFence(a) ? follows(a) : []
      const byBase = new Set<number>()
      const byFence = new Set<number>()
      for (const from of [a, ...future]) {
        for (const to of atomics) if (this.scb(from, to)) byBase.add(to)
      }
      for (const from of future) for (const to of atomics) if (this.eco(from, to)) byFence.add(to)
      const successors: number[] = []
      sequential.forEach((b, i) => {
        const base = entries[i].some((e) => byBase.has(e))
        const fences = /* mutant: fences */ isFence(a) && isFence(b)
        const fence = fences && (graph.happensBefore(a, b) || pasts[i].some((e) => byFence.has(e)))
        if (base || fence) successors.push(i)
      })
      return successors
    })
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

function isSequential(graph: ExecutionGraph, event: number): boolean {
  return (
    graph.order[event] === Order.seqCst && (graph.isAtomic[event] || graph.kind[event] === EventKind.fence)
  )
}

function isAcyclic(successors: readonly (readonly number[])[]): boolean {
  const state = new Uint8Array(successors.length)
  const leadsToCycle = (node: number): boolean => {
    if (state[node] === 1) return true
    if (state[node] === 2) return false
    state[node] = 1
    const found = successors[node].some(leadsToCycle)
    state[node] = 2
    return found
  }
  return !successors.some((_, node) => leadsToCycle(node))
}
