import type { BugKind } from '../../../machine/bug.js'
import { Mode, Op, operations } from '../../../machine/operation.js'
import {
  type AbortCauses,
  beginAlternatives,
  explicitStatus,
  parseAbortCauses,
  startsApart,
  TxStatus,
  usualAborts,
} from '../../../machine/transactions.js'
import { UnsupportedError } from '../toolchain/errors.js'
import type { Kernel, TransactionPart } from './kernel.js'
import { BEGINS, SUSPENDED } from './thread-states.js'
import { TransactionConflicts } from './transaction-conflicts.js'
import { TransactionEvents } from './transaction-events.js'

/** Thrown to leave a body: all that it did is undone, and its begin returns a second time. */
export const TRANSACTION_OVER = { outcome: 'transaction over' }

/** Where a thread goes on that was left in a begin: it was chosen, has aborted, or what it would do is to be tried out. */
const CHOSEN = 1
const ABORTED = 2
const ON_TRIAL = 3
const TRIED = 4

/** What is known of a begin that a thread has come to: it is tried until it commits, or it was chosen that it starts. */
const PERSISTS = 1
const STARTS = 2

/** Rounds of loops in one transaction; no processor could keep what a longer one touches, or runs so long undisturbed. */
const MOST_ROUNDS = 1 << 16
/** More than a state takes besides what `StatePart.usedBytes` counts. */
const OVERHEAD = 1 << 16

type Call = (...args: never[]) => unknown

/**
 * What a transaction can do besides computing and accessing memory. Other calls are calls to the system, or wait: it aborts
 * for lack of capacity, as `_xbegin` says of whatever the processor cannot do speculatively.
 */
const allowed: ReadonlySet<string> = new Set([
  ...['fl_xbegin', 'fl_xend', 'fl_xabort', 'fl_xtest', 'fl_choose', 'fl_user_point'],
  ...['fl_atomic_begin', 'fl_atomic_end', '__wrap_pthread_self', '__wrap_pthread_getspecific'],
  ...['__wrap_pthread_mutex_lock', '__wrap_pthread_mutex_trylock', '__wrap_pthread_mutex_timedlock'],
  ...['__wrap_pthread_mutex_unlock', '__wrap_pthread_spin_lock', '__wrap_pthread_spin_trylock'],
  ...['__wrap_pthread_spin_unlock', '__wrap_malloc', '__wrap_calloc', '__wrap_aligned_alloc'],
  ...['__wrap_realloc', '__wrap_free', '__wrap_malloc_usable_size', 'fl_free_as', 'fl_set_family'],
  ...['fl_change_family', '__wrap___assert_fail', '__wrap_abort', 'fl_reach_error', 'fl_missing_return'],
  ...['fl_uncaught', 'fl_uncaught_exception', 'fl_may_be_caught', 'fl_unsupported'],
])

/** What a thread does that has returned from its first function, or exits. */
const endings: ReadonlySet<string> = new Set([
  'fl_key_destructor',
  'fl_thread_exit',
  '__wrap_pthread_setcancelstate',
])

/** What cannot be undone, and would mean something else if it aborted: as people write it. */
const refused: Readonly<Record<string, string>> = {
  fl_assume_failed: 'faultline_assume',
  fl_own_lock: 'faultline_acquired',
  fl_own_pool: 'faultline_pool',
  fl_own_block: 'faultline_allocated',
  fl_own_free: 'faultline_freed',
  fl_invariant: 'faultline_invariant',
  fl_at_end: 'faultline_at_end',
}

/**
 * Transactions. A body runs as one transition: either all of it, or it is undone and only its reads are left, since they
 * led to the abort (Blum, "Practical Concurrency Testing", theorem 1). Whether a transaction aborts at once is an
 * alternative of its begin; such an abort touches nothing.
 *
 * A begin that starts is left like a call in which another thread runs, so that all frames of its thread are in memory, and
 * memory is written down. To abort, the frames of the body are thrown away, memory is brought back, and the thread goes on
 * in its begin: locals are what they were there.
 */
