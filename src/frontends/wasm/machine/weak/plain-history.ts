import type { Clock } from '../../../../memory/clocks.js'
import type { Trail } from '../../../../memory/trail.js'

/** Addresses are looked up by the stretch of this many bytes that they lie in. */
const GRANULE = 8

/** What is known of a few bytes that were accessed in the same way so far. By thread: 0 where it never did. */
interface Piece {
  start: number
  end: number
  /** How many events the thread had done by its last access, and one: see `PlainHistory`. */
  written: number[]
  writtenAt: number[]
  read: number[]
  readAt: number[]
}

/** An earlier access that nothing orders with a new one. */
export interface Unordered {
  readonly thread: number
  readonly site: number
  readonly wrote: boolean
  /** How many events its thread had done by then, and one. */
  readonly rank: number
}

/**
 * Who accessed which bytes last without an atomic, to tell data races by happens-before of the C11 model. Such accesses
 * are no events of the execution graph: without races nobody has a choice about them. An access is known by how many
 * events its thread had done: whoever knows of the next event of that thread knows of the access.
 */
export class PlainHistory {
  private readonly pieces = new Map<number, Piece[]>()

  constructor(private readonly trail: Trail) {}

  reset(): void {
    this.pieces.clear()
  }

  /**
   * An access by a thread that knows, of thread t, the first `known[t]` events, and has done `rank` events itself. Returns an
   * earlier access that races with it, or null; the access itself is noted if it is no atomic.
   */
  access(
    thread: number,
    rank: number,
    known: Clock,
    access: {
      readonly start: number
      readonly size: number
      readonly reads: boolean
      readonly writes: boolean
      readonly isAtomic: boolean
      readonly site: number
    },
  ): Unordered | null {
    const { start, size, isAtomic, reads, writes, site } = access
    const end = start + size
    let found: Unordered | null = null
    for (let granule = Math.floor(start / GRANULE); granule * GRANULE < end; granule++) {
      const from = Math.max(start, granule * GRANULE)
      const to = Math.min(end, (granule + 1) * GRANULE)
      const pieces = isAtomic ? (this.pieces.get(granule) ?? []) : this.cut(granule, from, to)
      for (const piece of pieces) {
        if (piece.end <= from || piece.start >= to) continue
        found ??= unknownIn(piece.written, piece.writtenAt, thread, known, true)
        if (writes) found ??= unknownIn(piece.read, piece.readAt, thread, known, false)
        if (isAtomic) continue
        if (writes) this.note(piece.written, piece.writtenAt, thread, rank + 1, site)
        if (reads) this.note(piece.read, piece.readAt, thread, rank + 1, site)
      }
    }
    return found
  }

  private note(epochs: number[], sites: number[], thread: number, epoch: number, site: number): void {
    if (epochs[thread] === epoch && sites[thread] === site) return
    const { trail } = this
    trail.entry(epochs, thread, epochs[thread])
    trail.entry(sites, thread, sites[thread])
    epochs[thread] = epoch
    sites[thread] = site
  }

  /** The pieces of a granule, none of which reaches across `from` or `to`; between the two there is no gap. */
  private cut(granule: number, from: number, to: number): readonly Piece[] {
    const old = this.pieces.get(granule) ?? []
    const isCut = old.length === 1 && old[0].start === from && old[0].end === to
    if (isCut) return old
    const made: Piece[] = []
    let at = from
    for (const piece of old) {
      if (at < to && piece.start > at) made.push(emptyPiece(at, Math.min(piece.start, to)))
      const bounds = [piece.start, ...[from, to].filter((b) => b > piece.start && b < piece.end), piece.end]
      for (let i = 1; i < bounds.length; i++)
        made.push({ ...copyOf(piece), start: bounds[i - 1], end: bounds[i] })
      if (piece.end > at) at = piece.end
    }
    if (at < to) made.push(emptyPiece(at, to))
    made.sort((a, b) => a.start - b.start)
    this.trail.key(this.pieces, granule)
    this.pieces.set(granule, made)
    return made
  }
}

function unknownIn(
  epochs: readonly number[],
  sites: readonly number[],
  thread: number,
  known: Clock,
  wrote: boolean,
): Unordered | null {
  for (let other = 0; other < epochs.length; other++) {
    const epoch = epochs[other] ?? 0
    if (epoch === 0 || other === thread || (known[other] ?? 0) >= epoch) continue
    return { thread: other, site: sites[other], wrote, rank: epoch }
  }
  return null
}

function emptyPiece(start: number, end: number): Piece {
  return { start, end, written: [], writtenAt: [], read: [], readAt: [] }
}

function copyOf({ start, end, written, writtenAt, read, readAt }: Piece): Piece {
  return {
    start,
    end,
    written: [...written],
    writtenAt: [...writtenAt],
    read: [...read],
    readAt: [...readAt],
  }
}
