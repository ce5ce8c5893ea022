import type { Bug, BugKind, Stack } from '../../../machine/bug.js'
import { EventLog } from '../../../machine/events.js'
import { type Driver, PendingOperations, THREAD_ABSENT, THREAD_LIVE } from '../../../machine/machine.js'
import { LocationTable, ThreadTable } from '../../../machine/names.js'
import { Op } from '../../../machine/operation.js'
import type { PointSet } from '../../../machine/points.js'
import type { Artifact, OwnMemoryLayout } from '../artifact.js'
import { AccessLog, kindOfSite } from './access-log.js'
import { AddressTable } from './address-table.js'
import { BlockStacks } from './block-stacks.js'
import { callStack } from './call-stack.js'
import { Cancellation } from './cancellation.js'
import { type CheckpointPolicy, Checkpoints } from './checkpoints.js'
import { Coroutines } from './coroutines.js'
import { describeLocation } from './describe.js'
import { countAlternatives } from './enabledness.js'
import { Endings, THREAD_CANCELLED, THREAD_EXIT } from './endings.js'
import { LONG } from './endless.js'
import type { ExecutionState } from './execution-state.js'
import { Failures } from './failures.js'
import { Faults } from './faults.js'
import { controlSize, type Glue, makeGlue } from './glue.js'
import { Heap } from './heap.js'
import { Image } from './image.js'
import { Journal } from './journal.js'
import { LoopHeaders } from './loop-headers.js'
import { LoopWatch } from './loop-watch.js'
import { memoryMap } from './memory-map.js'
import { ObjectNames } from './object-names.js'
import { OwnBlocks } from './own-blocks.js'
import { OwnMemory } from './own-memory.js'
import { Preemption } from './preemption.js'
import { type ProgramExports, ProgramMemory } from './program.js'
import { ProgramChecks } from './program-checks.js'
import { Scheduling } from './scheduling.js'
import { Spins } from './spins.js'
import { SpuriousWakeups } from './spurious-wakeups.js'
import { Stops } from './stops.js'
import { Tape } from './tape.js'
import { ThreadSet } from './thread-set.js'
import { LEAVING, ThreadStates } from './thread-states.js'
import { Waiters } from './waiters.js'

/** Bytes a program may allocate in one execution. */
const MAX_HEAP = 256 * 2 ** 20

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
 * Its parts, each with the state that is only theirs: where threads stop (`Preemption`), what happens at loop headers
 * (`LoopHeaders`), what is written down of what a thread did (`Journal`), how threads and the program end (`Endings`), and
 * how an execution ends with a bug (`Failures`). What every call of the program needs of them is to be had here.
 */
export class Kernel {
  readonly threads = new ThreadTable()
  readonly locations = new LocationTable()
  readonly pending = new PendingOperations()
  readonly events = new EventLog()
  readonly states = new ThreadStates()
  readonly addresses = new AddressTable(this.locations)
  readonly spins = new Spins(this.locations, this.addresses)
  readonly map
  readonly heap: Heap
  readonly stops: Stops
  readonly set: ThreadSet
  readonly waiters: Waiters
  readonly spuriousWakeups = new SpuriousWakeups()
  /** Parts with a state of their own. */
  private readonly parts: ExecutionState[] = []
  readonly preemption = new Preemption(this)
  readonly loopHeaders: LoopHeaders
  readonly journal = new Journal(this)
  readonly endings = new Endings(this)
  readonly failures = new Failures(this)
  readonly faults = new Faults(this)
  readonly cancellation = new Cancellation(this)
  readonly scheduling = new Scheduling(this)
  readonly blockStacks: BlockStacks
  readonly ownBlocks: OwnBlocks
  readonly objectNames: ObjectNames
  readonly checks: ProgramChecks
  memory!: ProgramMemory
  /** The program's part of memory, if it manages that itself. */
  own: OwnMemory | undefined

  bug: Bug | null = null
  /** Index of the running thread, or -1. */
  running = -1
  /** The alternative to take of the operation being done. */
  value = 0
  /** What the program has printed in this execution. */
  printed: () => string = () => ''
  /** True while constructors run: one thread, no points. */
  constructing = false

  program!: ProgramExports
  glue!: Glue
  log!: AccessLog
  private image!: Image
  driver!: Driver
  coroutines!: Coroutines
  readonly checkpoints: Checkpoints
  /** Transitions begun in this execution, those left out included. */
  begun = 0
  /** Where the next execution begins: so many transitions are left out. */
  private origin = 0
  /** Executions begin like the one before: the one under way makes checkpoints. */
  private isRevisiting = false
  /** The last execution came to an end of its own. */
  private isSettled = false
  /** By thread: what those who join or detach it conflict on. */
  private readonly threadLocations: number[] = []

