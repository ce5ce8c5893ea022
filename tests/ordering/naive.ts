import type { LocationTable } from '../../src/machine/names.js'
import { Op } from '../../src/machine/operation.js'
import { type DefinedEvent, type DefinedStep, eventsConflict, lets } from '../../src/ordering/definition.js'

export interface NaiveEvent extends DefinedEvent {
  readonly thread: number
}

export interface NaiveStep extends DefinedStep {
  readonly value: number
  readonly events: readonly NaiveEvent[]
}

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
        if (eventsConflict(locations, earlier, event)) order.push(`${earlier.id} < ${id}`)
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
