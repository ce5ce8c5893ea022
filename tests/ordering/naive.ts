import type { LocationTable } from '../../src/machine/names.js'
import { Mode, Op } from '../../src/machine/operation.js'

/** Happens-before as it is defined, without clocks or hashes: every pair is looked at. */

export interface NaiveEvent {
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly aux: number
}

export interface NaiveStep {
  readonly thread: number
  readonly value: number
  readonly events: readonly NaiveEvent[]
}

function meet(locations: LocationTable, a: number, b: number): boolean {
  return a === b || (locations.overlaps[a]?.includes(b) ?? false)
}

/** Both touch the object, and not both only read it or both only count. */
function conflict(locations: LocationTable, a: NaiveEvent, b: NaiveEvent): boolean {
  if (a.mode === Mode.none || b.mode === Mode.none || !meet(locations, a.location, b.location)) return false
  return a.mode === Mode.write || b.mode === Mode.write || a.mode !== b.mode
}

const lets = (event: NaiveEvent, thread: number) =>
  (event.kind === Op.create || event.kind === Op.wake) && event.aux === thread

/** The class of an execution as text: what each thread did, and the order of all that depends on one another. */
export function classText(
  locations: LocationTable,
  steps: readonly NaiveStep[],
  names: readonly string[],
  failed: boolean,
): string {
  const events: (NaiveEvent & { readonly id: string })[] = []
  const counts = new Map<number, number>()
  const threads = new Map<number, string[]>()
  const order: string[] = []
  for (const { thread, value, events: own } of steps) {
    const list = threads.get(thread) ?? []
    threads.set(thread, list)
    if (value > 0) list.push(`takes ${value}`)
    for (const event of own) {
      if (event.kind === Op.probe) continue
      const n = counts.get(thread) ?? 0
      counts.set(thread, n + 1)
      const id = `${names[thread]}#${n}`
      list.push(`${event.kind} ${event.mode} ${event.location}`)
      for (const earlier of events) {
        if (earlier.thread === thread) continue
        if (conflict(locations, earlier, event)) order.push(`${earlier.id} < ${id}`)
        if (event.kind === Op.join && event.aux === earlier.thread) order.push(`${earlier.id} < ${id}`)
        if (lets(earlier, thread)) order.push(`${earlier.id} < ${id}`)
      }
      events.push({ ...event, id })
    }
  }
  if (failed) threads.get(steps[steps.length - 1].thread)?.push('fails')
  const lists = [...threads].map(([t, list]) => `${names[t]}: ${list.join(', ')}`)
  return [...lists.sort(), ...[...new Set(order)].sort()].join('\n')
}

/** `before[a][b]`: transition a happens before the later transition b. */
export function happensBefore(locations: LocationTable, steps: readonly NaiveStep[]): boolean[][] {
  const before = steps.map((a, i) =>
    steps.map(
      (b, j) =>
        i < j &&
        (a.thread === b.thread ||
          a.events.some((x) => lets(x, b.thread)) ||
          b.events.some((y) => y.kind === Op.join && y.aux === a.thread) ||
          a.events.some((x) => b.events.some((y) => conflict(locations, x, y)))),
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