  /** What went wrong before `main`. */
  private initialBug: Bug | null = null

  constructor(
    readonly artifact: Artifact,
    private readonly maxLoopVisits: number,
    checkpoints: CheckpointPolicy,
  ) {
    this.checkpoints = new Checkpoints(this, checkpoints)
    this.map = memoryMap(artifact.layout)
    this.heap = new Heap(this.map, (end) => this.memory.reserve(end), MAX_HEAP)
    this.set = new ThreadSet(this.threads, this.states, artifact.layout, this.map)
    this.waiters = new Waiters(this.states, this.set.created)
    this.hasState(this.waiters)
    this.hasState(this.spuriousWakeups)
    this.stops = new Stops(artifact.sites)
    this.blockStacks = new BlockStacks(artifact.sites)
    this.ownBlocks = new OwnBlocks(this)
    this.objectNames = new ObjectNames(this)
    this.checks = new ProgramChecks(this)
    this.loopHeaders = new LoopHeaders(this)
  }

  /** Takes the instantiated program, runs its constructors and records the initial state. */
  attach(program: ProgramExports): void {
    const { artifact } = this
    this.program = program
    this.memory = new ProgramMemory(program.memory)
    this.spins.memory = this.memory
    this.glue = makeGlue(program as unknown as WebAssembly.Exports, artifact.layout)
    this.coroutines = new Coroutines(program, this.glue, this.memory, this.states)
    this.checkpoints.tape = new Tape(this.memory, this.glue, this.map.tape)
    this.loopHeaders.watch = new LoopWatch(this.glue, this.maxLoopVisits)
    if (artifact.layout.own) this.startOwn(artifact.layout.own)
    this.log = new AccessLog(artifact, this.memory, this.glue, this)
    this.image = new Image(artifact.layout, this.heap, this.memory.bytes)
    this.construct()
    this.glue.takeLog()
    this.own?.keep()
    if (this.own) this.glue.leave(this.map.first.main)
    this.heap.keep()
    this.set.cleanStacks(this.memory.bytes)
    this.image.keep(this.memory.bytes)
    this.preemption.writeFlags()
  }

  /** A program with a memory of its own; its globals are as they were instantiated. */
  private startOwn(layout: OwnMemoryLayout): void {
    const kinds = (site: number) => kindOfSite[this.artifact.sites[site].kind]
    this.memory.reserve(this.map.first.others + controlSize(this.artifact.layout))
    this.own = new OwnMemory(layout, this.artifact, kinds, this.memory)
    this.glue.leave(this.map.first.main)
    this.glue.leave(this.map.first.others)
  }

  private construct(): void {
    this.running = this.spawn(this.threads.root(0), 0, 0)
    this.glue.enter(this.states.slots[this.running].control)
    this.constructing = true
    try {
      this.program.fl_construct()
    } catch (error) {
      this.failures.take(error)
      this.initialBug = this.bug
    }
    this.constructing = false
  }

  set footprints(on: boolean) {
    if (on !== this.log.footprints) this.checkpoints.forget()
    this.log.footprints = on
  }

  get footprints(): boolean {
    return this.log.footprints
  }

  usePoints(points: PointSet): void {
    this.checkpoints.forget()
    this.stops.use(points)
    this.preemption.writeFlags()
  }

  /** So many waits of an execution may end without a signal. */
  allowSpurious(limit: number): void {
    this.checkpoints.forget()
    this.spuriousWakeups.limit = limit
    this.stops.allowSpurious(limit > 0)
  }

  /** Whether bugs of the heap tell how they came about; the module then reports every access. */
  set keepsStacks(on: boolean) {
    this.checkpoints.forget()
    this.blockStacks.isOn = on
    this.preemption.writeFlags()
  }

  get keepsStacks(): boolean {
    return this.blockStacks.isOn
  }

  /** Something has a state of its own in each execution, outside of the program's memory. */
  hasState(part: ExecutionState): void {
    this.parts.push(part)
  }

  // --- running

  /** See `Machine.goBack`. */
  goBack(driver: Driver, shared: number): number {
    const { policy } = this.checkpoints
    this.isRevisiting =
      policy !== 'off' && this.own === undefined && this.heap.mode === 'fresh' && !this.keepsStacks
    const kept = this.checkpoints.keepUpTo(shared)
    if (this.isRevisiting && this.isSettled && driver === this.driver) this.origin = kept
    return this.origin
  }

