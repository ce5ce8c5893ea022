import type { Bug, BugKind, Stack } from '../../../machine/bug.js'
import { EventLog } from '../../../machine/events.js'
import { type Driver, PendingOperations, THREAD_LIVE } from '../../../machine/machine.js'
import { LocationTable, ThreadTable } from '../../../machine/names.js'
import { Op } from '../../../machine/operation.js'
import type { MemoryModel } from '../../../machine/platform.js'
import type { PointSet } from '../../../machine/points.js'
import type { AbortCauses } from '../../../machine/transactions.js'
import type { Artifact, OwnMemoryLayout } from '../artifact.js'
import type { Follower, ProgramEngine } from '../program-engine.js'
import { AccessLog, kindOfSite } from './access-log.js'
import { AddressTable } from './address-table.js'
import { BlockStacks } from './block-stacks.js'
import { callStack, openCalls } from './call-stack.js'
import { Cancellation } from './cancellation.js'
import { type CheckpointPolicy, Checkpoints } from './checkpoints.js'
import { Coroutines } from './coroutines.js'
import { describeLocation } from './describe.js'
import { countAlternatives } from './enabledness.js'
import { Endings, THREAD_CANCELLED, THREAD_EXIT } from './endings.js'
import { LONG } from './endless.js'
import { type ExecutionState, resettable } from './execution-state.js'
import { Failures } from './failures.js'
import { Faults } from './faults.js'
import { controlSize, type Glue, makeGlue } from './glue.js'
import { Heap } from './heap.js'
import { Image } from './image.js'
import { Journal } from './journal.js'
import type { Kernel } from './kernel.js'
import { KernelState } from './kernel-state.js'
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
import { TRANSACTION_OVER, type Transactions } from './transactions.js'
import { Waiters } from './waiters.js'
import { WeakAccesses } from './weak/weak-accesses.js'

/** Instead of who goes on: that is asked when no thread is running. */
const LATER = -2
/** Or the thread is entered once more. */
const AGAIN = -3

/** Bytes a program may allocate in one execution. */
const MAX_HEAP = 256 * 2 ** 20

/**
 * The kernel of one program: puts its parts together, each with the state that is only theirs, and runs executions. The
 * parts: where threads stop (`Preemption`), what happens at loop headers (`LoopHeaders`), what is written down of what a
 * thread did (`Journal`), how threads and the program end (`Endings`), and how an execution ends with a bug (`Failures`).
 */
export class ProgramKernel implements Kernel {
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
  lockErrors = false
  readonly state: KernelState = new KernelState(this)
  readonly preemption: Preemption = new Preemption(this)
  readonly loopHeaders: LoopHeaders
  readonly journal: Journal = new Journal(this)
  readonly endings: Endings = new Endings(this)
  readonly failures: Failures = new Failures(this)
  readonly faults: Faults = new Faults(this)
  readonly cancellation: Cancellation = new Cancellation(this)
  readonly scheduling: Scheduling = new Scheduling(this)
  readonly blockStacks: BlockStacks
  readonly ownBlocks: OwnBlocks
  readonly objectNames: ObjectNames
  readonly checks: ProgramChecks
  follower: Follower | undefined
  weak: WeakAccesses | null = null
  transactions: Transactions | null = null
  memory!: ProgramMemory
  own: OwnMemory | undefined

  bug: Bug | null = null
  running = -1
  value = 0
  printed: () => string = () => ''
  constructing = false

  program!: ProgramExports
  glue!: Glue
  log!: AccessLog
  driver!: Driver
  coroutines!: Coroutines
  readonly checkpoints: Checkpoints
  begun = 0
  /** Where the next execution begins: so many transitions are left out. */
  private origin = 0
  /** Executions begin like the one before: the one under way makes checkpoints. */
  private isRevisiting = false
  /** The last execution came to an end of its own. */
  private isSettled = false
  private wantsFootprints = true
  /** By thread: what those who join or detach it conflict on. */
  private readonly threadLocations: number[] = []

