import type { Observer } from '../execution/observer.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import type { RaceTable } from './race-table.js'

/** Samples in which no race was new after which only some are looked at; and samples after which that is so in any case. */
const attention = 50
const mostWatched = 500
/** Of those, one in so many. */
const every = 8

/**
 * Looks at all samples of a program first, then at some: logging and comparing all accesses takes several times as long as
 * a sample does, and whoever samples wants many. For searches whose samples prove nothing, and races that nobody asked for.
 */
export class Glimpses implements Observer {
  private seen = 0
  private quiet = 0
  private version = -1

  constructor(
    private readonly observers: readonly Observer[],
    private readonly table: Pick<RaceTable, 'version' | 'skipped'> | undefined,
  ) {}

  /** Asked before each execution. */
  get footprints(): boolean {
    return this.isDue && this.observers.some((observer) => observer.footprints)
  }

  begin(machine: Machine, trace: Trace): void {
    if (this.isDue) for (const observer of this.observers) observer.begin?.(machine, trace)
  }

  end(trace: Trace, status: Status): void {
    if (this.isDue) for (const observer of this.observers) observer.end?.(trace, status)
    else if (this.table) this.table.skipped++
    this.seen++
    const version = this.table?.version ?? 0
    this.quiet = version === this.version ? this.quiet + 1 : 0
    this.version = version
  }

  private get isDue(): boolean {
    return (this.quiet < attention && this.seen < mostWatched) || this.seen % every === 0
  }
}
