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
  /** At least so many steps at the beginning are those of the execution before in this trace. */
  shared = 0
  /** The steps that ended the execution, if the machine did them at once, by a number that stands for just these; else -1. */
  tail = -1
  /** The first of them. */
  tailStart = Infinity
  /** The tail that is still in the rows, where it begins there, and events before it. */
  private written = -1
  private writtenAt = 0
  private writtenEvents = 0
  /** Logs their events, which is put off until somebody looks. */
  private owed: (() => void) | null = null

  constructor(private readonly log: EventLog) {}

  get events(): EventLog {
    if (this.owed !== null) this.settle()
    return this.log
  }

  /** The log as far as that transition needs it. */
  eventsOf(transition: number): EventLog {
    return transition < this.tailStart ? this.log : this.events
  }

  /** Empties it for the next execution. */
  clear(): void {
    this.length = 0
    this.tail = -1
    this.tailStart = Infinity
    this.owed = null
  }

  /** The execution ends with these steps of a thread: see `Driver.goAlone`. */
  endWith(
    thread: number,
    steps: number,
    eventEnd: Int32Array,
    from: number,
    tail: number,
    log: () => void,
  ): void {
    const first = this.length
    const start = this.events.count
    if (tail !== this.written || first !== this.writtenAt || start !== this.writtenEvents) {
      while (first + steps > this.thread.length) this.grow()
      for (let i = 0; i < steps; i++) {
        this.thread[first + i] = thread
        this.value[first + i] = 0
        this.eventEnd[first + i] = start + eventEnd[from + i]
      }
      this.written = tail
      this.writtenAt = first
      this.writtenEvents = start
    }
    this.length = first + steps
    this.tail = tail
    this.tailStart = first
    this.owed = log
  }

  private settle(): void {
    const log = this.owed!
    this.owed = null
    log()
  }

  push(thread: number, value: number): void {
    const i = this.length
    if (i >= this.writtenAt) this.written = -1
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
