import type { Bug, BugKind, Stack } from '../../../program/bug.js'
import { EventLog } from '../../../program/events.js'
import {
  type Driver,
  PendingOperations,
  THREAD_ABSENT,
  THREAD_DONE,
  THREAD_LIVE,
} from '../../../program/machine.js'
import { LocationTable, ThreadTable } from '../../../program/names.js'
import { Mode, Op, operations } from '../../../program/operation.js'
import { type PointSet, rulesAccept } from '../../../program/points.js'
import { type Artifact, LogWord, type OwnMemoryLayout } from '../artifact.js'
import { UnsupportedError } from '../toolchain/errors.js'
import { AccessLog, kindOfSite } from './access-log.js'
import { AddressTable } from './address-table.js'
import { BlockStacks } from './block-stacks.js'
import { callStack } from './call-stack.js'
import { Coroutines } from './coroutines.js'
import { describeLocation } from './describe.js'
import { countAlternatives } from './enabledness.js'
import { Faults } from './faults.js'
import { controlSize, type Glue, makeGlue } from './glue.js'
import { Heap } from './heap.js'
import { Image } from './image.js'
import { LoopWatch } from './loop-watch.js'
import { memoryMap } from './memory-map.js'
import { ObjectNames } from './object-names.js'
import { OwnBlocks } from './own-blocks.js'
import { OwnMemory } from './own-memory.js'
import { type ProgramExports, ProgramMemory } from './program.js'
import { ProgramChecks } from './program-checks.js'
import { spinCandidates } from './spin-candidates.js'
import { Spins } from './spins.js'
import { STOP, STOP_ALWAYS, Stops } from './stops.js'
import { ThreadSet } from './thread-set.js'
import { ALWAYS, GONE, LEAVING, ThreadStates, WOKEN } from './thread-states.js'
import { failedAssertion, trapBug } from './traps.js'
import { Waiters } from './waiters.js'

/**
 * By operation kind: 1 when doing it shows that a thread does not spin. A thread about to do it cannot go on otherwise,
 * so it can be taken as done.
 */
const isChange = Uint8Array.from(operations, ({ mode, varies }, kind) =>
  mode === Mode.read || varies || kind === Op.yield || kind === Op.userPoint || kind === Op.fence ? 0 : 1,
)

/** Bytes a program may allocate in one execution. */
const MAX_HEAP = 256 * 2 ** 20

/** Thrown to leave a program whose bug has been noted. */
const FAILED = { outcome: 'failed' }
/** Thrown to leave a thread that ended by itself. */
const THREAD_EXIT = { outcome: 'thread exit' }

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
 */
export class Kernel {
  readonly threads = new ThreadTable()
  readonly locations = new LocationTable()
  readonly pending = new PendingOperations()
  readonly events = new EventLog()
  readonly states = new ThreadStates()
  readonly addresses = new AddressTable(this.locations)
  readonly spins = new Spins(this.locations)
  readonly map
  readonly heap: Heap
  readonly stops: Stops
  readonly set: ThreadSet
  readonly waiters: Waiters
  readonly faults = new Faults(this)
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

  private program!: ProgramExports
  private glue!: Glue
  log!: AccessLog
  private image!: Image
  private driver!: Driver
  private loops!: LoopWatch
  private coroutines!: Coroutines
  /** By site of a loop. */
  private readonly canSpin: Uint8Array
  private readonly resetters: (() => void)[] = []
  private readonly enders: ((thread: number) => void)[] = []
  /** By thread: what those who join or detach it conflict on. */
  private readonly threadLocations: number[] = []

  /** What went wrong before `main`. */
  private initialBug: Bug | null = null
  private next = -1
  /** The running thread must stop before whatever visible operation it does next. */
  private forced = false
  /** The running thread was stopped at a loop header in the name of its next operation, which must not stop again. */
  private skip = false
  private readonly loopState = { pointer: 0, top: 0, spill: 0, spillWords: 0 }

  constructor(
    readonly artifact: Artifact,
    private readonly maxLoopVisits: number,
  ) {
    this.map = memoryMap(artifact.layout)
    this.heap = new Heap(this.map, (end) => this.memory.reserve(end), MAX_HEAP)
    this.set = new ThreadSet(this.threads, this.states, artifact.layout, this.map)
    this.waiters = new Waiters(this.states, this.set.created)
    this.stops = new Stops(artifact.sites)
    this.blockStacks = new BlockStacks(artifact.sites)
    this.ownBlocks = new OwnBlocks(this)
    this.objectNames = new ObjectNames(this)
    this.checks = new ProgramChecks(this)
    this.canSpin = spinCandidates(artifact)
    this.loopState.spill = artifact.layout.spill
  }

