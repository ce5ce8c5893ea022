import { grown } from '../../../machine/growing.js'
import type { LocationTable } from '../../../machine/names.js'
import { ChangeClock } from './change-clock.js'
import { LoopVisits, type PrivateState, SMALL_STACK } from './loop-visits.js'
import type { Tape } from './tape.js'

/** Location read or -1, clock, index of the event, operation kind, site. */
const ROW = 5
/** A loop that reads more than this in one iteration is never taken for a spin. */
const MAX_READS = 4096

/** What is known of a location that the thread stores to: location, value (two words), clock, stores since the header. */
const STORE = 5
/** A loop that stores to more places than this is never taken for a spin. */
const MAX_STORES = 16
/** A store since the last header changed something: whatever others did, or only because another thread wrote there. */
const MOVED = 1
const STIRRED = 2
/** A loop that stores and reads more than this is not, either: each store looks at all that was read. */
const MAX_READS_AND_STORES = 256

/**
 * Who spins. A thread that comes back to a loop header with the same private state, having changed nothing since,
 * would do exactly the same again: it is blocked until another thread changes something it read or stored. The state may
 * be that of any earlier visit, so a loop that looks at several places by turns is found too (Brent: the visit compared
 * with is replaced after 1, 2, 4, … more).
 *
 * A store changes nothing if it leaves what was there. That is known if the thread has stored the same there in the round
 * before, and nobody has written there since. So a loop that keeps a copy of what it read is a spin once the copy is the
 * same. To others such a store is a write as any other; and who writes what the thread stores wakes it.
 *
 * Blocking depends on events, not on values (a change that restores the old value also wakes), so that it is monotone
 * and commutes with independent operations. The private state of a thread in a loop is its linear stack and the wasm
 * locals carried round the loop; everything else it could change is logged, or disturbs. (Leaf functions keep locals
 * below the stack pointer, but a function that makes an access the compiler has instrumented is none.)
 *
 * Nothing is kept for threads that are in no loop, or have written since its header.
 *
 * A wait on a condition variable that times out leaves things as they were, too: the thread is out of the queue and has its
 * mutex again. But whoever could end the loop may need the mutex, so a thread that did nothing else in an iteration is
 * blocked not at the header but in its next wait, until something it read changes, or another thread does anything to the
 * condition variable or the mutex. Its own doings with these do not count; what others did to them in between does, and the
 * thread then goes round once more. So a time-out is tried after each change, and only those are left out that lead
 * back to a state in which the thread had a choice already whether to time out.
 */
export class Spins {
  /** 1 while the thread has only read since it last came to a loop header. */
  watching = new Uint8Array(16)
  /** 1 while the thread is at the end of an iteration that changed nothing. */
  blocked = new Uint8Array(16)
  /** How many threads have rows: while none has, changes need not be told. */
  open = 0
  /** Counts what was no read and no yield. Two visits of one header with equal stamps had only such in between. */
  private stamp = new Int32Array(16)
  /** Rows in the thread's list of what it did since it last did anything else than reading or yielding. */
  private count = new Int32Array(16)
  private readonly rows: Int32Array[] = []
  /** Rows of the iteration that blocked. */
  private from = new Int32Array(16)
  private to = new Int32Array(16)
  private readonly loops = new LoopVisits()
  /** Waits that timed out since the thread last disturbed anything. */
  private waits = new Int32Array(16)
  /** Rows + 1 from which on the thread's next wait is the same as its last one, or 0. */
  private drowsy = new Int32Array(16)
  /** 1 when others did something to what the thread waits with, since it came to the loop header. */
  private stirred = new Int32Array(16)
  /** Locations the thread has stored to since the header before the last one, at most. */
  private readonly stores: Int32Array[] = []
  private storeCount = new Int32Array(16)
  /** `MOVED` or `STIRRED` when a store since the last header may have changed something, else 0. */
  private moved = new Int32Array(16)
  /** Rounds of which it depends on who else wrote where the thread stores whether they changed anything. */
  doubtful = 0
  private readonly changes: ChangeClock
  /** How much of the stamp is due to choices: see `choose`. */
  private choices = new Int32Array(16)
  /** `standing` + 1 of the thread when it came back to a loop header as it had been, having only chosen in between. */
  private retrying = new Int32Array(16)

  constructor(
    locations: LocationTable,
    /** What is in memory. */
    private readonly addresses: { readonly start: ArrayLike<number>; readonly size: ArrayLike<number> },
  ) {
    this.changes = new ChangeClock(locations)
  }

  /** The program's memory. */
  memory!: { readonly bytes: Uint8Array }