export class Transactions implements TransactionPart {
  isOpen = false
  causes: AbortCauses = parseAbortCauses(usualAborts)
  /** Who left the begin that was entered last must be entered again, without asking anybody. */
  mustReenter = false
  private isArriving = false
  private isTrial = false
  /** The body is tried out anew, of a thread that stays where it is. */
  private isAnew = false
  private depth = 0
  /** One that is tried until it commits is software's, which has no limits. */
  private isLimited = true
  private status = 0
  private rounds = -1
  private beginEvent = 0
  private beginSite = -1
  /** What a body that failed has read last. */
  private lastReads: readonly number[] = []
  /** Events before the last operation in the body that touches nothing: others can come between them and what follows. */
  private passed = 0
  /** Where on the tape the state at the begin lies. */
  private kept = 0
  private keepsFootprints = false
  private readonly spins = { open: 0, watching: 0 }
  private readonly conflicts: TransactionConflicts
  private readonly body: TransactionEvents

  constructor(private readonly kernel: Kernel) {
    this.conflicts = new TransactionConflicts(kernel)
    this.body = new TransactionEvents(kernel.events, kernel.locations)
    kernel.hasState({
      reset: () => {
        this.isOpen = this.isTrial = this.isArriving = this.isAnew = this.mustReenter = false
        this.conflicts.reset()
      },
      // Who would be in conflict with whom is too much to keep.
      mark: () => (this.conflicts.watching > 0 ? -1 : 0),
      goBack: () => {
        this.conflicts.reset()
        this.conflicts.skip()
      },
    })
  }

  readonly calls = {
    fl_xbegin: (persists: number): number => {
      const { kernel } = this
      const phase = kernel.phase()
      if (phase === ON_TRIAL) return TxStatus.started
      if (phase === ABORTED) return this.status
      if (phase === CHOSEN) return kernel.value === 0 ? TxStatus.started : this.abortAtOnce()
      if (kernel.constructing)
        throw new UnsupportedError('a transaction begins before main, which Faultline does not provide', [
          'constructor',
        ])
      if (this.isOpen) return this.beginInside()
      if (this.causes.conflict && persists === 0 && phase === 0) {
        // What came before it is no part of what is undone.
        kernel.journal.drain()
        kernel.pending.site[kernel.running] = kernel.callSite()
        this.isArriving = true
        return this.leaveFor(ON_TRIAL)
      }
      const object = persists === 0 ? 0 : PERSISTS
      if (kernel.stopsBefore(Op.txBegin, -1, BEGINS, object, CHOSEN)) return 0
      if (
        this.isChoosingToStart(kernel.running) &&
        kernel.stopsBefore(Op.txBegin, -1, BEGINS, STARTS, CHOSEN)
      )
        return 0
      return kernel.value === 0 ? this.leaveFor(CHOSEN) : this.abortAtOnce()
    },

    fl_xend: (): void => this.end(),

    /** Outside of a transaction it does nothing. */
    fl_xabort: (code: number): void => {
      if (this.isOpen) this.abort(explicitStatus(code & 0xff))
    },

    fl_xtest: (): number => {
      if (!this.isOpen) return 0
      this.passIdle()
      return 1
    },
  }

  /** The same calls, which make a transaction abort unless it can do them. */
  wrap(calls: Readonly<Record<string, Call>>): Record<string, Call> {
    return Object.fromEntries(
      Object.entries(calls).map(([name, call]) => [
        name,
        allowed.has(name) ? call : this.wrapped(name, call),
      ]),
    )
  }

  private wrapped(name: string, call: Call): Call {
    return (...args) => {
      if (this.isOpen) {
        if (endings.has(name)) this.checkEnd()
        const what = refused[name]
        if (what !== undefined)
          throw new UnsupportedError(
            `the program uses ${what} in a transaction, which Faultline does not provide; do it before or after`,
            [what],
          )
        this.abort(TxStatus.capacity)
      }
      return call(...args)
    }
  }

