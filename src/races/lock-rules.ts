import type { Trace } from '../execution/trace.js'
import { Mode, operations } from '../machine/operation.js'

export const TAKES = 1
export const GIVES = 2
export const SHARED = 4

/** What an operation does to the locks its thread holds, by kind: bits. Only if it changed its object. */
export const lockRule = Uint8Array.from(
  operations,
  ({ locks, shared }) =>
    (locks === 'takes' ? TAKES : 0) | (locks === 'gives' ? GIVES : 0) | (locks && shared ? SHARED : 0),
)

export interface HeldLock {
  readonly location: number
  readonly shared: boolean
  /** Index of the event that took it. */
  readonly takenAt: number
}

/** The locks that a thread held just before an event, in the order taken. For reports. */
export function locksHeldBefore(trace: Trace, event: number, thread: number): HeldLock[] {
  const { events } = trace
  const held: HeldLock[] = []
  for (let d = 0; d < trace.length && trace.eventStart(d) < event; d++) {
    if (trace.thread[d] !== thread) continue
    for (let i = trace.eventStart(d); i < Math.min(trace.eventEnd[d], event); i++) {
      const rule = lockRule[events.kind[i]]
      if (rule === 0 || events.mode[i] === Mode.read) continue
      const location = events.location[i]
      const shared = (rule & SHARED) !== 0
      if ((rule & TAKES) !== 0) held.push({ location, shared, takenAt: i })
      else {
        const at = held.findLastIndex((lock) => lock.location === location && lock.shared === shared)
        if (at >= 0) held.splice(at, 1)
      }
    }
  }
  return held
}
