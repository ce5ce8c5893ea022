import type { Trace } from '../execution/trace.js'
import type { LocationTable } from '../machine/names.js'
import { Mode, Op } from '../machine/operation.js'

/**
 * Happens-before as it is defined, without clocks: every pair is looked at. Slow, and for checking what is fast:
 * `--self-check deep`, and tests.
 */

export interface DefinedEvent {
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly aux: number
}

export interface DefinedStep {
  readonly thread: number
  readonly events: readonly DefinedEvent[]
}

/** The transitions of an execution. */
export function stepsOf(trace: Trace): DefinedStep[] {
  const { kind, mode, location, aux } = trace.events
  return Array.from({ length: trace.length }, (_, d) => {
    const start = trace.eventStart(d)
    return {
      thread: trace.thread[d],
      events: Array.from({ length: trace.eventEnd[d] - start }, (_, k) => ({
        kind: kind[start + k],
        mode: mode[start + k],
        location: location[start + k],
        aux: aux[start + k],
      })),
    }
  })
}

/** Both touch the object, and not both only read it or both only count. */
export function eventsConflict(locations: LocationTable, a: DefinedEvent, b: DefinedEvent): boolean {
  if (a.mode === Mode.none || b.mode === Mode.none) return false
  const meet = a.location === b.location || (locations.overlaps[a.location]?.includes(b.location) ?? false)
  return meet && (a.mode === Mode.write || b.mode === Mode.write || a.mode !== b.mode)
}

export function stepsConflict(locations: LocationTable, a: DefinedStep, b: DefinedStep): boolean {
  return a.events.some((x) => b.events.some((y) => eventsConflict(locations, x, y)))
}

/** Whether an event is what lets a thread begin or go on. */
export function lets(event: DefinedEvent, thread: number): boolean {
  return (event.kind === Op.create || event.kind === Op.wake) && event.aux === thread
}

/** `before[a][b]`: transition a happens before the later transition b. */
export function happensBefore(locations: LocationTable, steps: readonly DefinedStep[]): boolean[][] {
  const before = steps.map((a, i) =>
    steps.map(
      (b, j) =>
        i < j &&
        (a.thread === b.thread ||
          a.events.some((x) => lets(x, b.thread)) ||
          b.events.some((y) => y.kind === Op.join && y.aux === a.thread) ||
          stepsConflict(locations, a, b)),
    ),
  )
  for (let middle = 0; middle < steps.length; middle++) {
    for (let a = 0; a < middle; a++) {
      if (!before[a][middle]) continue
      for (let b = middle + 1; b < steps.length; b++) before[a][b] ||= before[middle][b]
    }
  }
  return before
}
