import type { Machine } from '../machine/machine.js'
import { Mode, Op } from '../machine/operation.js'
import { locationsMeet } from '../ordering/dependence.js'
import type { Failure, Limits } from './failure.js'
import { Neighbours } from './flips.js'
import type { EventFinder, NamedEvent } from './named-events.js'

/** A transaction whose abort matters: had it started, and all else been as it was, the execution would have passed. */
export interface DecisiveAbort {
  readonly begin: NamedEvent
  /** What it was in conflict with, where that is why it aborted. */
  readonly met: NamedEvent | null
}

/** Of the transactions that aborted at once, those that made the difference. */
export function decisiveAborts(
  machine: Machine,
  failure: Failure,
  finder: EventFinder,
  limits: Limits,
): DecisiveAbort[] {
  const { events } = finder.recording
  const begins = finder.events.filter(
    ({ kind, position }) => kind === Op.txBegin && failure.value[events[position].transition] > 0,
  )
  if (begins.length === 0) return []
  const near = new Neighbours(machine, failure, limits)
  const decisive = begins.filter(
    ({ position }) =>
      !near.isSpent && near.chooseOther(failure, events[position].transition, 0).outcome === 'passes',
  )
  return decisive.map((begin) => ({ begin, met: metBy(machine, begin, finder) }))
}

/** The last access of another thread to what the transaction was watching for conflicts. */
function metBy(machine: Machine, begin: NamedEvent, finder: EventFinder): NamedEvent | null {
  const { events } = finder.recording
  const { transition, thread } = events[begin.position]
  const watched = events.filter((e) => e.transition === transition && e.kind === Op.txWatch)
  const meets = (e: NamedEvent) =>
    watched.some(
      (own) =>
        locationsMeet(machine.locations, own.location, e.location) &&
        (own.mode !== Mode.read || e.mode !== Mode.read),
    )
  return (
    finder.events.findLast(
      (e) => e.position < begin.position && e.thread !== thread && e.location >= 0 && !e.isSilent && meets(e),
    ) ?? null
  )
}
