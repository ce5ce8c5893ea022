import { grown } from '../../../machine/growing.js'
import type { LocationTable } from '../../../machine/names.js'

/** When each location was changed last. */
export class ChangeClock {
  /** Counts changes. Never goes back, not even between executions. */
  now = 0
  private changedAt = new Int32Array(256)

  constructor(private readonly locations: LocationTable) {}

  reset(): void {
    if (this.now <= 2 ** 30) return
    this.changedAt.fill(0)
    this.now = 0
  }

  note(location: number): void {
    if (location >= this.changedAt.length) this.changedAt = grown(this.changedAt, this.locations.count * 2)
    this.changedAt[location] = ++this.now
  }

  /** Whether a location, or one that overlaps it, was changed after a time. */
  isSince(location: number, time: number): boolean {
    const { changedAt } = this
    const { anyOverlap, overlaps } = this.locations
    if (changedAt[location] > time) return true
    const others = anyOverlap ? overlaps[location] : null
    if (others !== null) for (const other of others) if (changedAt[other] > time) return true
    return false
  }
}
