import type { Bug, BugKind, Stack } from '../../../machine/bug.js'
import type { EventLog } from '../../../machine/events.js'
import type { Driver, PendingOperations } from '../../../machine/machine.js'
import type { LocationTable, ThreadTable } from '../../../machine/names.js'
import type { MemoryModel } from '../../../machine/platform.js'
import type { Artifact } from '../artifact.js'
import type { Follower } from '../program-engine.js'
import type { AccessFaults, AccessLog, WriteListener } from './access-log.js'
import type { AddressTable } from './address-table.js'
import type { BlockStacks, Place } from './block-stacks.js'
import type { Coroutines } from './coroutines.js'
import type { ExecutionState } from './execution-state.js'
import type { Glue } from './glue.js'
import type { Heap } from './heap.js'
import type { MemoryMap } from './memory-map.js'
import type { OwnMemory } from './own-memory.js'
import type { ProgramExports, ProgramMemory } from './program.js'
import type { Spins } from './spins.js'
import type { SpuriousWakeups } from './spurious-wakeups.js'
import type { Stops } from './stops.js'
import type { Tape } from './tape.js'
import type { ThreadSet } from './thread-set.js'
import type { ThreadStates } from './thread-states.js'
import type { Waiters } from './waiters.js'

/**
 * Plays the operating system for one program: threads as coroutines, who runs, what each is about to do.
 *
 * A thread runs until a call into the kernel decides to stop it. The kernel then asks the driver who goes on. If it is
 * the same thread, the call simply continues. If not, the thread's stack is *unwound* (asyncify saves every frame and
 * returns to `run`), and the other is entered: from its start function if it is fresh, else *rewound*, which calls
 * the same import again with the same arguments. So every import that can stop has this shape:
 *
 * ```
 * if (kernel.phase() === 0 && kernel.stopsBefore(…)) return 0   // unwinding: the result does not matter
 * …do the operation…
 * ```
 *
 * This file is what the parts of the kernel, and the calls that a program makes, may use of it and of each other; none
 * of them imports another part. `ProgramKernel` puts the parts together.
 */
export interface Kernel {
  /** Who follows what the program does, if anybody. */
  readonly follower: Follower | undefined
  readonly artifact: Artifact
  readonly threads: ThreadTable
  readonly locations: LocationTable
  readonly pending: PendingOperations
  readonly events: EventLog
  readonly states: ThreadStates
  readonly addresses: AddressTable
  readonly spins: Spins
  readonly map: MemoryMap
  readonly heap: Heap
  readonly stops: Stops
  readonly set: ThreadSet
  readonly waiters: Waiters
  readonly spuriousWakeups: SpuriousWakeups
  /** See `Platform.lockErrors`. */
  readonly lockErrors: boolean
  readonly blockStacks: BlockStacks
  readonly program: ProgramExports
  readonly memory: ProgramMemory
  /** The program's part of memory, if it manages that itself. */
  readonly own: OwnMemory | undefined
  readonly glue: Glue
  readonly log: AccessLog
  readonly coroutines: Coroutines
  readonly driver: Driver

  readonly preemption: PreemptionPart
  readonly loopHeaders: LoopHeaderPart
  readonly journal: JournalPart
  readonly endings: EndingPart
  readonly failures: FailurePart
  readonly faults: FaultPart
  readonly cancellation: CancellationPart
  readonly scheduling: SchedulingPart
  readonly ownBlocks: OwnBlockPart
  readonly objectNames: ObjectNamePart
  readonly checks: CheckPart
  readonly checkpoints: CheckpointPart
  readonly state: StatePart
  /** Transactions, in programs that have any. */
  readonly transactions: TransactionPart | null
  /** What accesses are under a weak memory model; null under sequential consistency. */
  readonly weak: WeakPart | null

  bug: Bug | null
  /** Index of the running thread, or -1. */
  running: number
  /** The alternative to take of the operation being done. */
  value: number
  /** What the program has printed in this execution. */
  printed: () => string
  /** True while constructors run: one thread, no points. */
  readonly constructing: boolean
  /** Transitions begun in this execution, those left out included. */
  readonly begun: number
  /** Whether what threads do is written to the event log. */
  readonly footprints: boolean
  /** Whether bugs of the heap tell how they came about; the module then reports every access. */
  readonly keepsStacks: boolean

  /** Something has a state of its own in each execution, outside of the program's memory. */
  hasState(part: ExecutionState): void
  /** All threads are stopped: asks the driver who goes on. */
  decide(): number

