import { Order } from '../machine/events.js'
import type { MemoryModel } from '../machine/platform.js'
import { EventKind, type ExecutionGraph } from './graph.js'

/**
 * Models with one order of all that reaches memory: sequential consistency, total store order (x86) and partial store
 * order (SPARC). An execution is allowed if what threads keep in order, together with who reads from whom in another
 * thread, modification order, and reads before the writes that replace what they saw, has no cycle (Alglave, Maranget,
 * Tautschnig, "Herding Cats", TOPLAS 36(2), 2014, doi:10.1145/2627752; that it is what store buffers do: Owens, Sarkar,
 * Sewell, "A better x86 memory model: x86-TSO", TPHOLs 2009, doi:10.1007/978-3-642-03359-9_27).
 *
 * Orders of C are what compilers make of them: a sequentially consistent store is followed by a full fence, a
 * sequentially consistent fence is one, updates and synchronisation are full fences on both sides. Under PSO, release
 * stores and release fences keep earlier stores before later ones (`stbar`). Everything else is a plain access.
 *
 * All events of a transaction are at one place of that order (Chong, Sorensen, Wickerson, "The semantics of transactions and
 * weak memory in x86, Power, ARM, and C++", PLDI 2018, doi:10.1145/3192366.3192373: strong isolation).
 */
export class StoreOrder {
  private readonly visited: number[] = []
  private visit = 0
  private readonly stack: number[] = []

  constructor(
    private readonly graph: ExecutionGraph,
    private readonly model: MemoryModel,
  ) {}

  /**
   * Whether `event`, appended and the last of its thread, may come before the write `next`: as a write in modification
   * order, as a read by what it saw. Nothing else comes after it, so a cycle would lead from `next` into its past.
   */
  allows(event: number, next: number): boolean {
    const { graph, visited, stack } = this
    const thread = graph.thread[event]
    this.visit++
    stack.length = 0
    stack.push(next)
    for (let a = stack.pop(); a !== undefined; a = stack.pop()) {
      if (visited[a] === this.visit || graph.isOut[a]) continue
      visited[a] = this.visit
      if (graph.thread[a] === thread && this.keeps(a, event)) return false
      if (graph.thread[a] >= 0) {
        const events = graph.eventsOf(graph.thread[a])
        for (let i = graph.rank[a]; i < events.length; i++)
          if (this.keeps(a, events[i])) stack.push(events[i])
      }
      if (graph.writes(a)) {
        for (const reader of graph.readers[a]) {
          // mutant: readers elsewhere
          if (graph.thread[reader] !== graph.thread[a]) stack.push(reader)
        }
        this.push(graph.next(a))
      } else if (graph.reads(a)) /* mutant: what replaced it */ this.push(graph.next(graph.source[a]))
      for (const later of graph.after[a]) stack.push(later)
      if (graph.transaction[a] > 0)
        for (const other of graph.transactions[graph.transaction[a]]) stack.push(other)
    }
    return true
  }

  private push(event: number): void {
    if (event >= 0) this.stack.push(event)
  }

  /** Whether a thread's event stays before a later one of the same thread. */
  private keeps(a: number, b: number): boolean {
    const { graph, model } = this
    if (model === 'sc' || this.isFullFence(a) || this.isFullFence(b)) return true
    if (graph.kind[a] === EventKind.fence || graph.kind[b] === EventKind.fence) return false
    if (!graph.writes(a)) return /* mutant: loads in order */ true
    // mutant: seq_cst store
    if (graph.isAtomic[a] && graph.order[a] === Order.seqCst) return true
    if (!graph.writes(b)) return /* mutant: store and load */ false
    return (
      /* mutant: stores in order */ model === 'tso' ||
      isRelease(graph, b) ||
      graph.storeFences[b] > graph.storeFences[a]
    )
  }

  private isFullFence(event: number): boolean {
    const { graph } = this
    switch (/* mutant: kind of fence */ graph.kind[event]) {
      case EventKind.sync:
      case EventKind.update:
      case EventKind.failedUpdate:
        return true
      case EventKind.fence:
        return /* mutant: full fence */ graph.order[event] === Order.seqCst
      default:
        return false
    }
  }
}

function isRelease(graph: ExecutionGraph, event: number): boolean {
  const order = graph.order[event]
  return (
    graph.isAtomic[event] && (order === Order.release || order === Order.acqRel || order === Order.seqCst)
  )
}
