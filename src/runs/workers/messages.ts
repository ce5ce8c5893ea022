import type { Outlook } from '../../estimators/index.js'
import type { Schedule } from '../../execution/schedule.js'
import type { Saved } from '../../execution/strategy.js'
import type { BugKind } from '../../machine/bug.js'
import type { Platform } from '../../machine/platform.js'
import type { RacePoint } from '../../machine/points.js'
import type { RaceKind, RaceRecord } from '../../races/index.js'
import type { NewNames } from '../../strategies/parallel/names.js'
import type { Kept, PartReport, PartStart, UpdatedPoint } from '../../strategies/parallel/part.js'
import type { Counters } from '../counters.js'
import type { SearchPlan, StopReason } from '../search.js'
import type { SavedSearch } from '../search-state.js'

// Everything here is plain data: it crosses threads, and could cross machines.

/** What a worker is to do: one search, or the rest of it. */
export interface Assignment {
  /** Its number; messages about it carry it. */
  readonly id: number
  readonly plan: SearchPlan
  /** What is different about the platform, if anything. */
  readonly platform?: Partial<Platform> | undefined
  /** How to look for races; null for not at all. */
  readonly races: RaceKind | null
  /** Nobody needs to know all of them. */
  readonly someRaces?: boolean
  /** Watch what kinds of operations there are: see `WatchOperations`. */
  readonly watchesOperations: boolean
  /** Go on from here. */
  readonly saved: SavedSearch | null
  /** Of a search that was begun: how much of it is estimated to be done; absent if nothing is known. */
  readonly share?: number
  /** Seconds between written-out states that come along with the progress; null for none. */
  readonly saveEvery: number | null
  /** When to end though there is more to explore; null for no limit. */
  readonly patience: Patience | null
  /** A part of a search that others explore too; then there is no `saved`. */
  readonly part?: PartAssignment
}

/** How long a search may take before others have their turn, in processor seconds. */
export interface Patience {
  readonly seconds: number
  /** It goes on if so many more should be enough, and ends if they were not. */
  readonly more: number
}

/** Where a part begins or was left; neither for all of it from the beginning. See docs/algorithms/parallel.md. */
export interface PartAssignment {
  readonly start: PartStart | null
  readonly kept: Kept | null
  readonly names: NewNames
  /** Steps after which executions are cut for now; null for the limit of the plan. */
  readonly limit: number | null
  /** Of bounded searches: the bound under way. */
  readonly only: number | null
}

/** What a part says: after every slice, to go on when it is answered; and when it ends. */
export interface PartSaid {
  readonly names: NewNames
  readonly report: PartReport
  /** How much of it is estimated to be done, from 0 to 1. */
  readonly share: number
  readonly hasCut: boolean
  /**
   * Accesses of several words raced that should be split: the search must begin anew with these points. `watch`: there are
   * such accesses, and the strategy cannot tell whether they race.
   */
  readonly long: readonly RacePoint[] | 'watch'
}

/** What a search has shown since it was assigned. */
export interface Findings {
  readonly counters: Counters
  /** What is still to come; absent where that cannot be estimated. */
  readonly outlook?: Outlook
  /** Largest bound done with, of a bounded search; null if nothing was left out. */
  readonly completedBound?: number | null
  /** An access of several words raced that cannot be split. */
  readonly coarse: boolean
  /** What the strategy says of itself: see `StrategyStatistics`. */
  readonly statistics?: Saved
  /** See `Strategy.novelty`. */
  readonly novelty?: number
  /** Names of sites where accesses of several words were made in one step. */
  readonly longSites: readonly string[]
  readonly operations: OperationsSeen
  /** All races since it was assigned; absent if none is new since the last message. */
  readonly races?: readonly RaceRecord[]
  /**
   * Of limited happens-before: keys (`raceKey`) of the races that pure happens-before sees too. Absent if none is new
   * since the last message.
   */
  readonly confirmed?: readonly string[]
  readonly bugs: readonly FoundBug[]
}

/** See `WatchOperations`. */
export interface OperationsSeen {
  readonly kindsSeen: number
  readonly needsRelease: boolean
  readonly hasFreed: boolean
  readonly hasWaited: boolean
  readonly watched: readonly RacePoint[]
}

/** A bug by the schedule that shows it: of all that showed it, one with fewest preemptions. */
export interface FoundBug {
  readonly kind: BugKind
  readonly message: string
  /** Name of the place, or null. */
  readonly site: string | null
  readonly schedule: Schedule
  readonly preemptions: number
  /** Number of the execution, within this assignment, that showed it first. */
  readonly execution: number
  /** How many executions showed it. */
  readonly count: number
}

/** What a worker says. */
export type WorkerMessage =
  /** Ready for assignments. */
  | { readonly kind: 'ready' }
  /** Now and then. `saved` is there once per `saveEvery`. */
  | {
      readonly kind: 'progress'
      readonly id: number
      readonly findings: Findings
      readonly saved?: SavedSearch
    }
  | { readonly kind: 'part'; readonly id: number; readonly said: PartSaid; readonly findings: Findings }
  /** `saved` is there unless nothing is left to explore, or it is a part, which says where it stands. */
  | {
      readonly kind: 'ended'
      readonly id: number
      readonly stopped: StopReason
      readonly findings: Findings
      readonly saved: SavedSearch | null
      readonly said?: PartSaid
    }
  /** The search cannot be run: the program is not deterministic, or uses something unsupported. */
  | { readonly kind: 'refused'; readonly error: WorkerError }

/** An error as plain data: whose fault it is, and what to tell the user. */
export interface WorkerError {
  readonly fault: 'program' | 'nondeterminism' | 'user' | 'internal'
  readonly name: string
  readonly message: string
}

/** To a part that has said something. */
export interface PartAnswer {
  readonly id: number
  readonly names: NewNames
  readonly updates: readonly UpdatedPoint[]
  /** Somebody has nothing to do. */
  readonly isAsked: boolean
  /** Say where you stand. */
  readonly keeps: boolean
}

/** What a worker is told. */
export type WorkerCommand =
  | { readonly kind: 'assign'; readonly assignment: Assignment }
  /** Write the search out and end it. */
  | { readonly kind: 'suspend'; readonly id: number }
  | { readonly kind: 'answer'; readonly answer: PartAnswer }

/** One name for a pair of accesses. */
export function raceKey({ a, b }: Pick<RaceRecord, 'a' | 'b'>): string {
  return `${a.site}@${a.thread} ${b.site}@${b.thread}`
}

/** One entry per kind and place. */
export function isSameBug(a: FoundBug, b: FoundBug): boolean {
  return a.kind === b.kind && a.site === b.site && (a.site !== null || a.message === b.message)
}
