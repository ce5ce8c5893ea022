import type { LocationTable } from '../machine/names.js'
import { Mode } from '../machine/operation.js'

/**
 * The one dependence table. Two operations of different threads are dependent when swapping them can change what
 * either does or whether it is enabled. Objects of every kind use the same four modes (`src/machine/operation.ts`
 * says which operation has which; a front end logs the mode as it turned out):
 *
 * | object | write | read | commute |
 * |---|---|---|---|
 * | memory | write, successful update, free | read, failed or idle update | – |
 * | mutex | lock, unlock, successful trylock, init, destroy | failed trylock, relock by the owner | – |
 * | reader-writer lock | write lock, write unlock, waiting to write | failed try | read lock, read unlock |
 * | semaphore | wait, successful trywait | failed trywait, value | post |
 * | barrier, per generation | arrive | leave | – |
 * | condition variable | everything | – | – |
 * | output (when compared), invariant | everything | – | – |
 *
 * Read lock and read unlock of different threads commute: either order leaves the same count of readers, and neither
 * can enable or disable the other, since both need only that no writer holds the lock. The order between threads
 * that create, wake or join makes (`edge` in the operation table) is not a conflict: it can never be reversed.
 */
const conflictTable = Uint8Array.from([
  // none, read, write, commute
  0, 0, 0, 0, // none
  0, 0, 1, 1, // read
  0, 1, 1, 1, // write
  0, 1, 1, 0, // commute
]) // biome-ignore format: a table

/** Whether operations of these modes on one object are dependent. */
export function modesConflict(a: number, b: number): boolean {
  return conflictTable[(a << 2) | b] === 1
}

/** Whether two locations are the same or share bytes. */
export function locationsMeet(locations: LocationTable, a: number, b: number): boolean {
  if (a === b) return true
  if (!locations.anyOverlap || a < 0 || b < 0) return false
  return locations.overlaps[a]?.includes(b) ?? false
}

/** Whether two operations of different threads are dependent. */
export function dependent(
  locations: LocationTable,
  locationA: number,
  modeA: number,
  locationB: number,
  modeB: number,
): boolean {
  return modesConflict(modeA, modeB) && locationsMeet(locations, locationA, locationB)
}

/** What an event must be weighed against: modes of earlier events that conflict with it. */
export const conflictsWithRead = (mode: number): boolean => modesConflict(mode, Mode.read)
export const conflictsWithCommute = (mode: number): boolean => modesConflict(mode, Mode.commute)
