import { Mode, Op } from '../../../machine/operation.js'
import type { Kernel } from './kernel.js'
import { subset } from './subsets.js'
import { ALWAYS, NOTIFIED, SUBSETS } from './thread-states.js'

/** Results of a wait. */
const WOKEN = 0
const NOT_EQUAL = 1
const TIMED_OUT = 2

/** Phases of a wait. */
const RETURNING = 2

const FOREVER = -1n
const EVERYBODY = 0xffffffff

/**
 * Waiting on addresses: the instructions `memory.atomic.wait32`, `wait64` and `notify`, and on top of the same queues
 * `wait` and `notify` of C++ atomics, which may have any size.
 *
 * A wait is one operation: it reads the word and, if that has the value expected, joins the queue of the address. The
 * queue is an object of its own, on which waits and notifies conflict. A wait without a time limit is then not enabled
 * before a notify has picked it, and a `wake` orders it after that. A timed one is always enabled and finds out from
 * the state whether it was picked; the conflict on the queue orders it with notifies. The time itself does not matter.
 *
 * Which of several waiting threads a notify picks is a choice, though engines tend to wake whoever came first: the
 * systems that a program runs on in the end promise no order.
 */
export class Futexes {
  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    wait32: (address: number, expected: number, timeout: bigint): number =>
      this.waitAligned(address >>> 0, 4, BigInt(expected), timeout),

    wait64: (address: number, expected: bigint, timeout: bigint): number =>
      this.waitAligned(address >>> 0, 8, expected, timeout),

    notify: (address: number, count: number): number => {
      if (!this.kernel.isRewinding) this.checkAligned(address >>> 0, 4)
      return this.notify(address >>> 0, count >>> 0)
    },
  }

  /** For `runtime/include/__atomic`. */
  readonly libraryCalls = {
    fl_atomic_wait: (address: number, expected: number, size: number): void => {
      const { bytes } = this.kernel.memory
      const isExpected = () => {
        for (let i = 0; i < size; i++)
          if (bytes[(address >>> 0) + i] !== bytes[(expected >>> 0) + i]) return false
        return true
      }
      this.wait(address >>> 0, size, isExpected, FOREVER)
    },

    fl_atomic_notify: (address: number, all: number): void => {
      this.notify(address >>> 0, all === 0 ? 1 : EVERYBODY)
    },
  }

  private notify(start: number, count: number): number {
    const { kernel } = this
    if (kernel.phase() === 0) {
      this.check(start)
      kernel.states.wanted[kernel.running] = Math.min(count, kernel.threads.count)
      if (kernel.stopsBefore(Op.condSignal, this.location(start), SUBSETS, start)) return 0
    }
    kernel.record(Op.condSignal, Mode.write, this.location(start), -1)
    const places = subset(kernel.waiters.count(start), kernel.states.wanted[kernel.running], kernel.value)
    const woken = places.map((place) => kernel.waiters.at(start, place))
    for (const waiter of woken) {
      kernel.waiters.remove(waiter)
      if (kernel.states.timed[waiter] === 0) kernel.record(Op.wake, Mode.none, -1, waiter)
    }
    if (woken.length > 0) kernel.stopNext()
    return woken.length
  }

  private waitAligned(address: number, size: number, expected: bigint, timeout: bigint): number {
    if (!this.kernel.isRewinding) this.checkAligned(address, size)
    return this.wait(address, size, () => this.read(address, size) === expected, timeout)
  }

  private wait(address: number, size: number, isExpected: () => boolean, timeout: bigint): number {
    const { kernel } = this
    const { states, running } = kernel
    const timed = timeout >= 0n
    const phase = kernel.phase()
    if (phase === 0) {
      this.check(address)
      if (kernel.stopsBefore(Op.condWait, this.location(address), ALWAYS, address)) return 0
    }
    if (phase < RETURNING) {
      kernel.faults.checkAlive('word to wait on', address)
      kernel.record(Op.condWait, Mode.write, this.location(address), -1)
      kernel.record(Op.atomicLoad, Mode.read, kernel.addresses.locate(address, size), -1)
      if (!isExpected()) return NOT_EQUAL
      kernel.waiters.add(running, address)
      states.timed[running] = timed ? 1 : 0
      const location = timed ? this.location(address) : -1
      if (kernel.stopsBefore(Op.condReturn, location, timed ? ALWAYS : NOTIFIED, address, RETURNING)) return 0
    }
    if (!timed) {
      kernel.record(Op.condReturn, Mode.none, -1, -1)
      return WOKEN
    }
    const picked = states.signalled[running] === 1
    if (!picked) kernel.waiters.remove(running)
    kernel.record(Op.condReturn, Mode.write, this.location(address), -1)
    return picked ? WOKEN : TIMED_OUT
  }

  private read(address: number, size: number): bigint {
    const { words } = this.kernel.memory
    const low = words[address >>> 2]
    if (size === 4) return BigInt(low)
    return (BigInt(words[(address >>> 2) + 1]) << 32n) | BigInt(low >>> 0)
  }

  private checkAligned(address: number, size: number): void {
    const { kernel } = this
    if (address % size === 0) return
    const message = `an atomic wait or notify at address ${address}, which is not aligned`
    kernel.fail('trap', message, kernel.callSite())
  }

  private check(address: number): void {
    this.kernel.faults.checkRange('word to wait on', address, 1)
  }

  private location(address: number): number {
    return this.kernel.addresses.futex(address)
  }
}