  /** Takes the instantiated program, runs its constructors and records the initial state. */
  attach(program: ProgramExports): void {
    const { artifact } = this
    this.program = program
    this.memory = new ProgramMemory(program.memory)
    this.glue = makeGlue(program as unknown as WebAssembly.Exports, artifact.layout)
    this.coroutines = new Coroutines(program, this.glue, this.memory, this.states)
    this.loops = new LoopWatch(this.glue, this.maxLoopVisits)
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
    this.writeFlags()
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
      this.noteFailure(error)
      this.initialBug = this.bug
    }
    this.constructing = false
  }

  set footprints(on: boolean) {
    this.log.footprints = on
  }

  get footprints(): boolean {
    return this.log.footprints
  }

  usePoints(points: PointSet): void {
    this.stops.use(points)
    this.writeFlags()
  }

  /** Whether bugs of the heap tell how they came about; the module then reports every access. */
  set keepsStacks(on: boolean) {
    this.blockStacks.isOn = on
    this.writeFlags()
  }

  get keepsStacks(): boolean {
    return this.blockStacks.isOn
  }

  /** Has something reset at the beginning of each execution. */
  onReset(reset: () => void): void {
    this.resetters.push(reset)
  }

  /** Has something done by each thread that ends, as its last operations. */
  onThreadEnd(end: (thread: number) => void): void {
    this.enders.push(end)
  }

  // --- running

  run(driver: Driver): void {
    this.driver = driver
    this.reset()
    if (this.initialBug !== null) {
      this.bug = this.initialBug
      return
    }
    this.spawn(this.threads.root(0), 0, 0)
    let next = driver.next()
    while (next >= 0) {
      try {
        next = this.resume(next)
      } catch (error) {
        next = this.recover(error)
      }
    }
    this.running = -1
  }

  private resume(thread: number): number {
    this.running = thread
    this.value = this.driver.value
    if (this.states.entry[thread] === LEAVING) return this.endProgram(thread)
    this.beginTransition(thread)
    return this.coroutines.enter(thread) ? this.endThread(thread, this.coroutines.result) : this.next
  }

  private endThread(thread: number, result: number): number {
    const { states, pending } = this
    if (this.forced) this.release()
    states.result[thread] = result
    if (thread === 0 && states.entry[0] !== GONE) {
      this.log.drain(0)
      this.checks.afterTransition()
      this.announceExit(0)
      return this.driver.next()
    }
    this.pending.site[thread] = -1
    for (const end of this.enders) end(thread)
    this.record(Op.exit, Mode.none, -1, -1)
    this.checks.afterTransition()
    states.entry[thread] = GONE
    pending.status[thread] = THREAD_DONE
    return this.driver.next()
  }

  private announceExit(thread: number): void {
    this.states.entry[thread] = LEAVING
    this.states.condition[thread] = ALWAYS
    this.pending.kind[thread] = Op.processExit
    this.pending.location[thread] = -1
    this.pending.site[thread] = -1
  }

  /** The program ends by exit() in the running thread, with the code in its result. */
  private endProgram(thread: number): number {
    this.record(Op.processExit, Mode.none, -1, -1)
    const code = this.states.result[thread]
    if (code !== 0)
      this.note('exit-code', `the program ends with exit code ${code}`, this.pending.site[thread])
    return -1
  }

  /** A call to exit(): the thread is left for good. */
  exitProcess(code: number): void {
    const thread = this.running
    const site = this.glue.callSite()
    this.states.result[thread] = code
    if (this.constructing)
      this.fail('exit-code', `a constructor ends the program with exit code ${code}`, site)
    if (this.forced) this.release()
    this.log.drain(thread)
    this.checks.afterTransition()
    this.announceExit(thread)
    this.pending.site[thread] = site
    this.next = this.driver.next()
    this.coroutines.leave(thread, 0)
    this.states.entry[thread] = LEAVING
  }

  exitThread(result: number): never {
    this.states.result[this.running] = result
    if (this.constructing) this.fail('trap', 'a constructor calls pthread_exit', this.glue.callSite())
    this.states.entry[this.running] = GONE
    throw THREAD_EXIT
  }

  private recover(error: unknown): number {
    if (error === THREAD_EXIT) {
      this.coroutines.settle(this.running)
      return this.endThread(this.running, this.states.result[this.running])
    }
    this.noteFailure(error)
    return -1
  }

  /** Turns what was thrown out of the program into a bug; throws again what is no fault of the program. */
  private noteFailure(error: unknown): void {
    const switching = this.coroutines.settle(this.running)
    if (error === FAILED) return
    const trap = trapBug(error, {
      site: this.program.fl_site.value as number,
      call: this.callSite(),
      access: this.lastAccess(),
      switching,
    })
    if (trap === null) throw error
    const assertion = this.own && failedAssertion(this.printed())
    try {
      if (assertion) this.fail('assertion', assertion, trap.site)
      this.fail(trap.kind, trap.message, trap.site)
    } catch (failure) {
      if (failure !== FAILED) throw failure
    }
  }

  private lastAccess(): number {
    const length = this.glue.logLength()
    if (length === 0) return -1
    const last = (this.artifact.layout.log + length) >> 2
    const word = this.memory.words[last - 2]
    // The second half of a range has no address.
    return (
      (this.memory.words[last - 1] === 0 && length > 8 ? this.memory.words[last - 4] : word) &
      LogWord.siteMask
    )
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

  /**
   * Announces an operation of the running thread and stops before it, if it is a preemption point or cannot be done
   * now. True when the thread was left: the caller must return at once, and is called again later in phase `phase`.
   */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase = 1): boolean {
    const thread = this.running
    const { pending, states } = this
    if (this.checks.isRunning) this.checks.refuse(kind)
    pending.kind[thread] = kind
    pending.location[thread] = location
    const site = (pending.site[thread] = this.glue.callSite())
    states.condition[thread] = condition
    states.object[thread] = object
    this.value = 0
    if (isChange[kind] === 1) this.disturb()
    if (this.skip) {
      this.skip = false
      if (this.glue.logLength() === 0) return false
    }
    const wanted = !this.isInSection(kind) && (this.forced || this.isPoint(kind, site))
    if ((!wanted || this.constructing) && this.alternatives(thread) === 1) return false
    if (this.constructing) {
      this.fail('deadlock', `a constructor waits for ever: ${operations[kind].name}`, site)
    }
    if (!wanted) this.probe(thread)
    return this.ask(phase)
  }

  /**
   * Whether the running thread is in an atomic section, in which it stops only if it has to wait. Another thread could
   * come in where it has a choice, so there must be none.
   */
  private isInSection(kind: number): boolean {
    const thread = this.running
    if (this.states.sections[thread] === 0 || kind === Op.join || kind === Op.condReturn) return false
    if (this.alternatives(thread) > 1) {
      const what = `${operations[kind].name} with several outcomes in an atomic section`
      throw new UnsupportedError(`the program uses ${what}, which Faultline does not provide`, [what])
    }
    return true
  }

  /** The transition ends here because of the state of an object: see `Op.probe`. */
  private probe(thread: number): void {
    const location = this.pending.location[thread]
    const isWaiting = this.states.condition[thread] === WOKEN && this.states.signalled[thread] === 0
    if (location < 0 || isWaiting) return
    this.record(Op.probe, Mode.read, location, -1)
    this.disturb()
  }

  private isPoint(kind: number, site: number): boolean {
    const { stops } = this
    const before = stops.before[kind]
    if (before === STOP_ALWAYS) return true
    if (before !== STOP && !(site >= 0 && this.isFlagged(site))) return false
    return this.rulesAccept()
  }

  private isFlagged(site: number): boolean {
    const flag = this.stops.flags[site]
    return flag !== 0 && (flag === 1 || this.stops.holdsFor(site, this.threads.names[this.running]))
  }

  private rulesAccept(): boolean {
    const { rules } = this.stops
    return rules.length === 0 || rulesAccept(rules, this.stackOf(this.running))
  }

  /** `fl.point`: the running thread is about to access memory. */
  point(word: number, address: number, size: number): void {
    if (this.coroutines.rewinding) {
      this.phase()
      return
    }
    const site = word & LogWord.siteMask
    const thread = this.running
    const { pending } = this
    if (this.own && size !== 0 && !this.own.holds(site, address >>> 0, size >>> 0)) {
      this.fail('trap', 'access outside memory', site)
    }
    if (this.checks.isRunning) {
      if (this.glue.logLength() >= this.artifact.layout.logSize) this.checks.takeReads('of the program')
      return
    }
    if (this.blockStacks.isOn) this.blockStacks.noteAccess(this.placeOf(site))
    const inSection = this.states.sections[thread] > 0
    if (inSection || (!this.forced && (this.constructing || !this.isFlagged(site)))) {
      this.makeRoom()
      return
    }
    if (this.skip) {
      this.skip = false
      if (this.glue.logLength() === 0) return
    }
    pending.kind[thread] = this.log.kindOf(word)
    pending.location[thread] = this.log.locationOf(address, size)
    pending.site[thread] = site
    this.states.condition[thread] = ALWAYS
    if (isChange[pending.kind[thread]] === 1) this.disturb()
    if (!this.forced && !this.rulesAccept()) {
      this.makeRoom()
      return
    }
    this.ask(1)
  }

  private makeRoom(): void {
    if (this.glue.logLength() < this.artifact.layout.logSize) return
    if (this.constructing) this.glue.takeLog()
    else if (this.log.drain(this.running)) this.skip = false
  }

  /** Lets a thread waiting at a loop header, or any other, run first; see `point` and `stopsBefore`. */
  private ask(phase: number): boolean {
    const thread = this.running
    if (this.forced) this.release()
    // Faults are found in the log: it is looked at before each choice, so that a failure ends the same transition
    // whether footprints are on or off.
    this.log.drain(thread)
    this.checks.afterTransition()
    const next = this.driver.next()
    if (next === thread) {
      this.value = this.driver.value
      this.beginTransition(thread)
      return false
    }
    this.skip = false
    this.next = next
    this.coroutines.leave(thread, phase)
    return true
  }

  private beginTransition(thread: number): void {
    this.loops.beginTransition()
    if (this.spins.blocked[thread] === 1) this.resumeSpin(thread)
  }

  /** The running thread has let another one run: it stops before its next visible operation. */
  stopNext(): void {
    if (this.forced || this.stops.everywhere || this.constructing) return
    this.forced = true
    const { flags } = this.artifact.layout
    this.memory.bytes.fill(1, flags, flags + this.stops.flags.length)
  }

  /** The running thread has released a lock. */
  released(): void {
    if (this.stops.afterUnlock && this.rulesAccept()) this.stopNext()
  }

  private release(): void {
    this.forced = false
    this.writeFlags()
  }

  private writeFlags(): void {
    const { flags } = this.artifact.layout
    if (this.keepsStacks) this.memory.bytes.fill(1, flags, flags + this.stops.flags.length)
    else this.memory.bytes.set(this.stops.flags, flags)
  }

  // --- loops

  /** `fl.loop`: the running thread is at a loop header. */
  loop(site: number, visit: number, words: number): void {
    if (this.coroutines.rewinding) {
      this.phase()
      this.skip = this.spins.firstKind(this.running) >= 0
      return
    }
    const thread = this.running
    if (this.checks.isRunning) {
      this.checks.loop(site)
      return
    }
    if (!this.loops.arrive()) {
      if (this.loops.isExhausted) this.reportRunaway(site)
      this.spins.ignore(thread)
      return
    }
    if (this.constructing || this.canSpin[site] === 0) return
    if (this.log.drain(thread)) this.skip = false
    const { loopState, glue, spins, pending } = this
    if (this.own === undefined) {
      loopState.pointer = glue.stackPointer()
      loopState.top = this.states.slots[thread].stackTop
    } else {
      const { frame = 0 } = this.artifact.sites[site]
      loopState.pointer = frame === 0 ? 0 : this.memory.words[loopState.spill >>> 2]
      loopState.top = loopState.pointer + frame
    }
    loopState.spillWords = words
    if (!spins.visit(thread, site, visit, glue.shadow(), this.memory.words, loopState)) return
    const kind = spins.firstKind(thread)
    pending.kind[thread] = kind < 0 ? Op.userPoint : kind
    pending.location[thread] = spins.firstLocation(thread)
    pending.site[thread] = kind < 0 ? site : spins.firstSite(thread)
    this.states.condition[thread] = ALWAYS
    if (!this.ask(1)) this.skip = kind >= 0
  }

  private resumeSpin(thread: number): void {
    const { spins } = this
    if (this.footprints) {
      const first = spins.firstEvent(thread)
      const site = this.pending.site[thread]
      for (const location of spins.locationsRead(thread)) {
        this.events.push(Op.resume, Mode.read, location, site, first)
      }
    }
    spins.resume(thread)
  }

  private reportRunaway(site: number): never {
    const times = this.maxLoopVisits.toLocaleString('en')
    return this.fail(
      'livelock',
      `a loop makes no progress: ${times} times round without a preemption point`,
      site,
    )
  }

  // --- what happened

  /** Logs an operation of the running thread on an object; `aux` as in the event log. */
  record(kind: number, mode: number, location: number, aux: number): void {
    const thread = this.running
    const { spins } = this
    this.log.drain(thread)
    this.skip = false
    const site = this.pending.site[thread]
    if (mode === Mode.read) {
      if (spins.watching[thread] === 1) spins.read(thread, location, this.events.count, kind, site)
    } else {
      if (spins.watching[thread] === 1) spins.disturb(thread)
      if (location >= 0 && spins.open > 0) spins.changed(location)
      if (location >= 0 && this.checks.isWatching) {
        this.checks.wrote(this.addresses.start[location], this.addresses.size[location], site)
      }
    }
    if (this.footprints) this.events.push(kind, mode, location, site, aux)
  }

  /** Logs an operation that changes nothing at all, so that a spinning thread may do it. */
  recordIdle(kind: number): void {
    const thread = this.running
    this.log.drain(thread)
    this.skip = false
    const site = this.pending.site[thread]
    if (this.spins.watching[thread] === 1) this.spins.read(thread, -1, this.events.count, kind, site)
    if (this.footprints) this.events.push(kind, Mode.none, -1, site, -1)
  }

  /** The host reads or writes the program's memory for the running thread, if the program can tell. */
  hostAccess(what: string, address: number, size: number, wrote: boolean): void {
    if (this.own === undefined || size === 0) return
    this.faults.checkRange(what, address, size)
    if (wrote) this.own.touch(address, size)
    if (this.constructing) return
    this.pending.site[this.running] = this.glue.callSite()
    const location = this.addresses.locate(address, size)
    this.record(wrote ? Op.store : Op.load, wrote ? Mode.write : Mode.read, location, -1)
  }

  /** The running thread changed something only it can see, so it is not spinning. */
  disturb(): void {
    if (this.spins.watching[this.running] === 1) this.spins.disturb(this.running)
  }

  /** Takes in what the running thread has logged, before something that changes what it means. */
  drain(): void {
    if (this.log.drain(this.running)) this.skip = false
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
      this.noteFailure(error)
    }
    const { bug } = this
    this.bug = null
    this.running = -1
    return bug
  }

  // --- failing

  private note(kind: BugKind, message: string, site: number, stacks: readonly Stack[] = []): void {
    this.bug ??= { kind, message, thread: this.running, site, ...(stacks.length > 0 ? { stacks } : {}) }
    const { blockStacks, running } = this
    if (blockStacks.isOn && running >= 0 && blockStacks.callsAt(running, site) === undefined) {
      blockStacks.noteAccess(this.placeOf(site))
    }
  }

  /** Ends the execution with a bug of the running thread; what it logged before comes first. */
  fail(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    if (this.bug === null && !this.constructing) this.log.drain(this.running)
    return this.failNow(kind, message, site, stacks)
  }

  failNow(kind: BugKind, message: string, site: number, stacks?: readonly Stack[]): never {
    this.note(kind, message, site, stacks)
    throw FAILED
  }

  /** `fl.overflow`. */
  overflow(site: number): void {
    if (this.own) this.fail('trap', 'stack overflow: the stack pointer has left memory', site)
    this.glue.setStackEnd(this.faults.overflow(site, this.glue.stackPointer(), this.glue.shadow()))
  }

  private reset(): void {
    const { bytes } = this.memory
    if (this.forced) this.release()
    this.heap.reset(bytes)
    this.blockStacks.reset()
    this.image.restore(bytes)
    this.set.cleanStacks(bytes)
    for (const thread of this.set.created) this.pending.status[thread] = THREAD_ABSENT
    this.set.clear()
    this.spins.reset()
    this.waiters.reset()
    const left = this.glue.takeLog()
    if (this.own) {
      const log = this.artifact.layout.log >>> 2
      this.own.scan(log, log + (left >>> 2))
      this.own.restore()
    }
    this.events.count = 0
    this.bug = null
    this.running = -1
    this.skip = false
    for (const reset of this.resetters) reset()
  }
}
