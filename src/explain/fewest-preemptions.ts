import type { Runner } from '../execution/runner.js'
import { sameBug } from '../machine/bug.js'
import { createStrategy } from '../strategies/index.js'
import { boundedSearch } from '../strategies/memory-models.js'
import { type Failure, failureOf, type Limits } from './failure.js'

export interface FewestPreemptions {
  /** One with fewer preemptions, if there is. */
  readonly failure: Failure | null
  /** Preemptions that no failing schedule undercuts: all with fewer were explored. */
  readonly provenLeast: number
}

/**
 * Looks through all schedules with fewer preemptions, those with none first. The first that fails is then one with
 * the fewest there are; if all were explored and none fails, so is the one we have.
 */
export function fewestPreemptions(runner: Runner, failure: Failure, limits: Limits): FewestPreemptions {
  const bound = failure.preemptions - 1
  if (bound < 0) return { failure: null, provenLeast: 0 }
  const search = createStrategy(boundedSearch(runner.machine), { machine: runner.machine, seed: 1, bound })
  let isWhole = true
  const proven = () => (isWhole ? Math.min((search.completedBound ?? -1) + 1, failure.preemptions) : 0)
  for (let left = limits.maxExecutions; left > 0 && !limits.outOfTime(); left--) {
    if (!runner.run(search)) return { failure: null, provenLeast: proven() }
    if (runner.status === 'cut') isWhole = false
    if (runner.bug !== null && sameBug(runner.bug, failure.bug)) {
      return { failure: failureOf(runner), provenLeast: Math.min(proven(), runner.trace.preemptions) }
    }
  }
  return { failure: null, provenLeast: proven() }
}
