import { Mode, Op } from '../../../machine/operation.js'
import { cancellationPoints } from '../provided-calls.js'
import { CANCELLED } from '../rewrite/exceptions.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { waitsForEnd } from './enabledness.js'
import { THREAD_CANCELLED } from './endings.js'
import { errno } from './errno.js'
import type { CancellationPart, Kernel } from './kernel.js'
import { ALWAYS, CANCELLED_BY_EXCEPTION, CANCELLED_FROM_OUTSIDE } from './thread-states.js'

const ENABLE = 0
const DISABLE = 1
const DEFERRED = 0
const ASYNCHRONOUS = 1

/**
 * Deferred cancellation. A request is a write to an object of the thread that is asked to end; a cancellation point
 * reads that object, so that both orders are tried. A thread that acts on a request is left by an exception, which throws
 * its frames away, and goes on in its cleanup handlers on the same stack, in the same transition.
 *
 * - A call that never waits, or only for a time, looks in the same step before it does anything.
 * - A wait on a condition variable looks when it begins. A request that comes later takes the thread out of the queue, as
 *   a signal would that is meant for it: whoever comes first, signal or request, decides. The thread takes the mutex again
 *   and then ends.
 * - A wait for a permit or for the end of a thread goes on when it gets that or when its thread is asked to end. If both
 *   have happened the request wins, as it must if the call was made after it; that the wait had begun before and got what
 *   it waited for is the same as if it had gone on before the request, which is tried too.
 *
 * In a program with exceptions it throws one instead, at the end of the call that it is in, and so runs destructors: see
 * `rewrite/exceptions.ts`. Handlers that C functions have pushed run before that.
 *
 * A program that never calls pthread_cancel pays nothing: none of its operations touches these objects.
 */
