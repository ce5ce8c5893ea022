import { LocationTable, type ObjectKind, ThreadTable } from '../../machine/names.js'
import type { PointSet } from '../../machine/points.js'
import { findStrategy } from '../../strategies/index.js'
import { NamesHeard, NamesTold } from '../../strategies/parallel/names.js'
import type { Kept } from '../../strategies/parallel/part.js'
import type { SavedTree } from '../../strategies/parallel/saved-tree.js'
import { SharedTree } from '../../strategies/parallel/shared-tree.js'
import type { SearchPlan } from '../search.js'
import type { SavedSearch } from '../search-state.js'
import type { PartAnswer, PartAssignment, PartSaid } from './messages.js'

const growth = 2

/** A divided search as `SavedSearch.state` holds it. */
interface SavedDivision {
  readonly limit: number | null
  readonly only: number | null
  readonly hasCut: boolean
  readonly completedBound: number | null
  readonly threads: readonly string[]
  readonly locations: readonly (readonly [ObjectKind, string])[]
  readonly overlapping: readonly (readonly [number, number])[]
  readonly tree: SavedTree
}

/** Who says what to the shared tree, by the names of one part. */
export interface Voice {
  readonly part: number
  readonly heard: NamesHeard
  readonly told: NamesTold
}

/**
 * A search that several workers explore: its shared tree, one round after the other. A round has a limit of steps, which
 * grows as that of a search of one worker does (`stepwise.ts`), and, for bounded searches, a bound.
 */
export class Division {
  private tables = { threads: new ThreadTable(), locations: new LocationTable() }
  private tree: SharedTree
  private limit: number
  private only: number | undefined
  private hasCut = false
  /** Of bounded searches: what is done; undefined for others. */
  completedBound: number | undefined
  readonly points: PointSet
  private readonly isBounded: boolean

  constructor(
    private readonly plan: SearchPlan,
    saved: SavedSearch,
  ) {
    this.points = saved.points
    this.isBounded = findStrategy(plan.strategy).entry.bounds !== undefined
    const divided = saved.state.divided as SavedDivision | undefined
    if (divided) {
      this.limit = divided.limit ?? Infinity
      this.only = divided.only ?? undefined
      this.hasCut = divided.hasCut
      if (this.isBounded) this.completedBound = divided.completedBound ?? Infinity
      this.tables.threads.preload(divided.threads)
      this.tables.locations.preload(divided.locations)
      for (const [a, b] of divided.overlapping) this.tables.locations.addOverlap(a, b)
      this.tree = new SharedTree(this.tables.locations, this.only).load(divided.tree)
      return
    }
    const { stepwise, ...state } = saved.state
    const steps = stepwise as { limit: number | null; hasCut: boolean; bound: number } | undefined
    this.limit = steps?.limit ?? Infinity
    this.hasCut = steps?.hasCut ?? false
    if (this.isBounded) {
      this.only = state.bound as number
      this.completedBound = Math.max(steps?.bound ?? -1, (state.completedBound as number | null) ?? Infinity)
    }
    const kept: Kept = { state, threads: saved.threads, locations: saved.locations }
    this.tree = new SharedTree(this.tables.locations, this.only, kept)
  }

  /** Whether the search can be divided as it stands. */
  static isPossible({ strategy, maxExecutions }: SearchPlan, saved: SavedSearch | null): boolean {
    const { entry } = findStrategy(strategy)
    return entry.open !== undefined && maxExecutions === undefined && saved?.state.watched === undefined
  }

  get isDone(): boolean {
    return this.tree.isDone
  }

  /** How much of it is estimated to be done; undefined for searches that go bound by bound. */
  get share(): number | undefined {
    return this.isBounded ? undefined : this.tree.share
  }

  take(): { voice: Voice; assignment: PartAssignment } | null {
    const next = this.tree.take()
    if (next === null) return null
    const { part, start, kept } = next
    const voice = { part, heard: new NamesHeard(this.tables), told: new NamesTold(this.tables) }
    const { limit, only } = this
    const names = voice.told.next()
    return {
      voice,
      assignment: { start, kept, names, limit: limit === Infinity ? null : limit, only: only ?? null },
    }
  }

  /** Takes in what a part says. */
  hear({ part, heard, told }: Voice, said: PartSaid, isDone: boolean): Pick<PartAnswer, 'names' | 'updates'> {
    heard.take(said.names)
    if (said.hasCut) this.hasCut = true
    const updates = this.tree.report(part, heard.report(said.report), isDone)
    if (!isDone) this.tree.estimated(part, said.share)
    return { names: told.next(), updates }
  }

  /** Nobody explores that part any more. */
  drop({ part }: Voice): void {
    this.tree.drop(part)
  }

  /** The tree is done: begins another round if there is something left. */
  nextRound(maxSteps: number): boolean {
    const { isLimited } = this.tree
    if (this.isBounded && !this.hasCut) {
      this.completedBound = Math.max(this.completedBound ?? -1, isLimited ? this.only! : Infinity)
    }
    if (this.isBounded && isLimited && this.only! < (this.plan.bound ?? Infinity)) {
      this.begin(this.only! + 1)
      return true
    }
    if (!this.hasCut || this.limit === Infinity) return false
    this.limit *= growth
    if (this.limit >= maxSteps) this.limit = Infinity
    this.hasCut = false
    this.begin(this.isBounded ? 0 : undefined)
    return true
  }

  private begin(only: number | undefined): void {
    this.only = only
    this.tree = new SharedTree(this.tables.locations, only)
  }

  save(): { readonly divided: SavedDivision } {
    const { threads, locations } = this.tables
    const { limit, only, hasCut, completedBound = Infinity } = this
    return {
      divided: {
        limit: limit === Infinity ? null : limit,
        only: only ?? null,
        hasCut,
        completedBound: completedBound === Infinity ? null : completedBound,
        threads: threads.names,
        locations: locations.entries(),
        overlapping: locations.overlapping,
        tree: this.tree.save(),
      },
    }
  }
}
