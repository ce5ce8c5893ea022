import type { Clock } from './clocks.js'
import type { ExecutionGraph } from './graph.js'

const NONE = -1

/** An atomic access that nothing orders before the next event of a thread that knows so much, a plain access to the same location; or -1. */
export function unorderedWith(
  graph: ExecutionGraph,
  thread: number,
  known: Clock,
  location: number,
  writes: boolean,
): number {
  const order = graph.modificationOrder[location]
  for (let i = 0; i < order.length; i++) {
    const write = order[i]
    if (isUnordered(graph, write, thread, known)) return write
    for (const reader of graph.readers[write]) {
      if ((writes || graph.writes(reader)) && isUnordered(graph, reader, thread, known)) return reader
    }
  }
  return NONE
}

/**
 * An access that races with `event`, which was just done: one of them writes, one is not atomic, nothing orders them; -1 if
 * there is none.
 */
export function raceWith(graph: ExecutionGraph, event: number): number {
  const order = graph.modificationOrder[graph.location[event]]
  for (let i = 0; i < order.length; i++) {
    const write = order[i]
    if (races(graph, write, event)) return write
    const readers = graph.readers[write]
    for (let k = 0; k < readers.length; k++) if (races(graph, readers[k], event)) return readers[k]
  }
  return NONE
}

function races(graph: ExecutionGraph, other: number, event: number): boolean {
  if (graph.isAtomic[other] && graph.isAtomic[event]) return false
  if (!graph.writes(other) && !graph.writes(event)) return false
  return isUnordered(graph, other, graph.thread[event], graph.clock[event])
}

/** Whether an event is one of another thread, and not among those known. */
function isUnordered(graph: ExecutionGraph, event: number, thread: number, known: Clock): boolean {
  const by = graph.thread[event]
  return by >= 0 && by !== thread && (known[by] ?? 0) < graph.rank[event]
}
