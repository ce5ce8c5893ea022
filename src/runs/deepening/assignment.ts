import type { Schedule } from '../../execution/schedule.js'
import type { BugKind } from '../../machine/bug.js'
import type { PointSet, RacePoint } from '../../machine/points.js'
import type { RaceKind, RaceRecord } from '../../races/index.js'
import type { Counters } from '../counters.js'
import type { Ignored } from '../ignored.js'
import type { SavedSearch } from '../saved-search.js'
import type { StopReason } from '../search.js'

/** A search between two executions, and how much of it was done: what a suspended job is. */
export type SavedJob = SavedSearch

/** What a worker is told to do. Plain data: it is posted to threads. */
export interface Assignment {
  /** Number of this run of a search; answers carry it. */
  readonly run: number
  readonly points: PointSet
  /** A strategy of the registry. */
  readonly strategy: string
  readonly seed: number
  readonly maxSteps: number | undefined
  /** Executions after which to stop. */
  readonly maxExecutions: number | undefined
  readonly keepGoing: boolean
  readonly ignore: readonly Ignored[]
  readonly selfCheck: number
  readonly races: RaceKind
  /** Go on from here. */
  readonly saved: SavedJob | null
  /** Seconds between written-out states that come along with the progress; Infinity for none. */
  readonly saveEvery: number
}

/** What a run of a search has shown so far, in all since it was assigned. Plain data. */
export interface Findings {
  readonly counters: Counters
  /** Estimated seconds left and part done; absent where there is no estimate. */
  readonly eta?: number
  readonly share?: number
  /** Largest bound done with, of a bounded search; null for Infinity. */
  readonly completedBound?: number | null
  /** An access of several words raced that cannot be split. */
  readonly coarse: boolean
  /** Names of sites where accesses of several words were made in one step. */
  readonly longSites: readonly string[]
  /** See `WatchOperations`. */
  readonly kindsSeen: number
  readonly needsRelease: boolean
  readonly hasFreed: boolean
  readonly hasWaited: boolean
  readonly watched: readonly RacePoint[]
  /** All races of this run; absent if none is new since the last message. */
  readonly races?: readonly RaceRecord[]
  /**
   * Of limited happens-before: keys (`raceKey`) of the races that pure happens-before sees too. Absent if none is new
   * since the last message.
   */
  readonly confirmed?: readonly string[]
  readonly bugs: readonly ShownBug[]
}

/** A bug by the schedule that shows it. */
export interface ShownBug {
  readonly kind: BugKind
  readonly message: string
  /** Name of the place, or null. */
  readonly site: string | null
  readonly schedule: Schedule
  /** Number of the execution, within this run, that showed it first. */
  readonly execution: number
  readonly count: number
}

/** What a worker says. */
export type Answer =
  /** Ready for assignments. */
  | { readonly kind: 'ready' }
  /** Now and then. `saved` is there once per `saveEvery`. */
  | {
      readonly kind: 'progress'
      readonly run: number
      readonly findings: Findings
      readonly saved?: SavedJob
    }
  /** `saved` is there unless nothing is left to explore. */
  | {
      readonly kind: 'ended'
      readonly run: number
      readonly stopped: StopReason
      readonly findings: Findings
      readonly saved: SavedJob | null
    }
  /** The program cannot be checked: it is not deterministic, or uses something unsupported. */
  | { readonly kind: 'refused'; readonly error: RefusedError }

/** An error that crosses threads: what it was, and what to tell the user. */
export interface RefusedError {
  readonly name: string
  readonly message: string
  readonly isProgramError: boolean
}

/** What a worker thread is told. */
export type Order =
  | { readonly kind: 'assign'; readonly assignment: Assignment }
  /** Write the search out and end it. */
  | { readonly kind: 'suspend'; readonly run: number }

/** One name for a pair of accesses. */
export function raceKey({ a, b }: Pick<RaceRecord, 'a' | 'b'>): string {
  return `${a.site}@${a.thread} ${b.site}@${b.thread}`
}
