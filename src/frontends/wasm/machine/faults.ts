import type { AccessFaults } from './access-log.js'
import type { Kernel } from './kernel.js'

/** Bytes of the largest object that a synchronisation call takes. */
const LARGEST_OBJECT = 64

/** Wrong addresses and exhausted stacks, as bugs of the running thread. */
export class Faults implements AccessFaults {
  constructor(private readonly kernel: Kernel) {}

  nullAccess(site: number, address: number): void {
    const what = address === 0 ? 'a null pointer' : `an address close to null (${address})`
    this.kernel.failNow('trap', `access through ${what}`, site)
  }

  freedAccess(site: number, address: number): void {
    this.kernel.failNow('use-after-free', `access to ${this.placeInFreedBlock(address)}`, site)
  }

  private placeInFreedBlock(address: number): string {
    const { start, size } = this.kernel.heap.blockAt(address)!
    return `byte ${address - start} of a freed block of ${size} bytes`
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

  /** Fails if an object that is used now lies in freed memory. */
  checkAlive(what: string, address: number): void {
    const { kernel } = this
    if (kernel.heap.freed === 0 || !kernel.heap.isFreed(address >>> 0)) return
    const site = kernel.pending.site[kernel.running]
    kernel.fail('use-after-free', `a ${what} is used at ${this.placeInFreedBlock(address >>> 0)}`, site)
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
