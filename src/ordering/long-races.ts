import type { LongAccesses, Machine } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { isEverywhere, type PointSet } from '../machine/points.js'
import type { TransitionOrder } from './transition-order.js'

/**
 * Accesses of several words (copies) that were done in one step and seen to race: finer interleavings exist than were
 * explored. Kept only where every transition should be one operation.
 */
export class LongRaces {
  /** Their sites; -1 stands for one without a site. */
  readonly sites = new Set<number>()
  private readonly longAccesses: LongAccesses | undefined
  private points: PointSet | null = null
  private isEverywhere = false

  constructor(
    private readonly order: TransitionOrder,
    private readonly machine: Machine,
  ) {
    this.longAccesses = machine.longAccesses
  }

  /** Whether there has been such an access, and every operation is a point, so that a transition is one operation. */
  get isLookedFor(): boolean {
    return this.longAccesses?.seen === true && this.isSingle
  }

  /** Notes a transition and those it races with, as far as they are long. */
  note(transition: number, races: Int32Array, raceCount: number): void {
    if (raceCount > 0 || this.isWatched(transition)) this.noteIfLong(transition)
    for (let i = 0; i < raceCount; i++) this.noteIfLong(races[i])
  }

  /**
   * Whether the transition has one access of several words (a copy): another thread could come between them. Not in an
   * atomic section, which goes on after a point of the program's own.
   */
  private noteIfLong(transition: number): void {
    const { kind, location, site } = this.order
    const start = this.order.eventStart(transition)
    const end = this.order.eventEnd[transition]
    let accesses = 0
    let isLong = false
    for (let i = start; i < end; i++) {
      if (kind[i] === Op.userPoint) return
      if (kind[i] !== Op.load && kind[i] !== Op.store) continue
      if (++accesses > 1 || this.machine.locations.wide.has(location[i])) isLong = true
    }
    if (!isLong) return
    for (let i = start; i < end; i++) {
      if (kind[i] === Op.load || kind[i] === Op.store) this.sites.add(site[i])
    }
  }

  /** Whether an invariant looked at what the transition wrote: it would look between its words, too. */
  private isWatched(transition: number): boolean {
    const { order } = this
    for (let i = order.eventStart(transition); i < order.eventEnd[transition]; i++) {
      if (order.kind[i] === Op.watch) return true
    }
    return false
  }

  private get isSingle(): boolean {
    const { points } = this.machine
    if (points !== this.points) {
      this.points = points
      this.isEverywhere = isEverywhere(points)
    }
    return this.isEverywhere
  }
}
