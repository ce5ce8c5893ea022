import { Runner } from '../execution/runner.js'
import { sameBug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { type Failure, failureOf, isSimpler, type Limits } from './failure.js'
import { fewestPreemptions } from './fewest-preemptions.js'
import { GuidedSchedule } from './guided-schedule.js'
import { localMinimum } from './local-minimum.js'

/** How sure it is that fewer preemptions are not enough. */
export type Minimality =
  /** Every schedule with fewer preemptions was explored. */
  | 'proven'
  /** None of its preemptions can be taken away by itself. */
  | 'local'
  /** There was no time to find out. */
  | 'unknown'

export interface Minimised {
  readonly failure: Failure
  readonly minimality: Minimality
  /** The default schedule, in which threads go on as long as they can, shows it as well. */
  readonly isDeterministic: boolean
}

export interface MinimiseLimits {
  /** For making it simpler by small steps. */
  readonly local: Limits
  /** For showing that fewer preemptions do not do. */
  readonly proof: Limits
}

/**
 * The failing schedule with the fewest preemptions, then the fewest switches, that shows the same bug; by running
 * schedules again, within limits, and never worse than the one given. Uses the points that the machine has now.
 */
export function minimise(machine: Machine, given: Failure, limits: MinimiseLimits): Minimised {
  const runner = new Runner(machine, { maxSteps: 2 * given.thread.length + 1000 })
  runner.run(new GuidedSchedule([]))
  const isDeterministic = runner.bug !== null && sameBug(runner.bug, given.bug)
  const first = isDeterministic ? failureOf(runner) : given
  const small = localMinimum(runner, isSimpler(first, given) ? first : given, limits.local)
  if (small.failure.preemptions === 0)
    return { failure: small.failure, minimality: 'proven', isDeterministic }
  const fewest = fewestPreemptions(runner, small.failure, limits.proof)
  const last = fewest.failure ? localMinimum(runner, fewest.failure, limits.local) : small
  const minimality =
    last.failure.preemptions <= fewest.provenLeast ? 'proven' : last.isComplete ? 'local' : 'unknown'
  return { failure: last.failure, minimality, isDeterministic }
}
