import { Mode, Op } from '../../../machine/operation.js'
import type { Kernel } from './kernel.js'

/** What `ThreadStates.region` holds: interrupts are on; off; off, in a handler. */
const ON = 0
const HANDLER = 2

/**
 * Regions without interrupts on the one processor of a kernel: `runtime/include/faultline_kernel.h`. They are atomic
 * sections in which nobody may have to wait, since nobody else could run; to race detectors the processor is a lock. Taking it
 * commutes with taking it, so that regions with nothing in common do.
 */
export class Interrupts {
  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    /** The running thread has turned interrupts off, or is about to turn them on; it is in an atomic section. */
    fl_region: (region: number, processor: number): void => {
      const { kernel } = this
      const { states, running } = kernel
      const before = states.region[running]
      states.region[running] = region
      // mutant: processor
      if ((before === ON) === (region === ON)) return
      kernel.pending.site[running] = kernel.callSite()
      const location = kernel.addresses.object('mutex', processor >>> 0, 4)
      kernel.record(region === ON ? Op.customUnlock : Op.customLock, Mode.commute, location, -1)
      // mutant: point behind a region
      if (region === ON) kernel.released()
    },

    fl_interrupt_misuse: (what: number): void => {
      const { kernel } = this
      const who = kernel.threads.labelOf(kernel.running)
      kernel.fail('interrupt-misuse', `${who} ${kernel.memory.text(what)}`, kernel.callSite())
    },
  }
}

/** The running thread has to wait for something: it must not if nobody else can run meanwhile. */
export function refuseWaiting(kernel: Kernel, how: string, site: number): void {
  const { states, running, threads } = kernel
  const region = states.region[running]
  // mutant: refuses waiting
  if (region === ON) return
  const where = /* mutant: where */ region === HANDLER ? 'in an interrupt handler' : 'with interrupts off'
  kernel.fail('interrupt-misuse', `${threads.labelOf(running)} ${how} ${where}`, site)
}
