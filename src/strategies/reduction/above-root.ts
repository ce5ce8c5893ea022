/**
 * A part of a search explores what follows its root: the points from that depth on are its own. Points above belong to
 * the whole search, and what is to be explored there is told to it: see `docs/algorithms/parallel.md`.
 */

/** A step: thread, alternative (`ANY_VALUE` if open), of how many (0 when not known), cells of its footprint. */
export type PlainStep = readonly [thread: number, value: number, arity: number, cells: readonly number[]]

/** Something to be explored from a point above the root, by its depth. */
export type Plan =
  /** The steps one after the other, unless that is covered; `mustBegin`: no sleeper but the step itself covers it. */
  | {
      readonly depth: number
      readonly steps: readonly PlainStep[]
      readonly mustBegin?: boolean
    }
  /** A branch with that step, whoever sleeps; and below it, if given, one with another step. */
  | { readonly depth: number; readonly branch: PlainStep; readonly below?: PlainStep }
  /** All alternatives of that thread. */
  | { readonly depth: number; readonly mark: number }

/** Plans remembered as sent; more would take memory and save little. */
const mostRemembered = 5_000

export class AboveRoot {
  /** Points of a smaller depth belong to the whole search. */
  root = 0
  private plans: Plan[] = []
  private readonly sent = new Set<string>()

  get count(): number {
    return this.plans.length
  }

  /** To be told, unless it was before. */
  add(plan: Plan): void {
    const key = JSON.stringify(plan)
    if (this.sent.has(key)) return
    if (this.sent.size >= mostRemembered) this.sent.clear()
    this.sent.add(key)
    this.plans.push(plan)
  }

  take(): Plan[] {
    const { plans } = this
    this.plans = []
    return plans
  }
}
