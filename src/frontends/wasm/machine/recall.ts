import { DivergenceError } from '../../../execution/runner.js'
import { grown } from '../../../machine/growing.js'
import {
  ALONE,
  type Driver,
  type RunnableThreads,
  THREAD_ABSENT,
  THREAD_DONE,
  THREAD_LIVE,
} from '../../../machine/machine.js'
import { Op, operations } from '../../../machine/operation.js'
import { ObjectStates } from './object-states.js'
import type { ProgramKernel } from './program-kernel.js'
import { WAITS_FOR_END } from './recall-recorder.js'
import { RecallShelf } from './recall-shelf.js'
import { RecallTails } from './recall-tails.js'
import { NONE, RecallTree } from './recall-tree.js'
import { RecallWeakly } from './recall-weakly.js'
import { ALWAYS, CHOICES, MUTEX_FREE, SOURCES, THREAD_ENDED } from './thread-states.js'
import { TransitionLog } from './weak/transition-log.js'

/**
 * Whether to do transitions from memory: never, where it saves time, or, for tests, wherever it is possible or in the first
 * few executions only.
 */
export type RecallPolicy = 'off' | 'worthwhile' | 'everywhere' | 'at first'

/** Executions after which it is asked whether remembering is worth it, and every time as many as that. */
const PERIOD = 256
/** Nor is it worth it if so many executions, the first ones, had something each that cannot be done from memory. */
const SPOILT = 16
/** Threads that a set of them in one number has room for. */
const MOST_BITS = 31
/** Executions done from memory with the policy `at first`. */
const FIRST = 8

/**
 * Does transitions from memory that the program has done before, instead of running it.
 *
 * What a thread does next depends on what it has done so far, which is its place in a tree of what it was seen to do, and
 * on what it finds: the state of each object it touches. The same assumption is what reductions rest on: a transition
 * that touches nothing which another one changes is the same after it. So as long as each transition of an execution is
 * known, its events and pending operations are taken from the tree, which is many times as fast. At the first that is not
 * known, the program is run up to there under the same schedule, and goes on; what it does is added to the tree. Whoever
 * asks for something that only the program knows (stacks, output, memory) has it run up to there, too (`catchUp`).
 *
 * An optimisation only: executions are the same with it and without; tests compare both. What is run again is compared
 * with what was remembered.
 */
export class Recall extends RecallWeakly implements Driver {
  value = 0
  /** Whether the next execution may be done from memory: set by the runner. */
  isAllowed = true
  /** It is tried, and saves time as far as is known. */
  isWorthwhile = true
  private outer: Driver | undefined
  private origin = 0
  /** The last execution of the program itself. */
  private ranThread = new Int32Array(64)
  private ranAlternative = new Int32Array(64)
  private ran = 0
  /** How many transitions the program is told to do before somebody is asked; whether it stops then. */
  private planned = 0
  private stopsThere = false
  private executions = 0
  private runs = 0
  /** Of these, how many did something that cannot be done from memory; whether the one under way has. */
  private spoilt = 0
  private isSpoilt = false
  /** See `Machine.ableThreads`. */
  private able = 0
  private isAbleKnown = false
  /** The points that the transitions known were made with; what is known under others. */
  private points = ''
  private readonly shelf = new RecallShelf()

  constructor(
    kernel: ProgramKernel,
    private readonly policy: RecallPolicy,
    hasStopped: () => boolean,
  ) {
    super(kernel, hasStopped)
    if (policy === 'off') this.isWorthwhile = false
  }

  /** Whether the executions of a driver are done from memory as far as possible; not if it looks at the program's state. */
  serves(driver: Driver): boolean {
    const { footprints, heap, keepsStacks, initialBug, weak, stops } = this.kernel
    const isOn = this.isWorthwhile && this.isAllowed && footprints && initialBug === null
    // Under a weak memory model events tell the newest value where a store goes, which transitions do not depend on.
    if (weak !== null && (this.areEventsRead || !stops.everywhere)) return false
    return isOn && heap.mode === 'fresh' && !keepsStacks && driver.switched === undefined
  }

  /** The program does something that cannot be done from memory. */
  spoil(): void {
    this.isLost = true
    this.isSpoilt = true
  }

  /** The program is run without this being asked. */
  leave(): void {
    this.isHere = true
    this.outer = undefined
    // Not as soon as it is given up: the events of the tail that the last execution ended with may be asked for after it.
    if (!this.isWorthwhile && this.tree.nodes > 0) this.clear()
    if (this.kernel.weak !== null) this.kernel.weak.log = null
  }

  /** The program is run with these points from now on: searches that take turns find again what they knew. */
  usePoints(points: string): void {
    this.goToBeginning()
    this.isLost = true
    this.outer = undefined
    this.executions = this.runs = this.spoilt = 0
    this.isWorthwhile = this.policy !== 'off'
    if (points === this.points) return
    const { tree, tails, objects, log, overlaps, shelf } = this
    const known = shelf.take(points)
    if (tree.nodes > 0) shelf.put(this.points, { tree, tails, objects, log, overlaps })
    this.points = points
    this.tree = known?.tree ?? new RecallTree()
    this.tails = known?.tails ?? new RecallTails(this.tree, this.tailNames)
    this.objects = known?.objects ?? new ObjectStates(this.kernel)
    this.log = known?.log ?? new TransitionLog()
    this.redo = null
    this.overlaps = known?.overlaps ?? this.overlaps
  }

