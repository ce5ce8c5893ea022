import { Order } from '../../machine/events.js'
import { THREAD_LIVE } from '../../machine/machine.js'
import { Mode, Op } from '../../machine/operation.js'
import {
  type AbortCauses,
  beginAlternatives,
  explicitStatus,
  parseAbortCauses,
  startsApart,
  TxStatus,
  usualAborts,
} from '../../machine/transactions.js'
import { Action, actionNames } from './actions.js'
import { NEVER_FAILS, STARTS } from './code.js'
import { afterWrite } from './memory.js'
import { AGAIN, DONE, FAILED, type ModelState, RELEASED, type TransactionControl } from './state.js'

/**
 * What a transaction can do. Anything else is a call to the system, or means to wait: it aborts for lack of capacity,
 * as `xbegin` says of whatever the processor cannot do speculatively.
 */
const allowed: readonly string[] = [
  ...[
    'load',
    'store',
    'atomicLoad',
    'atomicStore',
    'exchange',
    'compareExchange',
    'fetchAdd',
    'fence',
    'point',
  ],
  ...['lock', 'tryLock', 'timedLock', 'unlock', 'txBegin', 'txEnd', 'txAbort', 'txTest', 'choose'],
]
const isAllowed = Uint8Array.from(actionNames, (name) => (allowed.includes(name) ? 1 : 0))

/** What a transaction did, noted until it is known whether it counts. */
interface Note {
  readonly kind: number
  readonly mode: number
  /** -1 for what is no declared object. */
  readonly cell: number
  readonly isSame: boolean
}

/**
 * Transactions of model programs. A body runs as one transition: either all of it, or it is undone and only its reads
 * are left, since they led to the abort. Whether a transaction aborts at once is an alternative of its begin; such an
 * abort touches nothing.
 *
 * Conflicts. A transaction can abort by one if, since its thread came to the begin, another thread has touched what the
 * transaction would have. That is told from what its body does when the thread comes there, tried out and undone: as long
 * as nobody interferes it does the same, and the first who does is in conflict with just that. A body that fails does so
 * right after its last access, so that nobody can come in between; who changes what that read is in no conflict, but has the
 * body do something else, and it is tried out anew.
 */
export class Transactions implements TransactionControl {
  isOpen = false
  watching = 0
  causes: AbortCauses = parseAbortCauses(usualAborts)
  get showsConflicts(): boolean {
    return this.causes.conflict
  }

  /** A body is being tried out. */
  isTrial = false
  /** Threads that have come to a begin and have not tried the body out, as things are now. */
  readonly arrivals: number[] = []
  private depth = 0
  /** One that is tried until it commits is software's, which has no limits. */
  private isLimited = true
  private readonly notes: Note[] = []
  private eventStart = 0
  private readonly cells: Int32Array
  private readonly touched = new Set<number>()
  /** By thread, before a begin. */
  private readonly isFirst: boolean[] = []
  private readonly isStraight: boolean[] = []
  private readonly isInConflict: boolean[] = []
  /** By thread: who has been in conflict with it. */
  private readonly met: number[][] = []
  /** By thread: cells its transaction would touch, and whether it would write them. */
  private readonly sets: (Map<number, boolean> | null)[] = []
  /** By thread: cells it would read right before it fails. */
  private readonly lastReads: (readonly number[])[] = []

  constructor(private readonly s: ModelState) {
    this.cells = new Int32Array(s.cells.length)
  }

  reset(): void {
    this.isOpen = this.isTrial = false
    this.depth = 0
    this.watching = 0
    this.arrivals.length = 0
    this.sets.length = 0
  }

  arrive(t: number, isFirst: boolean, isStraight: boolean): void {
    if (this.isOpen) return
    this.isFirst[t] = isFirst
    this.isStraight[t] = isStraight
    this.isInConflict[t] = false
    this.met[t] = []
    if (!this.causes.conflict || this.neverFails(t)) return
    this.arrivals.push(t)
  }

  private neverFails(t: number): boolean {
    return this.s.b[t] === NEVER_FAILS
  }

  /** Where a thread comes back to its begin and nothing has changed, another abort would only repeat the last one. */
  alternatives(t: number): number {
    if (this.isOpen || !this.isFirst[t] || this.neverFails(t) || this.s.b[t] === STARTS) return 1
    return 1 + (this.causes.retry ? 1 : 0) + (this.isInConflict[t] ? 1 : 0)
  }

  alternativeName(value: number): string {
    if (value === 0) return beginAlternatives.starts
    return this.isRetry(value) ? beginAlternatives.retry : beginAlternatives.conflict
  }

  private isRetry(value: number): boolean {
    return this.causes.retry && value === 1
  }

