import type { Bug, BugKind } from '../../machine/bug.js'
import { EventLog } from '../../machine/events.js'
import { grown } from '../../machine/growing.js'
import { PendingOperations, THREAD_ABSENT, THREAD_DONE, THREAD_LIVE } from '../../machine/machine.js'
import type { LocationTable, ThreadTable } from '../../machine/names.js'
import { Mode, Op } from '../../machine/operation.js'
import type { WeakMemory } from '../../memory/weak-memory.js'
import { Action, kindOfAction } from './actions.js'
import type { Invariant } from './checks.js'
import type { Layout } from './layout.js'
import { Spins } from './spin.js'
import type { Stops } from './stops.js'

/** What doing an action came to; bits. */
export const FAILED = 0
/** The action is complete, its result is in `result`. */
export const DONE = 1
/** It let another thread run: the transition ends. */
export const ENDS = 2
/** It released a lock: an `unlock` point may follow. */
export const RELEASED = 4
/** The thread's next operation has been announced already, as part of the same statement. */
export const AGAIN = 8

/** Does a thread's pending action, taking the given alternative; returns the bits above. */
export type Perform = (s: ModelState, t: number, value: number) => number

/** The code of the threads: says what each does next. */
export interface Control {
  /** Runs a thread from its beginning up to its first operation and announces it. */
  start(thread: number, body: number, parent: number): number
  /** Runs a thread from its operation, whose result is in `result`, up to the next one and announces that. */
  advance(thread: number): number
  /** All that decides what the thread will do, if that can be told. */
  ownState?(thread: number): Int32Array
  /** What only this thread can see, for `finalState`. */
  describe(thread: number): string
  /** The value of a register, for checks at the end. */
  register(thread: number, name: string): number
  /** Keeps a thread as it is, or makes it what it was when it was kept; absent where that cannot be done. */
  keep?(thread: number): void
  goBack?(thread: number): void
  /** What the pending `output` of a thread prints. */
  outputText(thread: number): string
  bodyName(body: number): string
  /** Whether threads with this body can come back to a place they were at. */
  canSpin(body: number): boolean
}

/** Transactions; at most one is under way, since its body is part of one transition. */
export interface TransactionControl {
  /** A body is under way: what it does is noted here, and counts only if it commits. */
  readonly isOpen: boolean
  /** Whether transactions abort by conflicts, and programs are told so. */
  readonly showsConflicts: boolean
  /** Threads before a begin that want to know of conflicts. */
  readonly watching: number
  reset(): void
  note(kind: number, mode: number, cell: number, aux: number, isSame: boolean): void
  noteAt(kind: number, mode: number, location: number, aux: number): void
  /** Another thread has done that to a cell. */
  watch(thread: number, kind: number, mode: number, cell: number): void
  /** The thread has come to a begin; `isFirst`: not since it was there in the same state and nothing has changed. */
  arrive(thread: number, isFirst: boolean, isStraight: boolean): void
  alternatives(thread: number): number
  begin(thread: number, value: number): number
  end(thread: number): number
  abort(thread: number): number
  test(thread: number): number
}

/** What `Control.start` and `advance` return, besides `FAILED`. */
export const ANNOUNCED = 1
export const ENDED = 2

/** Everything that changes during an execution, except the threads' own code. */
export class ModelState {
  readonly pending = new PendingOperations()
  readonly events = new EventLog()
  footprints = true
  bug: Bug | null = null
  /** Threads that have not ended. */
  live = 0

  /** Under a memory model weaker than sequential consistency; `cells` then holds the last value in modification order. */
  memory: WeakMemory | null = null

  /** See `Layout`. */
  readonly cells: Int32Array
  readonly spins: Spins
  /** Threads that hold an rwlock for reading, and how often: thread × rank of the lock. */
  readHolds: Int32Array

