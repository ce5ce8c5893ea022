import type { Slot } from './memory-map.js'
import type { Tape } from './tape.js'

/** How a cancelled thread ends: its frames are thrown away and it goes on in its handlers, or it throws an exception. */
export const CANCELLED_FROM_OUTSIDE = 1
export const CANCELLED_BY_EXCEPTION = 2

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

/** A wait that a spurious wake-up may end, as long as there are any left: whether it does is decided as it begins. */
export const MAY_WAKE = 16
/** An access to memory that may see several writes, or take several places among them: see `WeakPart`. */
export const SOURCES = 17

/** The begin of a transaction, which may abort at once: see `TransactionPart`. */
export const BEGINS = 18

const wordColumns = [
  'start',
  'argument',
  'result',
  'children',
  'detachedBy',
  'slot',
  'object',
  'waitingOn',
  'waitingWith',
  'arrival',
  'wanted',
  'cancellableOn',
  'rounds',
  'blockedSignals',
] as const
const byteColumns = [
  'entry',
  'startType',
  'joined',
  'condition',
  'phase',
  'signalled',
  'timed',
  'sections',
  'region',
  'cancelPending',
  'cancelDisabled',
  'cancellable',
  'wokenToEnd',
  'cancelType',
  'isCancelled',
  'policy',
  'priority',
  'paused',
] as const
/** Bytes per thread of all columns. */
const BYTES = 8 + 4 * wordColumns.length + byteColumns.length

/** State of the program's threads, by thread index. All columns lie in one buffer: a checkpoint takes them in one go. */
export class ThreadStates {
  entry!: Uint8Array
  /** Start function and argument. */
  start!: Int32Array
  argument!: Int32Array
  /** See `StartType`. */
  startType!: Uint8Array
  result!: Int32Array
  children!: Int32Array
  /** Index + 1 of the thread that detached it, `NEVER_JOINABLE` when it was created so, or 0. */
  detachedBy!: Int32Array
  joined!: Uint8Array
  slot!: Int32Array
  readonly slots: Slot[] = []

  /** What the pending operation waits for: one of the constants above. */
  condition!: Uint8Array
  /** Address of its object, or index of a thread. */
  object!: Int32Array
  /** Where a suspended call goes on when it is entered again; 0 for calls that begin. */
  phase!: Uint8Array

  /** Address of the condition variable it waits on and no signal has picked it, or 0. */
  waitingOn!: Int32Array
  /** The mutex it gave up for that wait. */
  waitingWith!: Int32Array
  /** Order of arrival among waiting threads. */
  arrival!: Int32Array
  signalled!: Uint8Array
  timed!: Uint8Array
  /** How many waiting threads its pending notify wakes at most. */
  wanted!: Int32Array

  /** It has been asked to end. */
  cancelPending!: Uint8Array
  /** It does not look whether it has been asked to end: it asked for that, or is ending. */
  cancelDisabled!: Uint8Array
  /** It is in a wait that ends when it is asked to end. */
  cancellable!: Uint8Array
  /** Address of the condition variable in a wait on which it can be asked to end, or 0. */
  cancellableOn!: Int32Array
  /** It was taken out of that wait because it was asked to end. */
  wokenToEnd!: Uint8Array
  /** What it set last: no type but the deferred one has an effect. */
  cancelType!: Uint8Array
  /** It acts on a request to end, in one of the ways above; else 0. */
  isCancelled!: Uint8Array

  /** Which signals it blocks, a bit each; see runtime/signals.c. */
  blockedSignals!: Int32Array

  /** Its scheduling parameters. */
  policy!: Uint8Array
  priority!: Uint8Array

  /** It stopped in the middle of a loop: how often `LoopWatch` has doubled its stretches, + 1; else 0. */
  paused!: Uint8Array
  /** How often it had come to loop headers by then, since it last stopped elsewhere. */
  rounds!: Int32Array

