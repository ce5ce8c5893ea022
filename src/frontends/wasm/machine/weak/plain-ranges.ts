import { grown } from '../../../../machine/growing.js'

const GRANULE = 8
/** Threads with a bit of their own; others count as all of them. */
const BITS = 31

/** Bytes that are accessed, by whom and how; `reads` and `writes` are what races go by. */
export interface Range {
  readonly start: number
  readonly size: number
  readonly site: number
  readonly isAtomic: boolean
  readonly reads: boolean
  readonly writes: boolean
}

/**
 * Ranges that were accessed, each with a small number. Those that only one thread has ever touched, or nobody written, can
 * race with nothing, and nobody has to be told of them again.
 */
export class PlainRanges {
  /** By range: 1 where a race is possible, or where there is a location of the execution graph. */
  isShared = new Uint8Array(64)
  private readonly ranges: Range[] = []
  private readonly threads: number[] = []
  private readonly isCell: boolean[] = []
  private readonly byGranule = new Map<number, number[]>()
  private readonly known = new Map<string, number>()

  clear(): void {
    this.isShared.fill(0)
    this.ranges.length = this.threads.length = this.isCell.length = 0
    this.byGranule.clear()
    this.known.clear()
  }

  at(id: number): Range {
    return this.ranges[id]
  }

  /** A thread accesses a range; its number. */
  touch(thread: number, range: Range): number {
    const { start, size, site, reads, writes } = range
    const id = this.idOf(`${start} ${size} ${site} ${reads ? 'r' : ''}${writes ? 'w' : ''}`, range, false)
    const bit = thread < BITS ? 1 << thread : -1
    if ((this.threads[id] & bit) === bit) return id
    this.threads[id] |= bit
    this.compare(id)
    return id
  }

  /** There is a location of the execution graph. */
  cell(start: number, size: number): void {
    const key = `${start} ${size}`
    if (this.known.has(key)) return
    const range = { start, size, site: -1, isAtomic: true, reads: true, writes: true }
    this.compare(this.idOf(key, range, true))
  }

  private idOf(key: string, range: Range, isCell: boolean): number {
    const known = this.known.get(key)
    if (known !== undefined) return known
    const id = this.ranges.length
    this.known.set(key, id)
    const { start, size, site, isAtomic, reads, writes } = range
    this.ranges.push({ start, size, site, isAtomic, reads, writes })
    this.threads.push(0)
    this.isCell.push(isCell)
    if (id === this.isShared.length) this.isShared = grown(this.isShared, id * 2)
    for (let granule = Math.floor(start / GRANULE); granule * GRANULE < start + size; granule++) {
      const all = this.byGranule.get(granule)
      if (all === undefined) this.byGranule.set(granule, [id])
      else all.push(id)
    }
    return id
  }

  private compare(id: number): void {
    const { start, size } = this.ranges[id]
    for (let granule = Math.floor(start / GRANULE); granule * GRANULE < start + size; granule++) {
      for (const other of this.byGranule.get(granule)!) {
        if (this.isShared[id] === 1 && this.isShared[other] === 1) continue
        const { start: from, size: length } = this.ranges[other]
        if (from < start + size && start < from + length && this.canRace(id, other))
          this.isShared[id] = this.isShared[other] = 1
      }
    }
  }

  private canRace(a: number, b: number): boolean {
    if (this.isCell[a] || this.isCell[b]) return true
    if (!this.ranges[a].writes && !this.ranges[b].writes) return false
    const threads = this.threads[a] | this.threads[b]
    return (threads & (threads - 1)) !== 0
  }
}
