import type { PointSet, RacePoint } from '../../machine/points.js'
import { type Counters, noCounters } from '../counters.js'
import type { SavedJob } from './assignment.js'

/** Why a job exists. */
export type Origin =
  /** One of the sets to begin with. */
  | { readonly kind: 'seed' }
  /** Everything known: done without new points, it stands for every schedule. */
  | { readonly kind: 'maximal' }
  /** A racy access alone, or added to the points of the job that reported it (Quicksand §3.3). */
  | { readonly kind: 'small' | 'big'; readonly race: RacePoint; readonly from: number }

export type JobStatus =
  | 'pending'
  | 'running'
  /** Begun, and put aside: written out, it holds no worker. */
  | 'suspended'
  /** Its state space was explored to the end. */
  | 'complete'
  /** What it would show is part of another job. */
  | 'pruned'
  /** The worker died on it twice. */
  | 'crashed'

/** A state space to explore: the program under one PP set. */
export interface Job {
  readonly id: number
  readonly points: PointSet
  readonly origin: Origin
  /** Among pending jobs, higher goes first; see `Board`. */
  priority: number
  status: JobStatus
  /** Of all its runs so far. */
  counters: Counters
  /** Estimated seconds to its end; Infinity while nothing is known. */
  eta: number
  /** Estimated part done, from 0 to 1. */
  share: number
  /** An execution of it failed. */
  hasBug: boolean
  /** Guards of the operations its executions met; of a complete job, all there are in its state space. */
  kindsSeen: number
  /** Where it stands, if it was begun and is not at its end. */
  saved: SavedJob | null
  crashes: number
  /** Why it was pruned or crashed, for people. */
  reason: string
}

export function newJob(id: number, points: PointSet, origin: Origin, priority: number): Job {
  return {
    id,
    points,
    origin,
    priority,
    status: 'pending',
    counters: noCounters,
    eta: Infinity,
    share: 0,
    hasBug: false,
    kindsSeen: 0,
    saved: null,
    crashes: 0,
    reason: '',
  }
}

/** Still to be explored, in whole or in part. */
export function isOpen({ status }: Job): boolean {
  return status === 'pending' || status === 'suspended' || status === 'running'
}

/** Explored to the end with nothing left out: what smaller sets would show is in it. */
export function isWhole(job: Job): boolean {
  return job.status === 'complete' && job.counters.cut === 0
}
