import { grown } from '../../../machine/growing.js'
import type { HeapMode } from '../../../machine/platform.js'
import { bytes, megabytes } from './amounts.js'
import { HeapShadow } from './heap-shadow.js'
import { MAX_THREADS, type MemoryMap, type Piece } from './memory-map.js'
import type { Tape } from './tape.js'

/** Least bytes before and after a block that belong to nobody. Larger blocks have more room after them. */
export const RED_ZONE = 32
const LARGEST_RED_ZONE = 1024
const ALIGNMENT = 16

/** Blocks a thread may allocate in one execution. */
const MAX_BLOCKS = 1_000_000

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
    this.next = Float64Array.from(pieces, firstAddress)
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
 * The allocator. Each thread allocates from an arena of its own: addresses follow from what the thread itself allocated
 * before. Around every block lies a *red zone* that belongs to nobody, so that reaching past its ends is seen.
 *
 * With `fresh`, freed memory is never given out again, so that every use after free is seen. With `reuse`, the block
 * freed last is given to whoever, of all threads, first asks for as much (in units of 16 bytes): the shortest way to
 * one address standing for two blocks. Then allocating depends on what others freed; see `Allocation`.
 */
export class Heap {
  /** Which bytes may be accessed; the log's reader asks it about every access. */
  readonly shadow: HeapShadow
  /** To be changed between executions only. */
  mode: HeapMode = 'fresh'
  /** Bytes allocated in this execution, freed ones included. */
  private allocated = 0
  /** By number of units: blocks to be reused, the next one last; pairs of slot and index in its arena. */
  private readonly freeLists = new Map<number, number[]>()
  private readonly arenas: Arena[] = []
  /** Arenas used in this execution. */
  private readonly used = new Uint8Array(MAX_THREADS)
  private readonly usedSlots: number[] = []
  /** State of main's arena when the program starts: constructors may have allocated. */
  private initial = {
    state: new Uint8Array(0),
    size: new Float64Array(0),
    site: new Int32Array(0),
    piece: 0,
    next: new Float64Array(0),
    allocated: 0,
  }
  /** Where blocks begin that were allocated or freed, until whoever reads this clears it. */
  readonly touched: number[] = []
  /** Stretches of closed memory that the program wrote to all the same. */
  private readonly soiled: Piece[] = []

  constructor(
    private readonly map: MemoryMap,
    /** Makes sure that memory reaches up to that address. */
    private readonly reserve: (end: number) => void,
    /** Bytes that may be allocated in one execution. */
    private readonly limit = Infinity,
  ) {
    this.shadow = new HeapShadow(map.heap)
  }

  /** Allocates in the arena of a slot; 0 when that is too much. */
  allocate(slot: number, size: number, alignment: number, site: number): number {
    const arena = this.arena(slot)
    if (this.allocated + size > this.limit || arena.count >= MAX_BLOCKS) return 0
    const align = Math.max(alignment, ALIGNMENT)
    for (; arena.piece < arena.pieces.length; arena.piece++) {
      const start = Math.ceil(arena.next[arena.piece] / align) * align
      const end = start + size + redZone(size)
      if (end > arena.pieces[arena.piece].end) continue
      this.reserve(end)
      this.allocated += size
      arena.next[arena.piece] = end
      arena.add(start, size, site)
      this.shadow.open(start, size)
      this.touched.push(start)
      return start
    }
    return 0
  }

  /** The freed block that an allocation of that size would get, or undefined. */
  reusable(size: number, alignment: number): Block | undefined {
    const list = this.freeLists.get(unitsOf(size))
    if (list === undefined || list.length === 0) return undefined
    const block = this.block(list[list.length - 2], list[list.length - 1])
    return block.start % alignment === 0 ? block : undefined
  }

  /** Gives out again what `reusable` found. Its content is what was left there. */
  reuse(block: Block, size: number, site: number): void {
    this.freeLists.get(unitsOf(size))!.length -= 2
    const arena = this.arena(block.slot)
    const i = block.rank - 1
    arena.size[i] = size
    arena.site[i] = site
    arena.state[i] = LIVE
    this.shadow.open(block.start, size)
  }

