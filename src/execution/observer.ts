import type { Machine } from '../machine/machine.js'
import type { Status, Trace } from './trace.js'

/** Watches executions: race detectors, coverage, progress. Sees every execution that is no rerun, from its first step. */
export interface Observer {
  /** Reads events; see `Strategy.footprints`. */
  readonly footprints: boolean
  begin?(machine: Machine, trace: Trace): void
  /** Called after each transition, when its events are complete and the next choice is not made yet. */
  transition?(trace: Trace, transition: number): void
  end?(trace: Trace, status: Status): void
}