  // --- the begin

  /** The thread is left, to be entered again at once in that phase. */
  private leaveFor(phase: number): number {
    const { kernel } = this
    this.mustReenter = true
    kernel.preemption.skip = false
    kernel.coroutines.leave(kernel.running, phase)
    return 0
  }

  private persists(thread: number): boolean {
    return this.kernel.states.object[thread] === PERSISTS
  }

  /** Whether the step under way is but the choice that the transaction starts. */
  private isChoosingToStart(thread: number): boolean {
    const { value, weak } = this.kernel
    return value === 0 && weak === null && startsApart(this.causes) && this.alternatives(thread) > 1
  }

  /** The same of a thread that was left in its begin: it need not be entered for that. */
  choosesToStart(thread: number): boolean {
    const { states } = this.kernel
    if (states.entry[thread] !== SUSPENDED || states.condition[thread] !== BEGINS) return false
    if (states.phase[thread] !== CHOSEN || !this.isChoosingToStart(thread)) return false
    states.object[thread] = STARTS
    return true
  }

  /** Where a thread comes back to its begin and nothing has changed, another abort would only repeat the last one. */
  alternatives(thread: number): number {
    if (this.kernel.states.object[thread] !== 0 || this.kernel.spins.isRetrying(thread)) return 1
    return 1 + (this.causes.retry ? 1 : 0) + (this.conflicts.has(thread) ? 1 : 0)
  }

  alternativeName(value: number): string {
    if (value === 0) return beginAlternatives.starts
    return this.causes.retry && value === 1 ? beginAlternatives.retry : beginAlternatives.conflict
  }

  /** Looks at what the running thread has done: before it may be blocked, and before somebody is asked who goes on. */
  look(): void {
    if (this.causes.conflict) this.conflicts.look()
  }

  /** Bodies have to be tried out anew before somebody is asked, when no thread is running. */
  get hasStale(): boolean {
    return this.conflicts.stale.length > 0
  }

  /** The thread whose body is tried out when it is entered next, where it stays; -1 if there is none left. */
  nextStale(): number {
    const thread = this.conflicts.stale.pop()
    if (thread === undefined) return -1
    this.isAnew = this.isArriving = true
    this.kernel.states.phase[thread] = ON_TRIAL
    return thread
  }

  private abortAtOnce(): number {
    const { kernel } = this
    const { running, value } = kernel
    this.tellBegin(running)
    const isRetry = this.causes.retry && value === 1
    const status = isRetry ? TxStatus.retry : TxStatus.conflict | TxStatus.retry
    this.push(Op.txAbort, status)
    kernel.spins.choose(running)
    return status
  }

  private tellBegin(thread: number): void {
    this.beginEvent = this.kernel.events.count
    this.push(Op.txBegin, 0)
    // Whether it could have aborted by a conflict depends on those who have touched what it would.
    this.conflicts.tell(thread)
    this.conflicts.leave(thread)
  }

  private push(kind: number, aux: number): void {
    const { events, pending, running, footprints } = this.kernel
    if (footprints) events.push(kind, Mode.none, -1, pending.site[running], aux)
  }

  private beginInside(): number {
    this.passIdle()
    if (++this.depth > this.causes.nested && this.isLimited) this.abort(TxStatus.nested)
    return TxStatus.started
  }

  /** A thread is about to be entered: if it is left in a begin that starts, its transaction is opened. */
  beforeEntry(thread: number): void {
    const { states, value } = this.kernel
    this.mustReenter = false
    if (this.isArriving) {
      this.isArriving = false
      this.open(thread, true)
      return
    }
    if (states.entry[thread] !== SUSPENDED || states.condition[thread] !== BEGINS) return
    if (states.phase[thread] !== CHOSEN || value !== 0) return
    this.tellBegin(thread)
    this.open(thread, false)
  }

