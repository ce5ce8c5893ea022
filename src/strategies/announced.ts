import type { Machine } from '../machine/machine.js'
import { announcedMode, Mode, Op } from '../machine/operation.js'
import { locationsMeet, modesConflict } from '../ordering/dependence.js'

/**
 * Whether the operations two threads are about to do race, judged on what they announce: a compare-exchange counts as
 * a write. Under PP sets other than `everywhere` more may follow in the same transition, which is not seen here.
 */
export function pendingRace(machine: Machine, a: number, b: number): boolean {
  const { kind, location } = machine.pending
  if (location[a] < 0 || location[b] < 0) return false
  if (bothWatched(machine, a, b)) return true
  return (
    modesConflict(announcedMode[kind[a]], announcedMode[kind[b]]) &&
    locationsMeet(machine.locations, location[a], location[b])
  )
}

/**
 * Whether two threads are about to change what one invariant looks at: it can tell the order of any two changes, those of
 * different objects too.
 */
export function bothWatched({ pending, locations }: Machine, a: number, b: number): boolean {
  const { kind, location } = pending
  if (location[a] < 0 || location[b] < 0) return false
  const ofA = locations.watchers[location[a]]
  const ofB = locations.watchers[location[b]]
  if (ofA === null || ofB === null) return false
  if (announcedMode[kind[a]] !== Mode.write || announcedMode[kind[b]] !== Mode.write) return false
  for (let i = 0; i < ofA.length; i++) if (ofB.includes(ofA[i])) return true
  return false
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
