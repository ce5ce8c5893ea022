import type { Runner } from '../execution/runner.js'
import { sameBug } from '../machine/bug.js'
import { type Failure, failureOf, isSimpler, type Limits, type Stretch, stretchesOf } from './failure.js'
import { GuidedSchedule } from './guided-schedule.js'

export interface LocalMinimum {
  readonly failure: Failure
  /** Every candidate was tried: no preemption can be taken away by letting its thread go on, or start later. */
  readonly isComplete: boolean
}

/**
 * Fewer preemptions by small steps. Samplers switch threads at every turn; most of that has nothing to do with the
 * bug. For each stretch of a thread that goes on later, the two are tried as one, at the place of either; what still
 * shows the bug and is simpler is kept, until nothing helps any more.
 */
export function localMinimum(runner: Runner, failure: Failure, limits: Limits): LocalMinimum {
  let best = failure
  let left = limits.maxExecutions
  let stretches = stretchesOf(best)
  // Goes round the stretches until one whole round has brought nothing.
  for (let i = 0, idle = 0; idle < stretches.length; i++, idle++) {
    if (best.preemptions === 0 && best.switches === 0) break
    for (const candidate of joined(stretches, i % stretches.length)) {
      if (left-- <= 0 || limits.outOfTime()) return { failure: best, isComplete: false }
      runner.run(new GuidedSchedule(candidate))
      if (runner.bug === null || !sameBug(runner.bug, failure.bug)) continue
      const found = failureOf(runner)
      if (!isSimpler(found, best)) continue
      best = found
      stretches = stretchesOf(best)
      i = Math.max(-1, (i % stretches.length) - 2)
      idle = -1
      break
    }
  }
  return { failure: best, isComplete: true }
}

/**
 * Stretch i and the next one of its thread joined: the later one earlier, then the earlier one later. The last stretch
 * of a thread is left out: it then runs only if nothing else can.
 */
function joined(stretches: readonly Stretch[], i: number): Stretch[][] {
  const { thread, values } = stretches[i]
  const next = stretches.findIndex((s, j) => j > i && s.thread === thread)
  if (next < 0) return [stretches.filter((_, j) => j !== i)]
  const both = { thread, values: [...values, ...stretches[next].values] }
  return [
    stretches.flatMap((s, j) => (j === i ? [both] : j === next ? [] : [s])),
    stretches.flatMap((s, j) => (j === next ? [both] : j === i ? [] : [s])),
  ]
}