  private open(thread: number, isTrial: boolean): void {
    const { kernel } = this
    const { tape, end } = kernel.checkpoints
    kernel.loopHeaders.forget()
    tape.at = this.kept = end
    if (!tape.hasRoom(kernel.state.usedBytes() + OVERHEAD))
      throw new UnsupportedError('the program has more memory than a transaction can keep: use less', [
        'transactions',
      ])
    kernel.state.saveProgram(tape)
    this.isOpen = true
    this.isTrial = isTrial
    this.depth = 1
    this.rounds = -1
    this.isLimited = isTrial || !this.persists(thread)
    this.lastReads = []
    this.beginSite = kernel.pending.site[thread]
    this.body.from = this.passed = kernel.events.count
    kernel.states.sections[thread]++
    this.keepsFootprints = kernel.log.footprints
    kernel.log.footprints = true
    this.spins.open = kernel.spins.open
    this.spins.watching = kernel.spins.watching[thread]
    // What a body does is told when it counts.
    kernel.spins.open = kernel.spins.watching[thread] = 0
  }

  private close(): void {
    const { kernel } = this
    this.isOpen = this.isTrial = false
    kernel.log.footprints = this.keepsFootprints
    kernel.spins.open = this.spins.open
    kernel.spins.watching[kernel.running] = this.spins.watching
  }

  // --- inside

  pass(kind: number, location: number): void {
    const { kernel } = this
    const thread = kernel.running
    kernel.log.drain(thread)
    if (this.isTooLarge()) this.abort(TxStatus.capacity)
    if (kernel.weak !== null && operations[kind].locks !== undefined)
      throw new UnsupportedError(
        `the program uses ${operations[kind].name} in a transaction: not supported under the memory model ${kernel.weak.model}; leave --memory-model out`,
        [operations[kind].name],
      )
    if (kind === Op.choose)
      this.misuse('chooses a value in a transaction, whose outcome could then be any; choose it before')
    if (kind === Op.unlock && !this.body.taken().has(location) && this.isOwner(thread))
      this.misuse(`unlocks ${kernel.describe(location)} in a transaction that began while it was held`)
    if (kernel.alternatives(thread) === 1) return
    // Not an abort: there is no schedule in which it could go on.
    if (kind === Op.lock && this.isOwner(thread))
      this.misuse(`locks ${kernel.describe(location)}, which it holds already`, 'lock-misuse')
    // A mutex that is held: that it is makes the transaction abort.
    if (location >= 0) kernel.events.push(Op.probe, Mode.read, location, kernel.pending.site[thread], -1)
    this.abort(TxStatus.capacity)
  }

  /** The body does something that touches nothing. */
  private passIdle(): void {
    const { kernel } = this
    kernel.log.drain(kernel.running)
    if (this.isTooLarge()) this.abort(TxStatus.capacity)
    this.passed = kernel.events.count
  }

  /** Whether the thread holds the lock that its pending operation is about. */
  private isOwner(thread: number): boolean {
    const { memory, states } = this.kernel
    return memory.words[(states.object[thread] >>> 2) + 1] === thread + 1
  }

  loop(visits: number): void {
    if (this.rounds < 0) this.rounds = visits
    else if (visits - this.rounds > MOST_ROUNDS) this.abort(TxStatus.capacity)
  }

  /** Whether it has touched too many places, but for the last accesses. */
  private isTooLarge(last = 0): boolean {
    const { capacity } = this.causes
    return this.isLimited && capacity !== Infinity && this.body.places(last) > capacity
  }

  private misuse(what: string, kind: BugKind = 'transaction-misuse'): never {
    const { kernel } = this
    if (this.isTrial) throw TRANSACTION_OVER
    const who = kernel.threads.labelOf(kernel.running)
    return kernel.fail(kind, `${who} ${what}`, kernel.callSite())
  }

  // --- the end

