import { DivergenceError } from '../execution/runner.js'
import {
  checkScheduleFits,
  describeStep,
  optionNames,
  type Schedule,
  stepText,
} from '../execution/schedule.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'

/**
 * One execution under a recorded schedule. A step that does not fit (the thread cannot run, or is about to do
 * something else than recorded, or the program has ended) is a divergence that names the step, what was expected and what was found.
 */
class Replay implements Strategy {
  readonly name = 'replay'
  readonly footprints = true
  readonly script = emptyScript
  usedUp: Error | null = null
  private done = false

  constructor(private readonly schedule: Schedule) {}

  begin(): boolean {
    if (this.done) return false
    this.done = true
    return true
  }

  choose(point: ChoicePoint): number {
    const expected = this.schedule.steps[point.depth]
    if (!expected) {
      this.usedUp = new DivergenceError(point.depth, 'the program to end', optionNames(point))
      return -1
    }
    for (let i = 0; i < point.count; i++) {
      const found = describeStep(point.machine, point, i)
      if (found.thread !== expected.thread || found.value !== expected.value) continue
      if (found.operation !== expected.operation || found.site !== expected.site) break
      return i
    }
    throw new DivergenceError(point.depth, stepText(expected), optionNames(point))
  }

  end(trace: Trace, status: Status): void {
    const next = this.schedule.steps[trace.length]
    if (next === undefined || status === 'cut') return
    const found = status === 'failed' ? 'a failure' : 'the end of the program'
    throw new DivergenceError(trace.length, stepText(next), found)
  }

  save(): Saved {
    return { done: this.done }
  }
}

export function replay(schedule: Schedule, machine: Machine): Strategy {
  checkScheduleFits(schedule, machine)
  machine.usePoints(schedule.points)
  return new Replay(schedule)
}