  /** Atomic sections it is in: it does not stop unless it has to wait. */
  sections!: Uint8Array
  /** Whether it has turned interrupts off: see `Interrupts`. */
  region!: Uint8Array

  /** Addresses of the reader-writer locks it holds for reading, each as often as it does. */
  readonly readLocks: number[][] = []

  /** Its own virtual time, in nanoseconds. */
  clock!: Float64Array

  /** All columns. */
  private cells!: Int32Array
  private room = 0

  constructor() {
    this.ensure(16)
  }

  ensure(threads: number): void {
    if (threads <= this.room) return
    const size = Math.max(Math.ceil(threads / 4) * 4, this.room * 2)
    const buffer = new ArrayBuffer(size * BYTES)
    let at = 0
    const column = <T extends Float64Array | Int32Array | Uint8Array>(
      type: new (buffer: ArrayBuffer, offset: number, length: number) => T,
      old: T | undefined,
    ): T => {
      const wide = new type(buffer, at, size)
      at += wide.byteLength
      if (old) wide.set(old)
      return wide
    }
    this.clock = column(Float64Array, this.clock)
    for (const key of wordColumns) this[key] = column(Int32Array, this[key])
    for (const key of byteColumns) this[key] = column(Uint8Array, this[key])
    this.cells = new Int32Array(buffer)
    this.room = size
  }

  /** Bytes that `save` writes, about. */
  get size(): number {
    return this.cells.byteLength
  }

  /** Writes everything down, for the threads given; where they lie in memory never changes. */
  save(threads: readonly number[], tape: Tape): void {
    tape.put(this.room)
    tape.putWords(this.cells)
    for (const thread of threads) {
      const locks = this.readLocks[thread]
      tape.put(locks.length)
      for (let i = 0; i < locks.length; i++) tape.putNumber(locks[i])
    }
  }

  /** Clears what the program cannot see in what `save` wrote at an address: how long a loop has been looked at, and time. */
  hide(tape: Tape, at: number, seesClocks: boolean): void {
    const cells = at + 4
    for (const column of [this.paused, this.rounds, ...(seesClocks ? [] : [this.clock])])
      tape.clear(cells + column.byteOffset, column.byteLength)
  }

  /** Reads back what `save` wrote. */
  load(threads: readonly number[], tape: Tape): void {
    const room = tape.take()
    if (room === this.room) tape.takeWords(this.cells)
    else this.loadNarrower(room, tape)
    for (const thread of threads) {
      const locks = this.readLocks[thread]
      const count = tape.take()
      if (locks.length > 0) locks.length = 0
      for (let i = 0; i < count; i++) locks.push(tape.takeNumber())
    }
  }

  /** What was written before there was so much room. */
  private loadNarrower(room: number, tape: Tape): void {
    const narrow = new ThreadStates()
    narrow.ensure(room)
    tape.takeWords(narrow.cells)
    this.clock.set(narrow.clock)
    for (const key of wordColumns) this[key].set(narrow[key])
    for (const key of byteColumns) this[key].set(narrow[key])
  }

  begin(thread: number, slot: Slot, index: number, start: number, argument: number): void {
    this.entry[thread] = FRESH
    this.start[thread] = start
    this.argument[thread] = argument
    this.startType[thread] = 0
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
    this.region[thread] = 0
    this.cancelPending[thread] = 0
    this.cancelDisabled[thread] = 0
    this.cancellable[thread] = 0
    this.cancellableOn[thread] = 0
    this.isCancelled[thread] = 0
    this.policy[thread] = 0
    this.priority[thread] = 0
    this.paused[thread] = 0
    this.rounds[thread] = 0
    this.blockedSignals[thread] = 0
    this.wokenToEnd[thread] = 0
    this.cancelType[thread] = 0
    this.clock[thread] = 0
    if (this.readLocks[thread] === undefined) this.readLocks[thread] = []
    else this.readLocks[thread].length = 0
  }
}
