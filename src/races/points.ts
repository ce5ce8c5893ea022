import type { RacePoint } from '../machine/points.js'
import { isBothOrder, type RaceAccess, type RaceRecord } from './race-table.js'

/** The preemption point just before an access. */
export function pointBefore({ site, thread }: RaceAccess): RacePoint {
  return { site, thread }
}

/**
 * Where to preempt to try a race out. A pair seen in one order only gets no point before its later access: if a point
 * before the earlier one can turn the order round, the pair becomes both-order, and then has both (Quicksand §3.5).
 */
export function racePoints(race: RaceRecord): RacePoint[] {
  if (isBothOrder(race)) return [pointBefore(race.a), pointBefore(race.b)]
  return [pointBefore(race.aFirst > 0 ? race.a : race.b)]
}
