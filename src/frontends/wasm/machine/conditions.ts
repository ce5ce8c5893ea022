import { Mode, Op } from '../../../machine/operation.js'
import { isDeadline, passDeadline } from './deadlines.js'
import { errno } from './errno.js'
import type { Kernel } from './kernel.js'
import type { Mutexes } from './mutexes.js'
import { SyncObjects } from './sync-objects.js'
import { ALWAYS, MAY_WAKE, WAITERS, WOKEN } from './thread-states.js'

/** Phases of a wait. */
const WAITING = 2
const REACQUIRING = 3

/** A wait has begun: in `runtime/waits/waits.c` too. */
const ENTERED = -1

/** How a wait can end besides by a signal, and did end; in `ThreadStates.timed`. */
const BY_SIGNAL = 0
const BY_TIME = 1
const TIMED_OUT = 2
/** By itself, as if signalled: a spurious wake-up. */
const BY_ITSELF = 3

/**
 * Condition variables: a queue of waiting threads in order of arrival, kept by the kernel.
 *
 * A wait is one operation: it joins the queue and frees the mutex. A wait that cannot end by itself goes straight to
 * `reacquire`, which is not enabled before a signal has picked it. A timed one, and one that was chosen to wake spuriously,
 * goes to `condReturn`, which is always enabled and finds out from the state whether it was signalled; the conflict on
 * the condition variable orders it with signals, so no `wake` is logged for it.
 */
export class Conditions {
  private readonly objects: SyncObjects

  constructor(
    private readonly kernel: Kernel,
    private readonly mutexes: Mutexes,
  ) {
    this.objects = new SyncObjects(kernel, { kind: 'condition', name: 'condition variable' })
  }

