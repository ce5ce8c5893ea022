import type { Layout } from '../artifact.js'
import type { Heap } from './heap.js'
import type { Tape } from './tape.js'

/** The initial state of memory: what constructors left in static data and in main's arena. */
export class Image {
  /** Pristine thread-local data, before constructors. */
  private readonly threadLocals: Uint8Array
  private data = new Uint8Array(0)
  private mainThreadLocals = new Uint8Array(0)
  private blocks: { readonly start: number; readonly content: Uint8Array }[] = []

  constructor(
    private readonly layout: Layout,
    private readonly heap: Heap,
    memory: Uint8Array,
  ) {
    const { base, size } = layout.tls
    this.threadLocals = memory.slice(base, base + size)
  }

  /** Records the state to go back to. */
  keep(memory: Uint8Array): void {
    const { dataStart, dataEnd, tls } = this.layout
    this.data = memory.slice(dataStart, dataEnd)
    this.mainThreadLocals = memory.slice(tls.base, tls.base + tls.size)
    this.blocks = this.heap
      .initialRanges()
      .map(({ start, end }) => ({ start, content: memory.slice(start, end) }))
  }

  /** Restores static data and what constructors allocated; the rest is up to heap and stacks. */
  restore(memory: Uint8Array): void {
    memory.set(this.data, this.layout.dataStart)
    if (this.mainThreadLocals.length > 0) memory.set(this.mainThreadLocals, this.layout.tls.base)
    for (const { start, content } of this.blocks) memory.set(content, start)
  }

  /** Bytes that `save` writes. */
  get size(): number {
    let size = this.data.length
    for (const { content } of this.blocks) size += content.length
    return size
  }

  /** Writes down static data and the blocks of constructors; main's thread-local data is with the threads. */
  save(tape: Tape): void {
    tape.putMemory(this.layout.dataStart, this.layout.dataEnd)
    for (const { start, content } of this.blocks) tape.putMemory(start, start + content.length)
  }

  load(tape: Tape): void {
    tape.takeMemory(this.layout.dataStart, this.layout.dataEnd)
    for (const { start, content } of this.blocks) tape.takeMemory(start, start + content.length)
  }

  placeThreadLocals(memory: Uint8Array, address: number): void {
    if (this.threadLocals.length > 0) memory.set(this.threadLocals, address)
  }
}
