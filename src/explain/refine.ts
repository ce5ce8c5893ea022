import { Runner } from '../execution/runner.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { sameBug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { finest, isEverywhere } from '../machine/points.js'
import { type Failure, failureOf, stretchesOf } from './failure.js'
import { GuidedSchedule, optionOf } from './guided-schedule.js'

/** What a thread does before another one comes: so many events, counted from its beginning. */
interface FineStretch {
  readonly thread: number
  readonly until: number
}

/**
 * The same interleaving with a point before every operation: what each thread did at one go is then seen step by step.
 * Leaves the machine with those points. Null if that shows something else (and the coarse failure has to do).
 */
export function refine(machine: Machine, failure: Failure): Failure | null {
  if (isEverywhere(machine.points)) return failure
  const coarse = new Runner(machine, { maxSteps: failure.thread.length + 1 })
  const values = new Map<number, number[]>()
  const guide = new GuidedSchedule(stretchesOf(failure), true)
  const choose = guide.choose.bind(guide)
  guide.choose = (point) => {
    const option = choose(point)
    const thread = point.thread[option]
    if (hasAlternatives(point, thread))
      values.set(thread, [...(values.get(thread) ?? []), point.value[option]])
    return option
  }
  coarse.run(guide)
  const { trace } = coarse
  const stretches: FineStretch[] = []
  const done = new Map<number, number>()
  for (let i = 0; i < trace.length; i++) {
    const thread = trace.thread[i]
    const until =
      (done.get(thread) ?? 0) + countEvents(trace.events.kind, trace.eventStart(i), trace.eventEnd[i])
    done.set(thread, until)
    if (stretches.at(-1)?.thread === thread) stretches.pop()
    stretches.push({ thread, until })
  }
  machine.usePoints(finest(machine.points))
  const fine = new Runner(machine, { maxSteps: 10 * trace.events.count + 1000 })
  fine.run(new FineGuide(stretches, values))
  return fine.bug !== null && sameBug(fine.bug, failure.bug) ? failureOf(fine) : null
}

function hasAlternatives(point: ChoicePoint, thread: number): boolean {
  const first = optionOf(point, thread)
  return first + 1 < point.count && point.thread[first + 1] === thread
}

/** A `probe` tells only why a transition ended where there was no point. */
function countEvents(kinds: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (kinds[i] !== Op.probe) count++
  return count
}

class FineGuide implements Strategy {
  readonly name = 'fine guide'
  readonly footprints = true
  readonly script = emptyScript
  private at = 0
  private counted = 0
  private readonly done = new Map<number, number>()

  constructor(
    private readonly stretches: readonly FineStretch[],
    /** By thread: what was taken where there were alternatives, in order. */
    private readonly values: ReadonlyMap<number, number[]>,
  ) {}

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    const { trace } = point
    for (; this.counted < trace.length; this.counted++) {
      const thread = trace.thread[this.counted]
      const events = countEvents(
        trace.events.kind,
        trace.eventStart(this.counted),
        trace.eventEnd[this.counted],
      )
      this.done.set(thread, (this.done.get(thread) ?? 0) + events)
    }
    for (; this.at < this.stretches.length; this.at++) {
      const { thread, until } = this.stretches[this.at]
      // The last stretch goes on to the failure.
      if (this.at + 1 < this.stretches.length && (this.done.get(thread) ?? 0) >= until) continue
      const option = optionOf(point, thread)
      if (option < 0) continue
      const value = hasAlternatives(point, thread) ? (this.values.get(thread)?.shift() ?? 0) : 0
      return point.thread[option + value] === thread && option + value < point.count ? option + value : option
    }
    return Math.max(point.stay, 0)
  }

  end(): void {}

  save(): Saved {
    return {}
  }
}
