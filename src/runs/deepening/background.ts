import { everywhere, type PointRule, type PointSet } from '../../machine/points.js'
import { type Counters, noCounters } from '../counters.js'
import type { SavedJob } from './assignment.js'

/**
 * A search beside the jobs, with a share of the time: large tests get an answer that needs no completed state space.
 */
export interface Background {
  /** A strategy of the registry. */
  readonly strategy: string
  readonly points: PointSet
  /** Part of all time it gets while there are jobs. */
  readonly share: number
  /** The same while the one job is a proof that should end in time: then it is only there in case a bug is shallow. */
  readonly shareOfProof: number
  /** For people. */
  readonly title: string
  status: 'waiting' | 'running' | 'complete' | 'crashed'
  counters: Counters
  saved: SavedJob | null
  /** Of a bounded search: the largest bound done with, -1 for none. */
  completedBound: number
  crashes: number
}

function background(
  plan: Pick<Background, 'strategy' | 'title' | 'share' | 'shareOfProof'>,
  rules: readonly PointRule[],
): Background {
  return {
    ...plan,
    points: { ...everywhere, rules },
    status: 'waiting',
    counters: noCounters,
    saved: null,
    completedBound: -1,
    crashes: 0,
  }
}

/** Sampling finds what is shallow anywhere; bounded search finds and excludes what needs few preemptions. */
export function backgrounds(rules: readonly PointRule[]): Background[] {
  return [
    background({ strategy: 'pos', title: 'sampling', share: 0.1, shareOfProof: 0.05 }, rules),
    background({ strategy: 'icb', title: 'few preemptions', share: 0.15, shareOfProof: 0 }, rules),
  ]
}

/** Seconds that one of them gets at a time. */
export const backgroundQuantum = 0.5

/** The one furthest behind its share of the time used so far, or undefined if none is behind. */
export function mostBehind(
  all: readonly Background[],
  secondsUsed: number,
  isProving: boolean,
): Background | undefined {
  // Beside a proof they wait until they have a whole quantum coming: it may well be done before.
  const owed = (b: Background) =>
    isProving ? b.shareOfProof * secondsUsed - backgroundQuantum : b.share * secondsUsed
  const behind = (b: Background) => owed(b) - b.counters.seconds
  return all.filter((b) => b.status === 'waiting' && behind(b) > 0).sort((a, b) => behind(b) - behind(a))[0]
}
