import type { ExecutionState } from './execution-state.js'

/**
 * Waits that end without a signal. Whether one does is chosen as it begins; it then ends at any time, like a timed wait,
 * unless a signal comes first. So how many are left decides only about the alternatives of later waits, and in which order
 * they were used makes no difference: operations of different threads stay as independent as they were.
 */
export class SpuriousWakeups implements ExecutionState {
  /** Most in one execution. */
  limit = 0
  private used = 0

  get isLeft(): boolean {
    return this.used < this.limit
  }

  use(): void {
    this.used++
  }

  reset(): void {
    this.used = 0
  }

  mark(): number {
    return this.used
  }

  goBack(used: number): void {
    this.used = used
  }
}
