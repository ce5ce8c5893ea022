import { grown } from '../../../program/growing.js'
import type { Slot } from './memory-map.js'

/** How to enter a thread. */
export const FRESH = 0
/** It is unwound and must be rewound. */
export const SUSPENDED = 1
/** It has no frames left: main has returned, or the thread called exit(). */
export const LEAVING = 2
export const GONE = 3

/** See `ThreadStates.detachedBy`. */
export const NEVER_JOINABLE = -1

/** What decides whether a pending operation is enabled. */
export const ALWAYS = 0
/** The mutex `object` is free or its own. */
export const MUTEX_FREE = 1
/** It has been signalled and the mutex `object` is free. */
export const WOKEN = 2
/** Thread `object` has ended, or is no thread that can be waited for. */
export const THREAD_ENDED = 3
/** As many alternatives as threads wait on the condition variable `object`. */
export const WAITERS = 4
/** The once control `object` is not being run by another. */
export const ONCE_IDLE = 5
/** The semaphore `object` has a permit, or is none. */
export const PERMIT_LEFT = 6
/** The reader-writer lock `object` can be taken, or taking it would be a misuse. */
export const READABLE = 7
export const WRITABLE = 8
/** The barrier it arrived at has let it go. */
export const RELEASED = 9
/** There are as many alternatives as `object`. */
export const CHOICES = 10
/** A notify has woken it from a wait on an address. */
export const NOTIFIED = 12
/** As many alternatives as there are ways to choose `wanted` of the threads that wait on the address `object`. */
export const SUBSETS = 13
/** It waits for ever, and that is no deadlock. */
export const NEVER = 11

/** The latch `object` has been counted down to zero, or is none. */
export const COUNT_ZERO = 14
/** The phase `wanted` of the barrier `object` is over. */
export const PHASE_OVER = 15

/** State of the program's threads, by thread index. */
export class ThreadStates {
  entry = new Uint8Array(16)
  /** Start function and argument. */
  start = new Int32Array(16)
  argument = new Int32Array(16)
  result = new Int32Array(16)
  children = new Int32Array(16)
  /** Index + 1 of the thread that detached it, `NEVER_JOINABLE` when it was created so, or 0. */
  detachedBy = new Int32Array(16)
  joined = new Uint8Array(16)
  slot = new Int32Array(16)
  readonly slots: Slot[] = []

  /** What the pending operation waits for: one of the constants above. */
  condition = new Uint8Array(16)
  /** Address of its object, or index of a thread. */
  object = new Int32Array(16)
  /** Where a suspended call goes on when it is entered again; 0 for calls that begin. */
  phase = new Uint8Array(16)

  /** Address of the condition variable it waits on and no signal has picked it, or 0. */
  waitingOn = new Int32Array(16)
  /** Order of arrival among waiting threads. */
  arrival = new Int32Array(16)
  signalled = new Uint8Array(16)
  timed = new Uint8Array(16)
  /** How many waiting threads its pending notify wakes at most. */
  wanted = new Int32Array(16)

  /** Atomic sections it is in: it does not stop unless it has to wait. */
  sections = new Uint8Array(16)

  /** Addresses of the reader-writer locks it holds for reading, each as often as it does. */
  readonly readLocks: number[][] = []

  /** Its own virtual time, in nanoseconds. */
  clock = new Float64Array(16)

  ensure(threads: number): void {
    if (threads <= this.entry.length) return
    const size = Math.max(threads, this.entry.length * 2)
    for (const key of ['entry', 'joined', 'condition', 'phase', 'signalled', 'timed', 'sections'] as const) {
      this[key] = grown(this[key], size)
    }
    for (const key of [
      'start',
      'argument',
      'result',
      'children',
      'detachedBy',
      'slot',
      'object',
      'waitingOn',
      'arrival',
      'wanted',
    ] as const) {
      this[key] = grown(this[key], size)
    }
    this.clock = grown(this.clock, size)
  }

  begin(thread: number, slot: Slot, index: number, start: number, argument: number): void {
    this.entry[thread] = FRESH
    this.start[thread] = start
    this.argument[thread] = argument
    this.result[thread] = 0
    this.children[thread] = 0
    this.detachedBy[thread] = 0
    this.joined[thread] = 0
    this.slot[thread] = index
    this.slots[thread] = slot
    this.condition[thread] = ALWAYS
    this.object[thread] = 0
    this.phase[thread] = 0
    this.waitingOn[thread] = 0
    this.signalled[thread] = 0
    this.timed[thread] = 0
    this.sections[thread] = 0
    this.clock[thread] = 0
    if (this.readLocks[thread] === undefined) this.readLocks[thread] = []
    else this.readLocks[thread].length = 0
  }
}
