import type { Machine } from '../machine/machine.js'
import { announcedMode, Op } from '../machine/operation.js'
import { locationsMeet, modesConflict } from '../ordering/dependence.js'

/**
 * Whether the operations two threads are about to do race, judged on what they announce: a compare-exchange counts as
 * a write. Under PP sets other than `everywhere` more may follow in the same transition, which is not seen here.
 */
export function pendingRace(machine: Machine, a: number, b: number): boolean {
  const { kind, location } = machine.pending
  return (
    location[a] >= 0 &&
    modesConflict(announcedMode[kind[a]], announcedMode[kind[b]]) &&
    locationsMeet(machine.locations, location[a], location[b])
  )
}

/**
 * Yields after which a sampler that goes by priorities draws all of them anew (Yuan, Yang, Gu, CAV 2018, §5): a thread
 * that polls must not starve the one it waits for.
 */
export const yieldsPerReset = 1000

/** Whether the thread is about to give the processor away. */
export function isYielding(machine: Machine, thread: number): boolean {
  const kind = machine.pending.kind[thread]
  return kind === Op.yield || kind === Op.pause
}
