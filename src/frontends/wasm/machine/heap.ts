import { grown } from '../../../program/growing.js'
import { MAX_THREADS, type MemoryMap, type Piece } from './memory-map.js'

/** Bytes between blocks, so that a short overflow does not reach the next one. */
const GAP = 16
const ALIGNMENT = 16

const LIVE = 1
const FREED = 2

/** The blocks of one arena, in the order of allocation, which is that of their addresses. */
class Arena {
  count = 0
  start = new Float64Array(16)
  size = new Float64Array(16)
  state = new Uint8Array(16)
  site = new Int32Array(16)
  /** Piece in use. */
  piece = 0
  /** By piece: the next free address. */
  readonly next: Float64Array

  constructor(readonly pieces: readonly Piece[]) {
    this.next = Float64Array.from(pieces, (piece) => piece.start)
  }

  add(start: number, size: number, site: number): void {
    const i = this.count++
    if (i === this.start.length) {
      this.start = grown(this.start, i * 2)
      this.size = grown(this.size, i * 2)
      this.state = grown(this.state, i * 2)
      this.site = grown(this.site, i * 2)
    }
    this.start[i] = start
    this.size[i] = size
    this.state[i] = LIVE
    this.site[i] = site
  }

  /** The last block that begins at or before the address, or -1. */
  find(address: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.start[middle] <= address) low = middle + 1
      else high = middle
    }
    return low - 1
  }
}

/** A block as found by its address. */
export interface Block {
  readonly start: number
  readonly size: number
  readonly site: number
  readonly freed: boolean
  /** Index of the arena. */
  readonly slot: number
  /** Rank among the blocks of its arena, from 1. */
  readonly rank: number
}

/**
 * The allocator. Each thread allocates from an arena of its own, always fresh memory: addresses follow from what the
 * thread itself allocated before, and a freed block keeps its address, so that a use after it was freed is seen.
 */
export class Heap {
  /** Blocks freed in this execution: while there are none, no access can be a use after free. */
  freed = 0
  private readonly arenas: Arena[] = []
  /** Arenas used in this execution. */
  private readonly used = new Uint8Array(MAX_THREADS)
  private readonly usedSlots: number[] = []
  /** State of main's arena when the program starts: constructors may have allocated. */
  private initial = { state: new Uint8Array(0), piece: 0, next: new Float64Array(0) }

  constructor(
    private readonly map: MemoryMap,
    /** Makes sure that memory reaches up to that address. */
    private readonly reserve: (end: number) => void,
  ) {}

  /** Allocates in the arena of a slot; 0 when it is exhausted. */
  allocate(slot: number, size: number, alignment: number, site: number): number {
    const arena = this.arena(slot)
    const align = Math.max(alignment, ALIGNMENT)
    for (; arena.piece < arena.pieces.length; arena.piece++) {
      const start = Math.ceil(arena.next[arena.piece] / align) * align
      const end = start + size + GAP
      if (end > arena.pieces[arena.piece].end) continue
      this.reserve(end)
      arena.next[arena.piece] = end
      arena.add(start, size, site)
      return start
    }
    return 0
  }

  /** The block that holds an address, or whose beginning it is; undefined when there is none. */
  blockAt(address: number): Block | undefined {
    const slot = this.map.slotOfHeap(address)
    const arena = this.arenas[slot]
    const i = arena?.find(address) ?? -1
    if (i < 0 || address >= arena.start[i] + Math.max(arena.size[i], 1)) return undefined
    return {
      start: arena.start[i],
      size: arena.size[i],
      site: arena.site[i],
      freed: arena.state[i] === FREED,
      slot,
      rank: i + 1,
    }
  }

  /** Whether an address lies in a freed block. */
  isFreed(address: number): boolean {
    const arena = this.arenas[this.map.slotOfHeap(address)]
    if (arena === undefined) return false
    const i = arena.find(address)
    return i >= 0 && arena.state[i] === FREED && address < arena.start[i] + arena.size[i]
  }

  free(block: Block): void {
    this.arena(block.slot).state[block.rank - 1] = FREED
    this.freed++
  }

  /** Records what constructors allocated as the state to go back to. */
  keep(): void {
    const main = this.arena(0)
    this.initial = { state: main.state.slice(0, main.count), piece: main.piece, next: main.next.slice() }
    this.freed = 0
  }

  /** Stretches of memory that constructors allocated. */
  initialRanges(): Piece[] {
    const { pieces } = this.arena(0)
    return pieces
      .map(({ start }, i) => ({ start, end: this.initial.next[i] }))
      .filter(({ start, end }) => start < end)
  }

  /** Forgets all that was allocated and freed since `keep`, and fills that memory with zeros. */
  reset(memory: Uint8Array): void {
    const { initial } = this
    for (const slot of this.usedSlots) {
      const arena = this.arenas[slot]
      for (let p = 0; p <= arena.piece && p < arena.pieces.length; p++) {
        const start = slot === 0 ? initial.next[p] : arena.pieces[p].start
        if (start < arena.next[p]) memory.fill(0, start, arena.next[p])
        arena.next[p] = start
      }
      arena.count = slot === 0 ? initial.state.length : 0
      arena.piece = slot === 0 ? initial.piece : 0
      if (slot === 0) arena.state.set(initial.state)
      this.used[slot] = 0
    }
    this.usedSlots.length = 0
    this.freed = 0
  }

  private arena(slot: number): Arena {
    if (this.used[slot] === 0) {
      this.used[slot] = 1
      this.usedSlots.push(slot)
    }
    return (this.arenas[slot] ??= new Arena(this.map.slot(slot).arena))
  }
}
