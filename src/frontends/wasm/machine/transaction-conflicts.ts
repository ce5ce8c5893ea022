import { THREAD_LIVE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import { locationsMeet } from '../../../ordering/dependence.js'
import type { Kernel } from './kernel.js'

/** What a transaction would touch: location, and whether it would write there. */
type Touched = ReadonlyMap<number, boolean>

/** Events that say nothing new about memory. */
const isBookkeeping = (kind: number): boolean =>
  kind === Op.txWatch || kind === Op.resume || kind === Op.probe || kind === Op.watch

/**
 * Who is in conflict with whom. A transaction can abort by a conflict if, since its thread came to the begin, another
 * thread has touched what the transaction would: that is told from what its body does when the thread comes there, tried
 * out and undone. As long as nobody interferes it does the same, and the first who does is in conflict with just that.
 */
export class TransactionConflicts {
  /** By thread that has come to a begin. */
  private readonly sets: (Touched | null)[] = []
  private readonly isMet: boolean[] = []
  /** Threads that have come to a begin. */
  watching = 0
  /** Events looked at so far. */
  private seen = 0

  constructor(private readonly kernel: Kernel) {}

  reset(): void {
    this.sets.length = 0
    this.watching = 0
    this.seen = 0
  }

  /** The events up to here are nothing to look at. */
  skip(): void {
    this.seen = this.kernel.events.count
  }

  has(thread: number): boolean {
    return this.sets[thread] != null && this.isMet[thread]
  }

  /** The body that a thread has come to touched what these events say. */
  arrive(thread: number, from: number, to: number): void {
    const { kind, mode, location } = this.kernel.events
    const set = new Map<number, boolean>()
    for (let i = from; i < to; i++) {
      if (mode[i] === Mode.none) continue
      const writes = mode[i] === Mode.write || kind[i] === Op.atomicUpdate
      set.set(location[i], writes || set.get(location[i]) === true)
    }
    this.sets[thread] = set
    this.isMet[thread] = this.isDisturbed(thread, set)
    this.watching++
  }

  /** Whether a thread that spins accesses again and again what the transaction would: its rounds are left out otherwise. */
  private isDisturbed(thread: number, set: Touched): boolean {
    const { spins, locations, set: all } = this.kernel
    const isHit = (location: number, kind: number) => {
      if (isBookkeeping(kind)) return false
      const writes = kind !== Op.load && kind !== Op.atomicLoad
      for (const [own, isWritten] of set)
        if ((writes || isWritten) && locationsMeet(locations, own, location)) return true
      return false
    }
    return all.created.some((other) => other !== thread && spins.keepsDoing(other, isHit))
  }

  leave(thread: number): void {
    if (this.sets[thread] == null) return
    this.sets[thread] = null
    this.watching--
  }

  /** Who reads what the transaction would write is in conflict with it, so that is no mere read. */
  tell(thread: number): void {
    const { events, pending, footprints } = this.kernel
    if (!footprints) return
    for (const [location, writes] of this.sets[thread] ?? [])
      events.push(Op.txWatch, writes ? Mode.commute : Mode.read, location, pending.site[thread], -1)
  }

  /** Looks at what the running thread has done since the last time. */
  look(): void {
    const { events, running } = this.kernel
    for (; this.seen < events.count; this.seen++) {
      const i = this.seen
      if (this.watching === 0 || events.mode[i] === Mode.none || isBookkeeping(events.kind[i])) continue
      const writes = events.mode[i] !== Mode.read || events.kind[i] === Op.atomicUpdate
      this.meet(running, events.location[i], writes)
    }
  }

  private meet(by: number, location: number, writes: boolean): void {
    const { locations, pending } = this.kernel
    for (let t = 0; t < this.sets.length; t++) {
      const set = this.sets[t]
      if (t === by || set == null || this.isMet[t] || pending.status[t] !== THREAD_LIVE) continue
      for (const [own, isWritten] of set) {
        if (!(writes || isWritten) || !locationsMeet(locations, own, location)) continue
        this.isMet[t] = true
        break
      }
    }
  }
}
