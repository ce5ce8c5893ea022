import { Runner } from '../execution/runner.js'
import { sameBug } from '../program/bug.js'
import type { Machine } from '../program/machine.js'
import { createStrategy } from '../strategies/index.js'
import type { Choices, Failure, Limits } from './failure.js'
import { Neighbours, type Order } from './flips.js'

/** What makes the difference between failing and passing, as far as it could be shown by running schedules. */
export type Cause =
  /** Each of these orders, reversed by itself with all else as it was, makes the execution pass. */
  | { readonly kind: 'orders'; readonly orders: readonly Order[] }
  /** No order alone makes the difference; these, reversed together, do. */
  | { readonly kind: 'together'; readonly orders: readonly Order[] }
  /** Another alternative at one transition passes. */
  | { readonly kind: 'choice'; readonly transition: number }
  /** Every schedule fails in this way. */
  | { readonly kind: 'always' }
  /** No schedule nearby that passes was found. */
  | { readonly kind: 'unknown' }

export interface CauseSearch {
  readonly cause: Cause
  /** A passing schedule that differs in nothing else, if one was found. */
  readonly passing: Choices | null
}

/** Executions to look for any that passes, when none nearby does. */
const anyPassing = 1000

/**
 * Looks for the nearest passing schedule: the failing one with one order of two conflicting operations reversed; if
 * none passes, with one other choice; then, unless every schedule fails, with two orders reversed.
 */
export function findCause(
  machine: Machine,
  failure: Failure,
  alternatives: (transition: number) => number,
  limits: Limits,
): CauseSearch {
  const near = new Neighbours(machine, failure, limits)
  const { orders, before } = near.orders(failure)
  const decisive: Order[] = []
  const stillFailing: { order: Order; choices: Choices }[] = []
  let passing: Choices | null = null
  for (const order of orders) {
    if (near.isSpent) break
    const tried = near.reverse(failure, order, before)
    if (tried.outcome === 'passes') {
      decisive.push(order)
      passing ??= tried
    } else if (tried.outcome === 'same-bug') stillFailing.push({ order, choices: tried })
  }
  if (decisive.length > 0) return { cause: { kind: 'orders', orders: decisive }, passing }
  for (let i = failure.thread.length - 1; i >= 0; i--) {
    for (let other = 0; other < alternatives(i) && !near.isSpent; other++) {
      if (other === failure.value[i]) continue
      const tried = near.chooseOther(failure, i, other)
      if (tried.outcome === 'passes') return { cause: { kind: 'choice', transition: i }, passing: tried }
    }
  }
  if (failsAlways(machine, failure, limits)) return { cause: { kind: 'always' }, passing: null }
  for (const { order, choices } of stillFailing) {
    const second = near.orders(choices)
    for (const next of second.orders) {
      if (near.isSpent) break
      const tried = near.reverse(choices, next, second.before)
      if (tried.outcome !== 'passes') continue
      const again = orders.find((o) => o.location === next.location && o.firstThread === next.firstThread)
      if (again && again !== order)
        return { cause: { kind: 'together', orders: [order, again] }, passing: tried }
    }
  }
  return { cause: { kind: 'unknown' }, passing: null }
}

/** Whether every schedule, at the points in use, shows this bug; true only if all were run. */
function failsAlways(machine: Machine, failure: Failure, limits: Limits): boolean {
  const runner = new Runner(machine, { maxSteps: 2 * failure.thread.length + 1000 })
  const every = createStrategy('optimal', { machine, seed: 1 })
  for (let left = anyPassing; left > 0 && !limits.outOfTime(); left--) {
    if (!runner.run(every)) return true
    if (runner.status === 'blocked') continue
    if (runner.bug === null || !sameBug(runner.bug, failure.bug)) return false
  }
  return false
}
