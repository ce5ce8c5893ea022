import { THREAD_LIVE } from '../../../machine/machine.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { Kernel } from './kernel.js'
import { NEVER, RELEASED } from './thread-states.js'

/** Signals between threads, which `runtime/signals.c` sends and handles. */
export class Signals {
  /** Where the program keeps what was sent and not taken: a word for the process, and one for each thread by its handle. */
  private sent = 0

  constructor(private readonly kernel: Kernel) {}

  readonly calls = {
    /** Returns what the running thread blocked before. */
    fl_block_signals: (set: number, sent: number): number => {
      const { states, running } = this.kernel
      const before = states.blockedSignals[running]
      states.blockedSignals[running] = set
      this.sent = sent
      return before
    },
  }

  /**
   * A thread that waits has a signal to handle, nobody being able to run: no execution ends so. Since a thread takes its
   * signals right before it waits (`runtime/waits`), there is one that is the same up to here but for the handler having
   * run; its order of sending and looking is explored as any other.
   */
  get isDue(): boolean {
    if (this.sent === 0) return false
    const { pending, set, spins, states } = this.kernel
    for (const thread of set.created) {
      if (pending.status[thread] !== THREAD_LIVE || states.condition[thread] === NEVER) continue
      if (spins.blocked[thread] === 1 || !this.isDueTo(thread)) continue
      if (states.condition[thread] === RELEASED) {
        const who = this.kernel.threads.labelOf(thread)
        throw new UnsupportedError(
          `a signal is sent to ${who}, which waits at a barrier: Faultline handles no signals there; block them while threads wait at barriers`,
          ['pthread_barrier_wait'],
        )
      }
      return true
    }
    return false
  }

  private isDueTo(thread: number): boolean {
    const { memory, set, states } = this.kernel
    const at = this.sent >>> 2
    const sent = memory.words[at] | memory.words[at + set.handleOf(thread)]
    return (sent & ~states.blockedSignals[thread]) !== 0
  }
}