  /** Something was changed on which it depends what the program does. */
  forget(): void {
    this.shelf.clear()
    this.clear()
    this.depth = this.changes = 0
    this.isLost = true
    this.outer = undefined
    this.executions = this.runs = this.spoilt = 0
    this.isWorthwhile = this.policy !== 'off'
  }

  /** See `Machine.goBack`. */
  goBack(driver: Driver, shared: number): number {
    if (driver !== this.outer || !this.canTakeBack) return 0
    if (this.kernel.locations.overlapping.length !== this.overlaps) this.beginAnew()
    return (this.origin = Math.min(shared, this.depth))
  }

  run(driver: Driver): void {
    this.execute(driver)
    this.judge()
  }

  private execute(driver: Driver): void {
    const { kernel, tree } = this
    this.outer = driver
    if (kernel.locations.overlapping.length !== this.overlaps) this.beginAnew()
    this.goTo(this.origin)
    this.origin = 0
    this.prepareMemory()
    if (this.depth === 0) this.begin()
    else if (this.areEventsRead) this.logSkipped()
    kernel.bug = null
    this.isHere = false
    this.isLost = false
    this.isSpoilt = false
    this.isAbleKnown = false
    this.tailFrom = NONE
    for (;;) {
      let thread = driver.next()
      if (thread === ALONE) {
        if (this.doTail(driver, driver.alone!)) return
        thread = driver.next()
        if (thread === ALONE) throw new Error('a thread that is to go alone step by step was not named')
      }
      if (thread < 0) return
      // Whoever asked the program once will ask again: it goes on from there.
      const edge = this.isHere ? NONE : this.findAndRedo(thread, driver.value)
      if (edge === NONE) {
        this.runProgram(thread, driver.value)
        return
      }
      this.note(thread, driver.value, edge)
      this.show(thread, edge)
      if (this.redo !== null) {
        if (this.announce(thread, edge)) this.redo.reached(this.depth)
        else this.catchUp()
      }
      if (tree.isPlain[edge] === 0) this.isAbleKnown = false
      if (this.tailFrom !== NONE) this.keepTail(driver, thread, edge)
      if (tree.kind[tree.from[edge]] === Op.processExit) return
      if (driver.alone === thread && this.tailFrom === NONE && this.doTail(driver, thread)) return
    }
  }

  alternatives(thread: number): number {
    const { tree, kernel } = this
    const node = this.nodeOf[thread]
    switch (tree.condition[node]) {
      case ALWAYS:
        return 1
      case MUTEX_FREE: {
        const owner = this.objects.ownerOf(tree.location[node])
        if (owner === 0) return 1
        if (owner > 0 && owner !== thread + 1) return 0
        break
      }
      case THREAD_ENDED: {
        const target = tree.object[node]
        if (target < 0 || kernel.pending.status[target] === THREAD_DONE) return 1
        // What the joining thread itself made impossible is an error at once: rare, and known to the program.
        break
      }
      case WAITS_FOR_END:
        return kernel.pending.status[tree.object[node]] === THREAD_DONE ? 1 : 0
      case CHOICES:
        return tree.object[node]
      case SOURCES:
        return kernel.weak!.alternatives(thread)
    }
    this.catchUp()
    return kernel.alternatives(thread)
  }

  /** See `Machine.collect`. */
  collect(into: RunnableThreads): boolean {
    const { nodeOf, objects } = this
    const { condition, object, location } = this.tree
    const { status, kind } = this.kernel.pending
    const { thread, value, previous } = into
    const threads = this.kernel.threads.count
    if (threads > thread.length) return false
    let count = 0
    let live = 0
    for (let t = 0; t < threads; t++) {
      if (status[t] !== THREAD_LIVE) continue
      live++
      if (kind[t] === Op.processExit) continue
      const node = nodeOf[t]
      const waitsFor = condition[node]
      if (waitsFor === WAITS_FOR_END) {
        if (status[object[node]] !== THREAD_DONE) continue
      } else if (waitsFor === MUTEX_FREE) {
        const owner = objects.ownerOf(location[node])
        if (owner < 0 || owner === t + 1) return false
        if (owner > 0) continue
      } else if (waitsFor !== ALWAYS) return false
      if (t === previous) into.stay = count
      thread[count] = t
      value[count++] = 0
    }
    into.count = count
    into.live = live
    return count > 0
  }

  /** See `Machine.ableThreads`. */
  get ableThreads(): number {
    if (this.isAbleKnown) return this.able
    this.isAbleKnown = true
    return (this.able = this.lookWhoIsAble())
  }