  /**
   * How far a call had come when its thread was left in it; 0 when the call begins. Every import that can stop asks
   * this first.
   */
  phase(): number
  /** Whether a call is made again by a thread that goes on: `phase` has not been asked yet. */
  readonly isRewinding: boolean
  /** See `PreemptionPart.stopsBefore`. */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase?: number): boolean
  /** The running thread has let another one run: it stops before its next visible operation. */
  stopNext(): void
  /** The running thread has released a lock. */
  released(): void

  /** Logs an operation of the running thread on an object; `aux` as in the event log. */
  record(kind: number, mode: number, location: number, aux: number): void
  /** The running thread changed something only it can see, so it is not spinning. */
  disturb(): void
  /** In how many ways the pending operation of a live thread can go now. */
  alternatives(thread: number): number

  /** Brings a thread to life; it is stopped before its first step. */
  spawn(thread: number, start: number, argument: number): number
  /** What those who join or detach a thread conflict on. */
  threadLocation(thread: number): number
  /** Site of the call that the running thread is in. */
  callSite(): number
  /** Where the running thread is, for `blockStacks`. */
  placeOf(site: number): Place
  /** Names of the functions a thread is in, innermost first. */
  stackOf(thread: number): readonly string[]
  /** Names of threads that have not ended, and did not end the program. */
  unfinished(): string[]
  /** Name of an object, for people. */
  describe(location: number): string

  /** Has something done on main's stack when the program has ended; the bug that showed, or null. */
  asMain(action: () => void): Bug | null
  /** Ends the execution with a bug of the running thread; what it logged before comes first. */
  fail(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never
}

/** Where the running thread stops, and lets the driver say who goes on. */
export interface PreemptionPart {
  /** Who goes on after the thread that was just left. */
  next: number
  /** The running thread must stop before whatever visible operation it does next. */
  readonly forced: boolean
  /** The running thread was stopped at a loop header in the name of its next operation, which must not stop again. */
  skip: boolean
  /**
   * Announces an operation of the running thread and stops before it, if it is a preemption point or cannot be done
   * now. True when the thread was left: the caller must return at once, and is called again later in phase `phase`.
   */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase?: number): boolean
  /** Asks who goes on; true when the running thread was left, as in `stopsBefore`. */
  ask(phase: number): boolean
  /** The running thread need not stop before its next operation after all. */
  release(): void
}

/** What happens at the headers of loops. */
export interface LoopHeaderPart {
  beginTransition(thread: number): void
  /** States kept to find rounds without end are forgotten. */
  forget(): void
  /** The running thread goes on after a spin blocked it: see `Op.resume`. */
  resume(thread: number): void
}

/** What is written down of what the running thread did. */
export interface JournalPart {
  /** The running thread is in a wait that it will leave as if nothing had been: see `Spins`. */
  isPassing: boolean
  /** Operations recorded so far; never goes back. */
  readonly records: number
  /** Logs an operation that changes nothing at all, so that a spinning thread may do it. */
  recordIdle(kind: number): void
  /** The host reads or writes the program's memory for the running thread, if the program can tell. */
  hostAccess(what: string, address: number, size: number, wrote: boolean): void
  /** Takes in what the running thread has logged, before something that changes what it means. */
  drain(): void
}

/** How threads end, and the program. */
export interface EndingPart {
  /** Has something done by each thread that ends, as its last operations. */
  onThreadEnd(end: (thread: number) => void): void
  exitThread(result: number): never
  /** A call to exit(): the thread is left for good. */
  exitProcess(code: number): void
}