  /** Why so much could not be allocated, in words. */
  whyNot(slot: number, size: number): string {
    const without = 'does it allocate without end?'
    if (this.arena(slot).count >= MAX_BLOCKS) {
      return `out of memory: more than ${MAX_BLOCKS.toLocaleString('en')} blocks by one thread; ${without}`
    }
    const total = megabytes(this.allocated)
    if (this.allocated + size > this.limit) {
      return (
        `out of memory: ${bytes(size)} more than the ${total} allocated so far exceed the ${megabytes(this.limit)} ` +
        `an execution may allocate, freed blocks included; ${without}`
      )
    }
    return `out of memory: ${bytes(size)} do not fit in the memory of this thread`
  }

  /** The block that holds an address, or whose beginning it is; undefined when there is none. */
  blockAt(address: number): Block | undefined {
    const slot = this.map.slotOfHeap(address)
    const i = this.arenas[slot]?.find(address) ?? -1
    if (i < 0) return undefined
    const block = this.block(slot, i)
    return address < block.start + Math.max(block.size, 1) ? block : undefined
  }

  /** The block that an address in the heap is closest to; undefined when there is none in that arena. */
  blockNear(address: number): Block | undefined {
    const slot = this.map.slotOfHeap(address)
    const arena = this.arenas[slot]
    if (arena === undefined || arena.count === 0) return undefined
    const i = arena.find(address)
    if (i < 0) return this.block(slot, 0)
    const before = this.block(slot, i)
    if (i + 1 === arena.count) return before
    const after = this.block(slot, i + 1)
    return address - (before.start + before.size) <= after.start - address ? before : after
  }

  private block(slot: number, i: number): Block {
    const arena = this.arenas[slot]
    return {
      start: arena.start[i],
      size: arena.size[i],
      site: arena.site[i],
      freed: arena.state[i] === FREED,
      slot,
      rank: i + 1,
    }
  }

  free(block: Block): void {
    this.arena(block.slot).state[block.rank - 1] = FREED
    this.touched.push(block.start)
    this.shadow.close(block.start, block.start + block.size)
    if (this.mode === 'fresh') return
    const units = unitsOf(block.size)
    const list = this.freeLists.get(units)
    if (list) list.push(block.slot, block.rank - 1)
    else this.freeLists.set(units, [block.slot, block.rank - 1])
  }

  /** Blocks allocated since `keep` and not freed, by arena and in order of address. */
  unfreed(): Block[] {
    const blocks: Block[] = []
    for (const slot of [...this.usedSlots].sort((a, b) => a - b)) {
      const arena = this.arenas[slot]
      for (let i = slot === 0 ? this.initial.state.length : 0; i < arena.count; i++) {
        if (arena.state[i] === LIVE) blocks.push(this.block(slot, i))
      }
    }
    return blocks
  }

  /** Opens the live block that holds an address as a whole, whatever was closed in it. */
  reopen(address: number): void {
    const block = this.blockAt(address)
    if (block && !block.freed) this.shadow.open(block.start, block.size)
  }

  /** The program wrote to memory of the heap that is not its own: whatever is there now goes at the reset. */
  soil(start: number, size: number): void {
    if (this.map.slotOfHeap(start) >= 0) this.soiled.push({ start, end: start + size })
  }

  /** Records what constructors allocated as the state to go back to. */
  keep(): void {
    const main = this.arena(0)
    this.initial = {
      state: main.state.slice(0, main.count),
      size: main.size.slice(0, main.count),
      site: main.site.slice(0, main.count),
      piece: main.piece,
      next: main.next.slice(),
      allocated: this.allocated,
    }
  }

  /** Stretches of memory that constructors allocated. */
  initialRanges(): Piece[] {
    const { pieces } = this.arena(0)
    return pieces
      .map(({ start }, i) => ({ start, end: this.initial.next[i] }))
      .filter(({ start, end }, i) => end > firstAddress(pieces[i]) && start < end)
  }

  /** Forgets all that was allocated and freed since `keep`, and fills that memory with zeros. */
  reset(memory: Uint8Array): void {
    for (const slot of this.usedSlots) {
      this.clear(slot, memory)
      this.used[slot] = 0
    }
    if (this.usedSlots.length > 0) this.usedSlots.length = 0
    for (const list of this.freeLists.values()) list.length = 0
    this.touched.length = 0
    this.allocated = this.initial.allocated
    if (this.soiled.length > 0) this.cleanSoiled(memory)
  }

  /** Bytes that `save` writes, about. */
  usedBytes(): number {
    let bytes = 0
    for (const slot of this.usedSlots) {
      const arena = this.arenas[slot]
      for (let p = 0; p <= arena.piece && p < arena.pieces.length; p++) {
        bytes += arena.next[p] - arena.pieces[p].start
      }
      bytes += 4 * arena.count
    }
    return bytes
  }

