import { Op } from '../../../machine/operation.js'
import { type Artifact, LogWord, type OwnMemoryLayout, PAIRED } from '../artifact.js'
import type { ProgramMemory } from './program.js'

const PAGE = 65536
/** Memory is put back in pieces of this size. */
const PIECE_BITS = 12
const PIECE = 1 << PIECE_BITS

/** Operations that leave another value behind, if they do anything. */
const writing = new Set<number>([Op.store, Op.atomicStore, Op.atomicUpdate])

/**
 * The memory of a program that brings its stacks and its allocator with it: everything below the machine's own part.
 * All that such a program writes is in its log, so the log tells what has to be put back for the next execution.
 */
export class OwnMemory {
  /** First byte that the program does not have. */
  end: number
  private readonly limit: number
  private readonly writes: Uint8Array
  private readonly sizes: Uint8Array
  /** By site: 1 for `memory.size` and `memory.grow`, which access a word of the machine's. */
  private readonly asksForSize: Uint8Array
  /** By piece: 1 when it is among `changed`. */
  private readonly isChanged: Uint8Array
  private readonly changed: number[] = []
  private initial = new Uint8Array(0)

  constructor(
    private readonly layout: OwnMemoryLayout,
    { sites }: Artifact,
    kinds: (site: number) => number,
    private readonly memory: ProgramMemory,
  ) {
    this.limit = layout.maxPages * PAGE
    this.end = layout.pages * PAGE
    this.writes = Uint8Array.from(sites, (_, site) => (writing.has(kinds(site)) ? 1 : 0))
    this.sizes = Uint8Array.from(sites, (site) => site.size)
    this.asksForSize = Uint8Array.from(sites, ({ kind, callee }) =>
      kind !== 'call' && callee !== undefined ? 1 : 0,
    )
    this.isChanged = new Uint8Array(this.limit >>> PIECE_BITS)
    this.tellSize()
  }

  /** Whether the program may access that from there; addresses are unsigned. */
  holds(site: number, address: number, size: number): boolean {
    return address + size <= this.end || this.asksForSize[site] === 1
  }

  /** Gives the program that many pages more; returns how many it had, or -1. */
  grow(pages: number): number {
    const old = this.end / PAGE
    if (old + pages > this.layout.maxPages) return -1
    this.end += pages * PAGE
    this.tellSize()
    return old
  }

  /** Something in that range is about to change, or has changed. */
  touch(address: number, size: number): void {
    const last = Math.min(address + size, this.limit) - 1
    for (let piece = address >>> PIECE_BITS; piece <= last >>> PIECE_BITS; piece++) {
      if (this.isChanged[piece] === 1) continue
      this.isChanged[piece] = 1
      this.changed.push(piece)
    }
  }

  /**
   * Takes in log entries, by index of their words. Returns the index of the first that lies outside the program's
   * memory, or `end`.
   */
  scan(at: number, end: number): number {
    const { words } = this.memory
    let outside = end
    while (at < end) {
      const entry = at
      const site = words[at] & LogWord.siteMask
      const address = words[at + 1] >>> 0
      let size = this.sizes[site]
      if ((words[at] & LogWord.range) !== 0) {
        size = words[at + 2] >>> 0
        at += 2
      } else if ((words[at] & PAIRED) !== 0) at += 2
      at += 2
      if (address + size > this.end && outside === end && !this.holds(site, address, size)) outside = entry
      if (this.writes[site] === 1 && this.asksForSize[site] === 0) {
        const piece = address >>> PIECE_BITS
        if (this.isChanged[piece] === 0 || (address + size - 1) >>> PIECE_BITS !== piece)
          this.touch(address, size)
      }
    }
    return outside
  }

  /** Records the state to go back to. */
  keep(): void {
    this.initial = this.memory.bytes.slice(0, this.end)
    this.takeMarks()
    for (const piece of this.changed) this.isChanged[piece] = 0
    this.changed.length = 0
  }

  /** What was written without being logged. */
  private takeMarks(): void {
    const { changed, changedSize } = this.layout
    const { bytes, words } = this.memory
    for (let word = changed >>> 2; word < (changed + changedSize) >>> 2; word++) {
      if (words[word] === 0) continue
      for (let at = word << 2; at < (word << 2) + 4; at++) {
        if (bytes[at] !== 0) this.touch((at - changed) << PIECE_BITS, 1)
        bytes[at] = 0
      }
    }
  }

  restore(): void {
    const { initial } = this
    const { bytes } = this.memory
    this.takeMarks()
    for (const piece of this.changed) {
      const start = piece << PIECE_BITS
      if (start < initial.length) bytes.set(initial.subarray(start, start + PIECE), start)
      else bytes.fill(0, start, start + PIECE)
      this.isChanged[piece] = 0
    }
    this.changed.length = 0
    if (this.end !== initial.length) {
      this.end = initial.length
      this.tellSize()
    }
  }

  private tellSize(): void {
    this.memory.words[this.layout.size >>> 2] = this.end / PAGE
  }
}