  private end(): void {
    const { kernel } = this
    if (!this.isOpen) this.misuse('ends a transaction, and none has begun')
    this.passIdle()
    if (--this.depth > 0) return
    const [held] = this.body.taken()
    if (held !== undefined)
      this.misuse(`commits a transaction in which it locked ${kernel.describe(held)}, and holds it still`)
    if (this.isTrial) throw TRANSACTION_OVER
    this.close()
    kernel.states.sections[kernel.running]--
    kernel.weak?.closeTransaction('commits')
    this.body.makeAtomic()
    this.tellSpins()
    kernel.pending.site[kernel.running] = kernel.callSite()
    if (kernel.footprints) this.push(Op.txEnd, -1)
    else this.body.drop()
    kernel.released()
  }

  /** One that has only read may be part of a round that changes nothing. */
  private tellSpins(): void {
    const { spins, events, running } = this.kernel
    let hasWritten = false
    for (let i = this.body.from; i < events.count; i++) {
      if (events.mode[i] === Mode.none || events.mode[i] === Mode.read) continue
      hasWritten = true
      if (spins.open > 0) spins.changed(events.location[i])
    }
    if (spins.watching[running] === 0) return
    if (hasWritten) spins.disturb(running)
    else this.tellReads(this.body.from, events.count, true)
  }

  /**
   * The round of a loop that the thread is in began a transaction and read what these events say. Those of one that gave up
   * are in conflict with nobody.
   */
  private tellReads(from: number, to: number, hasCommitted: boolean): void {
    const { spins, events, running } = this.kernel
    if (spins.watching[running] === 0) return
    spins.read(running, -1, this.beginEvent, Op.txBegin, this.beginSite)
    for (let i = from; i < to; i++)
      if (events.mode[i] === Mode.read)
        spins.read(running, events.location[i], i, hasCommitted ? events.kind[i] : Op.probe, events.site[i])
  }

  /** Leaves the body: `goBack` comes next. */
  abort(status: number): never {
    const { kernel } = this
    kernel.log.drain(kernel.running)
    this.status = this.isTooLarge() ? TxStatus.capacity : status
    throw TRANSACTION_OVER
  }

  /** The thread ends. */
  checkEnd(): void {
    if (!this.isOpen) return
    const { kernel } = this
    const who = kernel.threads.labelOf(kernel.running)
    kernel.fail('transaction-misuse', `${who} ends in a transaction that has not ended`, this.beginSite)
  }

  /** The body has failed. False if that is what becomes of it; else it goes back, having been tried only or too large. */
  outlivesFailure(): boolean {
    const { kernel } = this
    // Nothing could come between the last access and what failed, unless that is an operation too.
    if (this.isTrial) {
      if (kernel.bug?.kind !== 'lock-misuse') this.lastReads = this.body.takeLast(this.passed)
      return true
    }
    if (this.isTooLarge(1)) {
      this.status = TxStatus.capacity
      return true
    }
    this.close()
    kernel.weak?.closeTransaction('fails')
    this.body.makeAtomic()
    if (!kernel.footprints) this.body.drop()
    return false
  }

  /** All that the body did is undone; the thread goes on in its begin. */
  goBack(thread: number): void {
    const { kernel, isTrial } = this
    const { events, states, pending } = kernel
    if (isTrial) this.conflicts.arrive(thread, this.body.from, events.count, this.lastReads)
    else this.body.keepReads()
    kernel.checkpoints.tape.at = this.kept
    kernel.state.loadProgram(kernel.checkpoints.tape)
    this.close()
    kernel.bug = null
    pending.site[thread] = this.beginSite
    states.phase[thread] = isTrial ? TRIED : ABORTED
    if (this.isAnew) {
      this.isAnew = false
      states.phase[thread] = CHOSEN
      pending.kind[thread] = Op.txBegin
      pending.location[thread] = -1
    }
    if (isTrial) {
      this.body.drop()
      this.conflicts.tell(thread)
      return
    }
    kernel.weak?.closeTransaction('aborts')
    this.tellReads(this.body.from, events.count, false)
    if (kernel.footprints) this.push(Op.txAbort, this.status)
    else this.body.drop()
    this.conflicts.skip()
  }
}
