import type { EventFinder, NamedEvent } from './named-events.js'
import { isAcquire } from './named-events.js'

/** One thread of a deadlock: what it waits for, and where it took what the one before it in the circle waits for. */
export interface LockCycleLink {
  readonly waits: NamedEvent
  /** Null when it holds nothing that was seen to be taken: a thread waited for to end. */
  readonly took: NamedEvent | null
}

export type LockCycle = readonly LockCycleLink[]

/** The circle of a deadlock, each thread waiting for the next; undefined if there is none. */
export function lockCycle(finder: EventFinder): LockCycle | undefined {
  const cycle = finder.recording.bug?.cycle
  if (cycle === undefined) return undefined
  const waiting = cycle.map((thread) => finder.pendingOf(thread))
  if (waiting.some((w) => w === null)) return undefined
  return cycle.map((thread, i) => {
    const wanted = waiting[(i + cycle.length - 1) % cycle.length]!.location
    const took = finder.events.findLast(
      (e) => e.thread === thread && e.location === wanted && wanted >= 0 && isAcquire(e.kind),
    )
    return { waits: waiting[i]!, took: took ?? null }
  })
}
