import type { Observer } from '../execution/observer.js'
import { innermost, type Saved, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import { kinds, Mode, Op } from '../machine/operation.js'
import { isEverywhere } from '../machine/points.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { count } from '../words/words.js'
import { yieldsPerReset } from './announced.js'
import type { StrategyStatistics } from './registry.js'
import { asSampler, type Sampler } from './sampler.js'

/** What theorem 1 of the POS paper goes by. */
export interface PosCounts {
  /** Threads that took part. */
  readonly threads: number
  readonly events: number
  /** Pairs of dependent events of different threads that can be enabled at the same time. */
  readonly races: number
}

/**
 * Theorem 1 of Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling" (CAV 2018, doi:10.1007/978-3-319-96142-2_20):
 * the least probability with which one execution of `pos` shows a happens-before class with these counts. Decreases
 * when events or races are added, so counting too many is safe; not always when threads are.
 */
export function posBound({ threads, events, races }: PosCounts): number {
  if (threads <= 1 || events === 0) return 1
  const counted = Math.min(races, events * (threads - 1))
  const r = (threads * events) / (events + counted)
  const u = (events - Math.ceil(counted / (threads - 1))) / 2
  return threads ** -events * r ** u
}

/** The same for every class with at most these counts. */
export function posBoundUpTo({ threads, events, races }: PosCounts): number {
  let least = 1
  for (let t = 2; t <= threads; t++) least = Math.min(least, posBound({ threads: t, events, races }))
  return least
}

/**
 * Counts for the class of an execution that ran under `everywhere` with its events logged, and neither failed nor took
 * one of several alternatives: those the theorem does not speak of. Two events count as a race when they conflict and
 * nothing but conflicts with the later one puts them in order. Whether both were enabled is not asked (an unlock and
 * the lock that waits for it are counted), which can only lower the bound.
 */
export function countRaces(machine: Machine, trace: Trace): PosCounts {
  return countDrawn(machine, trace, () => true)!
}

/**
 * The same for an execution over the events that matter. Transitions without a draw are no events of the theorem's: each
 * belongs to what its thread does next, and conflicts with nothing that is not in order anyway. Null if one does.
 */
export function countDrawn(
  machine: Machine,
  trace: Trace,
  isDrawn: (transition: number) => boolean,
): PosCounts | null {
  const hb = new HappensBefore(machine)
  const threads = new Set<number>()
  let events = 0
  let races = 0
  let isComplete = true
  for (let d = 0; d < trace.length; d++) {
    threads.add(trace.thread[d])
    const earlier = new Set<number>()
    hb.add(trace)
    hb.eachConflict((e) => earlier.add(e))
    races += earlier.size
    if (isDrawn(d)) events++
    else if (earlier.size > 0) isComplete = false
    for (const e of earlier) if (!isDrawn(e)) isComplete = false
  }
  return isComplete ? { threads: threads.size, events, races } : null
}

/** A sampler's promise for every happens-before class like those seen: each count is the largest of them. */
export interface HitBound extends PosCounts {
  /** The least probability with which one execution shows such a class. */
  readonly probability: number
}

/** Watches a sampler and tells its bound; null when there is none for this program, or nothing was seen yet. */
export interface HitBoundObserver extends Observer {
  readonly bound: HitBound | null
}

/** Executions whose races are counted: counting needs events, which costs time. */
const looks = 100

const isCoveredKind = kinds((operation) => operation.single === true)

/**
 * Counts events and races of the first executions since it was last learnt which events matter; before that, of those over
 * all events. There is no bound once one of them did something that the theorem does not speak of: more than one operation
 * in a transition, one of several alternatives, a wait on a condition or for a time, a wait for ever, a failure, a cut, more yields than the
 * fairness of `pos` lets pass.
 */
class PosBound implements HitBoundObserver {
  private threads = 0
  private events = 0
  private races = 0
  private lookedAt = 0
  private isCovered: boolean
  /** What the sampler said after the last execution. */
  private settled = 0

  constructor(
    private readonly machine: Machine,
    private readonly sampler: Sampler | undefined,
  ) {
    this.isCovered = isEverywhere(machine.points)
  }

  get footprints(): boolean {
    const isOfOthers = this.settled > 0 && this.sampler?.isOverAll === true
    return this.isCovered && this.lookedAt < looks && !isOfOthers
  }

  get bound(): HitBound | null {
    const { isCovered, lookedAt, threads, events, races } = this
    if (!isCovered || lookedAt === 0) return null
    return { threads, events, races, probability: posBoundUpTo({ threads, events, races }) }
  }

  end(trace: Trace, status: Status): void {
    const { sampler, footprints } = this
    if (sampler !== undefined) {
      const before = this.settled
      this.settled = sampler.settled
      if (this.settled < before || (this.settled > 0 && before === 0)) this.forget()
      if (this.settled === 0 && !sampler.isOverAll) return
    }
    if (!footprints) return
    this.lookedAt++
    const counts = this.covers(trace, status)
      ? countDrawn(this.machine, trace, (d) => sampler?.drewAt(d) ?? true)
      : null
    this.isCovered = counts !== null
    if (counts === null) return
    this.threads = Math.max(this.threads, counts.threads)
    this.events = Math.max(this.events, counts.events)
    this.races = Math.max(this.races, counts.races)
  }

  private forget(): void {
    this.threads = this.events = this.races = this.lookedAt = 0
  }

  private covers(trace: Trace, status: Status): boolean {
    // Where threads wait for ever, what they wait to do competes with what is done, and is not counted.
    if (status !== 'completed' || this.machine.assumptionFailed) return false
    const { kind, mode } = trace.events
    let yields = 0
    for (let d = 0; d < trace.length; d++) {
      let touching = 0
      for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
        if (kind[i] === Op.choose || kind[i] === Op.wake) return false
        if (kind[i] === Op.yield) yields++
        if (mode[i] === Mode.none) continue
        if (isCoveredKind[kind[i]] === 0) return false
        touching++
      }
      if (touching > 1 || trace.value[d] > 0) return false
    }
    return yields < yieldsPerReset
  }
}

