import type { Kernel } from './kernel.js'

const NANOSECONDS = 8
const SECOND = 1_000_000_000

/** Whether a `struct timespec` is a time; what does not point to one is a bug of the running thread. */
export function isDeadline(kernel: Kernel, address: number): boolean {
  kernel.faults.checkObject('deadline', address)
  const nanoseconds = kernel.memory.words[(address + NANOSECONDS) >>> 2]
  return nanoseconds >= 0 && nanoseconds < SECOND
}
