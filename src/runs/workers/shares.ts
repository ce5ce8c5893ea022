import { findStrategy } from '../../strategies/index.js'
import { noCounters } from '../counters.js'
import type { SearchPlan, StopReason } from '../search.js'
import type { SavedSearch } from '../search-state.js'
import type { Stream } from './streams.js'

/** The shares of a search as `SavedSearch.state` holds them. */
interface SavedShares {
  /** Null for the search from its beginning. */
  readonly shares: readonly (SavedSearch | null)[]
}

/**
 * A search that keeps a list of what is still to come, no two of which lead to the same, on several workers: each has a
 * share of the list. Who has done all of it gets half of what another one has left.
 */
export class Shares {
  private readonly shares: Stream[]
  constructor(
    private readonly plan: SearchPlan,
    saved: SavedSearch | null,
  ) {
    const divided = saved?.state.divided as SavedShares | undefined
    this.shares = (divided?.shares ?? [saved]).map((share) => this.share(share))
  }

  static isPossible({ strategy, maxExecutions }: SearchPlan, saved: SavedSearch | null): boolean {
    const { entry } = findStrategy(strategy)
    return entry.divides !== undefined && maxExecutions === undefined && saved?.state.watched === undefined
  }

  private share(saved: SavedSearch | null): Stream {
    return { seed: this.plan.seed, saved, isTaken: false, asked: undefined }
  }

  get isDone(): boolean {
    return this.shares.length === 0
  }

  /** There is nothing to be had for whoever has nothing to do, unless somebody who has stops and shares. */
  get isAllTaken(): boolean {
    return this.shares.every(({ isTaken }) => isTaken)
  }

  take(_workers?: number): { readonly stream: Stream; readonly plan: SearchPlan } | null {
    const share = this.shares.find(({ isTaken }) => !isTaken)
    if (share === undefined) return null
    share.isTaken = true
    return { stream: share, plan: share.saved === null ? this.plan : { ...this.plan, selfCheck: 0 } }
  }

  /** Nobody is at that share any more; what is left of it is where it was last written down. */
  leave(share: Stream, _drawn?: number): void {
    share.isTaken = false
  }

  /** Somebody has stopped: the share is done, or is divided among so many; into how many parts. */
  ended(share: Stream, stopped: StopReason, parts: number): number {
    share.isTaken = false
    const at = this.shares.indexOf(share)
    if (stopped === 'exhausted') this.shares.splice(at, 1)
    if (stopped !== 'interrupted' || share.saved === null) return 0
    const pieces = findStrategy(this.plan.strategy).entry.divides!(share.saved.state, parts)
    const { saved } = share
    this.shares.splice(at, 1, ...pieces.map((state) => this.share({ ...saved, state, counters: noCounters })))
    return pieces.length
  }

  save(): SavedSearch['state'] {
    const divided: SavedShares = { shares: this.shares.map(({ saved }) => saved) }
    return { divided }
  }
}
