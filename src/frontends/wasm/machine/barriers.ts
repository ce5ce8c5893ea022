import { THREAD_LIVE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import { DESTROYED, SyncObjects } from './sync-objects.js'
import { RELEASED } from './thread-states.js'

/** Fourth word of a barrier that can be used: there is no static initialiser, so nothing else has it. */
export const ALIVE = 0x62617272
const SERIAL_THREAD = -1
const LEAVING = 2

/**
 * Barriers. They live in the program's memory: word 0 is how many threads it takes, word 1 how many have arrived, word
 * 2 the generation, word 3 tells whether it was initialised. Every generation is a location of its own, so that leaving
 * one does not conflict with arriving at the next.
 *
 * Who was let go does not look at the barrier again: the last to arrive may destroy it at once.
 */
export class Barriers {
  private readonly objects: SyncObjects

  constructor(private readonly kernel: Kernel) {
    this.objects = new SyncObjects(kernel, {
      kind: 'barrier',
      name: 'barrier',
      locate: (address) => this.current(address),
    })
  }

  readonly calls = {
    __wrap_pthread_barrier_init: (address: number, _attributes: number, count: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('barrier', address, 20)
      if (count === 0) {
        kernel.record(Op.mutexSetup, Mode.read, this.current(address), -1)
        return errno.invalid
      }
      const at = address >>> 2
      const { words } = kernel.memory
      words[at] = count
      words[at + 1] = 0
      words[at + 2] = 0
      words[at + 3] = ALIVE
      kernel.record(Op.mutexSetup, Mode.write, this.current(address), -1)
      return 0
    },

    __wrap_pthread_barrier_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      this.check(address, 'destroys')
      const waiter = kernel.waiters.at(address, 0)
      if (waiter >= 0)
        this.objects.misuse('destroys', address, `at which ${kernel.threads.labelOf(waiter)} waits`)
      kernel.record(Op.mutexSetup, Mode.write, this.current(address), -1)
      kernel.memory.words[(address >>> 2) + 3] = DESTROYED
      return 0
    },

    __wrap_pthread_barrier_wait: (address: number): number => {
      const { kernel } = this
      const phase = kernel.phase()
      if (phase === 0 && this.objects.stopsBefore(Op.barrierArrive, address)) return 0
      if (phase < LEAVING) {
        this.check(address, 'arrives at')
        if (this.arrive(address)) return SERIAL_THREAD
        const { states, running, pending } = kernel
        kernel.waiters.add(running, address)
        states.timed[running] = 0
        if (kernel.stopsBefore(Op.barrierLeave, pending.location[running], RELEASED, address, LEAVING))
          return 0
      }
      kernel.record(Op.barrierLeave, Mode.read, kernel.pending.location[kernel.running], -1)
      return 0
    },
  }

  /** True for the last to arrive, who lets the others go. Else the thread's pending location is where it will leave. */
  private arrive(address: number): boolean {
    const { kernel } = this
    const { pending, running } = kernel
    const { words } = kernel.memory
    const at = address >>> 2
    const location = this.current(address)
    kernel.record(Op.barrierArrive, Mode.write, location, -1)
    if (++words[at + 1] < words[at] >>> 0) {
      pending.location[running] = location
      return false
    }
    words[at + 1] = 0
    words[at + 2]++
    // With more threads than the barrier counts, who arrives next might have arrived now instead: the last arrival is
    // an operation on the next generation too.
    const next = this.current(address)
    kernel.record(Op.barrierArrive, Mode.write, next, -1)
    for (const other of kernel.set.created) {
      if (other === running || pending.status[other] !== THREAD_LIVE) continue
      const isBefore = pending.kind[other] === Op.barrierArrive && kernel.states.object[other] === address
      if (isBefore) pending.location[other] = next
    }
    if (words[at] === 1) return true
    for (let t = kernel.waiters.at(address, 0); t >= 0; t = kernel.waiters.at(address, 0))
      kernel.waiters.remove(t)
    kernel.stopNext()
    return true
  }

  private check(address: number, verb: string): void {
    const { kernel } = this
    kernel.faults.checkAlive('barrier', address)
    const state = kernel.memory.words[(address >>> 2) + 3]
    this.objects.checkState(verb, address, state, ALIVE)
  }

  /** Location of the barrier's generation now. */
  private current(address: number): number {
    const { words } = this.kernel.memory
    const at = address >>> 2
    return this.kernel.addresses.generation(address, words[at + 3] === ALIVE ? words[at + 2] : 0)
  }
}
