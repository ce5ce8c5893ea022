import type { Bug, BugKind } from '../../../program/bug.js'
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
import { type Artifact, LogWord } from '../artifact.js'
import { type AccessFaults, AccessLog } from './access-log.js'
import { AddressTable } from './address-table.js'
import { callStack } from './call-stack.js'
import { describeLocation } from './describe.js'
import { type Glue, makeGlue } from './glue.js'
import { Heap } from './heap.js'
import { Image } from './image.js'
import { memoryMap, SlotAssignment } from './memory-map.js'
import { spinCandidates } from './spin-candidates.js'
import { Spins } from './spins.js'
import { STOP, STOP_ALWAYS, Stops } from './stops.js'
import {
  ALWAYS,
  GONE,
  LEAVING,
  MUTEX_FREE,
  ONCE_IDLE,
  SUSPENDED,
  THREAD_ENDED,
  ThreadStates,
  WAITERS,
  WOKEN,
} from './thread-states.js'
import { trapBug } from './traps.js'

/**
 * By operation kind: 1 when doing it shows that a thread does not spin. A thread about to do it cannot go on otherwise,
 * so it can be taken as done.
 */
const isChange = Uint8Array.from(operations, ({ mode, varies }, kind) =>
  mode === Mode.read || varies || kind === Op.yield || kind === Op.userPoint || kind === Op.fence ? 0 : 1,
)

/** Thrown to leave a program whose bug has been noted. */
const FAILED = { outcome: 'failed' }
/** Thrown to leave a thread that ended by itself. */
const THREAD_EXIT = { outcome: 'thread exit' }

/** Stack used before the low-water mark is moved, and by how much it moves. */
const STACK_STEP = 512
/** Leaf functions may use this much below the stack pointer. */
const RED_ZONE = 128

/** See `WasmMachineOptions.maxLoopVisits`. */
export const DEFAULT_MAX_LOOP_VISITS = 50_000_000
/**
 * In a transition that goes round loops often, loops are looked at by turns: this many visits of headers are watched,
 * then so many times more are not, and so on with more of both. A spin of any length is found in the end, and a loop
 * that works is hardly slowed down.
 */
const MIN_WATCHED = 64
const MAX_WATCHED = 4096
const UNWATCHED_RATIO = 16

/** With footprints off the log is emptied after this many stops. */
const STOPS_BETWEEN_CHECKS = 255

export interface ProgramExports {
  readonly memory: WebAssembly.Memory
  fl_construct(): void
  fl_run_main(): number
  fl_run_thread(start: number, argument: number): number
  asyncify_start_unwind(buffer: number): void
  asyncify_stop_unwind(): void
  asyncify_start_rewind(buffer: number): void
  asyncify_stop_rewind(): void
  asyncify_get_state(): number
  readonly fl_site: WebAssembly.Global
}

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
export class Kernel implements AccessFaults {
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

  bug: Bug | null = null
  /** Index of the running thread, or -1. */
  running = -1
  /** The alternative to take of the operation being done. */
  value = 0
  /** Views of the program's memory; replaced when it grows. */
  bytes!: Uint8Array
  words!: Int32Array
  /** True while constructors run: one thread, no points. */
  constructing = false

  private program!: ProgramExports
  private glue!: Glue
  private log!: AccessLog
  private image!: Image
  private driver!: Driver
  private readonly slots = new SlotAssignment(this.threads)
  /** By site of a loop. */
  private readonly canSpin: Uint8Array
  /** Thread by slot, in this execution; -1 where there is none. */
  private readonly threadOfSlot = new Int32Array(256).fill(-1)
  /** Threads of this execution in order of creation. */
  private readonly created: number[] = []
  /** By thread: lowest address its stack may have reached. */
  private lowStack: number[] = []
  private readonly resetters: (() => void)[] = []