  /** What went wrong before `main`. */
  initialBug: Bug | null = null

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
  attach(program: ProgramExports, engine: ProgramEngine): void {
    const { artifact } = this
    this.follow(engine.follower)
    this.program = program
    this.memory = new ProgramMemory(program.memory)
    this.spins.memory = this.memory
    this.glue = makeGlue(engine, program as unknown as WebAssembly.Exports, artifact.layout)
    this.coroutines = new Coroutines(program, this.glue, this.memory, this.states)
    this.checkpoints.tape = new Tape(this.memory, this.glue, this.map.tape)
    this.loopHeaders.watch = new LoopWatch(this.glue, this.maxLoopVisits)
    if (artifact.layout.own) this.startOwn(artifact.layout.own)
    this.log = new AccessLog(artifact, this.memory, this.glue, this)
    this.state.image = new Image(artifact.layout, this.heap, this.memory.bytes)
    this.construct()
    this.glue.takeLog()
    this.own?.keep()
    if (this.own) this.glue.leave(this.map.first.main)
    this.heap.keep()
    this.set.cleanStacks(this.memory.bytes)
    this.state.image.keep(this.memory.bytes)
    this.preemption.writeFlags()
  }

  /** Whether what the thread does is part of an atomic section; of a transaction that is said when it has committed. */
  isInSection(thread: number): boolean {
    return this.states.sections[thread] !== 0 && this.transactions?.isOpen !== true
  }

  private follow(follower: Follower | undefined): void {
    if (follower === undefined) return
    this.follower = follower
    this.hasState(
      resettable(
        () => true,
        () => follower.begin(),
      ),
    )
    const { variables, layout } = this.artifact
    follower.attach({
      running: () => this.running,
      // Memory goes on a little beyond the end of the log.
      isLog: (address) => address >= layout.log && address < layout.log + layout.logSize + 64,
      objectAt: (address) => {
        const block = this.heap.blockAt(address)
        if (block) return [block.start, block.start + block.size]
        const variable = variables.find((v) => address >= v.address && address < v.address + v.size)
        return variable && [variable.address, variable.address + variable.size]
      },
    })
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
    this.wantsFootprints = on
    // Conflicts of transactions are told from what threads do.
    const needed = on || this.transactions?.causes.conflict === true
    if (needed !== this.log.footprints) this.checkpoints.forget()
    this.log.footprints = needed
  }

  /** Why transactions abort. */
  useAborts(causes: AbortCauses): void {
    this.checkpoints.forget()
    this.transactions!.causes = causes
    this.log.updatesWrite = causes.conflict
    this.footprints = this.wantsFootprints
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

  set keepsStacks(on: boolean) {
    this.checkpoints.forget()
    this.blockStacks.isOn = on
    this.preemption.writeFlags()
  }

  get keepsStacks(): boolean {
    return this.blockStacks.isOn
  }

  /** Which values loads may see. */
  useModel(model: MemoryModel): void {
    this.checkpoints.forget()
    this.weak = model === 'sc' ? null : new WeakAccesses(this, model)
    this.preemption.writeFlags()
  }

  get memoryModel(): MemoryModel {
    return this.weak?.model ?? 'sc'
  }

  hasState(part: ExecutionState): void {
    this.state.parts.push(part)
  }

  // --- running

  /** See `Machine.goBack`. */
  goBack(driver: Driver, shared: number): number {
    const { policy } = this.checkpoints
    this.isRevisiting =
      policy !== 'off' &&
      this.own === undefined &&
      this.heap.mode === 'fresh' &&
      !this.keepsStacks &&
      this.weak === null
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
      this.state.reset()
      if (this.initialBug !== null) {
        this.bug = this.initialBug
        return
      }
      const root = this.spawn(this.threads.root(0), 0, 0)
      this.weak?.reset()
      this.weak?.begin(root, -1)
    }
    this.begun = this.origin
    this.loopHeaders.beginExecution()
    this.origin = 0
    let next = this.decide()
    while (next >= 0) {
      if (driver.switched?.(this.state.snapshot)) break
      if (this.isRevisiting && this.begun <= LONG) this.checkpoints.consider(this.begun - 1)
      try {
        next = this.resume(next)
      } catch (error) {
        next = this.recover(error)
      }
      while (next === LATER) next = this.decideLater(this.transactions!)
    }
    this.running = -1
    this.isRevisiting = false
    this.isSettled = true
  }