  private lookWhoIsAble(): number {
    const { nodeOf, objects } = this
    const { condition, object, location } = this.tree
    const { status, kind } = this.kernel.pending
    const threads = this.kernel.threads.count
    if (threads > MOST_BITS) return 0
    let able = 0
    for (let t = 0; t < threads; t++) {
      if (status[t] !== THREAD_LIVE || kind[t] === Op.processExit) continue
      const node = nodeOf[t]
      const waitsFor = condition[node]
      if (waitsFor === WAITS_FOR_END) {
        if (status[object[node]] !== THREAD_DONE) continue
      } else if (waitsFor === MUTEX_FREE) {
        const owner = objects.ownerOf(location[node])
        if (owner < 0 || owner === t + 1) return 0
        if (owner > 0) continue
      } else if (waitsFor !== ALWAYS) return 0
      able |= 1 << t
    }
    return able
  }

  /** Has the program do what was done from memory, so that it can be asked. */
  catchUp(): void {
    if (this.isHere) return
    this.unfoldTail()
    this.logSkipped()
    this.runs++
    this.isHere = true
    this.planned = this.depth
    this.stopsThere = true
    this.start()
    if (this.ran < this.depth || this.kernel.events.count !== this.eventsBefore[this.depth])
      throw this.diverged('an execution as long as before', 'another one')
  }

  // --- as the driver of the program

  next(): number {
    const i = this.ran
    if (i < this.planned) {
      if (i === this.depth) this.open()
      else this.check(i)
      return this.give(this.thread[i], this.alternative[i])
    }
    if (this.stopsThere) return -1
    if (this.isOpen) this.record(false)
    const outer = this.outer!
    const thread = outer.next()
    if (thread < 0) return thread
    if (!this.isLost) {
      this.plan(thread, outer.value)
      this.open()
    }
    return this.give(thread, outer.value)
  }

  cut(): void {
    this.outer?.cut?.()
  }

  pause(): void {
    this.outer?.pause?.()
  }

  private give(thread: number, alternative: number): number {
    const i = this.ran++
    if (i === this.ranThread.length) {
      this.ranThread = grown(this.ranThread, i * 2)
      this.ranAlternative = grown(this.ranAlternative, i * 2)
    }
    this.ranThread[i] = thread
    this.ranAlternative[i] = alternative
    this.value = alternative
    return thread
  }

  /** The program does all that was done so far, then this, and goes on as it is told. */
  private runProgram(thread: number, alternative: number): void {
    const { kernel } = this
    this.logSkipped()
    this.runs++
    this.isHere = true
    this.plan(thread, alternative)
    this.planned = this.depth + 1
    this.stopsThere = false
    this.start()
    const wasEnd =
      this.isOpen && kernel.bug === null && kernel.pending.kind[this.thread[this.depth]] === Op.processExit
    if (wasEnd) this.record(true)
    this.isOpen = false
  }

  private start(): void {
    const { kernel, ranThread, ranAlternative } = this
    // What is to be added to the tree must be done.
    const length = Math.min(this.ran, this.depth)
    let shared = 0
    while (
      shared < length &&
      ranThread[shared] === this.thread[shared] &&
      ranAlternative[shared] === this.alternative[shared]
    )
      shared++
    // Threads that are live only in memory are none of the program's.
    kernel.pending.status.fill(THREAD_ABSENT)
    this.isOpen = false
    this.ran = kernel.goBack(this, shared)
    kernel.run(this)
  }

  /** The program is where it was when transition i was remembered, or the search must not go on. */
  private check(i: number): void {
    const { tree, kernel } = this
    const { pending } = kernel
    const thread = this.thread[i]
    const node = this.nodeBefore[i]
    const isSame =
      pending.status[thread] === THREAD_LIVE &&
      pending.kind[thread] === tree.kind[node] &&
      pending.location[thread] === tree.location[node] &&
      pending.site[thread] === tree.site[node] &&
      kernel.events.count === this.eventsBefore[i] &&
      kernel.alternatives(thread) > this.alternative[i]
    if (isSame) return
    const name = kernel.threads.names[thread]
    throw this.diverged(
      `thread ${name} to ${operations[tree.kind[node]].name}`,
      `thread ${name} about to ${operations[pending.kind[thread]].name}`,
    )
  }

  protected diverged(expected: string, found: string): DivergenceError {
    this.forget()
    return new DivergenceError(this.ran, expected, found)
  }

  /** Objects were found to overlap: what was remembered need not hold. */
  private beginAnew(): void {
    this.clear()
    this.depth = this.changes = this.origin = 0
    this.overlaps = this.kernel.locations.overlapping.length
  }

  /** Gives up where the program has to be run most of the time all the same. */
  private judge(): void {
    if (this.isSpoilt) this.spoilt++
    if (++this.executions === SPOILT && this.spoilt === SPOILT && this.policy === 'worthwhile')
      this.isWorthwhile = false
    if (this.executions < (this.policy === 'at first' ? FIRST : PERIOD)) return
    const isGivenUp =
      this.policy === 'worthwhile' ? 2 * this.runs > this.executions : this.policy === 'at first'
    if (isGivenUp) this.isWorthwhile = false
    this.executions = this.runs = this.spoilt = 0
  }
}
