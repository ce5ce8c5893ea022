import { everywhere, type PointRule } from '../machine/points.js'
import { newRecord, type SearchRecord } from './search-record.js'

/**
 * A search alongside the jobs, with a share of the time: large tests get an answer that needs no completed state space.
 */
export interface Background extends SearchRecord {
  /** Part of all time it gets while there are jobs: this much, and up to that much if all it shows is new. */
  readonly timeShare: number
  readonly timeShareOfNew: number
  /** The same while the one job is a proof that should end in time: then it is only there in case a bug is shallow. */
  readonly timeShareOfProof: number
}

/** Sampling finds what is shallow anywhere; bounded search finds and excludes what needs few preemptions. */
export function backgrounds(rules: readonly PointRule[]): Background[] {
  const points = { ...everywhere, rules }
  return [
    {
      ...newRecord({ id: 1, title: 'sampling', strategy: 'mix', points }),
      timeShare: 0.1,
      timeShareOfNew: 0.6,
      timeShareOfProof: 0.05,
    },
    {
      ...newRecord({ id: 2, title: 'few preemptions', strategy: 'icb', points }),
      timeShare: 0.15,
      timeShareOfNew: 0.15,
      timeShareOfProof: 0,
    },
  ]
}

/** Seconds that one of them gets at a time at least. */
export const backgroundQuantum = 0.5
const mostQuantum = 3

/**
 * Seconds that one of them gets at a time, after so many in all: whoever takes up another search begins anew with what it
 * does from memory and what it knows of races, so that short turns are spent on that.
 */
export function quantumAfter(secondsUsed: number): number {
  return Math.min(mostQuantum, Math.max(backgroundQuantum, secondsUsed / 8))
}

/** Part of all time it gets if so much of what it shows is new. */
export function shareOf({ timeShare, timeShareOfNew }: Background, novelty: number): number {
  return timeShare + novelty * (timeShareOfNew - timeShare)
}

/**
 * The one furthest behind its share of the time used so far, or undefined if none is behind. `novelty` is of the one that
 * samples.
 */
export function mostBehind(
  all: readonly Background[],
  secondsUsed: number,
  isProving: boolean,
  novelty: number,
): Background | undefined {
  // During a proof they wait until they have a whole quantum coming: it may well be done before.
  const owed = (b: Background) =>
    isProving ? b.timeShareOfProof * secondsUsed - backgroundQuantum : shareOf(b, novelty) * secondsUsed
  const behind = (b: Background) => owed(b) - b.counters.seconds
  return all.filter((b) => isWaiting(b) && behind(b) > 0).sort((a, b) => behind(b) - behind(a))[0]
}

export function isWaiting({ status }: SearchRecord): boolean {
  return status === 'pending' || status === 'suspended'
}