  /** By thread: what it will do next, and on what. Operands are final: a stopped thread computes nothing. */
  action = new Uint8Array(16)
  /** First cell of the object; for create a body, for join a thread or -1. */
  object = new Int32Array(16)
  a = new Int32Array(16)
  b = new Int32Array(16)
  /** By thread: memory order of its atomic, or'ed with that of its failure four bits further up. */
  order = new Uint8Array(16)
  /** By thread: what its last operation gave. */
  result = new Int32Array(16)
  body = new Int32Array(16)
  children = new Int32Array(16)
  joined = new Uint8Array(16)
  /** By thread: a signal has picked it. */
  signalled = new Uint8Array(16)
  /** By thread: who waits behind it on the same condition, + 1. */
  nextWaiter = new Int32Array(16)
  /** By thread: the barrier generation it waits for. */
  generation = new Int32Array(16)

  transactions!: TransactionControl
  /** Waits that may end without a signal, and how many of them have begun. */
  spuriousLimit = 0
  spuriousUsed = 0
  /** Readers wait for waiting writers. */
  preferWriters = false
  outputs = 0
  readonly outputThread: number[] = []
  readonly outputSite: number[] = []
  readonly outputAt: number[] = []
  readonly outputText: string[] = []

  /** By thread: which row of `stops.rows` holds its preemption points. */
  row = new Int32Array(16)
  control!: Control

  /** By created thread: the body its label says it runs. */
  private readonly labelledAs: number[] = []
  readonly outputLocation: number
  private readonly barrierLocations = new Map<number, number[]>()

  constructor(
    readonly layout: Layout,
    readonly threads: ThreadTable,
    readonly locations: LocationTable,
    readonly stops: Stops,
    readonly options: {
      readonly compareOutputs: boolean
      /** By body: the root thread that runs it, or -1. */
      readonly rootOf: readonly number[]
      /** By cell: invariants that read it, or null. */
      readonly watchers: readonly (readonly Invariant[] | null)[]
    },
  ) {
    this.cells = Int32Array.from(layout.initial)
    this.spins = new Spins(layout.initial.length)
    this.readHolds = new Int32Array(16 * layout.rwlocks)
    this.outputLocation = options.compareOutputs ? locations.intern('output', 'stdout') : -1
  }

  reset(): void {
    const { cells, layout, pending } = this
    const { initial } = layout
    for (let i = 0; i < initial.length; i++) cells[i] = initial[i]
    pending.ensure(this.threads.count)
    const { status } = pending
    for (let t = 0; t < status.length; t++) status[t] = THREAD_ABSENT
    this.spins.reset()
    this.events.count = 0
    this.transactions.reset()
    this.bug = null
    this.live = 0
    this.outputs = 0
    this.spuriousUsed = 0
  }

  /** A thread comes to life and runs up to its first operation; a thread without any ends at once. */
  spawn(t: number, body: number, parent: number): number {
    if (t >= this.action.length) this.grow(t + 1)
    this.pending.ensure(this.threads.count)
    this.spins.ensure(t + 1)
    this.pending.status[t] = THREAD_LIVE
    this.live++
    this.pending.site[t] = -1
    if (parent >= 0 && this.labelledAs[t] !== body) {
      this.labelledAs[t] = body
      this.threads.label(t, `${this.control.bodyName(body)} (${this.threads.names[t]})`)
    }
    this.body[t] = body
    this.children[t] = 0
    this.joined[t] = 0
    this.row[t] = this.stops.rowOf(this.threads.names[t])
    const { rwlocks } = this.layout
    for (let i = 0; i < rwlocks; i++) this.readHolds[t * rwlocks + i] = 0
    this.spins.begin(t, this.control.canSpin(body))
    if (this.memory !== null) this.memory.begin(t, parent)
    const outcome = this.control.start(t, body, parent)
    if (outcome === ENDED) this.retire(t)
    return outcome
  }

  retire(t: number): void {
    this.pending.status[t] = THREAD_DONE
    this.live--
  }

