import type { EventLog } from '../machine/events.js'
import { grown } from '../machine/growing.js'

/** How an execution ended; whether that is a bug, the runner says apart (a completed one can fail its at-end check). */
export type Status =
  /** Every thread ended, or the program did. */
  | 'completed'
  /** A thread failed in the last transition, which ended everything: it depends on all that others could do. */
  | 'failed'
  /** Threads are left and none can go on. */
  | 'stuck'
  /** The strategy gave it up as redundant. */
  | 'blocked'
  /** It was cut after the largest number of steps allowed: weakens every guarantee. */
  | 'cut'

/**
 * What happened in one execution: a row per transition. Reused between executions; `thread[i]`, `value[i]` is also
 * the schedule that reproduces it.
 */
export class Trace {
  length = 0
  thread = new Int32Array(256)
  value = new Int32Array(256)
  /** Transition i did the events from `eventEnd[i - 1]` (0 for the first) up to, not including, `eventEnd[i]`. */
  eventEnd = new Int32Array(256)
  /** Switches away from a thread that could have gone on and did not yield. */
  preemptions = 0
  /** All changes of thread. */
  switches = 0

  constructor(readonly events: EventLog) {}

  push(thread: number, value: number): void {
    const i = this.length
    if (i === this.thread.length) this.grow()
    this.thread[i] = thread
    this.value[i] = value
    this.length = i + 1
  }

  eventStart(transition: number): number {
    return transition === 0 ? 0 : this.eventEnd[transition - 1]
  }

  private grow(): void {
    const size = this.thread.length * 2
    for (const key of ['thread', 'value', 'eventEnd'] as const) this[key] = grown(this[key], size)
  }
}