  begin(t: number, value: number): number {
    const { s } = this
    if (this.isOpen) {
      this.noteAt(Op.txBegin, Mode.none, -1, 0)
      if (++this.depth > this.causes.nested && this.isLimited) return this.rollBack(t, TxStatus.nested)
      s.result[t] = TxStatus.started
      return DONE
    }
    if (value === 0 && startsApart(this.causes) && this.alternatives(t) > 1) {
      s.b[t] = STARTS
      return AGAIN
    }
    this.pushEvent(t, Op.txBegin, Mode.none, -1, this.isStraight[t] ? 1 : 0)
    // Whether it could have aborted by a conflict depends on those who have touched what it would.
    this.tell(t)
    if (value === 0) {
      this.leave(t)
      this.open(t)
      s.result[t] = TxStatus.started
      return DONE
    }
    const isRetry = this.isRetry(value)
    this.leave(t)
    s.result[t] = isRetry ? TxStatus.retry : TxStatus.conflict | TxStatus.retry
    this.pushEvent(t, Op.txAbort, Mode.none, -1, s.result[t])
    if (s.spins.tracks[t] === 1) s.spins.choose(t)
    return DONE
  }

  private open(t: number): void {
    const { s } = this
    this.isOpen = true
    this.depth = 1
    this.isLimited = !this.neverFails(t)
    this.notes.length = 0
    this.touched.clear()
    this.eventStart = s.events.count
    this.cells.set(s.cells)
    s.control.keep!(t)
  }

  end(t: number): number {
    const { s } = this
    if (!this.isOpen) return s.fail(t, 'transaction-misuse', 'ends a transaction, and none has begun')
    if (--this.depth > 0) {
      this.noteAt(Op.txEnd, Mode.none, -1, -1)
      return DONE
    }
    const held = this.mutexTaken(t)
    if (held !== undefined) {
      return s.fail(
        t,
        'transaction-misuse',
        `commits a transaction in which it locked mutex ${held}, and holds it still`,
      )
    }
    this.isOpen = false
    if (this.isTrial) return DONE
    this.makeAtomic()
    for (const { kind, mode, cell, isSame } of this.notes) {
      if (cell < 0) continue
      if (this.watching > 0) this.watch(t, kind, mode, cell)
      this.tellSpins(t, mode, cell, isSame)
    }
    this.pushEvent(t, Op.txEnd, Mode.none, -1, -1)
    for (const cell of new Set(
      this.notes.filter(({ mode }) => mode === Mode.write).map(({ cell }) => cell),
    )) {
      if (cell >= 0 && afterWrite(s, t, cell) === FAILED) return FAILED
    }
    return DONE | RELEASED
  }

  private tellSpins(t: number, mode: number, cell: number, isSame: boolean): void {
    const { spins, events } = this.s
    const tracks = spins.tracks[t] === 1
    if (mode === Mode.read) {
      if (tracks) spins.read(t, cell, events.count)
    } else if (isSame && tracks) spins.storeSame(t, cell, events.count)
    else {
      spins.changed(cell)
      if (tracks) spins.disturb(t)
    }
  }

  /** To others, all that a transaction does is atomic: two of them never race, and one orders whoever sees what it wrote. */
  private makeAtomic(): void {
    const { events } = this.s
    for (let i = this.eventStart; i < events.count; i++) {
      if (events.kind[i] === Op.load) events.kind[i] = Op.atomicLoad
      else if (events.kind[i] === Op.store) events.kind[i] = Op.atomicStore
      events.order[i] = Order.seqCst | (events.order[i] & Order.failed)
    }
  }

  abort(t: number): number {
    const { s } = this
    if (!this.isOpen) {
      s.recordIdle(t, Op.fence)
      return DONE
    }
    return this.rollBack(t, explicitStatus(s.a[t] & 0xff))
  }

  test(t: number): number {
    this.s.result[t] = this.isOpen ? 1 : 0
    this.s.recordIdle(t, Op.fence)
    return DONE
  }

  /** Whether the thread can do its pending operation in its transaction; if not, it aborts. */
  permits(t: number, alternatives: number): boolean {
    const { s } = this
    if (this.isLimited && this.touched.size > this.causes.capacity) return false
    if (isAllowed[s.action[t]] === 0) return false
    if (alternatives === 1) return true
    // A mutex that is held: that it is makes the transaction abort.
    if (s.action[t] !== Action.choose)
      this.note(Op.probe, Mode.read, s.object[t], s.cells[s.object[t]], false)
    return false
  }

  /** What must not be done in a transaction, in words; null if nothing is wrong with the pending operation. */
  misuse(t: number): string | null {
    const { s } = this
    const cell = s.object[t]
    if (s.action[t] === Action.choose && s.a[t] > 1)
      return 'chooses a value in a transaction, whose outcome could then be any; choose it before'
    if (s.action[t] === Action.unlock && s.cells[cell] === t + 1 && this.cells[cell] === t + 1)
      return `unlocks mutex ${s.nameOf(cell)} in a transaction that began while it was held`
    return null
  }

  private mutexTaken(t: number): string | undefined {
    const { layout, cells } = this.s
    return layout.objects.find(
      ({ type, cell }) => type === 'mutex' && cells[cell] === t + 1 && this.cells[cell] !== t + 1,
    )?.name
  }

