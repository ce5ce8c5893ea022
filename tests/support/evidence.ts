import { everywhere } from '../../src/machine/points.js'
import { type Counters, noCounters } from '../../src/runs/counters.js'
import type { Evidence, Extent } from '../../src/runs/evidence.js'

/** What a run with one search has shown, on which points the goal is. */
export type OneSearch = Extent &
  Counters &
  Pick<Evidence, 'stopped' | 'foundBug' | 'maxSteps' | 'seed'> & { readonly completedBound: number }

export const wholeSearch: OneSearch = {
  ...noCounters,
  executions: 12,
  blocked: 3,
  steps: 100,
  seconds: 0.5,
  strategy: 'optimal',
  promise: 'all',
  stopped: 'exhausted',
  foundBug: false,
  points: everywhere,
  completedBound: -1,
  maxSteps: 1000,
  seed: 1,
}

/** The evidence of a run that made this one search. */
export function evidenceOfOne(search: OneSearch): Evidence {
  const { strategy, promise, points, bound, boundUnit, everyPrefix, stopped, executions, cut, cutEarly } =
    search
  const goal = { strategy, promise, points, bound, boundUnit, everyPrefix }
  return {
    ...search,
    goal,
    searches: [
      {
        ...goal,
        title: 'exploring',
        isDone: stopped === 'exhausted',
        reachesGoal: promise !== 'sample',
        executions,
        cut,
        cutEarly,
        completedBound: search.completedBound,
      },
    ],
    coarse: false,
    needsEverywhere: false,
  }
}