/** How an execution ends with a bug. */
export interface FailurePart {
  /** The bug of this execution, unless it has one already; the program goes on. */
  note(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): void
  /** Ends the execution without a bug. */
  leave(): never
  /** As `Kernel.fail`, without reading what was logged before. */
  failNow(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never
}

/** Wrong addresses and exhausted stacks, as bugs of the running thread. */
export interface FaultPart extends AccessFaults {
  /** Fails if an address that is given to the host cannot hold what it is said to. */
  checkRange(what: string, address: number, size: number): void
  /** Fails if an object of a call cannot be at that address. */
  checkObject(what: string, address: number): void
  /** Fails if an object that is used now does not lie in live memory. */
  checkAlive(what: string, address: number, size?: number): void
  /** The running thread's stack pointer is below the mark, or it has too many calls open; the new mark. */
  overflow(site: number, pointer: number, shadow: number): number
}

/** Requests to end, and the calls that look for them. */
export interface CancellationPart {
  /** The program can cancel threads. */
  readonly usesCancel: boolean
  /** What the end of a thread, and those who gave up waiting for it, conflict on. */
  endOf(thread: number): number
  /** A cancellation point that does not wait: the running thread ends here if it was asked to. */
  point(): void
  /** The running thread begins a wait for a permit or for the end of a thread. */
  begin(): void
  /** Whether that wait ends because the thread was asked to end. */
  isMet(): boolean
  /** That wait has ended otherwise. */
  end(): void
  /** The running thread has begun a wait on a condition variable. */
  enterWait(condition: number): void
  /** The running thread has its mutex again; it ends here if that was why it stopped waiting. */
  leaveWait(): void
  /** The running thread does not join a thread, or get an error from that, because it was asked to end. */
  giveUpJoin(target: number): never
  /** The running thread leaves what it does and runs its cleanup handlers. */
  act(): never
  /** Logs that the running thread looked whether it was asked to end. */
  look(kind: number): void
}

/** Scheduling parameters of threads. */
export interface SchedulingPart {
  /** Whether a thread can be created with these attributes. */
  canBegin(attributes: number): boolean
  /** What a new thread begins with: its creator's parameters, or those of its attributes. */
  begin(child: number, attributes: number): void
  /** Whether the running thread's priority is above a ceiling; it has looked at its priority then. */
  isAbove(ceiling: number): boolean
}

/** A block that an allocator of the program itself has handed out. */
export interface OwnBlock {
  readonly start: number
  size: number
  freed: boolean
}

/** Blocks of allocators that the program has itself. */
export interface OwnBlockPart {
  /** The block that holds an address, in use or not. */
  blockAt(address: number): OwnBlock | undefined
  /** The last block that begins before an address. */
  blockBefore(address: number): OwnBlock | undefined
  isInPool(address: number): boolean
  /** Where a block was allocated and freed. */
  historyOf(block: OwnBlock): Stack[]
}

/** Names that the program gives to its objects. */
export interface ObjectNamePart {
  /** The name of the object that holds an address, with the offset inside it. */
  at(address: number): string | undefined
}

/** Checks that the program brings along. */
export interface CheckPart extends WriteListener {
  /** A check is running. */
  readonly isRunning: boolean
  /** The running thread has come to where threads can be switched; its log has been read. */
  afterTransition(): void
  /** A running check is at a loop header. */
  loop(site: number): void
  /** A running check is about to do something that is not its business. */
  refuse(kind: number): never
  /** Takes in what a running check has read so far. */
  takeReads(name: string): void
}

/** Accesses to memory under a weak memory model. */
export interface WeakPart {
  readonly model: MemoryModel
  /** The running thread is about to make an access: see `fl.point`. */
  announce(word: number, address: number, size: number): void
  /** The pending access of a thread concerns nobody else. */
  isMute(thread: number): boolean
  /** The pending access of a thread is one with alternatives. */
  hasChoice(thread: number): boolean
  alternatives(thread: number): number
  alternativeName(thread: number, value: number): string
  /** The running thread makes the access that it announced, in one of the ways it can. */
  perform(value: number): void
  /** The running thread has made it. */
  finish(): void
  /** An operation of the running thread, with the arguments of `Kernel.record`. */
  recorded(kind: number, mode: number, location: number, aux: number): void
  /** The running thread has allocated a block. */
  allocated(start: number, size: number, site: number): void
  /** A thread begins; `parent` is -1 for the first. */
  begin(thread: number, parent: number): void
  /** The running thread is about to make an access in a transaction: what there is then is the newest. */
  touch(word: number, address: number, size: number): void
  /** That transaction has committed, or only what it read counts, or nothing. */
  closeTransaction(outcome: 'commits' | 'aborts' | 'fails'): void
  /** Whether a thread that went round a loop for nothing may go on, and that it does. */
  canGoOn(thread: number): boolean
  freshen(thread: number): void
}

/** States of the execution under way to which the next one may go back. */
export interface CheckpointPart {
  readonly tape: Tape
  /** Where the tape is not in use. */
  readonly end: number
  forget(): void
}

/** All that an execution changes, the program's memory included. */
export interface StatePart {
  /** Bytes that a checkpoint would take, about. */
  usedBytes(): number
  /** Writes everything down, all threads being stopped; false if some part cannot. */
  save(tape: Tape): boolean
  /** The part of it on which it depends what the program can still do. */
  saveBehaviour(tape: Tape): boolean
  /** Goes back to what was written down earlier in this execution. */
  load(tape: Tape): void
  /** Writes down the program's memory and its threads, and brings both back; no thread comes or goes in between. */
  saveProgram(tape: Tape): void
  loadProgram(tape: Tape): void
}

/** Transactions: docs/transactions.md. */
export interface TransactionPart {
  /** The running thread is in one. */
  readonly isOpen: boolean
  /** In how many ways the begin that a thread has come to can go. */
  alternatives(thread: number): number
  alternativeName(value: number): string
  /** The running thread, in a transaction, is about to do something of the kernel's: it aborts if that cannot be done. */
  pass(kind: number, location: number): void
  /** It has come to loop headers so often. */
  loop(visits: number): void
  /** Looks at what the running thread has done to others that have come to begins. */
  look(): void
}
