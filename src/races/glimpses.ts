import type { Observer } from '../execution/observer.js'
import type { Status, Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import type { RaceTable } from './race-table.js'

/** Samples that are looked at in any case; samples in which no race was new after which only some are. */
const fewestWatched = 4
const attention = 50
/** Of those, one in so many. */
const every = 8
/** Looking takes at most this part of the time, but for the first few. */
const lookingShare = 0.2

/**
 * Looks at all samples of a program first, then at some: logging and comparing all accesses takes several times as long as
 * a sample does, and whoever samples wants many. With many threads races may be new in every sample, for a pair of
 * accesses is one of threads; so there is a limit to the time that goes into it. For searches whose samples prove nothing,
 * and races that nobody asked for.
 */
export class Glimpses implements Observer {
  private seen = 0
  private watched = 0
  private quiet = 0
  private version = -1
  /** The next sample is looked at. */
  private isDue = true
  /** When the first sample, and the last one, began; time that looking at samples took, their drawing included. */
  private start = -1
  private began = 0
  private spent = 0

  constructor(
    private readonly observers: readonly Observer[],
    private readonly table: Pick<RaceTable, 'version' | 'skipped'> | undefined,
    /** Tells the time, in any unit. */
    private readonly clock: () => number,
  ) {}

  /** Asked before each execution. */
  get footprints(): boolean {
    return this.isDue && this.observers.some((observer) => observer.footprints)
  }

  begin(machine: Machine, trace: Trace): void {
    if (!this.isDue) return
    this.began = this.clock()
    if (this.start < 0) this.start = this.began
    for (const observer of this.observers) observer.begin?.(machine, trace)
  }

  end(trace: Trace, status: Status): void {
    if (this.isDue) {
      for (const observer of this.observers) observer.end?.(trace, status)
      this.watched++
      this.spent += this.clock() - this.began
    } else if (this.table) this.table.skipped++
    this.seen++
    const version = this.table?.version ?? 0
    this.quiet = version === this.version ? this.quiet + 1 : 0
    this.version = version
    this.isDue = this.watched < fewestWatched || (this.isWanted && this.isAffordable)
  }

  private get isWanted(): boolean {
    return this.quiet < attention || this.seen % every === 0
  }

  private get isAffordable(): boolean {
    return this.spent <= lookingShare * (this.clock() - this.start)
  }
}