  /** All that the transaction did is undone; its begin returns that status. */
  rollBack(t: number, status: number): number {
    const { s } = this
    this.isOpen = false
    s.cells.set(this.cells)
    s.control.goBack!(t)
    s.result[t] = status
    s.events.count = Math.min(s.events.count, this.eventStart)
    if (this.isTrial) return DONE
    const written = new Set<number>()
    for (const { kind, mode, cell } of this.notes) {
      if (cell < 0 || mode === Mode.none) continue
      const looks = kind !== Op.store && kind !== Op.atomicStore && kind !== Op.unlock
      if (looks && !written.has(cell)) {
        if (s.spins.tracks[t] === 1) s.spins.read(t, cell, s.events.count)
        const isMemory = s.locations.kinds[s.layout.locationOf[cell]] === 'memory'
        // Who waits for a mutex could have gone before a look that found it free: the log keeps what it found.
        const found = isMemory ? -1 : this.cells[cell]
        this.pushEvent(t, isMemory ? Op.atomicLoad : Op.probe, Mode.read, s.layout.locationOf[cell], found)
      }
      if (mode === Mode.write) written.add(cell)
    }
    this.pushEvent(t, Op.txAbort, Mode.none, -1, status)
    return DONE
  }

  note(kind: number, mode: number, cell: number, aux: number, isSame: boolean): void {
    this.notes.push({ kind, mode, cell, isSame })
    this.touched.add(cell)
    const { s } = this
    if (s.footprints) s.events.push(kind, mode, s.layout.locationOf[cell], s.pending.site[this.running], aux)
  }

  noteAt(kind: number, mode: number, location: number, aux: number): void {
    this.notes.push({ kind, mode: Mode.none, cell: -1, isSame: true })
    const { s } = this
    if (s.footprints) s.events.push(kind, mode, location, s.pending.site[this.running], aux)
  }

  /** The thread whose transition it is. */
  running = -1

  private pushEvent(t: number, kind: number, mode: number, location: number, aux: number): void {
    const { s } = this
    if (s.footprints && !this.isTrial) s.events.push(kind, mode, location, s.pending.site[t], aux)
  }

  /** Has a body run, and undoes all it did, whatever became of it. */
  tryOut(t: number, run: () => void): void {
    const { s } = this
    const { running } = this
    const [action, object, a, b] = [s.action[t], s.object[t], s.a[t], s.b[t]]
    const site = s.pending.site[t]
    const blocked = s.spins.blocked[t]
    this.isTrial = true
    this.open(t)
    const { cells } = this
    s.result[t] = TxStatus.started
    if (s.control.advance(t) !== FAILED) run()
    this.isOpen = false
    this.isTrial = false
    s.bug = null
    s.cells.set(cells)
    s.control.goBack!(t)
    s.events.count = Math.min(s.events.count, this.eventStart)
    s.announce(t, action, object, a, b, site)
    s.spins.blocked[t] = blocked
    this.running = running
  }

  get noted(): number {
    return this.notes.length
  }

  /** The body that the thread has come to has been tried out: what it touched. Before its last notes it failed. */
  keepTrial(t: number, last: number, mayTell: boolean): void {
    this.leave(t)
    this.lastReads[t] = this.notes
      .splice(last)
      .filter(({ kind, cell }) => cell >= 0 && kind !== Op.store && kind !== Op.atomicStore)
      .map(({ cell }) => cell)
    const set = new Map<number, boolean>()
    for (const { kind, mode, cell } of this.notes) {
      if (cell < 0 || mode === Mode.none) continue
      set.set(cell, set.get(cell) === true || mode === Mode.write || kind === Op.atomicUpdate)
    }
    this.sets[t] = set
    this.watching++
    if (mayTell) this.tell(t)
  }

  /** Who reads what the transaction would write is in conflict with it, so that is no mere read. */
  private tell(t: number): void {
    for (const [cell, writes] of this.sets[t] ?? [])
      this.pushEvent(t, Op.txWatch, writes ? Mode.commute : Mode.read, this.s.layout.locationOf[cell], -1)
    // Who is in conflict stays so, whatever its body would do.
    if (this.sets[t] == null || this.isInConflict[t]) return
    for (const cell of this.lastReads[t])
      this.pushEvent(t, Op.txWatch, Mode.read, this.s.layout.locationOf[cell], -1)
  }

  private leave(t: number): void {
    if (this.sets[t] == null) return
    this.sets[t] = null
    this.watching--
  }

  watch(thread: number, kind: number, mode: number, cell: number): void {
    const writes = mode !== Mode.read || kind === Op.atomicUpdate
    for (let t = 0; t < this.sets.length; t++) {
      const set = this.sets[t]
      if (t === thread || set == null || this.s.pending.status[t] !== THREAD_LIVE) continue
      const own = set.get(cell)
      if (own === true || (own === false && writes)) this.meet(t, thread)
      else if (writes && !this.isInConflict[t] && this.lastReads[t].includes(cell)) this.arrivals.push(t)
    }
  }

  /** A round of a loop that lets another thread abort has changed something, though it has changed no memory. */
  private meet(t: number, by: number): void {
    const { spins } = this.s
    this.isInConflict[t] = true
    if (spins.tracks[by] === 0 || !this.isFirst[t] || this.met[t].includes(by)) return
    this.met[t].push(by)
    spins.choose(by)
  }
}
