import { findStrategy } from '../../strategies/index.js'
import type { SearchPlan } from '../search.js'
import type { SavedSearch } from '../search-state.js'

/** Samples drawn one after the other from one seed. */
export interface Stream {
  readonly seed: number
  /** Where it was last written down; null at its beginning. */
  saved: SavedSearch | null
  /** Somebody is at it. */
  isTaken: boolean
  /** Samples asked for and not drawn yet, while somebody is at it; undefined: as many as there is time for. */
  asked: number | undefined
}

/** The streams of a sampler as `SavedSearch.state` holds them. */
interface SavedStreams {
  readonly streams: readonly Pick<Stream, 'seed' | 'saved'>[]
}

/** Keeps the seeds of two streams apart; odd, so that no two are the same. */
const seedStep = 0x85ebca6b

/**
 * A sampler on several workers: each goes on with a stream of its own. A number of samples asked for is dealt out in
 * batches that become smaller towards the end, so that all workers are done at about the same time.
 */
export class Streams {
  private readonly streams: Stream[]
  /** Samples nobody was asked for yet. */
  private left: number

  constructor(
    private readonly plan: SearchPlan,
    saved: SavedSearch | null,
  ) {
    this.left = plan.maxExecutions ?? Infinity
    const divided = saved?.state.divided as SavedStreams | undefined
    const all = divided?.streams ?? [{ seed: plan.seed, saved }]
    this.streams = all.map((stream) => ({ ...stream, isTaken: false, asked: undefined }))
  }

  static isPossible({ strategy }: SearchPlan): boolean {
    return findStrategy(strategy).entry.promise === 'sample'
  }

  /** All samples were dealt out, and drawn. */
  get isDone(): boolean {
    return this.left === 0 && this.streams.every(({ isTaken }) => !isTaken)
  }

  /** A stream for one of so many workers, and what it is asked for; null if there is nothing left to ask for. */
  take(workers: number): { readonly stream: Stream; readonly plan: SearchPlan } | null {
    if (this.left === 0) return null
    let stream = this.streams.find(({ isTaken }) => !isTaken)
    if (stream === undefined) {
      const seed = (this.plan.seed + this.streams.length * seedStep) | 0
      stream = { seed, saved: null, isTaken: false, asked: undefined }
      this.streams.push(stream)
    }
    stream.isTaken = true
    if (this.left !== Infinity) {
      stream.asked = Math.ceil(this.left / (2 * workers))
      this.left -= stream.asked
    }
    return { stream, plan: { ...this.plan, seed: stream.seed, maxExecutions: stream.asked } }
  }

  /** Nobody is at that stream any more; `drawn` of the samples asked for count. */
  leave(stream: Stream, drawn: number): void {
    stream.isTaken = false
    if (stream.asked !== undefined) this.left += Math.max(0, stream.asked - drawn)
    stream.asked = undefined
  }

  save(): { readonly divided: SavedStreams } {
    return { divided: { streams: this.streams.map(({ seed, saved }) => ({ seed, saved })) } }
  }
}