  /** Says what the thread will do next. */
  announce(t: number, action: number, object: number, a: number, b: number, site: number): void {
    this.action[t] = action
    this.object[t] = object
    this.a[t] = a
    this.b[t] = b
    const { pending } = this
    pending.kind[t] = kindOfAction[action]
    pending.site[t] = site
    pending.location[t] =
      action < Action.barrierArrive ? this.layout.locationOf[object] : this.rareLocation(action, object)
    if (action === Action.writeLock && this.preferWriters) {
      this.action[t] = Action.writeRequest
      pending.kind[t] = Op.writeRequest
    }
    if (action === Action.rwUnlock && this.cells[object + 1] === t + 1) pending.kind[t] = Op.writeUnlock
  }

  private rareLocation(action: number, object: number): number {
    if (action === Action.barrierArrive) return this.barrierLocation(object, this.cells[object + 1])
    return action === Action.output ? this.outputLocation : -1
  }

  barrierLocation(cell: number, generation: number): number {
    let known = this.barrierLocations.get(cell)
    if (known === undefined) this.barrierLocations.set(cell, (known = []))
    return (known[generation] ??= this.locations.intern(
      'barrier',
      `${this.layout.objectAt(cell).name}#${generation}`,
    ))
  }

  /** Logs what a thread did to a declared object; `isSame`: it left what was there. */
  record(t: number, kind: number, mode: number, cell: number, aux: number, isSame = false): void {
    const { spins, transactions } = this
    if (transactions.isOpen) {
      transactions.note(kind, mode, cell, aux, isSame)
      return
    }
    if (transactions.watching > 0) transactions.watch(t, kind, mode, cell)
    if (mode === Mode.read) {
      if (spins.tracks[t] === 1) spins.read(t, cell, this.events.count)
    } else if (isSame && spins.tracks[t] === 1) spins.storeSame(t, cell, this.events.count)
    else {
      spins.changed(cell)
      if (spins.tracks[t] === 1) spins.disturb(t)
    }
    if (this.footprints) this.events.push(kind, mode, this.layout.locationOf[cell], this.pending.site[t], aux)
  }

  /** Logs an operation on something that is not declared, or on nothing. */
  recordAt(t: number, kind: number, mode: number, location: number, aux: number): void {
    if (this.transactions.isOpen) {
      this.transactions.noteAt(kind, mode, location, aux)
      return
    }
    if (this.spins.tracks[t] === 1) this.spins.disturb(t)
    if (this.footprints) this.events.push(kind, mode, location, this.pending.site[t], aux)
  }

  /** Logs an operation that changes nothing at all, so that a spinning thread may do it. */
  recordIdle(t: number, kind: number): void {
    if (this.transactions.isOpen) {
      this.transactions.noteAt(kind, Mode.none, -1, -1)
      return
    }
    if (this.spins.tracks[t] === 1) this.spins.read(t, -1, this.events.count)
    if (this.footprints) this.events.push(kind, Mode.none, -1, this.pending.site[t], -1)
  }

  fail(t: number, kind: BugKind, message: string): number {
    return this.failAt(t, kind, message, this.pending.site[t])
  }

  failAt(t: number, kind: BugKind, message: string, site: number): number {
    this.bug = { kind, message: `${this.threads.labelOf(t)} ${message}`, thread: t, site }
    return FAILED
  }

  nameOf(cell: number): string {
    return this.layout.objectAt(cell).name
  }

  private grow(threads: number): void {
    const size = Math.max(threads, this.action.length * 2)
    this.action = grown(this.action, size)
    this.object = grown(this.object, size)
    this.a = grown(this.a, size)
    this.b = grown(this.b, size)
    this.order = grown(this.order, size)
    this.result = grown(this.result, size)
    this.body = grown(this.body, size)
    this.children = grown(this.children, size)
    this.joined = grown(this.joined, size)
    this.signalled = grown(this.signalled, size)
    this.nextWaiter = grown(this.nextWaiter, size)
    this.generation = grown(this.generation, size)
    this.row = grown(this.row, size)
    this.readHolds = grown(this.readHolds, size * this.layout.rwlocks)
  }
}

/** A driver ran a thread that was not enabled: a fault of the engine, not of the program. */
export function notEnabled(s: ModelState, t: number): never {
  throw new Error(
    `thread ${s.threads.names[t]} was run though it must wait; please report this with the schedule`,
  )
}
