import { includesPoints } from '../machine/points.js'
import { isBothOrder, type RaceRecord } from '../races/index.js'
import { findStrategy } from '../strategies/index.js'
import { coversEverySchedule } from './evidence.js'
import type { Run } from './run.js'
import { isWhole } from './search-record.js'

/**
 * What is known of a race when a run ends: seen in both orders and nothing fails in a completed state space with both
 * accesses as points; the same, and something fails; the other order occurs in no schedule; order or locks rule it out
 * in every schedule of a completed state space; none of these.
 */
export type RaceKnowledge = 'both-orders-pass' | 'both-orders-bug' | 'one-order' | 'no-race' | 'untested'

/** What was decided about each race, and on what ground. */
export function raceKnowledge(run: Run): (race: RaceRecord) => RaceKnowledge {
  const whole = run.searches.filter(
    (search) =>
      search.platform === undefined &&
      findStrategy(search.strategy).entry.promise === 'all' &&
      run.settings.bound === undefined &&
      isWhole(search),
  )
  const isEverything = coversEverySchedule(run)
  return (race) => {
    if (isEverything && !run.knowledge.isConfirmed(race)) return 'no-race'
    if (!isBothOrder(race)) return isEverything ? 'one-order' : 'untested'
    const races = [race.a, race.b].map(({ site, thread }) => ({ site, thread }))
    const tested = whole.find(({ points }) => includesPoints(points, { ...points, kinds: [], races }))
    if (tested === undefined) return 'untested'
    return tested.hasBug ? 'both-orders-bug' : 'both-orders-pass'
  }
}

const weakestFirst: readonly RaceKnowledge[] = [
  'untested',
  'both-orders-bug',
  'both-orders-pass',
  'one-order',
  'no-race',
]

/** What holds for all of several races. */
export function weakest(known: readonly RaceKnowledge[]): RaceKnowledge {
  return weakestFirst.find((k) => known.includes(k)) ?? 'untested'
}
