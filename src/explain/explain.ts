import { Runner } from '../execution/runner.js'
import type { Machine } from '../machine/machine.js'
import { type DecisiveAbort, decisiveAborts } from './aborts.js'
import { type Cause, findCause } from './cause.js'
import { type Choices, type Failure, type Limits, stretchesOf } from './failure.js'
import { GuidedSchedule } from './guided-schedule.js'
import { type LockCycle, lockCycle } from './lock-cycle.js'
import { EventFinder, isAcquire, isRelease, type NamedEvent, type NamedOrder } from './named-events.js'
import { type Recording, RecordingObserver } from './recording.js'
import type { SourceText } from './source-text.js'
import type { TurningPoint } from './turning-point.js'
import { type DecisiveWake, decisiveWake } from './wakes.js'

/** Why an execution fails, as far as running its neighbours could show. */
export type Reason =
  /**
   * `inner`, of other threads, happened between two operations of one thread. Where `isProven` is `both`, either
   * order reversed by itself makes it pass; otherwise only that of `inner` and `after` does.
   */
  | {
      readonly kind: 'between'
      readonly before: NamedEvent
      readonly inner: readonly NamedEvent[]
      readonly after: NamedEvent
      readonly isProven: 'both' | 'second'
    }
  /**
   * Reversed by itself, each of these orders makes it pass; or, where they are not of `this` execution but of `another`
   * one close to it, the other way round: that one passes, and fails in the same way with the order as told.
   */
  | { readonly kind: 'order'; readonly orders: readonly NamedOrder[]; readonly shownBy: 'this' | 'another' }
  /** With the thread `first` going first, right before `event`, it passes; later nothing was found to help. */
  | { readonly kind: 'turning-point'; readonly event: NamedEvent; readonly first: number }
  /** None of these alone, but all of them together. */
  | { readonly kind: 'together'; readonly orders: readonly NamedOrder[] }
  | { readonly kind: 'choice'; readonly event: NamedEvent; readonly choice: string }
  | { readonly kind: 'cycle'; readonly cycle: LockCycle; readonly isOrdered: boolean }
  /** Every schedule shows it, or some other bug. */
  | { readonly kind: 'always'; readonly somehow: boolean }
  | { readonly kind: 'unknown' }

export interface Explained {
  readonly reason: Reason
  /** What failed, where no order of operations tells of it. */
  readonly failed: NamedEvent | null
  /** Of a misused lock: where it was taken last. */
  readonly taken: NamedEvent | null
  /** Transactions whose aborts matter, unless the reason is such a choice. */
  readonly aborts: readonly DecisiveAbort[]
  /** Of a deadlock: a signal that woke the wrong thread, unless the reason is such a choice. */
  readonly wake: DecisiveWake | null
  /** A schedule that passes and differs in nothing else. */
  readonly passing: Choices | null
}

/** Explains a failing execution; `recording` is of the same choices, at the points that the machine has now. */
export function explain(
  machine: Machine,
  failure: Failure,
  recording: Recording,
  sources: SourceText,
  limits: Limits,
): Explained {
  const alternatives = (transition: number) => recording.transitions[transition]?.alternatives ?? 1
  const { cause, passing } = findCause(machine, failure, alternatives, limits)
  const finder = new EventFinder(machine, recording)
  const cycle = lockCycle(finder)
  const { bug } = failure
  const reason: Reason = cycle
    ? { kind: 'cycle', cycle, isOrdered: cause.kind === 'orders' }
    : cause.kind === 'turning-point'
      ? turningReason(cause.point, finder, () => record(machine, cause.point.passing, sources))
      : reasonOf(cause, finder)
  const isUntold = reason.kind === 'always' || reason.kind === 'unknown'
  return {
    reason,
    failed: isUntold && bug.thread >= 0 ? finder.pendingOf(bug.thread) : null,
    taken: bug.kind === 'lock-misuse' ? (finder.lastTaken(bug.thread) ?? null) : null,
    aborts: reason.kind === 'choice' ? [] : decisiveAborts(machine, failure, finder, limits),
    wake: reason.kind === 'choice' ? null : decisiveWake(machine, failure, finder, alternatives, limits),
    passing,
  }
}

/** The execution that passes, told like the failing one. */
function record(machine: Machine, choices: Choices, sources: SourceText): EventFinder {
  const observer = new RecordingObserver(machine, sources)
  const runner = new Runner(machine, { observers: [observer], maxSteps: choices.thread.length + 1 })
  runner.run(new GuidedSchedule(stretchesOf(choices), true))
  return new EventFinder(machine, observer.result(runner.bug))
}

