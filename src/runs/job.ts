import type { PointSet, RacePoint } from '../machine/points.js'
import { newRecord, type SearchRecord } from './search-record.js'

/** Why a job exists. */
export type Origin =
  /** One of the sets to begin with. */
  | { readonly kind: 'seed' }
  /** Everything known: done without new points, it stands for every schedule. */
  | { readonly kind: 'maximal' }
  /** A racy access alone, or added to the points of the job that reported it (Quicksand §3.3). */
  | { readonly kind: 'small' | 'big'; readonly race: RacePoint; readonly from: number }

/** A state space to explore: the program under one PP set. */
export interface Job extends SearchRecord {
  readonly origin: Origin
  /** Among pending jobs, higher goes first; see `Board`. */
  priority: number
}

export function newJob(id: number, points: PointSet, origin: Origin, priority: number): Job {
  return { ...newRecord({ id, title: `job ${id}`, strategy: 'optimal', points }), origin, priority }
}
