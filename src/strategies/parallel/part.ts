import type { Saved } from '../../execution/strategy.js'
import type { ObjectKind } from '../../machine/names.js'
import type { StrategyContext } from '../context.js'
import type { PlainStep, Plan } from '../reduction/above-root.js'
import type { SavedBranch } from '../reduction/wakeup-tree.js'

/**
 * A point of the path that a part of a search no longer keeps to itself: what is known of it, the step that the part went
 * on with, and what is still to be explored from it. Plain data; threads and locations by index.
 */
export interface HandedPoint {
  /** Rows of [thread, alternatives] of those that can run. */
  readonly alternatives: readonly (readonly number[])[]
  /** As `SleepSets.save` writes them. */
  readonly sleepers: readonly (readonly number[])[]
  readonly step: PlainStep
  /** Nobody planned for what follows the step: no other part has anything to add there. */
  readonly isLeaf: boolean
  /** Races with this step that have to be looked at at the end of every execution, as pairs of depths. */
  readonly races: readonly number[]
  readonly branches: readonly SavedBranch[]
  /** Of searches that mark threads: those marked, done or not. */
  readonly marked?: readonly number[]
  /** Of bounded searches: what the path costs up to here, and who may go on at no cost (-1: anybody). */
  readonly cost?: readonly [before: number, staying: number]
}

/**
 * A part from its beginning: the steps up to its root, the last of them not made yet, and what is known of the points
 * between them, from depth 0 to that of the last step.
 */
export interface PartStart {
  readonly thread: readonly number[]
  /** Of the last it may be open. */
  readonly value: readonly number[]
  readonly alternatives: readonly HandedPoint['alternatives'][]
  readonly sleepers: readonly HandedPoint['sleepers'][]
  /** What else has been taken or waits there, after the step. */
  readonly branches: readonly HandedPoint['branches'][]
  /** The last step with what is planned below it. */
  readonly planned: HandedPoint['branches']
  readonly marked: readonly (readonly number[])[]
  readonly costs: readonly HandedPoint['cost'][]
  readonly races: readonly number[]
}

/** A strategy as `Strategy.save` writes it, with the names of what it holds by index. */
export interface Kept {
  readonly state: Saved
  readonly threads: readonly string[]
  readonly locations: readonly (readonly [ObjectKind, string])[]
}

/** What a part says between two executions. */
export interface PartReport {
  /** To be explored from points above its root. */
  readonly plans: readonly Plan[]
  /**
   * With its first report: the step that leads to its root, as it turned out, unless it could not be made. `isLeft`: what was
   * planned to come next was asleep, so that the execution was given up there; more may be planned.
   */
  readonly opened?: {
    readonly step: PlainStep
    readonly races: readonly number[]
    readonly isLeft?: boolean
  }
  /** The points from its root on that now belong to the whole search; its root is the point after them. */
  readonly handed?: readonly HandedPoint[]
  /**
   * The part as it is now, from which another worker can go on. It comes with everything handed over, since nobody
   * could tell otherwise what has been explored of the rest.
   */
  readonly kept?: Kept
  /** Of bounded searches: something was left out for its cost. */
  readonly isLimited?: boolean
}

/** The branches of a point above a part's root as they are by now. */
export interface UpdatedPoint {
  readonly depth: number
  readonly branches: readonly SavedBranch[]
}

/** A search of which others can explore parts: see docs/algorithms/parallel.md. */
export interface Divisible {
  /** Of a part: the depth of its first point. The points above it belong to the whole search. */
  readonly root: number
  /** As in `Strategy`. */
  untried(depth: number): number
  /** Plans for points above the root that the next report will tell of. */
  readonly plansWaiting?: number
  /** Between two executions. `isAsked`: somebody has nothing to do. */
  report(isAsked: boolean): PartReport
  update?(point: UpdatedPoint, context: StrategyContext): void
}

/**
 * Of a search whose points are all fresh when they are reached: up to where to hand over, so that the shallowest branches
 * not begun are for others and something is left; -1 if there is not enough.
 */
export function shareUpTo(search: { untried(depth: number): number }, root: number, depth: number): number {
  const next = (from: number) => {
    let d = from
    while (d < depth && search.untried(d) === 0) d++
    return d
  }
  const end = next(root) + 1
  return next(end) < depth ? end : -1
}
