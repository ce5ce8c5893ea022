import type { Platform } from '../../machine/platform.js'
import type { Findings, ShownBug } from './assignment.js'
import type { RacyAccess } from './board.js'
import type { Job } from './job.js'

/** A bug, and who found it. */
export interface FoundByDeepening {
  readonly shown: ShownBug
  /** The job that found it; null: a search with points everywhere. */
  readonly job: Job | null
  readonly strategy: string
  /** How many executions of all searches there had been, about. */
  readonly execution: number
  count: number
  /** What was different about the platform it was found on, if anything. */
  readonly platform?: Partial<Platform> | undefined
}

/** One entry per kind and place. */
export function sameShownBug(a: ShownBug, b: ShownBug): boolean {
  return a.kind === b.kind && a.site === b.site && (a.site !== null || a.message === b.message)
}

/**
 * The accesses that become points: of a pair seen in both orders both, else the earlier one. That is enough for the
 * maximal state space to stand for every schedule: if an access could be done before the one it was always seen after,
 * stopping the other thread before that one shows it, and then it is an earlier one too (docs/algorithms/deepening.md).
 * An access of several words becomes a point before each of them.
 */
export function racyAccesses(findings: Findings): RacyAccess[] {
  // Each access once: it may race with those of a hundred other threads.
  const accesses = new Map<string, RacyAccess>()
  const add = (race: RacyAccess['race'], isBothOrder: boolean) => {
    const key = `${race.site}@${race.thread ?? ''}`
    if (accesses.get(key)?.isBothOrder || (accesses.has(key) && !isBothOrder)) return
    accesses.set(key, { race, isBothOrder })
  }
  const long = new Set(findings.longSites)
  const pointOf = ({ site, thread }: { site: string; thread?: string }): RacyAccess['race'] => ({
    site,
    ...(thread === undefined ? {} : { thread }),
    ...(long.has(site) ? { words: true } : {}),
  })
  for (const race of findings.races ?? []) {
    const isBothOrder = race.aFirst > 0 && race.bFirst > 0
    if (race.aFirst > 0) add(pointOf(race.a), isBothOrder)
    if (race.bFirst > 0) add(pointOf(race.b), isBothOrder)
  }
  for (const race of findings.watched) add(pointOf(race), false)
  return [...accesses.values()]
}