  run(driver: Driver): void {
    this.driver = driver
    if (!this.isRevisiting) this.checkpoints.forget()
    this.isSettled = false
    if (this.origin > 0) this.checkpoints.goBack()
    else {
      this.checkpoints.forget()
      this.reset()
      if (this.initialBug !== null) {
        this.bug = this.initialBug
        return
      }
      this.spawn(this.threads.root(0), 0, 0)
    }
    this.begun = this.origin
    this.loopHeaders.beginExecution()
    this.origin = 0
    let next = this.decide()
    while (next >= 0) {
      if (this.isRevisiting && this.begun <= LONG) this.checkpoints.consider(this.begun - 1)
      try {
        next = this.resume(next)
      } catch (error) {
        next = this.recover(error)
      }
    }
    this.running = -1
    this.isRevisiting = false
    this.isSettled = true
  }

  /** All threads are stopped: asks the driver who goes on. */
  decide(): number {
    this.begun++
    return this.driver.next()
  }

  private resume(thread: number): number {
    this.running = thread
    this.value = this.driver.value
    if (this.states.entry[thread] === LEAVING) return this.endings.endProgram(thread)
    this.preemption.beginTransition(thread)
    return this.coroutines.enter(thread)
      ? this.endings.endThread(thread, this.coroutines.result)
      : this.preemption.next
  }

  /** The thread goes on in its cleanup handlers, in the same transition. */
  private restart(thread: number): number {
    try {
      return this.coroutines.restart(thread)
        ? this.endings.endThread(thread, this.coroutines.result)
        : this.preemption.next
    } catch (error) {
      return this.recover(error)
    }
  }

  private recover(error: unknown): number {
    if (error === THREAD_CANCELLED) return this.restart(this.running)
    if (error === THREAD_EXIT) {
      this.coroutines.settle(this.running)
      return this.endings.endThread(this.running, this.states.result[this.running])
    }
    this.failures.take(error)
    return -1
  }

  // --- stopping

  /**
   * How far a call had come when its thread was left in it; 0 when the call begins. Every import that can stop asks
   * this first.
   */
  phase(): number {
    return this.coroutines.phase(this.running)
  }

  /** Whether a call is made again by a thread that goes on: `phase` has not been asked yet. */
  get isRewinding(): boolean {
    return this.coroutines.rewinding
  }

