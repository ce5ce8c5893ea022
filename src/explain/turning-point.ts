import type { Choices, Failure } from './failure.js'
import type { ConflictOrder, Neighbours } from './flips.js'

/** The last moment at which a failing execution could still have passed. */
export interface TurningPoint {
  /** Transition of the failing execution; with another thread going first there, it passes. -1 if only `orders` are known. */
  readonly transition: number
  /** That other thread. */
  readonly thread: number
  /** The execution that passes. */
  readonly passing: Choices
  /**
   * Orders of the *passing* execution, each of which, reversed by itself, makes it fail in the same way. Empty if there
   * are none.
   */
  readonly orders: readonly ConflictOrder[]
}

/** A failure that is far from where it could have been avoided is told in another way. */
const mostPlaces = 400

/**
 * Goes back from the failure and lets each other thread run on, as far as it can, before the step at hand; the rest stays
 * as it was, as far as it goes. The conflicting operation of a thread that came too late may lie far ahead of where the
 * failure found it, and then no pair of operations of the failing execution tells of it: those of the passing one do.
 *
 * The latest place with such orders is taken, or else the latest place.
 */
export function findTurningPoint(
  near: Neighbours,
  failure: Failure,
  threads: number,
): TurningPoint | undefined {
  let latest: TurningPoint | undefined
  let left = mostPlaces
  for (let transition = failure.thread.length - 1; transition >= 0; transition--) {
    for (let thread = 0; thread < threads; thread++) {
      if (near.isSpent || left === 0) return latest
      if (thread === failure.thread[transition]) continue
      left--
      const passing = near.letFirst(failure, transition, thread)
      if (passing.outcome !== 'passes') continue
      const point = { transition, thread, passing, orders: turningOrders(near, failure, passing) }
      if (point.orders.length > 0) return point
      latest ??= point
    }
  }
  return latest
}

/**
 * Orders of a passing execution, each of which reversed makes it fail in the same way. They count only if the failing
 * execution has them reversed: a pass may be a coincidence, and then the order that breaks it says nothing.
 */
export function turningOrders(near: Neighbours, failure: Failure, passing: Choices): ConflictOrder[] {
  const { orders, before } = near.orders(passing)
  return orders.filter(
    (order) =>
      !near.isSpent &&
      isReversedIn(failure, passing, order) &&
      near.reverse(passing, order, before).outcome === 'same-bug',
  )
}

/** Steps of a thread are known again by their rank. */
function isReversedIn(failure: Choices, passing: Choices, order: ConflictOrder): boolean {
  const { firstThread, secondThread } = order
  const first = indexOf(failure, firstThread, rankOf(passing, firstThread, order.first))
  const second = indexOf(failure, secondThread, rankOf(passing, secondThread, order.second))
  return second >= 0 && (first < 0 || second < first)
}

function rankOf({ thread }: Choices, of: number, before: number): number {
  let rank = 0
  for (let i = 0; i < Math.min(before, thread.length); i++) if (thread[i] === of) rank++
  return rank
}

/** Where a thread takes its step of that rank; -1 if it never does. */
function indexOf({ thread }: Choices, of: number, rank: number): number {
  let left = rank
  for (let i = 0; i < thread.length; i++) if (thread[i] === of && left-- === 0) return i
  return -1
}
