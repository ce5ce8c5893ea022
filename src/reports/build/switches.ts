import type { RecordedTransition, Recording } from '../../explain/recording.js'
import type { Machine } from '../../machine/machine.js'
import { announcedMode, operations } from '../../machine/operation.js'
import { dependent } from '../../ordering/dependence.js'
import type { Switch } from '../report.js'
import { briefObject } from './interleaving.js'

/** How far a conflict with what a preempted thread does next is looked for. */
const mostEvents = 5000

/** Says why threads changed. */
export class Switches {
  /** Events by thread, in order. */
  private readonly eventsOf = new Map<number, number[]>()

  constructor(
    private readonly machine: Machine,
    private readonly recording: Recording,
    /** Step of each event, -1 for those that are not shown. */
    private readonly stepOf: Int32Array,
    private readonly nameOf: (thread: number) => string,
  ) {
    recording.events.forEach(({ thread }, i) => {
      const events = this.eventsOf.get(thread)
      if (events) events.push(i)
      else this.eventsOf.set(thread, [i])
    })
  }

  /** Why `thread` runs, in a transition that begins with `event` or later, and not the one that ran before. */
  before(transition: number, thread: number, event: number): Switch | null {
    const { transitions } = this.recording
    let first = transition
    while (first > 0 && transitions[first - 1].thread === thread) first--
    const left = transitions[first - 1]
    if (left === undefined) return null
    const isPreemption = transitions[first]?.isPreemption === true
    return {
      reason: `${this.nameOf(left.thread)} ${stopText(left, isPreemption)}`,
      isPreemption,
      ...(isPreemption
        ? this.pointOf(left.thread, transitions[first].firstEvent, event)
        : { point: null, next: null, conflict: null }),
    }
  }

  /** The point at which a thread was left when `switchedAt` was the next event of all. */
  private pointOf(
    thread: number,
    switchedAt: number,
    event: number,
  ): Pick<Switch, 'point' | 'next' | 'conflict'> {
    const own = this.eventsOf.get(thread) ?? []
    const at = lowerBound(own, switchedAt)
    const last = this.recording.events[own[at - 1]]
    const next = this.nextOf(thread, own, at)
    if (next === null) return { point: 'yield', next: null, conflict: null }
    const { point: kind, name } = operations[next.kind]
    const isAfterUnlock = last !== undefined && operations[last.kind].point === 'unlock' && kind === 'access'
    return {
      point: kind === 'none' ? 'yield' : isAfterUnlock ? 'unlock' : kind,
      next: [name, briefObject(next.object, name)].filter(Boolean).join(' '),
      conflict: this.conflictOf(next, event),
    }
  }

  /** What a thread does next, or would have done when the execution ended. */
  private nextOf(thread: number, own: readonly number[], from: number): NextOperation | null {
    const { events, ends } = this.recording
    for (let at = from; at < own.length; at++) {
      if (this.stepOf[own[at]] >= 0) return { ...events[own[at]], event: own[at] }
    }
    const end = ends.get(thread)
    return end ? { ...end, thread, mode: announcedMode[end.kind], event: events.length } : null
  }

  private conflictOf({ location, mode, thread, event }: NextOperation, from: number): number | null {
    const { locations } = this.machine
    const { events } = this.recording
    if (location < 0) return null
    for (let i = from; i < Math.min(event, from + mostEvents); i++) {
      const other = events[i]
      if (other.thread === thread || other.location < 0 || this.stepOf[i] < 0) continue
      if (dependent(locations, other.location, other.mode, location, mode)) return this.stepOf[i]
    }
    return null
  }
}

interface NextOperation {
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly object: string
  /** Its place in the execution; after all others if it did not happen. */
  readonly event: number
}

function stopText({ stop }: RecordedTransition, isPreemption: boolean): string {
  if (isPreemption) return 'is preempted'
  switch (stop.kind) {
    case 'blocked':
      return `waits for ${stop.on}`
    case 'ended':
      return 'has ended'
    case 'yielded':
      return 'gives way'
    default:
      return 'stops'
  }
}

/** Index of the first number that is not less, in a list in ascending order. */
function lowerBound(list: readonly number[], least: number): number {
  let low = 0
  let high = list.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (list[middle] < least) low = middle + 1
    else high = middle
  }
  return low
}
