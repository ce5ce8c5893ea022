import { bytes } from './amounts.js'
import type { Block } from './heap.js'
import type { FaultPart, Kernel } from './kernel.js'

/** Bytes of the largest object that a synchronisation call takes. */
const LARGEST_OBJECT = 64
const WORD = 4

/** Wrong addresses and exhausted stacks, as bugs of the running thread. */
export class Faults implements FaultPart {
  constructor(private readonly kernel: Kernel) {}

  nullAccess(site: number, address: number): void {
    const what = address === 0 ? 'a null pointer' : `an address close to null (${address})`
    this.kernel.failures.failNow('trap', `access through ${what}`, site)
  }

  outside(site: number): void {
    this.kernel.failures.failNow('trap', 'access outside memory', site)
  }

  /** Fails if an address that is given to the host cannot hold what it is said to. */
  checkRange(what: string, address: number, size: number): void {
    const { kernel } = this
    const { nullEnd } = kernel.artifact.layout
    const end = kernel.own?.end ?? kernel.memory.bytes.length
    if (address >= nullEnd && address + size <= end) return
    const where = address < nullEnd ? 'a null pointer' : `address ${address}, outside memory,`
    kernel.fail('trap', `${where} is given as a ${what}`, kernel.callSite())
  }

  heapAccess(site: number, address: number, size: number, wrote: boolean): void {
    this.failInHeap(`${wrote ? 'write' : 'read'} of ${bytes(size)}`, site, address, size)
  }

  /** `what` has touched memory of the heap that belongs to nobody now. */
  private failInHeap(what: string, site: number, address: number, size: number): never {
    const { kernel } = this
    const { heap, blockStacks, ownBlocks } = kernel
    const own = ownBlocks.blockAt(address)
    if (own?.freed) {
      const place = `byte ${address - own.start} of a freed block of ${bytes(own.size)}`
      return kernel.failures.failNow('use-after-free', `${what} at ${place}`, site, ownBlocks.historyOf(own))
    }
    if (own !== undefined || ownBlocks.isInPool(address)) {
      const near = own ?? ownBlocks.blockBefore(address)
      const stacks = near ? ownBlocks.historyOf(near) : []
      return kernel.failures.failNow(
        'heap-overflow',
        `${what} in a pool, where no block is allocated`,
        site,
        stacks,
      )
    }
    const block = heap.blockAt(address)
    const near = block ?? heap.blockNear(address)
    const stacks = blockStacks.historyOf(near)
    if (block?.freed) {
      const place = `byte ${address - block.start} of a freed block of ${bytes(block.size)}`
      return kernel.failures.failNow('use-after-free', `${what} at ${place}`, site, stacks)
    }
    return kernel.failures.failNow('heap-overflow', `${what} ${outside(near, address, size)}`, site, stacks)
  }

  /** Fails if an object of a call cannot be at that address. */
  checkObject(what: string, address: number): void {
    const { kernel } = this
    const { nullEnd } = kernel.artifact.layout
    const start = address >>> 0
    const fits = start >= nullEnd && start + LARGEST_OBJECT <= kernel.memory.bytes.length
    if (fits && (start & 3) === 0) return
    const where = start < nullEnd ? 'a null pointer' : `address ${start}`
    kernel.fail('trap', `${where} is given as a ${what}`, kernel.callSite())
  }

  /** Fails if an object that is used now does not lie in live memory. */
  checkAlive(what: string, address: number, size = WORD): void {
    const { kernel } = this
    const start = address >>> 0
    if (!kernel.heap.shadow.isClosed(start, size)) return
    kernel.journal.drain()
    this.failInHeap(`use of a ${what}`, kernel.pending.site[kernel.running], start, size)
  }

  /** The running thread's stack pointer is below the mark, or it has too many calls open. */
  overflow(site: number, pointer: number, shadow: number): number {
    const { kernel } = this
    const where = site >= 0 ? site : kernel.callSite()
    const { shadowEnd } = kernel.states.slots[kernel.running]
    if (shadow >= shadowEnd) kernel.fail('trap', 'stack overflow: calls nest too deeply', where)
    const mark = kernel.set.lowerMark(kernel.running, pointer)
    if (mark < 0) kernel.fail('trap', 'stack overflow: the stack is full', where)
    return mark
  }
}

/** Where an access lies that is not in a block. */
function outside(near: Block | undefined, address: number, size: number): string {
  if (near === undefined) return 'in memory that was never allocated'
  const block = `a block of ${bytes(near.size)}`
  const end = near.start + near.size
  if (address < near.start) {
    const reach = address + size - near.start
    return `${bytes(near.start - address)} before ${block}${reach > 0 ? ', into it' : ''}`
  }
  if (address < end) return `at byte ${address - near.start} of ${block}, past its end`
  return address === end
    ? `just past the end of ${block}`
    : `${bytes(address - end)} past the end of ${block}`
}
