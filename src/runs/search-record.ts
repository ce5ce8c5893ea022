import type { Outlook } from '../estimators/index.js'
import type { Saved } from '../execution/strategy.js'
import type { Platform } from '../machine/platform.js'
import type { PointSet } from '../machine/points.js'
import { addCounters, type Counters, noCounters } from './counters.js'
import type { SavedSearch } from './search-state.js'
import type { Findings } from './workers/messages.js'

export type SearchStatus =
  | 'pending'
  | 'running'
  /** Begun, and put aside: written out, it holds no worker. */
  | 'suspended'
  /** Its state space was explored to the end. */
  | 'complete'
  /** What it would show is part of another search. */
  | 'pruned'
  /** The worker was lost on it twice. */
  | 'crashed'

/** A search of a run: what it explores, how far it is and what it has shown. Plain data. */
export interface SearchRecord {
  readonly id: number
  /** For people. */
  readonly title: string
  /** A strategy of the registry, with its argument. */
  readonly strategy: string
  readonly points: PointSet
  /** What is different about its platform, if anything. */
  readonly platform?: Partial<Platform>
  status: SearchStatus
  /** Of all its assignments so far. */
  counters: Counters
  /** Estimated seconds to its end; Infinity while nothing is known. */
  eta: number
  /** Estimated part done, from 0 to 1. */
  share: number
  /** All that is estimated; null where nothing is. */
  outlook: Outlook | null
  /** An execution of it failed. */
  hasBug: boolean
  /** Guards of the operations its executions met; of a complete search, all there are in its state space. */
  kindsSeen: number
  /** An access of several words raced that could not be split. */
  coarse: boolean
  /** Of a bounded search: the largest bound done with, -1 for none, Infinity if nothing was left out. */
  completedBound: number
  /** What the strategy says of itself: see `StrategyStatistics`. */
  statistics: Saved
  /** Where it stands, if it was begun and is not at its end. */
  saved: SavedSearch | null
  crashes: number
  /** Why it was pruned or crashed, for people. */
  reason: string
}

export function newRecord(
  given: Pick<SearchRecord, 'id' | 'title' | 'strategy' | 'points' | 'platform'>,
): SearchRecord {
  return {
    ...given,
    status: 'pending',
    counters: noCounters,
    eta: Infinity,
    share: 0,
    outlook: null,
    hasBug: false,
    kindsSeen: 0,
    coarse: false,
    completedBound: -1,
    statistics: {},
    saved: null,
    crashes: 0,
    reason: '',
  }
}

/** Takes in what the assignment under way has shown; `before` are the counters of earlier ones. */
export function updateRecord(record: SearchRecord, before: Counters, findings: Findings): void {
  record.counters = addCounters(before, findings.counters)
  const { outlook, completedBound, operations } = findings
  if (outlook) {
    record.outlook = outlook
    record.eta = outlook.secondsLeft
    record.share = outlook.share
  }
  record.kindsSeen |= operations.kindsSeen
  record.coarse = findings.coarse
  record.completedBound = completedBound === null ? Infinity : (completedBound ?? -1)
  record.statistics = findings.statistics ?? record.statistics
}

/** Still to be explored, in whole or in part. */
export function isOpen({ status }: SearchRecord): boolean {
  return status === 'pending' || status === 'suspended' || status === 'running'
}

/** Explored to the end with nothing left out: what smaller sets would show is in it. */
export function isWhole(record: SearchRecord): boolean {
  return record.status === 'complete' && record.counters.cut === 0
}

/** The worker was lost: the search is tried once more, from where it was last written out. */
export function markCrashed(record: SearchRecord, reason: string): void {
  record.crashes++
  record.reason = reason
  record.status = record.crashes > 1 ? 'crashed' : record.saved ? 'suspended' : 'pending'
  if (record.status !== 'suspended') record.saved = null
}
