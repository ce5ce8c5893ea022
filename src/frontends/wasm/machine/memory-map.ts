import type { ThreadTable } from '../../../machine/names.js'
import type { Layout } from '../artifact.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { controlSize } from './glue.js'

const KB = 1024
const MB = 1024 * KB

/**
 * Where stacks and heaps lie. Every thread has a *slot*: a control block, a stretch of memory for its stacks, and an
 * arena of its own for what it allocates, so that addresses do not depend on the interleaving.
 *
 * Memory is address space until touched: the module's memory grows when a slot is first used, and the system gives
 * pages when they are written.
 */
export const MAX_THREADS = 256

/** Threads that `main` creates have the slot of their rank up to here; all others come after, as discovered. */
const RANKED_SLOTS = 128

const STACKS_SIZE = 1 * MB
const SHADOW_SIZE = 32 * KB
const UNWIND_SIZE = 384 * KB
/** Slots differ in the low bits of their addresses too, or all stacks would compete for the same cache lines. */
const STAGGER = 448

/**
 * Slots whose stacks and first pieces lie before those of all others, and are in memory from the beginning: so many ranked
 * ones, and so many others. Growing a memory makes every access slower. But the engine counts address space as memory in
 * use, and with more of it a process that checks many programs would do little else than collect garbage.
 */
const NEAR_RANKED = 20
const NEAR_OTHERS = 4
const NEAR = NEAR_RANKED + NEAR_OTHERS

/** Arenas grow in pieces: the first piece of every slot, then the second of every slot, and so on. */
const ARENA_PIECES = [256 * KB, 1 * MB, 4 * MB] as const
/** Checkpoints of the path under exploration: some thousands, of programs that use little memory. */
const TAPE_SIZE = 8 * MB
/** `main` may go on here. */
const MAIN_ARENA_SIZE = 1024 * MB

export interface Piece {
  readonly start: number
  readonly end: number
}

export interface Slot {
  /** See `glue.ts`. */
  readonly control: number
  /** The linear stack grows down from here… */
  readonly stackTop: number
  /** …to here, the very end. */
  readonly stackEnd: number
  readonly tls: number
  /** The shadow stack grows up from here. */
  readonly shadow: number
  readonly shadowEnd: number
  /** Where asyncify saves a suspended thread. */
  readonly unwind: number
  readonly unwindEnd: number
  /** By ascending address. */
  readonly arena: readonly Piece[]
}

export interface MemoryMap {
  /** All memory that is heap, by ascending address. */
  readonly heap: readonly Piece[]
  slot(index: number): Slot
  /** The slot whose arena holds the address, or -1. */
  slotOfHeap(address: number): number
  /** The slot whose linear stack holds the address, or -1. */
  slotOfStack(address: number): number
  /** What is to be there from the beginning: enough for most programs. */
  readonly firstEnd: number
  /** Where checkpoints are kept. */
  readonly tape: Piece
  /** Control blocks of nobody: the globals that `main` and other threads begin with. */
  readonly first: { readonly main: number; readonly others: number }
}