  /** Writes down what is allocated, and the content. Not where memory is reused. */
  save(tape: Tape): void {
    tape.put(this.allocated)
    tape.put(this.usedSlots.length)
    for (const slot of this.usedSlots) {
      const arena = this.arenas[slot]
      tape.put(arena.piece)
      tape.put(arena.count)
      for (let i = 0; i < arena.count; i++) tape.put(arena.state[i])
      for (let p = 0; p <= arena.piece && p < arena.pieces.length; p++) {
        tape.putNumber(arena.next[p])
        tape.putMemory(arena.pieces[p].start, arena.next[p])
      }
    }
  }

  /** Reads back what `save` wrote earlier in this execution: since then, slots and blocks were only added. */
  load(memory: Uint8Array, tape: Tape): void {
    this.cleanSoiled(memory)
    this.allocated = tape.take()
    const slots = tape.take()
    while (this.usedSlots.length > slots) {
      const slot = this.usedSlots.pop()!
      this.clear(slot, memory)
      this.used[slot] = 0
    }
    for (const slot of this.usedSlots) this.loadArena(slot, memory, tape)
  }

  private loadArena(slot: number, memory: Uint8Array, tape: Tape): void {
    const arena = this.arenas[slot]
    const pieces = arena.piece
    arena.piece = tape.take()
    arena.count = tape.take()
    for (let i = 0; i < arena.count; i++) {
      const state = tape.take()
      if (arena.state[i] === state) continue
      arena.state[i] = state
      this.shadow.open(arena.start[i], arena.size[i])
    }
    for (let p = 0; p <= pieces && p < arena.pieces.length; p++) {
      const isKept = p <= arena.piece
      const next = isKept ? tape.takeNumber() : firstAddress(arena.pieces[p])
      this.cut(arena, p, next, memory)
      if (isKept) tape.takeMemory(arena.pieces[p].start, next)
    }
  }

  /** An arena as at the beginning. */
  private clear(slot: number, memory: Uint8Array): void {
    const { initial } = this
    const arena = this.arenas[slot]
    for (let p = 0; p <= arena.piece && p < arena.pieces.length; p++) {
      this.cut(arena, p, slot === 0 ? initial.next[p] : firstAddress(arena.pieces[p]), memory)
    }
    arena.count = slot === 0 ? initial.state.length : 0
    arena.piece = slot === 0 ? initial.piece : 0
    if (slot === 0) this.restoreInitial(arena)
  }

  /** Gives back what was allocated in a piece from an address on. */
  private cut(arena: Arena, piece: number, next: number, memory: Uint8Array): void {
    if (next < arena.next[piece]) {
      // The byte before a block tells what allocated it.
      memory.fill(0, next - 1, arena.next[piece])
      this.shadow.close(next - (next % ALIGNMENT), arena.next[piece])
    }
    arena.next[piece] = next
  }

  private cleanSoiled(memory: Uint8Array): void {
    for (const { start, end } of this.soiled) memory.fill(0, start, end)
    this.soiled.length = 0
  }

  /** Blocks of constructors that were freed since are live again, as large as they were. */
  private restoreInitial(arena: Arena): void {
    const { state, size, site } = this.initial
    for (let i = 0; i < state.length; i++) {
      if (arena.state[i] === state[i] && arena.size[i] === size[i]) continue
      this.shadow.close(arena.start[i], arena.start[i] + arena.size[i])
      if (state[i] === LIVE) this.shadow.open(arena.start[i], size[i])
    }
    arena.state.set(state)
    arena.size.set(size)
    arena.site.set(site)
  }

  private arena(slot: number): Arena {
    if (this.used[slot] === 0) {
      this.used[slot] = 1
      this.usedSlots.push(slot)
    }
    return (this.arenas[slot] ??= new Arena(this.map.slot(slot).arena))
  }
}

/** The red zone before the first block is that of the piece. */
function firstAddress({ start }: Piece): number {
  return start + RED_ZONE
}

/** What an allocation of that many bytes takes; those that take the same can have each other's memory. */
export function unitsOf(size: number): number {
  return Math.max(1, Math.ceil(size / ALIGNMENT))
}

function redZone(size: number): number {
  return Math.min(RED_ZONE + (size >>> 3), LARGEST_RED_ZONE)
}
