import type { Glue } from './glue.js'
import type { ProgramExports, ProgramMemory } from './program.js'
import { CANCELLED_FROM_OUTSIDE, FRESH, SUSPENDED, type ThreadStates } from './thread-states.js'

/**
 * Threads as coroutines, by asyncify: a thread is left by *unwinding* its stack, which saves every frame and returns to
 * `enter`, and continued by *rewinding* it, which calls the import it was left in again, with the same arguments.
 */
export class Coroutines {
  /** A thread is being rewound: the import it was left in has to call `phase` first. */
  rewinding = false
  /** What the start function of the thread entered last returned. */
  result = 0
  private unwinding = false

  constructor(
    private readonly program: ProgramExports,
    private readonly glue: Glue,
    private readonly memory: ProgramMemory,
    private readonly states: ThreadStates,
  ) {}

  /** Runs a thread until it is left, or to its end: true. */
  enter(thread: number): boolean {
    const { states, program } = this
    const slot = states.slots[thread]
    this.glue.enter(slot.control)
    if (states.entry[thread] !== FRESH) {
      this.rewinding = true
      program.asyncify_start_rewind(slot.unwind)
    }
    return this.call(thread)
  }

  /** Runs the cleanup handlers of a thread whose frames have been thrown away, where its stack is now; as `enter`. */
  restart(thread: number): boolean {
    this.settle(thread)
    return this.call(thread)
  }

  private call(thread: number): boolean {
    const { states, program } = this
    if (states.isCancelled[thread] === CANCELLED_FROM_OUTSIDE) this.result = program.fl_run_cancelled()
    else if (thread === 0) this.result = program.fl_run_main()
    else {
      const { start, argument, startType } = states
      this.result = program.fl_run_thread(start[thread], argument[thread], startType[thread])
    }
    if (!this.unwinding) return true
    this.unwinding = false
    program.asyncify_stop_unwind()
    return false
  }

  /** How far a call had come when its thread was left in it; 0 when the call begins. */
  phase(thread: number): number {
    if (!this.rewinding) return 0
    this.rewinding = false
    this.program.asyncify_stop_rewind()
    return this.states.phase[thread]
  }

  /** The running thread is left: its import must return at once, and will be called again in that phase. */
  leave(thread: number, phase: number): void {
    const slot = this.states.slots[thread]
    this.states.phase[thread] = phase
    this.states.entry[thread] = SUSPENDED
    this.unwinding = true
    this.glue.leave(slot.control)
    this.program.asyncify_start_unwind(slot.unwind)
  }

  /** After something was thrown out of a thread. True when that was in the middle of a switch. */
  settle(thread: number): boolean {
    this.rewinding = false
    this.unwinding = false
    const state = this.program.asyncify_get_state()
    if (state === 0) return false
    const { unwind } = this.states.slots[thread]
    this.memory.words[unwind >>> 2] = unwind + 8
    if (state === 1) this.program.asyncify_stop_unwind()
    else this.program.asyncify_stop_rewind()
    return true
  }
}
