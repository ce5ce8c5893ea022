import type { Stack } from '../../../machine/bug.js'
import { Mode, Op } from '../../../machine/operation.js'
import { bytes } from './amounts.js'
import { ownKey } from './block-stacks.js'
import { resettable } from './execution-state.js'
import type { Kernel, OwnBlock, OwnBlockPart } from './kernel.js'
import { ALWAYS } from './thread-states.js'

/**
 * Blocks of allocators that the program has itself, as `faultline.h` declares them. What they hand out may be accessed
 * until it is given back; the rest of a declared pool may not. Handing out and giving back write to the whole block.
 */
export class OwnBlocks implements OwnBlockPart {
  private readonly blocks = new Map<number, OwnBlock>()
  private readonly pools: { readonly start: number; readonly size: number }[] = []

  constructor(private readonly kernel: Kernel) {
    kernel.hasState(
      resettable(
        () => this.isEmpty,
        () => this.reset(),
      ),
    )
  }

  private get isEmpty(): boolean {
    return this.blocks.size === 0 && this.pools.length === 0
  }

  private reset(): void {
    if (this.isEmpty) return
    const { kernel } = this
    const { shadow } = kernel.heap
    for (const { start, size } of [...this.pools, ...this.blocks.values()]) {
      // The heap looks after itself.
      if (kernel.map.slotOfHeap(start) < 0) shadow.openCells(start, start + size)
      else kernel.heap.reopen(start)
    }
    this.blocks.clear()
    this.pools.length = 0
  }

  readonly calls = {
    fl_own_pool: (address: number, size: number): void => {
      const { kernel } = this
      const start = address >>> 0
      kernel.journal.drain()
      this.pools.push({ start, size: size >>> 0 })
      kernel.heap.shadow.closeCells(start, start + (size >>> 0))
    },

    fl_own_block: (address: number, size: number): void => {
      const { kernel } = this
      const start = address >>> 0
      const length = Math.max(size >>> 0, 1)
      const location = kernel.addresses.locate(start, length)
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.malloc, location, ALWAYS, 0)) return
      kernel.record(Op.malloc, Mode.write, location, -1)
      const known = this.blocks.get(start)
      if (known && !known.freed) {
        const what = `a block of ${bytes(known.size)} is allocated again before it was freed`
        kernel.fail('invalid-free', what, kernel.pending.site[kernel.running], this.historyOf(known))
      }
      if (kernel.keepsStacks) kernel.blockStacks.noteAllocation(ownKey(start), this.place)
      this.blocks.set(start, { start, size: length, freed: false })
      kernel.heap.shadow.openCells(start, start + length)
    },

    fl_own_free: (address: number): void => {
      const { kernel } = this
      const start = address >>> 0
      if (start === 0) return
      const known = this.blocks.get(start)
      const location = kernel.addresses.locate(start, known?.size ?? 1)
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.free, location, ALWAYS, 0)) return
      kernel.record(Op.free, Mode.write, location, -1)
      const block = this.blocks.get(start)
      const site = kernel.pending.site[kernel.running]
      if (block === undefined) {
        // biome-ignore lint/correctness/noVoidTypeReturn: it never returns
        return kernel.fail('invalid-free', "freed what the program's own allocator did not hand out", site)
      }
      if (block.freed) {
        const what = `a block of ${bytes(block.size)} is freed after it was freed`
        kernel.fail('double-free', what, site, this.historyOf(block))
      }
      if (kernel.keepsStacks) kernel.blockStacks.noteFree(ownKey(start), this.place)
      block.freed = true
      kernel.heap.shadow.closeCells(start, start + block.size)
    },
  }

  /** Where a block was allocated and freed. */
  historyOf({ start }: OwnBlock): Stack[] {
    return this.kernel.blockStacks.historyAt(ownKey(start))
  }

  private get place() {
    const { kernel } = this
    return kernel.placeOf(kernel.pending.site[kernel.running])
  }

  /** The block that holds an address, in use or not. */
  blockAt(address: number): OwnBlock | undefined {
    for (const block of this.blocks.values()) {
      if (address >= block.start && address < block.start + block.size) return block
    }
    return undefined
  }

  /** The last block that begins before an address. */
  blockBefore(address: number): OwnBlock | undefined {
    let found: OwnBlock | undefined
    for (const block of this.blocks.values()) {
      if (block.start <= address && (found === undefined || block.start > found.start)) found = block
    }
    return found
  }

  isInPool(address: number): boolean {
    return this.pools.some(({ start, size }) => address >= start && address < start + size)
  }
}