  /** What went wrong before `main`. */
  private initialBug: Bug | null = null
  private rewinding = false
  private unwinding = false
  private next = -1
  /** The running thread must stop before whatever visible operation it does next. */
  private forced = false
  /** The running thread was stopped at a loop header in the name of its next operation, which must not stop again. */
  private skip = false
  private stayed = 0
  private arrivals = 0
  private fuel = 1
  /** Visits of loop headers in this transition. */
  private headers = 0
  private watched = MIN_WATCHED
  private watchedLeft = MIN_WATCHED
  private readonly loopState = { pointer: 0, top: 0, spill: 0, spillWords: 0 }

  constructor(
    readonly artifact: Artifact,
    private readonly maxLoopVisits: number,
  ) {
    this.map = memoryMap(artifact.layout)
    this.heap = new Heap(this.map, (end) => this.reserve(end))
    this.stops = new Stops(artifact.sites)
    this.canSpin = spinCandidates(artifact)
    this.loopState.spill = artifact.layout.spill
  }

  /** Takes the instantiated program, runs its constructors and records the initial state. */
  attach(program: ProgramExports): void {
    const { artifact } = this
    this.program = program
    this.glue = makeGlue(program as unknown as WebAssembly.Exports, artifact.layout)
    this.log = new AccessLog(
      artifact,
      artifact.layout,
      this.glue,
      this.addresses,
      this.events,
      this.spins,
      this.heap,
      this,
    )
    this.viewMemory()
    this.image = new Image(artifact.layout, this.heap, this.bytes)
    this.reserve(this.map.slot(0).unwindEnd)
    this.constructing = true
    this.running = this.spawn(this.threads.root(0), 0, 0)
    this.glue.enter(this.states.slots[this.running].control)
    try {
      program.fl_construct()
    } catch (error) {
      this.noteFailure(error)
      this.initialBug = this.bug
    }
    this.constructing = false
    this.glue.takeLog()
    this.heap.keep()
    this.cleanStacks()
    this.image.keep(this.bytes)
    this.writeFlags()
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

  /** Has something reset at the beginning of each execution. */
  onReset(reset: () => void): void {
    this.resetters.push(reset)
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
    const { states, program, driver } = this
    this.running = thread
    this.value = driver.value
    const entry = states.entry[thread]
    if (entry === LEAVING) return this.endProgram(thread)
    const slot = states.slots[thread]
    this.glue.enter(slot.control)
    this.beginTransition(thread)
    if (entry === SUSPENDED) {
      this.rewinding = true
      program.asyncify_start_rewind(slot.unwind)
    }
    const result =
      thread === 0
        ? program.fl_run_main()
        : program.fl_run_thread(states.start[thread], states.argument[thread])
    if (this.unwinding) {
      this.unwinding = false
      program.asyncify_stop_unwind()
      return this.next
    }
    return this.endThread(thread, result)
  }

  private endThread(thread: number, result: number): number {
    const { states, pending } = this
    if (this.forced) this.release()
    states.result[thread] = result
    if (thread === 0 && states.entry[0] !== GONE) {
      this.log.drain(0)
      this.announceExit(0)
      return this.driver.next()
    }
    this.pending.site[thread] = -1
    this.record(Op.exit, Mode.none, -1, -1)
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

  /** A call to exit(): true when the caller must return at once, as always except at the very end. */
  exitProcess(code: number): void {
    const thread = this.running
    const site = this.glue.callSite()
    this.states.result[thread] = code
    if (this.constructing)
      this.fail('exit-code', `a constructor ends the program with exit code ${code}`, site)
    if (this.forced) this.release()
    this.log.drain(thread)
    this.announceExit(thread)
    this.pending.site[thread] = site
    this.next = this.driver.next()
    this.leave(thread)
    this.states.entry[thread] = LEAVING
  }

  exitThread(result: number): never {
    this.states.result[this.running] = result
    if (this.constructing) this.fail('trap', 'a constructor calls pthread_exit', this.glue.callSite())
    this.states.entry[this.running] = GONE
    throw THREAD_EXIT
  }

  private recover(error: unknown): number {
    this.unwinding = false
    this.rewinding = false
    if (error === THREAD_EXIT) return this.endThread(this.running, this.states.result[this.running])
    this.noteFailure(error)
    return -1
  }

  /** Turns what was thrown out of the program into a bug; throws again what is no fault of the program. */
  private noteFailure(error: unknown): void {
    if (error === FAILED) return
    const state = this.program.asyncify_get_state()
    if (state !== 0) this.settle(state)
    const trap = trapBug(error, {
      site: this.program.fl_site.value as number,
      call: this.callSite(),
      access: this.lastAccess(),
      switching: state !== 0,
    })
    if (trap === null) throw error
    try {
      this.fail(trap.kind, trap.message, trap.site)
    } catch (failure) {
      if (failure !== FAILED) throw failure
    }
  }

  /** Brings asyncify back to its normal state after a trap in the middle of a switch. */
  private settle(state: number): void {
    const { unwind } = this.states.slots[this.running]
    this.words[unwind >>> 2] = unwind + 8
    if (state === 1) this.program.asyncify_stop_unwind()
    else this.program.asyncify_stop_rewind()
  }

  private lastAccess(): number {
    const length = this.glue.logLength()
    if (length === 0) return -1
    const last = (this.artifact.layout.log + length) >> 2
    const word = this.words[last - 2]
    // The second half of a range has no address.
    return (this.words[last - 1] === 0 && length > 8 ? this.words[last - 4] : word) & LogWord.siteMask
  }

  // --- stopping

  /**
   * How far a call had come when its thread was suspended in it; 0 when the call begins. Every import that can stop
   * asks this first.
   */
  phase(): number {
    if (!this.rewinding) return 0
    this.rewinding = false
    this.program.asyncify_stop_rewind()
    return this.states.phase[this.running]
  }

  /**
   * Announces an operation of the running thread and stops before it, if it is a preemption point or cannot be done
   * now. True when the thread was left: the caller must return at once, and is called again later in phase `phase`.
   */
  stopsBefore(kind: number, location: number, condition: number, object: number, phase = 1): boolean {
    const thread = this.running
    const { pending, states } = this
    pending.kind[thread] = kind
    pending.location[thread] = location
    const site = (pending.site[thread] = this.glue.callSite())
    states.condition[thread] = condition
    states.object[thread] = object
    this.value = 0
    if (isChange[kind] === 1 && condition !== ONCE_IDLE) this.disturb()
    if (this.skip) {
      this.skip = false
      if (this.glue.logLength() === 0) return false
    }
    const wanted = this.forced || this.isPoint(kind, site)
    if ((!wanted || this.constructing) && this.alternatives(thread) === 1) return false
    if (this.constructing) {
      this.fail('deadlock', `a constructor waits for ever: ${operations[kind].name}`, site)
    }
    if (!wanted) this.probe(thread)
    return this.ask(phase)
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
    if (this.rewinding) {
      this.rewinding = false
      this.program.asyncify_stop_rewind()
      return
    }
    const site = word & LogWord.siteMask
    const thread = this.running
    const { pending } = this
    if (!this.forced && (this.constructing || !this.isFlagged(site))) {
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
    if (!this.ask(1) && !this.footprints && ++this.stayed > STOPS_BETWEEN_CHECKS) {
      this.stayed = 0
      this.log.drain(thread)
    }
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
    const drained = this.log.footprints || this.spins.open > 0
    if (drained) this.log.drain(thread)
    const next = this.driver.next()
    if (next === thread) {
      this.value = this.driver.value
      this.beginTransition(thread)
      return false
    }
    if (!drained) this.log.drain(thread)
    this.states.phase[thread] = phase
    this.next = next
    this.leave(thread)
    return true
  }

  private leave(thread: number): void {
    const slot = this.states.slots[thread]
    this.states.entry[thread] = SUSPENDED
    this.unwinding = true
    this.skip = false
    this.glue.leave(slot.control)
    this.program.asyncify_start_unwind(slot.unwind)
  }

  private beginTransition(thread: number): void {
    this.headers = 0
    this.watched = MIN_WATCHED
    this.watchedLeft = MIN_WATCHED
    if (this.fuel !== 1) this.setFuel(1)
    if (this.spins.blocked[thread] === 1) this.resumeSpin(thread)
  }

  /** The running thread has let another one run: it stops before its next visible operation. */
  stopNext(): void {
    if (this.forced || this.stops.everywhere || this.constructing) return
    this.forced = true
    const { flags } = this.artifact.layout
    this.bytes.fill(1, flags, flags + this.stops.flags.length)
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
    this.bytes.set(this.stops.flags, this.artifact.layout.flags)
  }

  // --- loops

  /** `fl.loop`: the running thread is at a loop header. */
  loop(site: number, visit: number, words: number): void {
    if (this.rewinding) {
      this.phase()
      this.skip = this.spins.firstKind(this.running) >= 0
      return
    }
    this.headers += this.fuel
    if (this.headers > this.maxLoopVisits) this.reportRunaway(site)
    const thread = this.running
    if (this.watchedLeft === 0) {
      this.setFuel(this.watched * UNWATCHED_RATIO)
      this.watched = Math.min(this.watched * 2, MAX_WATCHED)
      this.watchedLeft = this.watched
      this.spins.ignore(thread)
      return
    }
    this.watchedLeft--
    this.setFuel(1)
    if (this.constructing || this.canSpin[site] === 0) return
    if (this.log.drain(thread)) this.skip = false
    const { loopState, glue, spins, pending } = this
    loopState.pointer = glue.stackPointer()
    loopState.top = this.states.slots[thread].stackTop
    loopState.spillWords = words
    if (!spins.visit(thread, site, visit, glue.shadow(), this.words, loopState)) return
    const kind = spins.firstKind(thread)
    pending.kind[thread] = kind < 0 ? Op.userPoint : kind
    pending.location[thread] = spins.firstLocation(thread)
    pending.site[thread] = kind < 0 ? site : spins.firstSite(thread)
    this.states.condition[thread] = ALWAYS
    if (!this.ask(1)) this.skip = kind >= 0
  }

  private setFuel(fuel: number): void {
    this.fuel = fuel
    this.glue.setFuel(fuel)
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

  /** The running thread changed something only it can see, so it is not spinning. */
  disturb(): void {
    if (this.spins.watching[this.running] === 1) this.spins.disturb(this.running)
  }

  /** Takes in what the running thread has logged, before something that changes what it means. */
  drain(): void {
    if (this.log.drain(this.running)) this.skip = false
  }

  // --- enabledness

  alternatives(thread: number): number {
    if (this.spins.blocked[thread] === 1 && !this.spins.canGoOn(thread)) return 0
    const { condition, object, signalled } = this.states
    switch (condition[thread]) {
      case MUTEX_FREE: {
        const owner = this.words[(object[thread] >>> 2) + 1]
        // Whoever locks what is no mutex goes on, into an error.
        return owner === 0 || owner === thread + 1 || !this.isOwner(owner) ? 1 : 0
      }
      case WOKEN:
        return signalled[thread] === 1 && this.words[(object[thread] >>> 2) + 1] === 0 ? 1 : 0
      case THREAD_ENDED:
        return this.canJoin(thread, object[thread]) ? 1 : 0
      case WAITERS:
        return Math.max(1, this.waiterCount(object[thread]))
      case ONCE_IDLE:
        return this.words[object[thread] >>> 2] < 2 ? 1 : 0
      default:
        return 1
    }
  }

  /** Whether a mutex can hold this: 0, or the index of a thread + 1. */
  isOwner(owner: number): boolean {
    return owner >= 0 && owner <= this.threads.count
  }

  private canJoin(thread: number, target: number): boolean {
    if (target < 0 || target === thread) return true
    const { detached, joined } = this.states
    return detached[target] === 1 || joined[target] === 1 || this.pending.status[target] === THREAD_DONE
  }

  // --- waiting on condition variables

  waiterCount(condition: number): number {
    const { waitingOn } = this.states
    let count = 0
    for (const thread of this.created) if (waitingOn[thread] === condition) count++
    return count
  }

  /** The thread at that place of the queue, or -1. */
  waiterAt(condition: number, place: number): number {
    const { waitingOn, arrival } = this.states
    for (const thread of this.created) {
      if (waitingOn[thread] !== condition) continue
      let before = 0
      for (const other of this.created) {
        if (waitingOn[other] === condition && arrival[other] < arrival[thread]) before++
      }
      if (before === place) return thread
    }
    return -1
  }

  enqueue(thread: number, condition: number): void {
    this.states.waitingOn[thread] = condition
    this.states.arrival[thread] = this.arrivals++
  }

  // --- threads

  /** Brings a thread to life; it is stopped before its first step. */
  spawn(thread: number, start: number, argument: number): number {
    const { states, pending, artifact } = this
    const index = this.slots.of(thread)
    const slot = this.map.slot(index)
    this.reserve(slot.unwindEnd)
    const { words } = this
    pending.ensure(this.threads.count)
    states.ensure(this.threads.count)
    this.spins.ensure(this.threads.count)
    states.begin(thread, slot, index, start, argument)
    this.spins.begin(thread)
    this.threadOfSlot[index] = thread
    this.created.push(thread)
    this.lowStack[thread] = slot.stackTop - STACK_STEP

    const { tls } = artifact.layout
    if (thread !== 0) this.image.placeThreadLocals(this.bytes, slot.tls)
    const control = slot.control >>> 2
    words[control] = slot.stackTop
    words[control + 1] = slot.shadow + 4
    words[control + 2] = this.lowStack[thread]
    words[control + 3] = slot.shadowEnd
    words[control + 4] = thread === 0 ? tls.base : slot.tls
    words[control + 5] = 0
    // What is below the first call: nobody.
    words[slot.shadow >>> 2] = -1
    words[slot.unwind >>> 2] = slot.unwind + 8
    words[(slot.unwind >>> 2) + 1] = slot.unwindEnd

    pending.status[thread] = THREAD_LIVE
    pending.kind[thread] = Op.start
    pending.location[thread] = -1
    pending.site[thread] = -1
    return thread
  }

  /** The thread a `pthread_t` stands for in this execution, or -1. */
  threadOf(handle: number): number {
    const slot = handle - 1
    return slot >= 0 && slot < this.threadOfSlot.length ? this.threadOfSlot[slot] : -1
  }

  /** Small, never zero, and the same in every interleaving. */
  handleOf(thread: number): number {
    return this.states.slot[thread] + 1
  }

  /** Site of the call that the running thread is in. */
  callSite(): number {
    return this.glue.callSite()
  }

  /** Sites of the calls a thread is in, innermost first. */
  callsOf(thread: number): number[] {
    const slot = this.states.slots[thread]
    if (slot === undefined) return []
    const top = thread === this.running ? this.glue.shadow() : this.words[(slot.control >>> 2) + 1]
    const calls: number[] = []
    for (let at = top - 4; at > slot.shadow; at -= 4) calls.push(this.words[at >>> 2])
    return calls
  }

  stackOf(thread: number): readonly string[] {
    return callStack(this.artifact.sites, this.pending.site[thread], this.callsOf(thread))
  }

  /** Names of threads that have not ended, and did not end the program. */
  unfinished(): string[] {
    const { status, kind } = this.pending
    return this.created
      .filter((thread) => status[thread] === THREAD_LIVE && kind[thread] !== Op.processExit)
      .map((thread) => this.threads.names[thread])
  }

  /** Name of an object, for people. */
  describe(location: number): string {
    return describeLocation(this, location)
  }

  // --- failing

  note(kind: BugKind, message: string, site: number): void {
    this.bug ??= { kind, message, thread: this.running, site }
  }

  /** Ends the execution with a bug of the running thread. */
  fail(kind: BugKind, message: string, site: number): never {
    if (this.bug === null && !this.constructing) this.log.drain(this.running)
    this.note(kind, message, site)
    throw FAILED
  }

  nullAccess(site: number, address: number): void {
    const what = address === 0 ? 'a null pointer' : `an address close to null (${address})`
    this.note('trap', `access through ${what}`, site)
    throw FAILED
  }

  freedAccess(site: number, address: number): void {
    const block = this.heap.blockAt(address)!
    this.note(
      'use-after-free',
      `access to byte ${address - block.start} of a freed block of ${block.size} bytes`,
      site,
    )
    throw FAILED
  }

  /** Fails if an object of a synchronisation call cannot be at that address. */
  checkObject(what: string, address: number): void {
    const start = address >>> 0
    if ((start & 3) === 0 && start >= this.artifact.layout.nullEnd && start + 64 <= this.bytes.length) return
    const where = start < this.artifact.layout.nullEnd ? 'a null pointer' : `address ${start}`
    this.fail('trap', `${where} is given as a ${what}`, this.callSite())
  }

  /** `fl.overflow`: the stack pointer went below the mark, or too many calls are open. */
  overflow(site: number): void {
    const thread = this.running
    const slot = this.states.slots[thread]
    const pointer = this.glue.stackPointer()
    const where = site >= 0 ? site : this.callSite()
    const isExhausted = pointer >>> 0 > slot.stackTop || pointer < slot.stackEnd + 2 * RED_ZONE
    if (isExhausted || this.glue.shadow() >= slot.shadowEnd) {
      this.fail(
        'trap',
        `stack overflow: ${isExhausted ? 'the stack is full' : 'calls nest too deeply'}`,
        where,
      )
    }
    this.lowStack[thread] = Math.max(slot.stackEnd, pointer - STACK_STEP)
    this.glue.setStackEnd(this.lowStack[thread])
  }

  // --- memory

  /** Makes sure that memory reaches up to that address. */
  private reserve(end: number): void {
    if (end <= this.bytes.length) return
    const { memory } = this.program
    const pages = Math.ceil(Math.max(end - this.bytes.length, 1 << 24) / 65536)
    const possible = Math.min(pages, 65536 - this.bytes.length / 65536)
    try {
      memory.grow(possible)
    } catch {
      throw new RangeError(
        `this system does not give the program ${Math.ceil(end / 2 ** 20)} MB of address space`,
      )
    }
    this.viewMemory()
  }

  private viewMemory(): void {
    const { buffer } = this.program.memory
    this.bytes = new Uint8Array(buffer)
    this.words = new Int32Array(buffer)
    this.log.memory = this.words
  }

  private cleanStacks(): void {
    for (const thread of this.created) {
      const low = Math.max(this.lowStack[thread] - RED_ZONE, this.states.slots[thread].stackEnd)
      this.bytes.fill(0, low, this.states.slots[thread].stackTop)
    }
  }

  private reset(): void {
    if (this.forced) this.release()
    this.image.restore(this.bytes)
    this.cleanStacks()
    const { status } = this.pending
    for (const thread of this.created) {
      status[thread] = THREAD_ABSENT
      this.threadOfSlot[this.states.slot[thread]] = -1
    }
    this.created.length = 0
    this.heap.reset(this.bytes)
    this.spins.reset()
    this.glue.takeLog()
    this.events.count = 0
    this.bug = null
    this.running = -1
    this.rewinding = false
    this.unwinding = false
    this.skip = false
    this.arrivals = 0
    for (const reset of this.resetters) reset()
  }
}