/** Orders of the execution that passes are told the other way round: as they are when it fails. */
function turningReason(
  { transition, thread, orders }: TurningPoint,
  finder: EventFinder,
  passingStory: () => EventFinder,
): Reason {
  const failed = finder.recording.bug?.thread ?? -1
  if (orders.length > 0) {
    const other = passingStory()
    const told = orders.flatMap((order): NamedOrder[] => {
      const pair = other.order(order)
      return pair
        ? [{ first: finder.counterpart(pair.second, other), second: finder.counterpart(pair.first, other) }]
        : []
    })
    const best = told
      .filter(({ first, second }) => first.happened && first.position < second.position)
      .sort((a, b) => plainness(a, failed) - plainness(b, failed))
      .at(0)
    if (best) return { kind: 'order', orders: [best], shownBy: 'another' }
  }
  const event = finder.events.find((_, i) => finder.recording.events[i].transition === transition)
  const pending = event ?? (failed >= 0 ? finder.pendingOf(failed) : null)
  return pending ? { kind: 'turning-point', event: pending, first: thread } : { kind: 'unknown' }
}

/** Less is plainer: accesses rather than locks, what the failing thread did, what happened late. */
function plainness({ first, second }: NamedOrder, failed: number): number {
  const locks = [first, second].filter((e) => isAcquire(e.kind) || isRelease(e.kind)).length
  return 100 * locks + (first.thread === failed || second.thread === failed ? 0 : 50) - first.position / 1e6
}

function reasonOf(cause: Exclude<Cause, { kind: 'turning-point' }>, finder: EventFinder): Reason {
  switch (cause.kind) {
    case 'orders': {
      const orders = cause.orders.map((o) => finder.order(o)).filter((o) => o !== null)
      if (orders.length === 0) return { kind: 'unknown' }
      return bestBetween(orders, finder) ?? { kind: 'order', orders: orders.slice(0, 1), shownBy: 'this' }
    }
    case 'together': {
      const orders = cause.orders.map((o) => finder.order(o)).filter((o) => o !== null)
      return orders.length === cause.orders.length ? { kind: 'together', orders } : { kind: 'unknown' }
    }
    case 'choice': {
      const event = finder.events.find((_, i) => finder.recording.events[i].transition === cause.transition)
      const choice = event && finder.recording.events[event.position].choice
      return event && choice !== undefined ? { kind: 'choice', event, choice } : { kind: 'unknown' }
    }
    default:
      return cause
  }
}

type Between = Reason & { readonly kind: 'between' }

/** The best of all ways to say that something came in between. */
function bestBetween(orders: readonly NamedOrder[], finder: EventFinder): Between | undefined {
  const failed = finder.recording.bug?.thread ?? -1
  let best: Between | undefined
  let bestCost = Infinity
  for (const reason of [...bracketed(orders), ...halfBracketed(orders, finder)]) {
    const cost = costOf(reason, failed)
    if (cost >= bestCost) continue
    bestCost = cost
    best = reason
  }
  return best
}

/**
 * What tells a reader least costs most: threads that have nothing to do with the failure, locks where accesses could be
 * told, steps that never happened, long distances.
 */
function costOf({ before, inner, after, isProven }: Between, failed: number): number {
  const events = [before, ...inner, after]
  const strangers = new Set(inner.map((e) => e.thread)).size - 1
  const takesPart = failed < 0 || events.some((e) => e.thread === failed)
  const locks = events.filter((e) => isAcquire(e.kind) || isRelease(e.kind)).length
  return (
    (takesPart ? 0 : 200) +
    150 * strangers +
    60 * locks +
    (after.happened ? 0 : 40) +
    (isProven === 'both' ? 0 : 30) +
    Math.min(after.position - before.position, 25)
  )
}

/** Two orders with one thread on the outside, around what others did. */
function* bracketed(orders: readonly NamedOrder[]): Generator<Between> {
  for (const into of orders) {
    const before = into.first
    for (const out of orders) {
      const after = out.second
      if (out === into || after.thread !== before.thread) continue
      const inner = [into.second, out.first].sort((a, b) => a.position - b.position)
      if (before.position >= inner[0].position || inner[1].position >= after.position) continue
      const distinct = inner[0].position === inner[1].position ? [inner[0]] : inner
      yield { kind: 'between', before, inner: distinct, after, isProven: 'both' }
    }
  }
}

/** One order whose later thread had been at it before the other came in between. */
function* halfBracketed(orders: readonly NamedOrder[], finder: EventFinder): Generator<Between> {
  for (const { first, second } of orders) {
    const before = finder.lastBefore(second.thread, first.position, [first.location, second.location])
    const firstOfThread = finder.events.findIndex((e) => e.thread === second.thread)
    if (before === undefined || before.position <= firstOfThread) continue
    yield { kind: 'between', before, inner: [first], after: second, isProven: 'second' }
  }
}