export function watchPosBound(machine: Machine, strategy?: Strategy): HitBoundObserver {
  return new PosBound(machine, strategy && asSampler(innermost(strategy)))
}

/** With the probability that one of so many samples shows it: 1 - (1 - p)^n, exact for small p too. */
function withAll(bound: HitBound, samples: number): Saved {
  return { ...bound, samples, probabilityOfAll: -Math.expm1(samples * Math.log1p(-bound.probability)) }
}

/** The least probability with which an order of events like those seen shows. */
export const hitBoundStatistics: StrategyStatistics = {
  name: 'hitBound',
  watch: watchPosBound,
  read(strategy, watcher, executions) {
    const bound = (watcher as HitBoundObserver | undefined)?.bound ?? null
    if (bound === null) return undefined
    return withAll(bound, asSampler(innermost(strategy))?.comparable ?? executions)
  },
  sum(all) {
    const bounds = all.filter((data) => data !== undefined) as unknown as (HitBound & { samples: number })[]
    if (bounds.length < all.length || all.length === 0) return undefined
    const most = (key: keyof PosCounts) => Math.max(...bounds.map((bound) => bound[key]))
    const counts = { threads: most('threads'), events: most('events'), races: most('races') }
    // Some of them may have gone on with what others had drawn: the longest of them is sure to be one.
    const samples = Math.max(...bounds.map((bound) => bound.samples))
    return withAll({ ...counts, probability: posBoundUpTo(counts) }, samples)
  },
  text(data, { strategy }) {
    const { threads, events, races, probability, probabilityOfAll, samples } = data as Record<string, number>
    return (
      `An order of events like those seen (up to ${count(threads, 'thread')}, ${count(events, 'event')} that ` +
      `matter${events === 1 ? 's' : ''}, ${count(races, 'race')}) shows in one sample of ${strategy} with ` +
      `probability ${atLeast(probability)}, in ${samples} with ${atLeast(probabilityOfAll)}.`
    )
  },
}

/** `at least 0.012`, rounded down. */
function atLeast(probability: number): string {
  if (probability >= 0.999) return 'at least 0.999'
  const [digits, exponent] = probability.toExponential(6).split('e')
  const down = Math.floor(Number(digits) * 10) / 10
  return `at least ${Number(exponent) < -3 ? `${down}e${exponent}` : Number(`${down}e${exponent}`)}`
}
