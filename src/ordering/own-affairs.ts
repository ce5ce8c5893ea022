import type { Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import { Mode, Op } from '../machine/operation.js'
import type { LastTouches } from './last-touches.js'

/**
 * Tells what is a thread's own affair: transitions that touch only what no other thread has touched in any execution so
 * far. They race with nothing, and nothing that was planned depends on them.
 */
export class OwnAffairs {
  /** Tails (`Trace.tail`) that were found to be, and what that rests on. */
  private readonly tails = new Set<number>()
  private sharings = 0
  private overlaps = 0

  constructor(
    private readonly machine: Machine,
    private readonly last: LastTouches,
  ) {}

  /** Whether all that the thread did from transition `from` of the trace on is; none of it has been noted. */
  has(trace: Trace, from: number, thread: number): boolean {
    const { machine, tails, last } = this
    if (trace.tail < 0 || trace.tailStart !== from) return this.touchesOwn(trace, from, thread)
    const { overlapping } = machine.locations
    if (last.sharings !== this.sharings || overlapping.length !== this.overlaps) {
      tails.clear()
      this.sharings = last.sharings
      this.overlaps = overlapping.length
    }
    if (tails.has(trace.tail)) return true
    const isOwn = this.touchesOwn(trace, from, thread)
    if (isOwn) tails.add(trace.tail)
    return isOwn
  }

  private touchesOwn(trace: Trace, from: number, thread: number): boolean {
    const { anyOverlap, overlaps } = this.machine.locations
    const { toucher, locations } = this.last
    const { kind, mode, location } = trace.events
    const hasLong = this.machine.longAccesses?.seen === true
    const end = trace.eventEnd[trace.length - 1]
    for (let i = trace.eventStart(from); i < end; i++) {
      if (mode[i] === Mode.none) continue
      // What an invariant looks at is its affair too: it would look between the words of a long access.
      if (hasLong && kind[i] === Op.watch) return false
      const place = location[i]
      if (place >= locations || /* mutant: own affair */ toucher[place] !== thread + 1) return false
      if (anyOverlap && overlaps[place] !== null) return false
    }
    return true
  }
}
