import type { ExecutionState } from './execution-state.js'
import type { ThreadStates } from './thread-states.js'

/** Who waits on which condition variable, in order of arrival. */
export class Waiters implements ExecutionState {
  private arrivals = 0

  constructor(
    private readonly states: ThreadStates,
    /** Threads of the execution. */
    private readonly threads: readonly number[],
  ) {}

  reset(): void {
    this.arrivals = 0
  }

  mark(): number {
    return this.arrivals
  }

  goBack(arrivals: number): void {
    this.arrivals = arrivals
  }

  add(thread: number, condition: number): void {
    // Only the order among those who wait counts: a state in which nobody does is the same whoever did before.
    if (this.threads.every((other) => this.states.waitingOn[other] === 0)) this.arrivals = 0
    this.states.waitingOn[thread] = condition
    this.states.arrival[thread] = this.arrivals++
    this.states.signalled[thread] = 0
  }

  remove(thread: number): void {
    this.states.waitingOn[thread] = 0
    this.states.signalled[thread] = 1
  }

  count(condition: number): number {
    const { waitingOn } = this.states
    let count = 0
    for (const thread of this.threads) if (waitingOn[thread] === condition) count++
    return count
  }

  /** The thread at that place of the queue, or -1. */
  at(condition: number, place: number): number {
    const { waitingOn, arrival } = this.states
    for (const thread of this.threads) {
      if (waitingOn[thread] !== condition) continue
      let before = 0
      for (const other of this.threads) {
        if (waitingOn[other] === condition && arrival[other] < arrival[thread]) before++
      }
      if (before === place) return thread
    }
    return -1
  }
}