  decide(): number {
    const { transactions } = this
    if (transactions !== null) {
      transactions.look()
      if (transactions.hasStale) return LATER
    }
    this.begun++
    return this.driver.next()
  }

  /** The same after bodies have been tried out that would do something else by now. */
  private decideLater(transactions: Transactions): number {
    const { running } = this
    for (let thread = transactions.nextStale(); thread >= 0; thread = transactions.nextStale()) {
      this.running = thread
      this.enterOnce(thread, transactions)
    }
    this.running = running
    return this.decide()
  }

  private resume(thread: number): number {
    this.running = thread
    this.value = this.driver.value
    if (this.states.entry[thread] === LEAVING) return this.endings.endProgram(thread)
    this.preemption.beginTransition(thread)
    if (this.transactions !== null) return this.enter(thread, this.transactions)
    return this.coroutines.enter(thread)
      ? this.endings.endThread(thread, this.coroutines.result)
      : this.preemption.next
  }

  /** Has a thread go on that may begin a transaction, and be entered once more in its begin when it aborts. */
  private enter(thread: number, transactions: Transactions): number {
    if (transactions.choosesToStart(thread)) return this.decide()
    let next = AGAIN
    while (next === AGAIN) next = this.enterOnce(thread, transactions)
    return next
  }

  private enterOnce(thread: number, transactions: Transactions): number {
    transactions.beforeEntry(thread)
    try {
      const hasEnded = this.coroutines.enter(thread)
      if (hasEnded) transactions.checkEnd()
      if (hasEnded) return this.endings.endThread(thread, this.coroutines.result)
      return transactions.mustReenter ? AGAIN : this.preemption.next
    } catch (error) {
      if (!transactions.isOpen) throw error
      if (error === TRANSACTION_OVER) this.coroutines.settle(thread)
      else {
        this.failures.take(error)
        if (!transactions.outlivesFailure()) return -1
      }
      transactions.goBack(thread)
      return AGAIN
    }
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

  phase(): number {
    return this.coroutines.phase(this.running)
  }

  get isRewinding(): boolean {
    return this.coroutines.rewinding
  }

  stopsBefore(kind: number, location: number, condition: number, object: number, phase = 1): boolean {
    return this.preemption.stopsBefore(kind, location, condition, object, phase)
  }

  stopNext(): void {
    this.preemption.stopNext()
  }

  released(): void {
    this.preemption.released()
  }

  // --- what happened

  record(kind: number, mode: number, location: number, aux: number): void {
    this.journal.record(kind, mode, location, aux)
  }

  disturb(): void {
    this.journal.disturb()
  }

  alternatives(thread: number): number {
    return countAlternatives(this, thread)
  }

  // --- threads

  spawn(thread: number, start: number, argument: number): number {
    const { pending } = this
    const { count } = this.threads
    pending.ensure(count)
    this.states.ensure(count)
    this.spins.ensure(count)
    this.spins.begin(thread)
    this.set.place(thread, start, argument, this.memory, this.state.image)
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

  callSite(): number {
    return this.glue.callSite()
  }

  placeOf(site: number): { thread: number; site: number; calls: number[] } {
    return { thread: this.running, site, calls: openCalls(this, this.running) }
  }

  stackOf(thread: number): readonly string[] {
    return callStack(this.artifact.sites, this.pending.site[thread], openCalls(this, thread))
  }

  unfinished(): string[] {
    const { status, kind } = this.pending
    return this.set.created
      .filter((thread) => status[thread] === THREAD_LIVE && kind[thread] !== Op.processExit)
      .map((thread) => this.threads.names[thread])
  }

  describe(location: number): string {
    return describeLocation(this, location)
  }

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

  fail(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    return this.failures.fail(kind, message, site, stacks)
  }
}