  /** See `Preemption.stopsBefore`. */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase = 1): boolean {
    return this.preemption.stopsBefore(kind, location, condition, object, phase)
  }

  /** The running thread has let another one run: it stops before its next visible operation. */
  stopNext(): void {
    this.preemption.stopNext()
  }

  /** The running thread has released a lock. */
  released(): void {
    this.preemption.released()
  }

  // --- what happened

  /** Logs an operation of the running thread on an object; `aux` as in the event log. */
  record(kind: number, mode: number, location: number, aux: number): void {
    this.journal.record(kind, mode, location, aux)
  }

  /** The running thread changed something only it can see, so it is not spinning. */
  disturb(): void {
    this.journal.disturb()
  }

  alternatives(thread: number): number {
    return countAlternatives(this, thread)
  }

  // --- threads

  /** Brings a thread to life; it is stopped before its first step. */
  spawn(thread: number, start: number, argument: number): number {
    const { pending } = this
    const { count } = this.threads
    pending.ensure(count)
    this.states.ensure(count)
    this.spins.ensure(count)
    this.spins.begin(thread)
    this.set.place(thread, start, argument, this.memory, this.image)
    pending.status[thread] = THREAD_LIVE
    pending.kind[thread] = Op.start
    pending.location[thread] = -1
    pending.site[thread] = -1
    return thread
  }

  threadLocation(thread: number): number {
    return (this.threadLocations[thread] ??= this.locations.intern(
      'process',
      `thread ${this.threads.names[thread]}`,
    ))
  }

  /** Site of the call that the running thread is in. */
  callSite(): number {
    return this.glue.callSite()
  }

  /** Sites of the calls a thread is in, innermost first. */
  callsOf(thread: number): number[] {
    const slot = this.states.slots[thread]
    if (slot === undefined) return []
    const top = thread === this.running ? this.glue.shadow() : this.memory.words[(slot.control >>> 2) + 1]
    const calls: number[] = []
    for (let at = top - 4; at > slot.shadow; at -= 4) calls.push(this.memory.words[at >>> 2])
    return calls
  }

  /** Where the running thread is, for `blockStacks`. */
  placeOf(site: number): { thread: number; site: number; calls: number[] } {
    return { thread: this.running, site, calls: this.callsOf(this.running) }
  }

  stackOf(thread: number): readonly string[] {
    return callStack(this.artifact.sites, this.pending.site[thread], this.callsOf(thread))
  }

  /** Names of threads that have not ended, and did not end the program. */
  unfinished(): string[] {
    const { status, kind } = this.pending
    return this.set.created
      .filter((thread) => status[thread] === THREAD_LIVE && kind[thread] !== Op.processExit)
      .map((thread) => this.threads.names[thread])
  }

  /** Name of an object, for people. */
  describe(location: number): string {
    return describeLocation(this, location)
  }

  // --- checks of the program

  /** Calls a function of the program that takes nothing, and returns what it does. */
  runCheck(pointer: number): number {
    return this.program.fl_check(pointer)
  }

  refuel(fuel: number): void {
    this.glue.setFuel(fuel)
  }

  stackPointer(): number {
    return this.glue.stackPointer()
  }

  /** Has something done on main's stack when the program has ended; the bug that showed, or null. */
  asMain(action: () => void): Bug | null {
    this.running = 0
    this.glue.enter(this.states.slots[0].control)
    try {
      action()
    } catch (error) {
      this.failures.take(error)
    }
    const { bug } = this
    this.bug = null
    this.running = -1
    return bug
  }

  // --- failing

  /** Ends the execution with a bug of the running thread; what it logged before comes first. */
  fail(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    return this.failures.fail(kind, message, site, stacks)
  }

  private reset(): void {
    const { bytes } = this.memory
    if (this.preemption.forced) this.preemption.release()
    this.heap.reset(bytes)
    this.blockStacks.reset()
    this.image.restore(bytes)
    this.set.cleanStacks(bytes)
    for (const thread of this.set.created) this.pending.status[thread] = THREAD_ABSENT
    this.set.clear()
    this.spins.reset()
    const left = this.glue.takeLog()
    if (this.own) {
      const log = this.artifact.layout.log >>> 2
      this.own.scan(log, log + (left >>> 2))
      this.own.restore()
    }
    this.events.count = 0
    this.bug = null
    this.running = -1
    this.preemption.skip = false
    for (const part of this.parts) part.reset()
  }

  // --- checkpoints

  /** Bytes that a checkpoint would take, about. */
  usedBytes(): number {
    const { image, set, heap, states, spins } = this
    return (
      image.size +
      set.usedBytes(this.memory.words) +
      heap.usedBytes() +
      states.size +
      spins.usedBytes(set.created)
    )
  }

  /** Writes everything down, all threads being stopped; false if some part cannot. */
  save(tape: Tape): boolean {
    if (!this.saveState(tape)) return false
    const { pending, spins, set } = this
    tape.put(this.events.count)
    for (const thread of set.created) {
      tape.put(pending.status[thread])
      tape.put(pending.kind[thread])
      tape.put(pending.location[thread])
      tape.put(pending.site[thread])
      spins.save(thread, tape)
    }
    return true
  }

  /** The part of it on which it depends what the program can still do. */
  saveState(tape: Tape): boolean {
    const { states, set } = this
    for (const part of this.parts) {
      const mark = part.mark()
      if (mark < 0) return false
      tape.put(mark)
    }
    tape.put(set.created.length)
    states.save(set.created, tape)
    for (const thread of set.created) set.save(thread, this.glue, tape)
    this.image.save(tape)
    this.heap.save(tape)
    return true
  }

  /** Goes back to what was written down earlier in this execution. */
  load(tape: Tape): void {
    const { pending, states, spins, set } = this
    if (this.preemption.forced) this.preemption.release()
    const marks = tape.at
    tape.at += 4 * this.parts.length
    const { bytes } = this.memory
    set.keepFirst(tape.take(), bytes, pending)
    states.load(set.created, tape)
    for (const thread of set.created) set.load(thread, this.glue, bytes, tape)
    this.image.load(tape)
    this.heap.load(bytes, tape)
    this.events.count = tape.take()
    spins.reset()
    for (const thread of set.created) {
      pending.status[thread] = tape.take()
      pending.kind[thread] = tape.take()
      pending.location[thread] = tape.take()
      pending.site[thread] = tape.take()
      spins.load(thread, tape)
    }
    tape.at = marks
    for (const part of this.parts) part.goBack(tape.take())
    this.glue.takeLog()
    this.bug = null
    this.running = -1
    this.preemption.skip = false
  }
}
