import { Runner } from '../execution/runner.js'
import { sameBug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { createStrategy } from '../strategies/index.js'
import { wholeSearch } from '../strategies/memory-models.js'
import type { Choices, Failure, Limits } from './failure.js'
import { type ConflictOrder, Neighbours } from './flips.js'
import { findTurningPoint, type TurningPoint, turningOrders } from './turning-point.js'

/** What makes the difference between failing and passing, as far as it could be shown by running schedules. */
export type Cause =
  /** Each of these orders, reversed by itself with all else as it was, makes the execution pass. */
  | { readonly kind: 'orders'; readonly orders: readonly ConflictOrder[] }
  /** No order alone makes the difference; these, reversed together, do. */
  | { readonly kind: 'together'; readonly orders: readonly ConflictOrder[] }
  /** Another alternative at one transition passes. */
  | { readonly kind: 'choice'; readonly transition: number }
  /** No order of this execution makes the difference, but letting another thread go first at one place does. */
  | { readonly kind: 'turning-point'; readonly point: TurningPoint }
  /** Every schedule fails: in this way, unless `somehow`. */
  | { readonly kind: 'always'; readonly somehow: boolean }
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
 * none passes, with one other choice; then, unless every schedule fails, with another thread going first somewhere, or
 * with two orders reversed.
 */
export function findCause(
  machine: Machine,
  failure: Failure,
  alternatives: (transition: number) => number,
  limits: Limits,
): CauseSearch {
  const near = new Neighbours(machine, failure, limits)
  const { orders, before } = near.orders(failure)
  const decisive: ConflictOrder[] = []
  const stillFailing: { order: ConflictOrder; choices: Choices }[] = []
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
  const eager = newestFirst(near, machine.threads.count)
  const { always, pass } = eager
    ? ({ always: 'no', pass: eager } as const)
    : failsAlways(machine, failure, limits)
  if (always !== 'no') return { cause: { kind: 'always', somehow: always === 'somehow' }, passing: null }
  const point = findTurningPoint(near, failure, machine.threads.count)
  if (point && point.orders.length > 0)
    return { cause: { kind: 'turning-point', point }, passing: point.passing }
  if (pass !== null) {
    const orders = turningOrders(near, failure, pass)
    const elsewhere = { transition: -1, thread: -1, passing: pass, orders }
    if (orders.length > 0) return { cause: { kind: 'turning-point', point: elsewhere }, passing: pass }
  }
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
  if (point) return { cause: { kind: 'turning-point', point }, passing: point.passing }
  return { cause: { kind: 'unknown' }, passing: null }
}

/** What would happen if threads ran as soon as they are created; many programs expect just that. */
function newestFirst(near: Neighbours, threads: number): Choices | null {
  const tried = near.byPriority(Array.from({ length: threads }, (_, i) => threads - 1 - i))
  return tried.outcome === 'passes' ? tried : null
}

/**
 * Whether every schedule, at the points in use, shows this bug, or at least some bug; `no` unless all were run. A schedule
 * that passes, if one was met.
 */
function failsAlways(
  machine: Machine,
  failure: Failure,
  limits: Limits,
): { always: 'so' | 'somehow' | 'no'; pass: Choices | null } {
  const runner = new Runner(machine, { maxSteps: 2 * failure.thread.length + 1000 })
  const every = createStrategy(wholeSearch(machine), { machine, seed: 1 })
  let same = true
  for (let left = anyPassing; left > 0 && !limits.outOfTime(); left--) {
    if (!runner.run(every)) return { always: same ? 'so' : 'somehow', pass: null }
    const { status, bug, trace } = runner
    if (status === 'blocked') continue
    if (bug === null) {
      const isPass = status === 'completed' && !machine.assumptionFailed
      const pass = { thread: trace.thread.slice(0, trace.length), value: trace.value.slice(0, trace.length) }
      return { always: 'no', pass: isPass ? pass : null }
    }
    same &&= sameBug(bug, failure.bug)
  }
  return { always: 'no', pass: null }
}