  ensure(threads: number): void {
    this.loops.ensure(threads)
    if (threads <= this.watching.length) return
    const size = Math.max(threads, this.watching.length * 2)
    this.watching = grown(this.watching, size)
    this.blocked = grown(this.blocked, size)
    for (const key of [
      'stamp',
      'count',
      'from',
      'to',
      'waits',
      'drowsy',
      'stirred',
      'storeCount',
      'moved',
      'choices',
      'retrying',
    ] as const)
      this[key] = grown(this[key], size)
  }

  reset(): void {
    this.open = 0
    this.changes.reset()
  }

  begin(thread: number): void {
    this.watching[thread] = 0
    this.blocked[thread] = 0
    this.stamp[thread] = 0
    this.count[thread] = 0
    this.loops.begin(thread)
    this.waits[thread] = 0
    this.drowsy[thread] = 0
    this.stirred[thread] = 0
    this.storeCount[thread] = 0
    this.moved[thread] = 0
    this.choices[thread] = 0
    this.retrying[thread] = 0
    if (this.rows[thread] === undefined) {
      this.rows[thread] = new Int32Array(16 * ROW)
      this.stores[thread] = new Int32Array(MAX_STORES * STORE)
    }
  }

  /** A watched thread read a location, or yielded (-1). */
  read(thread: number, location: number, event: number, kind: number, site: number): void {
    const n = this.count[thread]
    if (n === MAX_READS) {
      this.disturb(thread)
      return
    }
    if (n === 0 && this.storeCount[thread] === 0) this.open++
    this.count[thread] = n + 1
    const at = n * ROW
    let rows = this.rows[thread]
    if (at === rows.length) rows = this.rows[thread] = grown(rows, at * 2)
    rows[at] = location
    rows[at + 1] = this.changes.now
    rows[at + 2] = event
    rows[at + 3] = kind
    rows[at + 4] = site
  }

  changed(location: number): void {
    this.changes.note(location)
  }

  /**
   * A watched thread stored to a location of a word at most, and nobody else has run since. Whether that changed anything
   * is known if it has stored there before and nobody else has written there since.
   */
  store(thread: number, location: number, event: number, kind: number, site: number): void {
    const stores = this.stores[thread]
    const end = this.storeCount[thread] * STORE
    let at = 0
    while (at < end && stores[at] !== location) at += STORE
    if (at === MAX_STORES * STORE || this.count[thread] > MAX_READS_AND_STORES) {
      this.disturb(thread)
      if (this.open > 0) this.changed(location)
      return
    }
    const { bytes } = this.memory
    const start = this.addresses.start[location]
    const size = this.addresses.size[location]
    const low = valueIn(bytes, start, Math.min(4, size))
    const high = valueIn(bytes, start + 4, size - 4)
    if (at === end) {
      if (end === 0 && this.count[thread] === 0) this.open++
      this.storeCount[thread]++
      stores[at] = location
      stores[at + 4] = 0
      this.moved[thread] = MOVED
    } else if (stores[at + 4] > 0 || stores[at + 1] !== low || stores[at + 2] !== high) {
      this.moved[thread] = MOVED
    } else if (this.moved[thread] === 0 && this.changes.isSince(location, stores[at + 3])) {
      this.moved[thread] = STIRRED
    }
    // Its own store is no change to wait for; one that another thread has made by now stays one.
    const rows = this.rows[thread]
    const rowsEnd = this.count[thread] * ROW
    for (let row = 0; row < rowsEnd; row += ROW)
      if (!this.hasChanged(rows, row)) rows[row + 1] = this.changes.now + 1
    this.changed(location)
    stores[at + 1] = low
    stores[at + 2] = high
    stores[at + 3] = this.changes.now
    stores[at + 4]++
    this.read(thread, location, event, kind, site)
  }

  /** At a header: if the stores since the last one may have changed something, nothing before counts. */
  private settle(thread: number): void {
    const stores = this.stores[thread]
    const before = this.storeCount[thread]
    let kept = 0
    for (let at = 0; at < before * STORE; at += STORE) {
      if (stores[at + 4] === 0) continue
      stores.copyWithin(kept * STORE, at, at + STORE)
      stores[kept * STORE + 4] = 0
      kept++
    }
    if (kept === 0 && before > 0 && this.count[thread] === 0) this.open--
    this.storeCount[thread] = kept
    const moved = this.moved[thread]
    this.moved[thread] = 0
    if (moved !== MOVED && kept > 0) this.doubtful++
    if (moved !== 0) this.moveOn(thread)
  }

