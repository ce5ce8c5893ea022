import { Mode, Op } from '../../../machine/operation.js'
import type { Kernel } from './kernel.js'
import { SyncObjects } from './sync-objects.js'
import { ALWAYS, COUNT_ZERO } from './thread-states.js'

/** Second word of a latch: `runtime/include/latch`. */
const LATCH = 0x6c617463

/** `std::latch`: word 0 is the count. Like a barrier of one generation, at which nobody has to wait. */
export class Latches {
  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'barrier', name: 'latch' })
  }

  readonly calls = {
    /** The end of the count ends the transition whether or not somebody waits already: that depends on the order. */
    fl_latch_count: (address: number, by: number): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.barrierArrive, address, ALWAYS)) return
      this.check(address, 'counts down')
      const { words } = kernel.memory
      const left = words[address >>> 2] - by
      if (by < 0 || left < 0) this.objects.misuse('counts down', address, `by ${by}, with ${left + by} left`)
      kernel.record(Op.barrierArrive, by === 0 ? Mode.read : Mode.write, this.objects.location(address), -1)
      words[address >>> 2] = left
      if (left === 0 && by > 0) kernel.stopNext()
    },

    fl_latch_try: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.semRead, address, ALWAYS)) return 0
      this.check(address, 'looks at')
      kernel.record(Op.semRead, Mode.read, this.objects.location(address), -1)
      return kernel.memory.words[address >>> 2] === 0 ? 1 : 0
    },

    fl_latch_wait: (address: number): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.barrierLeave, address, COUNT_ZERO)) return
      this.check(address, 'waits for')
      kernel.record(Op.barrierLeave, Mode.read, this.objects.location(address), -1)
    },
  }

  private check(address: number, verb: string): void {
    const { kernel } = this
    kernel.faults.checkAlive('latch', address)
    if (!isLatch(kernel, address)) this.objects.misuse(verb, address, 'which was not initialised')
  }
}

function isLatch({ memory }: Kernel, address: number): boolean {
  return memory.words[(address >>> 2) + 1] === LATCH
}

/** Whether a wait can go on: through the latch, or into an error when it is none. */
export function isOpen(kernel: Kernel, address: number): boolean {
  return kernel.memory.words[address >>> 2] === 0 || !isLatch(kernel, address)
}
