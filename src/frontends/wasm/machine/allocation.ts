import { Mode, Op } from '../../../program/operation.js'
import { bytes } from './amounts.js'
import { describeAddress } from './describe.js'
import { errno } from './errno.js'
import type { Block } from './heap.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

const ALIGNMENT = 16

/** The malloc family. Allocating touches nothing that another thread can see; freeing is a write to the whole block. */
export class Allocation {
  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    __wrap_malloc: (size: number): number => this.allocate(size >>> 0, ALIGNMENT),

    /** Memory is always fresh, and so zero. */
    __wrap_calloc: (count: number, size: number): number =>
      this.allocate((count >>> 0) * (size >>> 0), ALIGNMENT),

    __wrap_aligned_alloc: (alignment: number, size: number): number => {
      const align = alignment >>> 0
      if (align === 0 || (align & (align - 1)) !== 0) return this.refuse()
      return this.allocate(size >>> 0, align)
    },

    __wrap_malloc_usable_size: (address: number): number =>
      this.kernel.heap.blockAt(address >>> 0)?.size ?? 0,

    __wrap_free: (address: number): void => {
      if (address === 0) return
      if (this.kernel.phase() === 0 && this.stopsBeforeFree(address >>> 0)) return
      this.free(address >>> 0)
    },

    __wrap_realloc: (address: number, size: number): number => {
      const { kernel } = this
      if (address === 0) return this.allocate(size >>> 0, ALIGNMENT)
      if (kernel.phase() === 0 && this.stopsBeforeFree(address >>> 0)) return 0
      const block = this.findBlock(address >>> 0, 'reallocated')
      const copy = this.allocate(size >>> 0, ALIGNMENT)
      const { bytes } = kernel.memory
      bytes.copyWithin(copy, block.start, block.start + Math.min(block.size, size >>> 0))
      this.free(address >>> 0)
      return copy
    },
  }

  private allocate(size: number, alignment: number): number {
    const { kernel } = this
    const site = kernel.callSite()
    // What was accessed before is judged by what was allocated then.
    kernel.drain()
    const address = kernel.heap.allocate(kernel.states.slot[kernel.running], size, alignment, site)
    if (address === 0) kernel.fail('trap', kernel.heap.whyNot(kernel.states.slot[kernel.running], size), site)
    kernel.disturb()
    return address
  }

  private refuse(): number {
    const { errno: address } = this.kernel.artifact.layout
    if (address !== 0) this.kernel.memory.words[address >>> 2] = errno.invalid
    return 0
  }

  private stopsBeforeFree(address: number): boolean {
    const { kernel } = this
    const block = kernel.heap.blockAt(address)
    const location = block ? kernel.addresses.locate(block.start, Math.max(block.size, 1)) : -1
    return kernel.stopsBefore(Op.free, location, ALWAYS, address)
  }

  /** The block that begins at an address; anything else is a bug. */
  private findBlock(address: number, verb: string): Block {
    const { kernel } = this
    kernel.drain()
    const block = kernel.heap.blockAt(address)
    const site = kernel.pending.site[kernel.running]
    if (block === undefined) {
      return kernel.fail('invalid-free', `${verb} ${this.describeWrong(address)}`, site)
    }
    if (block.start !== address) {
      return kernel.fail(
        'invalid-free',
        `${verb} at byte ${address - block.start} of a block, not at its beginning`,
        site,
      )
    }
    if (block.freed)
      return kernel.fail('double-free', `a block of ${bytes(block.size)} is ${verb} after it was freed`, site)
    return block
  }

  /** What an address is that no block begins at or holds. */
  private describeWrong(address: number): string {
    const { kernel } = this
    const { nullEnd, dataStart, dataEnd, constantStart, constantEnd } = kernel.artifact.layout
    const place = describeAddress(kernel, address)
    if (address < nullEnd) return `${place}, an address close to null`
    if (address >= constantStart && address < constantEnd) return `a constant, which was never allocated`
    if (address >= dataStart && address < dataEnd) {
      return `${place.startsWith('0x') ? 'a static variable' : `the static variable ${place}`}, which was never allocated`
    }
    if (kernel.map.slotOfStack(address) >= 0)
      return `${place.replace(/ at 0x.*/, '')}, which was never allocated`
    const near = kernel.heap.blockNear(address)
    if (near !== undefined) {
      const end = near.start + near.size
      const side =
        address < near.start
          ? `${bytes(near.start - address)} before`
          : `${bytes(address - end)} past the end of`
      return `an address ${side} a block of ${bytes(near.size)}`
    }
    return 'what was never allocated'
  }

  private free(address: number): void {
    const { kernel } = this
    const block = this.findBlock(address, 'freed')
    kernel.record(Op.free, Mode.write, kernel.addresses.locate(block.start, Math.max(block.size, 1)), -1)
    kernel.heap.free(block)
  }
}
