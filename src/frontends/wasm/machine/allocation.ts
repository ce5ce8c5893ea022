import type { BugKind } from '../../../machine/bug.js'
import { Mode, Op } from '../../../machine/operation.js'
import { bytes } from './amounts.js'
import { describeAddress } from './describe.js'
import { errno } from './errno.js'
import { type Block, unitsOf } from './heap.js'
import type { Kernel } from './kernel.js'
import { ALWAYS } from './thread-states.js'

const ALIGNMENT = 16
/** Most bytes of an object: differences of pointers into it are numbers, too. */
const LARGEST = 0x7fffffff

/** How a block was allocated, as `runtime/new.c` numbers it. */
const MALLOC = 0
const allocators = ['malloc', 'new', 'new[]']
const deallocators = ['free', 'delete', 'delete[]']

/**
 * The malloc family. Freeing is a write to the whole block. Allocating fresh memory touches nothing that another thread
 * can see.
 *
 * Where freed memory is reused, what an allocation gets depends on what was freed before. Blocks that can take each
 * other's place form a *free list*, an object of its own: freeing and taking from it change it, an allocation that
 * finds it empty has read it. Giving out a block is also a write to the whole of it, since from then on accesses to it
 * are no longer uses after free.
 */
export class Allocation {
  /** By units: location of the free list. */
  private readonly freeLists: number[] = []

  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    __wrap_malloc: (size: number): number => this.allocate(size >>> 0, ALIGNMENT),

    __wrap_calloc: (count: number, size: number): number => {
      const total = (count >>> 0) * (size >>> 0)
      if (total > LARGEST) return this.refuse(errno.noMemory)
      const address = this.allocate(total, ALIGNMENT)
      if (this.kernel.heap.mode === 'reuse' && address !== 0) {
        this.kernel.memory.bytes.fill(0, address, address + total)
      }
      return address
    },

    __wrap_aligned_alloc: (alignment: number, size: number): number => {
      const align = alignment >>> 0
      if (align === 0 || (align & (align - 1)) !== 0) return this.refuse(errno.invalid)
      return this.allocate(size >>> 0, Math.max(align, ALIGNMENT))
    },

    __wrap_malloc_usable_size: (address: number): number =>
      this.kernel.heap.blockAt(address >>> 0)?.size ?? 0,

    __wrap_free: (address: number): void => this.release(address >>> 0, MALLOC),

    fl_free_as: (address: number, family: number): void => this.release(address >>> 0, family),

    fl_set_family: (address: number, family: number): void => this.setFamily(address >>> 0, family),

    /** Only for blocks that are there: whether another has freed it meanwhile, who frees it finds out. */
    fl_change_family: (address: number, expected: number, family: number): void => {
      const { kernel } = this
      const block = kernel.heap.blockAt(address >>> 0)
      if (block === undefined || block.start !== address >>> 0 || block.freed) return
      const known = this.familyOf(block.start)
      if (known === expected) this.setFamily(block.start, family)
      else if (known !== MALLOC) this.failFamily(block, known, expected, kernel.callSite())
    },

