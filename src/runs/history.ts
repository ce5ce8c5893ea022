/** How far a run was at some time. */
export interface Moment {
  /** Wall seconds since the run began. */
  readonly seconds: number
  /** Executions of all kinds. */
  readonly ran: number
  /** Estimated part done of the search under way, from 0 to 1; null where nothing is known. */
  readonly share: number | null
}

/** A time that a worker spent on one search. */
export interface Span<S> {
  readonly search: S
  readonly from: number
  /** Undefined while it goes on. */
  to: number | undefined
}

/** Moments that are kept at most. */
const mostMoments = 200
const mostSpans = 2000

/** How a run went, kept small: the longer it takes, the fewer moments of a second are kept. */
export class History<S> {
  readonly moments: Moment[] = []
  readonly spans: Span<S>[] = []
  private gap = 0

  note(moment: Moment): void {
    const { moments } = this
    const last = moments.at(-1)
    if (last && moment.seconds - last.seconds < this.gap) return
    moments.push(moment)
    if (moments.length <= mostMoments) return
    const kept = moments.filter((_, i) => i % 2 === 0)
    moments.splice(0, moments.length, ...kept)
    this.gap = Math.max(2 * this.gap, (moment.seconds - moments[0].seconds) / mostMoments)
  }

  begin(search: S, seconds: number): void {
    const last = this.spans.findLast((span) => span.search === search)
    // A worker that goes on with what it has just put aside, or one too many to be drawn.
    if (last && (this.spans.length >= mostSpans || (last === this.spans.at(-1) && last.to !== undefined)))
      last.to = undefined
    else if (this.spans.length < mostSpans) this.spans.push({ search, from: seconds, to: undefined })
  }

  end(search: S, seconds: number): void {
    const span = this.spans.findLast((s) => s.search === search)
    if (span) span.to = seconds
  }
}
