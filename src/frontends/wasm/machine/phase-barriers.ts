import { THREAD_LIVE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import type { Kernel } from './kernel.js'
import { SyncObjects } from './sync-objects.js'
import { ALWAYS, PHASE_OVER } from './thread-states.js'

/** Fourth word of a barrier: `runtime/include/barrier`. */
const BARRIER = 0x63626172

/**
 * `std::barrier`. Word 0 is how many arrivals a phase takes, word 1 how many there were, word 2 the phase, word 4 how
 * many the next phase takes. Whoever arrives last runs the completion, which is the program's, and then begins the next
 * phase. Every phase is a location of its own: leaving one does not conflict with arriving at the next.
 */
export class PhaseBarriers {
  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, { kind: 'barrier', name: 'barrier' })
  }

  readonly calls = {
    /** Twice the phase, plus one for the last to arrive. */
    fl_barrier_arrive: (address: number, count: number, drop: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.stopsBefore(Op.barrierArrive, address, this.current(address), ALWAYS))
        return 0
      this.check(address, 'arrives at')
      const at = address >>> 2
      const { words } = kernel.memory
      const missing = words[at] - words[at + 1]
      if (count < 1 || count > missing) {
        this.objects.misuse('arrives at', address, `${count} times, where ${missing} arrivals are missing`)
      }
      const phase = words[at + 2]
      kernel.record(Op.barrierArrive, Mode.write, this.current(address), -1)
      words[at + 1] += count
      if (drop !== 0) words[at + 4]--
      return (phase << 1) | (count === missing ? 1 : 0)
    },

    fl_barrier_complete: (address: number): void => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.stopsBefore(Op.barrierArrive, address, this.current(address), ALWAYS))
        return
      const at = address >>> 2
      const { words } = kernel.memory
      kernel.record(Op.barrierArrive, Mode.write, this.current(address), -1)
      words[at] = words[at + 4]
      words[at + 1] = 0
      words[at + 2]++
      const next = this.current(address)
      kernel.record(Op.barrierArrive, Mode.write, next, -1)
      this.moveOn(address, next)
      kernel.stopNext()
    },

    fl_barrier_wait: (address: number, phase: number): void => {
      const { kernel } = this
      const location = kernel.addresses.generation(address, phase)
      if (kernel.phase() === 0) {
        kernel.states.wanted[kernel.running] = phase
        if (this.stopsBefore(Op.barrierLeave, address, location, PHASE_OVER)) return
      }
      kernel.record(Op.barrierLeave, Mode.read, location, -1)
    },
  }

  /** Who is about to arrive will arrive at the next phase. */
  private moveOn(address: number, next: number): void {
    const { pending, states, set, running } = this.kernel
    for (const other of set.created) {
      if (other === running || pending.status[other] !== THREAD_LIVE) continue
      if (pending.kind[other] === Op.barrierArrive && states.object[other] === address)
        pending.location[other] = next
    }
  }

  private check(address: number, verb: string): void {
    const { kernel } = this
    kernel.faults.checkAlive('barrier', address)
    if (!isBarrier(kernel, address)) this.objects.misuse(verb, address, 'which was not initialised')
  }

  private current(address: number): number {
    const { kernel } = this
    const phase = isBarrier(kernel, address) ? kernel.memory.words[(address >>> 2) + 2] : 0
    return kernel.addresses.generation(address, phase)
  }

  private stopsBefore(kind: number, address: number, location: number, condition: number): boolean {
    this.kernel.faults.checkObject('barrier', address)
    return this.kernel.stopsBefore(kind, location, condition, address)
  }
}

function isBarrier({ memory }: Kernel, address: number): boolean {
  return memory.words[(address >>> 2) + 3] === BARRIER
}

/** Whether that phase of a barrier is over; who was let go does not look at the barrier again. */
export function isOver(kernel: Kernel, address: number, phase: number): boolean {
  return kernel.memory.words[(address >>> 2) + 2] !== phase || !isBarrier(kernel, address)
}
