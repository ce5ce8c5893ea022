import type { Glue } from './glue.js'

/** See `WasmMachineOptions.maxLoopVisits`. */
export const DEFAULT_MAX_LOOP_VISITS = 50_000_000

const MIN_WATCHED = 64
const MAX_WATCHED = 4096
const UNWATCHED_RATIO = 64

/**
 * When to look at loops. In a transition that goes round loops often they are looked at by turns: some visits of
 * headers are watched, then so many times more are not, and so on with more of both. A spin of any length is found in
 * the end, and a loop that works is hardly slowed down. As both double, a spin goes unseen for no longer than about the
 * time that the transition has taken before.
 */
export class LoopWatch {
  private fuel = 1
  /** Visits of loop headers since the thread last stopped elsewhere than in a loop. */
  visits = 0
  private watched = MIN_WATCHED
  private left = MIN_WATCHED

  constructor(
    private readonly glue: Glue,
    readonly maxVisits: number,
  ) {}

  /**
   * A transition begins. If its thread paused in a loop, it goes on with stretches that have doubled so often, and after
   * so many visits: or a loop without end would pause for ever.
   */
  beginTransition(doubled: number, visits: number): void {
    this.visits = visits
    this.watched = Math.min(MIN_WATCHED << doubled, MAX_WATCHED)
    this.left = doubled === 0 ? MIN_WATCHED : 0
    if (this.fuel !== 1) this.refuel(1)
  }

  /** How often the stretches have doubled. */
  get doubled(): number {
    return Math.log2(this.watched / MIN_WATCHED)
  }

  /** A thread is at a loop header: whether to look at it. */
  arrive(): boolean {
    this.visits += this.fuel
    if (this.left > 0) {
      this.left--
      this.refuel(1)
      return true
    }
    this.refuel(this.watched * UNWATCHED_RATIO)
    this.watched = Math.min(this.watched * 2, MAX_WATCHED)
    this.left = this.watched
    return false
  }

  get isExhausted(): boolean {
    return this.visits > this.maxVisits
  }

  private refuel(fuel: number): void {
    this.fuel = fuel
    this.glue.setFuel(fuel)
  }
}