export class Cancellation implements CancellationPart {
  /** The program can cancel threads. */
  usesCancel = false
  /** By thread. */
  private readonly requests: number[] = []
  private readonly ends: number[] = []

  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    __wrap_pthread_cancel: (handle: number): number => {
      const { kernel } = this
      const target = kernel.set.threadOf(handle)
      if (target < 0) return errno.noSuchThread
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.cancel, this.requestOf(target), ALWAYS, target))
        return 0
      if (kernel.constructing) {
        throw new UnsupportedError('a thread is cancelled before main begins', ['pthread_cancel'])
      }
      if (kernel.states.joined[target] === 1) {
        kernel.record(Op.cancel, Mode.read, kernel.threadLocation(target), -1)
        return errno.noSuchThread
      }
      this.request(target)
      kernel.record(Op.cancel, Mode.read, kernel.threadLocation(target), -1)
      // Whether it waits already depends on the order; a stop must not.
      kernel.stopNext()
      return 0
    },

    __wrap_pthread_testcancel: (): void => {
      const { kernel } = this
      if (!this.usesCancel) return
      const location = this.requestOf(kernel.running)
      if (kernel.phase() === 0 && kernel.stopsBefore(Op.cancelPoint, location, ALWAYS, 0)) return
      this.point()
    },

    __wrap_pthread_setcancelstate: (state: number, old: number): number => {
      const { states, running } = this.kernel
      if (state !== ENABLE && state !== DISABLE) return errno.invalid
      this.giveBack(old, states.cancelDisabled[running])
      // A thread that is ending is never cancelled again.
      if (states.isCancelled[running] === 0) states.cancelDisabled[running] = state
      this.kernel.disturb()
      return 0
    },

    /** Each thread has what it set last; a type that has an effect is refused. */
    __wrap_pthread_setcanceltype: (type: number, old: number): number => {
      if (type !== DEFERRED && type !== ASYNCHRONOUS) return errno.invalid
      if (type === ASYNCHRONOUS && this.usesCancel) {
        throw new UnsupportedError(
          'the program uses PTHREAD_CANCEL_ASYNCHRONOUS, which Faultline does not provide; use PTHREAD_CANCEL_DEFERRED, and pthread_testcancel where the thread may end',
          ['PTHREAD_CANCEL_ASYNCHRONOUS'],
        )
      }
      const { states, running } = this.kernel
      this.giveBack(old, states.cancelType[running])
      states.cancelType[running] = type
      this.kernel.disturb()
      return 0
    },
  }

  /** What requests to a thread, and its looking for them, conflict on. */
  requestOf(thread: number): number {
    return (this.requests[thread] ??= this.intern('cancellation of thread', thread))
  }

  /** What the end of a thread, and those who gave up waiting for it, conflict on. */
  endOf(thread: number): number {
    return (this.ends[thread] ??= this.intern('end of thread', thread))
  }

  /** A cancellation point that does not wait: the running thread ends here if it was asked to. */
  point(): void {
    if (!this.isLooking()) return
    this.look(Op.cancelPoint)
    if (this.isAsked()) this.act()
  }

  /** The running thread begins a wait for a permit or for the end of a thread. */
  begin(): void {
    if (this.isLooking()) this.kernel.states.cancellable[this.kernel.running] = 1
  }

  /** Whether that wait ends because the thread was asked to end. */
  isMet(): boolean {
    return this.kernel.states.cancellable[this.kernel.running] === 1 && this.isAsked()
  }

  /** That wait has ended otherwise. */
  end(): void {
    const { states, running } = this.kernel
    if (states.cancellable[running] === 0) return
    states.cancellable[running] = 0
    this.look(Op.cancelPoint)
  }

  /** The running thread has begun a wait on a condition variable. */
  enterWait(condition: number): void {
    if (this.isLooking()) this.kernel.states.cancellableOn[this.kernel.running] = condition
  }

  /** The running thread has its mutex again; it ends here if that was why it stopped waiting. */
  leaveWait(): void {
    const { states, running } = this.kernel
    if (states.cancellableOn[running] === 0) return
    states.cancellableOn[running] = 0
    this.look(Op.cancelPoint)
    if (states.wokenToEnd[running] === 1) this.act()
  }

  /** The running thread does not join a thread, or get an error from that, because it was asked to end. */
  giveUpJoin(target: number): never {
    const { kernel } = this
    const waits = target >= 0 && waitsForEnd(kernel, kernel.running, target)
    this.look(waits ? Op.cancelled : Op.cancelPoint)
    if (waits) kernel.record(Op.cancelled, Mode.read, this.endOf(target), -1)
    return this.act()
  }

  /** The running thread leaves what it does and runs its cleanup handlers. */
  act(): never {
    const { states, running } = this.kernel
    states.cancellable[running] = 0
    states.cancelDisabled[running] = DISABLE
    states.isCancelled[running] = this.kernel.program.fl_thrown_word
      ? CANCELLED_BY_EXCEPTION
      : CANCELLED_FROM_OUTSIDE
    throw THREAD_CANCELLED
  }

  /** The calls of a program with exceptions, in which a thread that acts on a request goes on by throwing one. */
  wrap<Calls extends Readonly<Record<string, (...args: never[]) => unknown>>>(calls: Calls): Calls {
    if (!this.usesCancel) return calls
    const wrapped = Object.entries(calls).map(([name, call]) => [
      name,
      cancellationPoints.has(name) ? this.wrapped(call) : call,
    ])
    return Object.fromEntries(wrapped) as Calls
  }

  private wrapped(call: (...args: never[]) => unknown): (...args: never[]) => unknown {
    return (...args) => {
      try {
        return call(...args)
      } catch (error) {
        const thrown = this.kernel.program.fl_thrown_word
        if (error !== THREAD_CANCELLED || thrown === undefined) throw error
        thrown.value = CANCELLED
        return 0
      }
    }
  }

  /** Logs that the running thread looked whether it was asked to end. */
  look(kind: number): void {
    this.kernel.record(kind, Mode.read, this.requestOf(this.kernel.running), -1)
  }

  private isLooking(): boolean {
    return this.usesCancel && this.kernel.states.cancelDisabled[this.kernel.running] === 0
  }

  private isAsked(): boolean {
    return this.kernel.states.cancelPending[this.kernel.running] === 1
  }

  private request(target: number): void {
    const { kernel } = this
    const { states } = kernel
    kernel.record(Op.cancel, Mode.write, this.requestOf(target), -1)
    states.cancelPending[target] = 1
    const condition = states.cancellableOn[target]
    if (condition === 0) return
    const isQueued = states.waitingOn[target] === condition
    const location = kernel.addresses.object('condition', condition)
    kernel.record(Op.cancel, isQueued ? Mode.write : Mode.read, location, -1)
    if (!isQueued) return
    kernel.waiters.remove(target)
    states.wokenToEnd[target] = 1
    if (states.timed[target] === 0) kernel.record(Op.wake, Mode.none, -1, target)
  }

  /** Stores the setting that the running thread had before. */
  private giveBack(address: number, value: number): void {
    if (address === 0) return
    const { kernel } = this
    kernel.faults.checkObject('place for the old setting', address)
    kernel.memory.words[address >>> 2] = value
    if (kernel.constructing) return
    kernel.pending.site[kernel.running] = kernel.callSite()
    kernel.record(Op.store, Mode.write, kernel.addresses.locate(address, 4), -1)
  }

  private intern(what: string, thread: number): number {
    return this.kernel.locations.intern('process', `${what} ${this.kernel.threads.names[thread]}`)
  }
}