  /**
   * A thread did something to the condition variable or the mutex of a wait that times out, which it will undo. For others
   * that is a change.
   */
  passThrough(thread: number, location: number, event: number, kind: number, site: number): void {
    if (this.watching[thread] === 0) {
      if (this.open > 0) this.changed(location)
      return
    }
    const rows = this.rows[thread]
    const end = this.count[thread] * ROW
    for (let at = 0; at < end; at += ROW) {
      if (rows[at] === location && this.hasChanged(rows, at)) this.stirred[thread] = 1
    }
    this.changed(location)
    for (let at = 0; at < end; at += ROW) if (rows[at] === location) rows[at + 1] = this.changes.now
    this.read(thread, location, event, kind, site)
    this.waits[thread]++
  }

  /** The thread is in a wait that can time out: it is blocked there if it would only come back. */
  doze(thread: number): void {
    const drowsy = this.drowsy[thread]
    this.drowsy[thread] = 0
    if (drowsy === 0 || this.stirred[thread] === 1 || this.watching[thread] === 0) return
    this.blocked[thread] = 1
    this.from[thread] = drowsy - 1
    this.to[thread] = this.count[thread]
  }

  /** A watched thread did something else than read, store or yield. */
  disturb(thread: number): void {
    this.watching[thread] = 0
    this.moveOn(thread)
    if (this.storeCount[thread] > 0) this.open--
    this.storeCount[thread] = 0
    this.moved[thread] = 0
  }

  /**
   * A choice was made for the thread, a transaction that aborted at once, or it lets another thread make one: that changes
   * nothing, but coming back to where it was need not mean that it goes on as before.
   */
  choose(thread: number): void {
    if (this.watching[thread] === 0) return
    this.choices[thread]++
    this.moveOn(thread)
  }

  /** Counts what the thread changed. */
  private standing(thread: number): number {
    return this.stamp[thread] - this.choices[thread]
  }

  /**
   * Whether the thread has come back to a loop header as it had been, having changed nothing, but with choices in between.
   * Any execution from here on is also one without that round, so it need not choose the same again.
   */
  isRetrying(thread: number): boolean {
    return this.watching[thread] === 1 && this.retrying[thread] === this.standing(thread) + 1
  }

  /** Rounds before this one do not count. */
  private moveOn(thread: number): void {
    this.waits[thread] = 0
    this.drowsy[thread] = 0
    this.stirred[thread] = 0
    this.stamp[thread]++
    this.drop(thread)
  }

  private drop(thread: number): void {
    if (this.count[thread] > 0 && this.storeCount[thread] === 0) this.open--
    this.count[thread] = 0
  }

  /** The thread goes on in a loop that is not looked at for a while. */
  ignore(thread: number): void {
    if (this.watching[thread] === 1) this.disturb(thread)
  }

  /** The thread comes to a loop header. True when it is where it was before: it is then blocked. */
  visit(
    thread: number,
    site: number,
    /** Not for the first time since the loop began. */
    again: boolean,
    depth: number,
    memory: Int32Array,
    stack: PrivateState,
  ): boolean {
    if (this.storeCount[thread] > 0) this.settle(thread)
    const last = this.loops.enter(thread, site, depth)
    const idle = again && last.stamp === this.stamp[thread] && last.site === site
    const visit = idle ? last.visit + 1 : 0
    const bytes = stack.top - stack.pointer
    const hasMerelyChosen = !idle && again && last.site === site && last.standing === this.standing(thread)
    if (hasMerelyChosen && last.length >= 0 && last.isUnchanged(memory, stack))
      this.retrying[thread] = last.standing + 1
    const isSame = idle && last.length >= 0 && last.isUnchanged(memory, stack)
    const hasWaited = this.waits[thread] !== last.waits
    this.drowsy[thread] = isSame && hasWaited && this.stirred[thread] === 0 ? last.from + 1 : 0
    if (isSame && !hasWaited) {
      this.blocked[thread] = 1
      this.from[thread] = last.from
      this.to[thread] = this.count[thread]
      last.visit = last.anchor = visit
      last.span = 1
      return true
    }
    last.visit = visit
    this.watching[thread] = 1
    this.stirred[thread] = 0
    if (idle && last.length >= 0 && !hasWaited && visit - last.anchor < last.span) return false
    last.span = idle && !hasWaited ? last.span * 2 : 1
    last.site = site
    last.depth = depth
    last.anchor = visit
    last.stamp = this.stamp[thread]
    last.standing = this.standing(thread)
    last.from = this.count[thread]
    last.waits = this.waits[thread]
    last.length = -1
    if (idle || hasMerelyChosen || bytes <= SMALL_STACK) last.keep(memory, stack)
    return false
  }

  /** Whether something a blocked thread read has been changed since. */
  canGoOn(thread: number): boolean {
    const rows = this.rows[thread]
    const end = this.to[thread] * ROW
    for (let at = this.from[thread] * ROW; at < end; at += ROW) if (this.hasChanged(rows, at)) return true
    return false
  }

