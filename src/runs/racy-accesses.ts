import type { RacePoint } from '../machine/points.js'
import type { RaceRecord } from '../races/index.js'
import type { RacyAccess } from './board-settings.js'

/** What is known of accesses that race, or are to be treated as if they did. */
export interface RacesSeen {
  readonly races: readonly RaceRecord[]
  /** Names of sites where accesses of several words were made in one step. */
  readonly longSites: readonly string[]
  /** Writes to what an invariant reads. */
  readonly watched: readonly RacePoint[]
}

/**
 * The accesses that become points: of a pair seen in both orders both, else the earlier one. That is enough for the
 * maximal state space to stand for every schedule: if an access could be done before the one it was always seen after,
 * stopping the other thread before that one shows it, and then it is an earlier one too (docs/algorithms/deepening.md).
 * An access of several words becomes a point before each of them.
 */
export function racyAccesses({ races, longSites, watched }: RacesSeen): RacyAccess[] {
  // Each access once: it may race with those of a hundred other threads.
  const accesses = new Map<string, RacyAccess>()
  const add = (race: RacyAccess['race'], isBothOrder: boolean) => {
    const key = `${race.site}@${race.thread ?? ''}`
    if (accesses.get(key)?.isBothOrder || (accesses.has(key) && !isBothOrder)) return
    accesses.set(key, { race, isBothOrder })
  }
  const long = new Set(longSites)
  const pointOf = ({ site, thread }: { site: string; thread?: string }): RacyAccess['race'] => ({
    site,
    ...(thread === undefined ? {} : { thread }),
    ...(long.has(site) ? { words: true } : {}),
  })
  for (const race of races) {
    const isBothOrder = race.aFirst > 0 && race.bFirst > 0
    if (race.aFirst > 0) add(pointOf(race.a), isBothOrder)
    if (race.bFirst > 0) add(pointOf(race.b), isBothOrder)
  }
  for (const race of watched) add(pointOf(race), false)
  return [...accesses.values()]
}