export function memoryMap(layout: Layout): MemoryMap {
  const controls = layout.free
  const control = controlSize(layout)
  const nobody = controls + MAX_THREADS * control
  let end = alignUp(nobody + 2 * control, 64 * KB)
  const tape = { start: end, end: end + TAPE_SIZE }
  end = tape.end
  const region = (size: number, first: number, last: number): Region => {
    const start = end
    end += size * (last - first)
    return { start, end, size, first }
  }
  // What nearly every program needs comes first, so that little memory has to be there.
  const [firstPiece, ...laterPieces] = ARENA_PIECES
  const pieces: Region[] = []
  const stacks: Region[] = []
  for (const [first, last] of [
    [0, NEAR],
    [NEAR, MAX_THREADS],
  ]) {
    pieces.push(region(firstPiece, first, last))
    stacks.push(region(STACKS_SIZE, first, last))
  }
  for (const size of laterPieces) pieces.push(region(size, 0, MAX_THREADS))
  const mainArena = { start: end, end: Math.min(end + MAIN_ARENA_SIZE, 4096 * MB - 64 * KB) }
  const tlsSize = alignUp(layout.tls.size, 16)
  const align = Math.max(16, layout.tls.align)
  const slots: Slot[] = []

  function makeSlot(index: number): Slot {
    const [{ start: base }] = partsOf(index, stacks)
    const limit = base + STACKS_SIZE
    const unwind = limit - UNWIND_SIZE
    const shadow = unwind - SHADOW_SIZE - (index % 16) * STAGGER
    const tls = Math.floor((shadow - tlsSize) / align) * align
    const stackTop = Math.floor(tls / 16) * 16
    const arena = partsOf(index, pieces)
    if (index === 0) arena.push(mainArena)
    return {
      control: controls + index * control,
      stackTop,
      stackEnd: base,
      tls,
      shadow,
      shadowEnd: shadow + SHADOW_SIZE,
      unwind,
      unwindEnd: limit,
      arena,
    }
  }

  return {
    first: { main: nobody, others: nobody + control },
    firstEnd: stacks[0].end,
    tape,
    heap: [...pieces.map(({ start, end }) => ({ start, end })), mainArena],
    slot: (index) => (slots[index] ??= makeSlot(index)),
    slotOfHeap(address) {
      const slot = slotAt(address, pieces)
      return slot < 0 && address >= mainArena.start && address < mainArena.end ? 0 : slot
    },
    slotOfStack(address) {
      const index = slotAt(address, stacks)
      return index >= 0 && address < (slots[index] ?? makeSlot(index)).stackTop ? index : -1
    },
  }
}

/** The place of a slot among all: those that are near come first. */
function placeOf(slot: number): number {
  if (slot < NEAR_RANKED) return slot
  if (slot < RANKED_SLOTS) return slot + NEAR_OTHERS
  return slot < RANKED_SLOTS + NEAR_OTHERS ? slot - RANKED_SLOTS + NEAR_RANKED : slot
}

function slotAtPlace(place: number): number {
  if (place < NEAR_RANKED) return place
  if (place < NEAR) return place - NEAR_RANKED + RANKED_SLOTS
  return place < RANKED_SLOTS + NEAR_OTHERS ? place - NEAR_OTHERS : place
}

/** Memory of slots, so many bytes of each, from one place on. */
interface Region extends Piece {
  readonly size: number
  readonly first: number
}

/** What a slot has of these. */
function partsOf(slot: number, regions: readonly Region[]): Piece[] {
  const place = placeOf(slot)
  return regions
    .map(({ start, size, first }) => ({
      start: start + (place - first) * size,
      end: start + (place - first + 1) * size,
    }))
    .filter((part, i) => part.start >= regions[i].start && part.end <= regions[i].end)
}

/** The slot whose memory holds the address, or -1. */
function slotAt(address: number, regions: readonly Region[]): number {
  for (let i = 0; i < regions.length; i++) {
    const { start, end, size, first } = regions[i]
    if (address >= start && address < end) return slotAtPlace(first + Math.floor((address - start) / size))
  }
  return -1
}

/**
 * Gives threads their slots. A thread's slot follows from its name for `main` and the threads it creates, whatever was
 * explored before; deeper threads get theirs in the order of discovery.
 */
export class SlotAssignment {
  private readonly slots: number[] = []
  private next = RANKED_SLOTS

  constructor(private readonly threads: ThreadTable) {}

  of(thread: number): number {
    return (this.slots[thread] ??= this.assign(thread))
  }

  private assign(thread: number): number {
    const [, ...ranks] = this.threads.names[thread].split('.').map(Number)
    if (ranks.length === 0) return 0
    if (ranks.length === 1 && ranks[0] < RANKED_SLOTS) return ranks[0]
    if (this.next === MAX_THREADS) {
      throw new UnsupportedError(
        `the program creates more than ${MAX_THREADS - RANKED_SLOTS} threads that are not among the first ${RANKED_SLOTS - 1} of main`,
        ['pthread_create'],
      )
    }
    return this.next++
  }
}

function alignUp(value: number, to: number): number {
  return Math.ceil(value / to) * to
}
