import type { Trace } from '../execution/trace.js'
import { HappensBefore } from '../ordering/happens-before.js'
import type { Machine } from '../program/machine.js'

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
 * when races are added, so counting too many is safe.
 */
export function posBound({ threads, events, races }: PosCounts): number {
  if (threads <= 1 || events === 0) return 1
  const counted = Math.min(races, events * (threads - 1))
  const r = (threads * events) / (events + counted)
  const u = (events - Math.ceil(counted / (threads - 1))) / 2
  return threads ** -events * r ** u
}

/**
 * Counts for the class of an execution that ran under `everywhere` with its events logged, and neither failed nor took
 * one of several alternatives: those the theorem does not speak of. Two events count as a race when they conflict and
 * nothing but conflicts with the later one puts them in order. Whether both were enabled is not asked (an unlock and
 * the lock that waits for it are counted), which can only lower the bound.
 */
export function countRaces(machine: Machine, trace: Trace): PosCounts {
  const hb = new HappensBefore(machine)
  const threads = new Set<number>()
  let races = 0
  for (let d = 0; d < trace.length; d++) {
    threads.add(trace.thread[d])
    const earlier = new Set<number>()
    hb.add(trace)
    hb.eachConflict((e) => earlier.add(e))
    races += earlier.size
  }
  return { threads: threads.size, events: trace.length, races }
}
