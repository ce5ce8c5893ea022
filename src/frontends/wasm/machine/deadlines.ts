import { EPOCH } from './clock.js'
import type { Kernel } from './kernel.js'

const NANOSECONDS = 8
const SECOND = 1_000_000_000

/** Whether a `struct timespec` is a time; what does not point to one is a bug of the running thread. */
export function isDeadline(kernel: Kernel, address: number): boolean {
  kernel.faults.checkObject('deadline', address)
  const nanoseconds = kernel.memory.words[(address + NANOSECONDS) >>> 2]
  return nanoseconds >= 0 && nanoseconds < SECOND
}

/** The running thread has waited until a deadline: so late it is for it now. */
export function passDeadline(kernel: Kernel, address: number): void {
  const { words } = kernel.memory
  const at = address >>> 2
  const seconds = words[at + 1] * 2 ** 32 + (words[at] >>> 0)
  const time = (seconds - EPOCH) * SECOND + words[(address + NANOSECONDS) >>> 2]
  const { states, running } = kernel
  if (time > states.clock[running]) states.clock[running] = time
}
