import type { Trace } from '../execution/trace.js'
import { Op } from '../machine/operation.js'

/**
 * Which events belong to a round of a waiting loop that changed nothing. Such a round might as well not have been: what
 * it read before a write is no other order of the two, only the loop that waits for it.
 */
export function idleAccesses(trace: Trace): (event: number) => boolean {
  const { events } = trace
  const idle = new Set<number>()
  for (let d = 0; d < trace.length; d++) {
    const thread = trace.thread[d]
    let from = -1
    const start = trace.eventStart(d)
    for (let i = start; i < trace.eventEnd[d] && events.kind[i] === Op.resume; i++) from = events.aux[i]
    if (from >= 0) markOwn(trace, thread, from, start, idle)
  }
  return (event) => idle.has(event)
}

/** The events of a thread from one index up to, not including, another. */
function markOwn(trace: Trace, thread: number, from: number, to: number, idle: Set<number>): void {
  let d = trace.length - 1
  while (d > 0 && trace.eventStart(d) >= to) d--
  for (; d >= 0 && trace.eventEnd[d] > from; d--) {
    if (trace.thread[d] !== thread) continue
    for (let i = Math.max(from, trace.eventStart(d)); i < Math.min(to, trace.eventEnd[d]); i++) idle.add(i)
  }
}