    __wrap_realloc: (address: number, size: number): number => {
      const { kernel } = this
      if (address === 0) return this.allocate(size >>> 0, ALIGNMENT)
      if (kernel.phase() === 0 && this.stopsBeforeFree(address >>> 0)) return 0
      const block = this.findBlock(address >>> 0, 'reallocated')
      this.checkFamily(block, MALLOC)
      const copy = this.take(size >>> 0, ALIGNMENT)
      const { bytes } = kernel.memory
      bytes.copyWithin(copy, block.start, block.start + Math.min(block.size, size >>> 0))
      this.free(block)
      return copy
    },
  }

  /** 0 when the thread was left. */
  private allocate(size: number, alignment: number): number {
    const { kernel } = this
    if (size > LARGEST) return this.refuse(errno.noMemory)
    if (kernel.heap.mode === 'reuse' && kernel.phase() === 0) {
      if (kernel.stopsBefore(Op.malloc, this.freeList(size), ALWAYS, 0)) return 0
    }
    return this.take(size, alignment)
  }

  private take(size: number, alignment: number): number {
    const { kernel } = this
    const { heap } = kernel
    const site = kernel.callSite()
    // What was accessed before is judged by what was allocated then.
    kernel.journal.drain()
    kernel.disturb()
    const slot = kernel.states.slot[kernel.running]
    if (heap.mode === 'reuse') {
      const block = heap.reusable(size, alignment)
      kernel.record(Op.freeList, block ? Mode.write : Mode.read, this.freeList(size), -1)
      if (block) {
        heap.reuse(block, size, site)
        this.setFamily(block.start, MALLOC)
        this.noteAllocation(block.start, site)
        kernel.record(Op.malloc, Mode.write, kernel.addresses.locate(block.start, Math.max(size, 1)), -1)
        return block.start
      }
    }
    const address = heap.allocate(slot, size, alignment, site)
    if (address === 0) kernel.fail('trap', heap.whyNot(slot, size), site)
    kernel.weak?.allocated(address, size, site)
    this.noteAllocation(address, site)
    return address
  }

  private noteAllocation(address: number, site: number): void {
    const { kernel } = this
    if (kernel.keepsStacks) kernel.blockStacks.noteAllocation(address, kernel.placeOf(site))
  }

  private freeList(size: number): number {
    const units = unitsOf(size)
    return (this.freeLists[units] ??= this.kernel.locations.intern(
      'process',
      `the free blocks of up to ${bytes(units * ALIGNMENT)}`,
    ))
  }

  private refuse(code: number): number {
    const { errno: address } = this.kernel.artifact.layout
    if (address !== 0) this.kernel.memory.words[address >>> 2] = code
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
    kernel.journal.drain()
    const block = kernel.heap.blockAt(address)
    if (block === undefined) {
      return this.fail('invalid-free', `${verb} ${this.describeWrong(address)}`, undefined)
    }
    if (block.start !== address) {
      const what = `${verb} at byte ${address - block.start} of a block, not at its beginning`
      return this.fail('invalid-free', what, block)
    }
    if (block.freed) {
      const what = `a block of ${bytes(block.size)} is ${verb} after it was freed`
      return this.fail('double-free', what, block)
    }
    return block
  }

  private fail(kind: BugKind, message: string, block: Block | undefined): never {
    const { kernel } = this
    return kernel.fail(
      kind,
      message,
      kernel.pending.site[kernel.running],
      kernel.blockStacks.historyOf(block),
    )
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

  private release(address: number, family: number): void {
    if (address === 0) return
    if (this.kernel.phase() === 0 && this.stopsBeforeFree(address)) return
    const block = this.findBlock(address, 'freed')
    this.checkFamily(block, family)
    this.free(block)
  }

  private free(block: Block): void {
    const { kernel } = this
    kernel.record(Op.free, Mode.write, kernel.addresses.locate(block.start, Math.max(block.size, 1)), -1)
    if (kernel.heap.mode === 'reuse') kernel.record(Op.freeList, Mode.write, this.freeList(block.size), -1)
    kernel.heap.free(block)
    if (kernel.keepsStacks) {
      kernel.blockStacks.noteFree(block.start, kernel.placeOf(kernel.pending.site[kernel.running]))
    }
  }

  /** Kept in the red zone before the block, where the program cannot look or write. */
  private familyOf(start: number): number {
    return this.kernel.memory.bytes[start - 1]
  }

  private setFamily(start: number, family: number): void {
    this.kernel.memory.bytes[start - 1] = family
  }

  private checkFamily(block: Block, family: number): void {
    const known = this.familyOf(block.start)
    if (known !== family) this.failFamily(block, known, family, this.kernel.pending.site[this.kernel.running])
  }

  private failFamily(block: Block, known: number, family: number, site: number): never {
    const { kernel } = this
    const how = `a block allocated by ${allocators[known]} is freed by ${deallocators[family]}`
    return kernel.fail('invalid-free', how, site, kernel.blockStacks.historyOf(block))
  }
}