  readonly calls = {
    __wrap_pthread_cond_init: (address: number, _attributes: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      kernel.faults.checkAlive('condition variable', address, 48)
      kernel.memory.words.fill(0, address >>> 2, (address >>> 2) + 12)
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), -1)
      return 0
    },

    __wrap_pthread_cond_destroy: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.mutexSetup, address)) return 0
      const waiter = kernel.waiters.at(address, 0)
      if (waiter >= 0) {
        const [who, whom] = [kernel.running, waiter].map((thread) => kernel.threads.labelOf(thread))
        const what = kernel.describe(this.objects.location(address))
        const site = kernel.pending.site[kernel.running]
        kernel.fail('lock-misuse', `${who} destroys ${what}, on which ${whom} waits`, site)
      }
      kernel.record(Op.mutexSetup, Mode.write, this.objects.location(address), -1)
      return 0
    },

    __wrap_pthread_cond_wait: (address: number, mutex: number): number => this.wait(address, mutex, false),

    /** The time does not matter: it is up to the schedule whether the signal comes in time. */
    __wrap_pthread_cond_timedwait: (address: number, mutex: number, deadline: number): number =>
      this.until(deadline, () => this.wait(address, mutex, true)),

    /** The two parts of a wait, for programs that take signals in between. */
    fl_cond_enter: (address: number, mutex: number, timed: number): number =>
      this.enter(address, mutex, timed !== 0, this.kernel.phase()),
    fl_cond_leave: (address: number, mutex: number, deadline: number): number => {
      const leave = () => this.leave(address, mutex, this.kernel.phase())
      return deadline === 0 ? leave() : this.until(deadline, leave)
    },

    __wrap_pthread_cond_signal: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.condSignal, address, WAITERS)) return 0
      kernel.record(Op.condSignal, Mode.write, this.use(address), -1)
      const waiter = kernel.waiters.at(address, kernel.value)
      if (waiter >= 0) {
        this.wake(waiter)
        kernel.stopNext()
      }
      return 0
    },

    __wrap_pthread_cond_broadcast: (address: number): number => {
      const { kernel } = this
      if (kernel.phase() === 0 && this.objects.stopsBefore(Op.condBroadcast, address)) return 0
      kernel.record(Op.condBroadcast, Mode.write, this.use(address), -1)
      if (kernel.waiters.count(address) === 0) return 0
      for (let waiter = kernel.waiters.at(address, 0); waiter >= 0; waiter = kernel.waiters.at(address, 0)) {
        this.wake(waiter)
      }
      kernel.stopNext()
      return 0
    },
  }

  /** Nothing is different after a wait that timed out, which matters to loops. */
  private until(deadline: number, wait: () => number): number {
    const { kernel } = this
    if (!isDeadline(kernel, deadline)) return errno.invalid
    kernel.journal.isPassing = true
    try {
      const result = wait()
      if (result === errno.timedOut) passDeadline(kernel, deadline)
      return result
    } finally {
      kernel.journal.isPassing = false
    }
  }

  private wait(address: number, mutex: number, timed: boolean): number {
    const phase = this.kernel.phase()
    if (phase < WAITING) {
      const result = this.enter(address, mutex, timed, phase)
      if (result !== ENTERED) return result
    }
    return this.leave(address, mutex, phase < WAITING ? 0 : phase)
  }

  /** Joins the queue and frees the mutex: `ENTERED`, an error, or 0 where the thread was left. */
  private enter(address: number, mutex: number, timed: boolean, phase: number): number {
    const { kernel, mutexes } = this
    const { states } = kernel
    const thread = kernel.running
    if (phase === 0) {
      kernel.faults.checkObject('mutex', mutex)
      if (kernel.weak !== null) states.waitingWith[thread] = mutex
      if (this.objects.stopsBefore(Op.condWait, address, this.mayWake(mutex) ? MAY_WAKE : ALWAYS)) return 0
    }
    kernel.cancellation.point()
    const refused = mutexes.checkWait(mutex, kernel.describe(this.objects.location(address)))
    if (refused !== 0) {
      kernel.record(Op.condWait, Mode.read, this.objects.location(address), -1)
      return refused
    }
    kernel.record(Op.condWait, Mode.write, this.use(address), -1)
    this.checkMutex(address, mutex)
    mutexes.release(mutex)
    kernel.waiters.add(thread, address)
    states.waitingWith[thread] = mutex
    const isSpurious = states.condition[thread] === MAY_WAKE && kernel.value === 1
    if (isSpurious) kernel.spuriousWakeups.use()
    states.timed[thread] = isSpurious ? BY_ITSELF : timed ? BY_TIME : BY_SIGNAL
    kernel.cancellation.enterWait(address)
    if (states.timed[thread] === BY_TIME) kernel.spins.doze(thread)
    return ENTERED
  }

  /** Waits, and takes the mutex again; `phase` is 0 where this begins. */
  private leave(address: number, mutex: number, phase: number): number {
    const { kernel, mutexes } = this
    const { states } = kernel
    const thread = kernel.running
    const isSimple = states.timed[thread] === BY_SIGNAL
    if (phase === 0) {
      const left = isSimple
        ? this.stopsBeforeReacquiring(mutex)
        : kernel.stopsBefore(Op.condReturn, this.objects.location(address), ALWAYS, address, WAITING)
      if (left) return 0
    }
    if (!isSimple && phase < REACQUIRING) {
      if (states.signalled[thread] === 0) {
        kernel.waiters.remove(thread)
        if (states.timed[thread] === BY_TIME) states.timed[thread] = TIMED_OUT
      }
      if (states.timed[thread] !== TIMED_OUT) {
        kernel.journal.isPassing = false
        kernel.disturb()
      }
      kernel.record(Op.condReturn, Mode.write, this.use(address), -1)
      if (this.stopsBeforeReacquiring(mutex)) return 0
    }
    kernel.faults.checkAlive('mutex', mutex)
    const told = mutexes.take(Op.reacquire, mutex)
    kernel.cancellation.leaveWait()
    return told === 0 && states.timed[thread] === TIMED_OUT ? errno.timedOut : told
  }

  private stopsBeforeReacquiring(mutex: number): boolean {
    const location = this.mutexes.objects.location(mutex)
    return this.kernel.stopsBefore(Op.reacquire, location, WOKEN, mutex, REACQUIRING)
  }

  /**
   * Whether there may be a choice. In an atomic section nothing has several outcomes, there is nobody to choose before
   * main, and a misuse goes one way only.
   */
  private mayWake(mutex: number): boolean {
    const { states, running, constructing, spuriousWakeups } = this.kernel
    if (spuriousWakeups.limit === 0 || constructing || states.sections[running] !== 0) return false
    return this.mutexes.isHeldOnce(mutex)
  }

  /** All who wait on a condition variable at the same time must do so with the same mutex. */
  private checkMutex(address: number, mutex: number): void {
    const { kernel, mutexes } = this
    const other = kernel.waiters.at(address, 0)
    if (other < 0 || kernel.states.waitingWith[other] === mutex) return
    const theirs = kernel.describe(mutexes.objects.location(kernel.states.waitingWith[other]))
    const [who, whom] = [kernel.running, other].map((thread) => kernel.threads.labelOf(thread))
    const what = `${kernel.describe(this.objects.location(address))} with ${kernel.describe(mutexes.objects.location(mutex))}`
    const message = `${who} waits on ${what}, on which ${whom} waits with ${theirs}`
    kernel.fail('lock-misuse', message, kernel.pending.site[kernel.running])
  }

  private wake(waiter: number): void {
    const { kernel } = this
    kernel.waiters.remove(waiter)
    if (kernel.states.timed[waiter] === BY_SIGNAL) kernel.record(Op.wake, Mode.none, -1, waiter)
  }

  /** Where the object is, once it is clear that it may be used. */
  private use(address: number): number {
    this.kernel.faults.checkAlive('condition variable', address)
    return this.objects.location(address)
  }
}
