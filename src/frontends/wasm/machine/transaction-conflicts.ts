import { THREAD_LIVE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import { locationsMeet } from '../../../ordering/dependence.js'
import type { Kernel } from './kernel.js'

/** What a body does, tried out. */
interface Trial {
  /** What it would touch: location, and whether it would write there. */
  readonly touched: ReadonlyMap<number, boolean>
  /** What it would read right before it fails. */
  readonly lastReads: readonly number[]
}

/** A thread that has come to a begin. */
interface Arrival {
  trial: Trial
  /** It has not come back there merely to abort again. */
  readonly isFirst: boolean
  isMet: boolean
  /** Who has been in conflict with it. */
  readonly met: number[]
}

/** Events that say nothing new about memory. */
const isBookkeeping = (kind: number): boolean =>
  kind === Op.txWatch || kind === Op.resume || kind === Op.probe || kind === Op.watch

/**
 * Who is in conflict with whom. A transaction can abort by a conflict if, since its thread came to the begin, another
 * thread has touched what the transaction would: that is told from what its body does when the thread comes there, tried
 * out and undone. As long as nobody interferes it does the same, and the first who does is in conflict with just that. A body
 * that fails does so right after its last access, so that nobody can come in between; who changes what that read is in no
 * conflict, but has the body do something else, and it is tried out anew.
 */
export class TransactionConflicts {
  /** By thread. */
  private readonly arrivals: (Arrival | null)[] = []
  /** Threads that have come to a begin. */
  watching = 0
  /** Those whose bodies would do something else by now. */
  readonly stale: number[] = []
  /** Events looked at so far. */
  private seen = 0

  constructor(private readonly kernel: Kernel) {}

  reset(): void {
    this.arrivals.length = 0
    this.stale.length = 0
    this.watching = 0
    this.seen = 0
  }

  /** The events up to here are nothing to look at. */
  skip(): void {
    this.seen = this.kernel.events.count
  }

  has(thread: number): boolean {
    return this.arrivals[thread]?.isMet === true
  }

  /** The body that a thread has come to touched what these events say. Done anew, all else stays as it is. */
  arrive(thread: number, from: number, to: number, lastReads: readonly number[]): void {
    const { events, spins } = this.kernel
    const { kind, mode, location } = events
    const touched = new Map<number, boolean>()
    for (let i = from; i < to; i++) {
      if (mode[i] === Mode.none) continue
      const writes = mode[i] === Mode.write || kind[i] === Op.atomicUpdate
      touched.set(location[i], writes || touched.get(location[i]) === true)
    }
    const trial = { touched, lastReads }
    const arrival = this.arrivals[thread]
    if (arrival) {
      arrival.trial = trial
      return
    }
    this.arrivals[thread] = { trial, isFirst: !spins.isRetrying(thread), isMet: false, met: [] }
    this.watching++
  }

  leave(thread: number): void {
    if (!this.arrivals[thread]) return
    this.arrivals[thread] = null
    this.watching--
  }

  /** Who reads what the transaction would write is in conflict with it, so that is no mere read. */
  tell(thread: number): void {
    const { events, pending, footprints } = this.kernel
    const arrival = this.arrivals[thread]
    if (!footprints || !arrival) return
    const { trial, isMet } = arrival
    const site = pending.site[thread]
    for (const [location, writes] of trial.touched)
      events.push(Op.txWatch, writes ? Mode.commute : Mode.read, location, site, -1)
    // Who is in conflict stays so, whatever its body would do.
    if (isMet) return
    for (const location of trial.lastReads) events.push(Op.txWatch, Mode.read, location, site, -1)
  }

  /** Looks at what the running thread has done since the last time. */
  look(): void {
    const { events, running } = this.kernel
    for (; this.seen < events.count; this.seen++) {
      const i = this.seen
      if (this.watching === 0 || events.mode[i] === Mode.none || isBookkeeping(events.kind[i])) continue
      const writes = events.mode[i] !== Mode.read || events.kind[i] === Op.atomicUpdate
      this.compare(running, events.location[i], writes)
    }
  }

  private compare(by: number, location: number, writes: boolean): void {
    const { locations, pending } = this.kernel
    const isThere = (own: number) => locationsMeet(locations, own, location)
    for (let t = 0; t < this.arrivals.length; t++) {
      const arrival = this.arrivals[t]
      if (t === by || !arrival || pending.status[t] !== THREAD_LIVE) continue
      const { touched, lastReads } = arrival.trial
      let isHit = false
      for (const [own, isWritten] of touched) isHit ||= (writes || isWritten) && isThere(own)
      if (isHit) this.meet(arrival, by)
      else if (writes && !arrival.isMet && lastReads.some(isThere) && !this.stale.includes(t))
        this.stale.push(t)
    }
  }

  /** A round of a loop that lets another thread abort has changed something, though it has changed no memory. */
  private meet(arrival: Arrival, by: number): void {
    arrival.isMet = true
    if (!arrival.isFirst || arrival.met.includes(by)) return
    arrival.met.push(by)
    this.kernel.spins.choose(by)
  }
}
