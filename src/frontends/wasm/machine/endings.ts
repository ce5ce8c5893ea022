import { THREAD_DONE } from '../../../machine/machine.js'
import { Mode, Op } from '../../../machine/operation.js'
import type { EndingPart, Kernel } from './kernel.js'
import { ALWAYS, GONE, LEAVING } from './thread-states.js'

/** Thrown to leave a thread that ended by itself. */
export const THREAD_EXIT = { outcome: 'thread exit' }
/** Thrown to leave what a thread was doing when it acts on a request to end. */
export const THREAD_CANCELLED = { outcome: 'thread cancelled' }

/** How threads end, and the program. */
export class Endings implements EndingPart {
  private readonly enders: ((thread: number) => void)[] = []

  constructor(private readonly kernel: Kernel) {}

  /** Has something done by each thread that ends, as its last operations. */
  onThreadEnd(end: (thread: number) => void): void {
    this.enders.push(end)
  }

  endThread(thread: number, result: number): number {
    const { kernel } = this
    const { states, pending } = kernel
    if (kernel.preemption.forced) kernel.preemption.release()
    states.result[thread] = result
    const isMain = thread === 0 && states.entry[0] !== GONE && states.isCancelled[0] === 0
    if (isMain) {
      kernel.log.drain(0)
      kernel.checks.afterTransition()
      this.announceExit(0)
      // It has no frames any more, also for whoever looks at it when it does not run.
      kernel.glue.leave(states.slots[0].control)
      return kernel.decide()
    }
    kernel.pending.site[thread] = -1
    for (const end of this.enders) end(thread)
    const { usesCancel } = kernel.cancellation
    const end = usesCancel ? kernel.cancellation.endOf(thread) : -1
    kernel.record(Op.exit, usesCancel ? Mode.write : Mode.none, end, -1)
    kernel.checks.afterTransition()
    states.entry[thread] = GONE
    pending.status[thread] = THREAD_DONE
    return kernel.decide()
  }

  private announceExit(thread: number): void {
    const { kernel } = this
    kernel.states.entry[thread] = LEAVING
    kernel.states.condition[thread] = ALWAYS
    kernel.pending.kind[thread] = Op.processExit
    kernel.pending.location[thread] = -1
    kernel.pending.site[thread] = -1
  }

  /** The program ends by exit() in the running thread, with the code in its result. */
  endProgram(thread: number): number {
    const { kernel } = this
    kernel.record(Op.processExit, Mode.none, -1, -1)
    const code = kernel.states.result[thread]
    if (code !== 0)
      kernel.failures.note(
        'exit-code',
        `the program ends with exit code ${code}`,
        kernel.pending.site[thread],
      )
    return -1
  }

  /** A call to exit(): the thread is left for good. */
  exitProcess(code: number): void {
    const { kernel } = this
    const thread = kernel.running
    const site = kernel.glue.callSite()
    kernel.states.result[thread] = code
    if (kernel.constructing)
      kernel.fail('exit-code', `a constructor ends the program with exit code ${code}`, site)
    if (kernel.preemption.forced) kernel.preemption.release()
    kernel.log.drain(thread)
    kernel.checks.afterTransition()
    this.announceExit(thread)
    kernel.pending.site[thread] = site
    kernel.preemption.next = kernel.decide()
    kernel.coroutines.leave(thread, 0)
    kernel.states.entry[thread] = LEAVING
  }

  exitThread(result: number): never {
    const { kernel } = this
    kernel.states.result[kernel.running] = result
    if (kernel.constructing) kernel.fail('trap', 'a constructor calls pthread_exit', kernel.glue.callSite())
    kernel.states.entry[kernel.running] = GONE
    throw THREAD_EXIT
  }
}
