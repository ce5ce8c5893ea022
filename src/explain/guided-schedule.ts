import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Stretch } from './failure.js'

/**
 * One execution along a wish list of stretches, as far as it goes: a thread that cannot run is passed over and comes
 * later. Where the list has nothing to say, the running thread goes on; an empty list gives the default schedule.
 */
export class GuidedSchedule implements Strategy {
  readonly name = 'guided'
  readonly script = emptyScript
  private readonly queue: { thread: number; values: number[] }[]

  constructor(
    stretches: readonly Stretch[],
    readonly footprints = false,
  ) {
    this.queue = stretches.map((s) => ({ thread: s.thread, values: [...s.values] }))
  }

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    for (let i = 0; i < this.queue.length; i++) {
      const { thread, values } = this.queue[i]
      const first = optionOf(point, thread)
      if (first < 0) continue
      const value = values.shift()!
      if (values.length === 0) this.queue.splice(i, 1)
      const wished = first + value
      return wished < point.count && point.thread[wished] === thread ? wished : first
    }
    return Math.max(point.stay, 0)
  }

  end(): void {}

  save(): Saved {
    return {}
  }
}

/** First option of a thread, or -1. */
export function optionOf(point: ChoicePoint, thread: number): number {
  for (let i = 0; i < point.count; i++) if (point.thread[i] === thread) return i
  return -1
}
