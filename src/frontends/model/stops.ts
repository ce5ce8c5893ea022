import { grown } from '../../machine/growing.js'
import type { Site } from '../../machine/names.js'
import { Op, operations } from '../../machine/operation.js'
import { everywhere, hasKind, type PointSet, rulesAccept, stopsBeforeRelease } from '../../machine/points.js'

/** The thread stops before the operation of this site. */
export const STOP_BEFORE = 1
/** The thread stops before whatever follows the release at this site. */
export const STOP_AFTER = 2
/** The thread stops before taking the mutex again after the wait at this site. */
export const STOP_BEFORE_REACQUIRE = 4

/**
 * Which sites are preemption points, one byte per site. Threads named by some race point have a row of their own, all
 * others share row 0.
 */
export class Stops {
  readonly sites: Site[] = []
  rows: Uint8Array[] = [new Uint8Array(64)]
  private readonly kinds: number[] = []
  points: PointSet = everywhere
  /** Threads with a row of their own, in row order from 1. */
  private owners: string[] = []

  /** Adds a site whose first operation is of this kind, or -1 when nothing there can be a point. */
  add(site: Site, kind: number): number {
    const index = this.sites.length
    this.sites.push(site)
    this.kinds.push(kind)
    if (index === this.rows[0].length) this.rows = this.rows.map((row) => grown(row, index * 2))
    this.mark(index)
    return index
  }

  use(points: PointSet): void {
    this.points = points
    this.owners = [...new Set(points.races.flatMap((race) => race.thread ?? []))]
    const width = this.rows[0].length
    this.rows = Array.from({ length: this.owners.length + 1 }, () => new Uint8Array(width))
    for (let site = 0; site < this.sites.length; site++) this.mark(site)
  }

  /** The row of the thread of that name. */
  rowOf(thread: string): number {
    return this.owners.indexOf(thread) + 1
  }

  private mark(site: number): void {
    const shared = this.flagsOf(site)
    this.rows[0][site] = shared
    this.owners.forEach((owner, i) => {
      this.rows[i + 1][site] = this.names(site, owner) ? shared | STOP_BEFORE : shared
    })
  }

  private flagsOf(site: number): number {
    const { points } = this
    const kind = this.kinds[site]
    if (kind < 0 || !this.accepts(site)) return 0
    const point = operations[kind].point
    let flags = this.names(site, undefined) ? STOP_BEFORE : 0
    if (point === 'unlock') {
      if (hasKind(points, 'unlock')) flags |= STOP_AFTER
      if (stopsBeforeRelease(points)) flags |= STOP_BEFORE
    } else if (hasKind(points, point)) flags |= STOP_BEFORE
    if (kind === Op.condWait && hasKind(points, 'lock')) flags |= STOP_BEFORE_REACQUIRE
    return flags
  }

  /** Whether a race point of this thread (undefined: of any thread) names the site. */
  private names(site: number, thread: string | undefined): boolean {
    const { name } = this.sites[site]
    return (
      this.points.races.some((race) => race.site === name && race.thread === thread) &&
      this.kinds[site] >= 0 &&
      this.accepts(site)
    )
  }

  private accepts(site: number): boolean {
    return rulesAccept(this.points.rules, [this.sites[site].function])
  }
}
