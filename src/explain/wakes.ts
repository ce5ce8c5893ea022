import type { Machine } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import type { Failure, Limits } from './failure.js'
import { Neighbours } from './flips.js'
import type { EventFinder, NamedEvent } from './named-events.js'

/** A signal that woke one of several threads: had it woken another, and all else been as it was, no deadlock. */
export interface DecisiveWake {
  readonly signal: NamedEvent
  readonly woken: number
}

/** The last such signal before a deadlock: mostly it woke a thread that had no use for it. */
export function decisiveWake(
  machine: Machine,
  failure: Failure,
  finder: EventFinder,
  alternatives: (transition: number) => number,
  limits: Limits,
): DecisiveWake | null {
  if (failure.bug.kind !== 'deadlock') return null
  const { events } = finder.recording
  const near = new Neighbours(machine, failure, limits)
  for (const signal of finder.events.toReversed()) {
    const { transition } = events[signal.position]
    const count = signal.kind === Op.condSignal ? alternatives(transition) : 1
    for (let other = 0; other < count && !near.isSpent; other++) {
      if (other === failure.value[transition]) continue
      if (near.chooseOther(failure, transition, other).outcome !== 'passes') continue
      const wake = events.find((e) => e.transition === transition && e.kind === Op.wake)
      return wake === undefined ? null : { signal, woken: wake.other }
    }
  }
  return null
}
