import type { Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import type { ThreadClocks } from './thread-clocks.js'
import type { UndoLog } from './undo-log.js'

/**
 * Which accesses cannot race: what tells detectors apart. Sees the events of an execution in order; keeps the clocks
 * of threads up to date and says which locks are held.
 */
export interface RaceOrder {
  readonly clocks: ThreadClocks
  /** By thread: number of the set of locks it holds, 0 for none; all 0 when locks order accesses already. */
  locks: Int32Array
  /** Where it remembers what it changes, if it can go on from the middle of an execution. */
  readonly undo: UndoLog | null
  /** Begins an execution: the whole of it is in the trace. */
  begin(machine: Machine, trace: Trace): void
  /** Event i of thread p, which is no plain access, with its sequence number. */
  event(i: number, p: number, sequence: number): void
  /** A plain write to a location. */
  overwrite(location: number): void
  /** The next execution has nothing in common with those since `begin`; the longest had that many events. */
  end(events: number): void
  /** Whether two sets of locks have one in common that keeps their holders apart. */
  exclude(locksA: number, locksB: number): boolean
}

/** A detector of races: what it takes for ordered, and what that is worth. */
export interface DetectorEntry {
  readonly name: string
  /** One line of help. */
  readonly summary: string
  /** The first race of an execution that it reports can really be done at once; otherwise another one has to confirm it. */
  readonly isExact: boolean
  order(): RaceOrder
}