  /** Whether what a row says was read has been changed since. */
  private hasChanged(rows: Int32Array, at: number): boolean {
    return rows[at] >= 0 && this.changes.isSince(rows[at], rows[at + 1])
  }

  /** Bytes that `save` writes, about. */
  usedBytes(threads: readonly number[]): number {
    let words = 0
    for (const thread of threads) {
      words += ROW * this.count[thread] + STORE * this.storeCount[thread] + this.loops.usedWords(thread)
    }
    return 4 * words
  }

  /** Writes down what is known of a thread. */
  save(thread: number, tape: Tape): void {
    tape.put(this.watching[thread])
    tape.put(this.blocked[thread])
    tape.put(this.stamp[thread])
    tape.put(this.from[thread])
    tape.put(this.to[thread])
    tape.put(this.waits[thread])
    tape.put(this.drowsy[thread])
    tape.put(this.stirred[thread])
    tape.put(this.choices[thread])
    tape.put(this.retrying[thread])
    const count = this.count[thread]
    tape.put(count)
    const rows = this.rows[thread]
    for (let at = 0; at < count * ROW; at += ROW) {
      tape.put(rows[at])
      // The clock goes on when an execution is left: all that matters is whether it was changed since.
      tape.put(this.hasChanged(rows, at) ? 1 : 0)
      for (let column = 2; column < ROW; column++) tape.put(rows[at + column])
    }
    tape.put(this.moved[thread])
    const stored = this.storeCount[thread]
    tape.put(stored)
    const stores = this.stores[thread]
    for (let at = 0; at < stored * STORE; at += STORE) {
      for (const column of [0, 1, 2, 4]) tape.put(stores[at + column])
      tape.put(this.changes.isSince(stores[at], stores[at + 3]) ? 1 : 0)
    }
    this.loops.save(thread, tape)
  }

  /** Reads back what `save` wrote. */
  load(thread: number, tape: Tape): void {
    this.watching[thread] = tape.take()
    this.blocked[thread] = tape.take()
    this.stamp[thread] = tape.take()
    this.from[thread] = tape.take()
    this.to[thread] = tape.take()
    this.waits[thread] = tape.take()
    this.drowsy[thread] = tape.take()
    this.stirred[thread] = tape.take()
    this.choices[thread] = tape.take()
    this.retrying[thread] = tape.take()
    const count = (this.count[thread] = tape.take())
    if (count > 0) this.open++
    const rows = this.rows[thread]
    for (let at = 0; at < count * ROW; at += ROW) {
      rows[at] = tape.take()
      rows[at + 1] = tape.take() === 1 ? -1 : this.changes.now
      for (let column = 2; column < ROW; column++) rows[at + column] = tape.take()
    }
    this.moved[thread] = tape.take()
    const stored = (this.storeCount[thread] = tape.take())
    if (stored > 0 && count === 0) this.open++
    const stores = this.stores[thread]
    for (let at = 0; at < stored * STORE; at += STORE) {
      for (const column of [0, 1, 2, 4]) stores[at + column] = tape.take()
      stores[at + 3] = tape.take() === 1 ? -1 : this.changes.now
    }
    this.loops.load(thread, tape)
  }

  /** What the thread does first when it goes on; -1 when the iteration did nothing visible. */
  firstKind(thread: number): number {
    return this.firstOf(thread, 3)
  }

  firstLocation(thread: number): number {
    return this.firstOf(thread, 0)
  }

  firstSite(thread: number): number {
    return this.firstOf(thread, 4)
  }

  /** Index of the first event of the iteration that blocked. */
  firstEvent(thread: number): number {
    return this.firstOf(thread, 2)
  }

  private firstOf(thread: number, column: number): number {
    const from = this.from[thread]
    return from < this.to[thread] ? this.rows[thread][from * ROW + column] : -1
  }

  /** Distinct locations read in the iteration that blocked, in the order of their first read. */
  locationsRead(thread: number): number[] {
    const rows = this.rows[thread]
    const found: number[] = []
    for (let i = this.from[thread]; i < this.to[thread]; i++) {
      const location = rows[i * ROW]
      if (location >= 0 && !found.includes(location)) found.push(location)
    }
    return found
  }

  /** The thread goes on: a new iteration begins. */
  resume(thread: number): void {
    this.blocked[thread] = 0
    this.drop(thread)
    this.watching[thread] = 1
    this.loops.restart(thread)
  }
}

/** Up to four bytes as a number. */
function valueIn(bytes: Uint8Array, start: number, size: number): number {
  let value = 0
  for (let i = size - 1; i >= 0; i--) value = (value << 8) | bytes[start + i]
  return value
}
