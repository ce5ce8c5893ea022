import { DivergenceError } from '../../../execution/runner.js'
import { grown } from '../../../machine/growing.js'
import { type Driver, THREAD_ABSENT, THREAD_DONE, THREAD_LIVE } from '../../../machine/machine.js'
import { EDGE_FROM, edgeOf, Mode, Op, operations } from '../../../machine/operation.js'
import { waitsForEnd } from './enabledness.js'
import { ObjectStates } from './object-states.js'
import type { ProgramKernel } from './program-kernel.js'
import { RecallTails } from './recall-tails.js'
import { NONE, RecallTree } from './recall-tree.js'
import { isRecallable } from './recallable.js'
import { ALWAYS, CHOICES, MUTEX_FREE, THREAD_ENDED } from './thread-states.js'

/** Whether to do transitions from memory: never, where it saves time, or wherever it is possible, which is for tests. */
export type RecallPolicy = 'off' | 'worthwhile' | 'everywhere'

/** A condition of nodes only: the thread joins another whose end it must wait for. */
const WAITS_FOR_END = 255

/** Executions after which it is asked whether remembering is worth it, and every time as many as that. */
const PERIOD = 256
/** More transitions, or longer ones, are not remembered. */
const MOST_EDGES = 200_000
const MOST_EVENTS = 64

/** Functions of the library that touch as many bytes as they are told. */
const extentGiven: ReadonlySet<string> = new Set(['memcpy', 'memmove', 'memset'])

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
export class Recall implements Driver {
  value = 0
  /** The program itself is where the execution is. */
  isHere = true
  /** Whether the next execution may be done from memory: set by the runner. */
  isAllowed = true
  private isWorthwhile = true
  private readonly tree = new RecallTree()
  private readonly tails = new RecallTails(this.tree)
  /** The tail that this or the last execution ended with, which is not among the transitions done, and whose it was. */
  private tail = NONE
  private tailThread = 0
  private readonly logTail = () => {
    const { tail, tails, kernel } = this
    if (tail !== NONE) kernel.events.append(tails.events, tails.eventStart(tail), tails.eventsEnd(tail))
  }
  /** The node where the tail began that is being kept, or NONE. */
  private tailFrom = NONE
  private readonly objects: ObjectStates
  private outer: Driver | undefined
  /** Transitions done, in this or the last execution. */
  private depth = 0
  private origin = 0
  /** Per transition done. */
  private thread = new Int32Array(64)
  private alternative = new Int32Array(64)
  private nodeBefore = new Int32Array(64)
  private eventsBefore = new Int32Array(65)
  private child = new Int32Array(64)
  private changesBefore = new Int32Array(65)
  /** What changes have replaced. */
  private changed = new Int32Array(64)
  private replaced = new Int32Array(64)
  private changes = 0
  /** By thread. */
  private nodeOf = new Int32Array(16)

  /** The last execution of the program itself. */
  private ranThread = new Int32Array(64)
  private ranAlternative = new Int32Array(64)
  private ran = 0
  /** How many transitions the program is told to do before somebody is asked; whether it stops then. */
  private planned = 0
  private stopsThere = false
  /** A transition is under way that is to be added to the tree. */
  private isOpen = false
  /** The rest of the execution is not added: something happened that cannot be done from memory. */
  private isLost = false
  private overlaps = 0
  /** What was pending before the transition under way, by thread. */
  private before = { status: new Uint8Array(16), kind: new Uint8Array(16), location: new Int32Array(16) }

  private executions = 0
  private runs = 0

  constructor(
    private readonly kernel: ProgramKernel,
    private readonly policy: RecallPolicy,
    /** Whether a thread has stopped for ever in the execution of the program. */
    private readonly hasStopped: () => boolean,
  ) {
    this.objects = new ObjectStates(kernel)
    if (policy === 'off') this.isWorthwhile = false
  }

  /** Whether the executions of a driver are done from memory as far as possible; not if it looks at the program's state. */
  serves(driver: Driver): boolean {
    const { footprints, heap, keepsStacks, initialBug } = this.kernel
    const isOn = this.isWorthwhile && this.isAllowed && footprints && initialBug === null
    return isOn && heap.mode === 'fresh' && !keepsStacks && driver.switched === undefined
  }

  /** The program does something that cannot be done from memory. */
  spoil(): void {
    this.isLost = true
  }

  /** The program is run without this being asked. */
  leave(): void {
    this.isHere = true
    this.outer = undefined
  }

  /** Something was changed on which it depends what the program does. */
  forget(): void {
    this.clear()
    this.depth = this.changes = 0
    this.isLost = true
    this.outer = undefined
    this.executions = this.runs = 0
    this.isWorthwhile = this.policy !== 'off'
  }

  /** See `Machine.goBack`. */
  goBack(driver: Driver, shared: number): number {
    if (driver !== this.outer) return 0
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
    if (this.depth === 0) this.begin()
    kernel.bug = null
    this.isHere = false
    this.isLost = false
    this.tailFrom = NONE
    for (;;) {
      const thread = driver.next()
      if (thread < 0) return
      // Whoever asked the program once will ask again: it goes on from there.
      const edge = this.isHere ? NONE : this.find(thread, driver.value)
      if (edge === NONE) {
        this.runProgram(thread, driver.value)
        return
      }
      this.note(thread, driver.value, edge)
      this.show(thread, edge)
      if (this.tailFrom !== NONE) this.keepTail(driver, thread, edge)
      if (tree.kind[tree.from[edge]] === Op.processExit) return
      if (driver.alone === thread && this.tailFrom === NONE && this.doTail(driver, thread)) return
    }
  }

  /** The last thread left does all the rest at once, if that is known; otherwise it is kept. */
  private doTail(driver: Driver, thread: number): boolean {
    const { tails, objects } = this
    if (driver.goAlone === undefined) return false
    const node = this.nodeOf[thread]
    const tail = tails.find(node, objects.state, this.nodeOf)
    if (tail === NONE) {
      if (tails.begin(node)) this.tailFrom = node
      return false
    }
    const name = tails.nameOf(tail)
    if (!driver.goAlone(tails.stepsOf(tail), tails.eventEnd, tails.stepStart(tail), name, this.logTail))
      return false
    this.tail = tail
    this.tailThread = thread
    this.showNode(thread, tails.lastNode(tail))
    return true
  }

  private keepTail(driver: Driver, thread: number, edge: number): void {
    const { tails, tree } = this
    if (driver.alone !== thread || tree.child[edge] !== NONE) {
      this.tailFrom = NONE
      return
    }
    tails.add(edge)
    if (tree.kind[tree.from[edge]] === Op.processExit) tails.end(tree.to[edge], this.tailFrom)
  }

  /** Does the steps of the tail one by one after all. */
  private unfoldTail(): void {
    const { kernel, tails, tailThread: thread } = this
    if (this.tail === NONE) return
    const steps = tails.stepsOf(this.tail)
    this.tail = NONE
    kernel.events.count = this.eventsBefore[this.depth]
    for (let i = 0; i < steps; i++) {
      const edge = this.find(thread, 0)
      this.note(thread, 0, edge)
      this.show(thread, edge)
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
    }
    this.catchUp()
    return kernel.alternatives(thread)
  }

  /** Has the program do what was done from memory, so that it can be asked. */
  catchUp(): void {
    if (this.isHere) return
    this.unfoldTail()
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

  private diverged(expected: string, found: string): DivergenceError {
    this.forget()
    return new DivergenceError(this.ran, expected, found)
  }

  // --- remembering

  private plan(thread: number, alternative: number): void {
    if (this.depth === this.thread.length) this.grow()
    this.thread[this.depth] = thread
    this.alternative[this.depth] = alternative
  }

  private open(): void {
    const { status, kind, location } = this.kernel.pending
    if (this.before.status.length < status.length) {
      const size = status.length
      this.before = {
        status: new Uint8Array(size),
        kind: new Uint8Array(size),
        location: new Int32Array(size),
      }
    }
    this.before.status.set(status)
    this.before.kind.set(kind)
    this.before.location.set(location)
    this.eventsBefore[this.depth] = this.kernel.events.count
    this.isOpen = true
  }

  /** The transition under way has ended: adds it to the tree, if it can be done from memory. */
  private record(isEnd: boolean): void {
    const { tree, kernel, objects } = this
    this.isOpen = false
    const thread = this.thread[this.depth]
    const alternative = this.alternative[this.depth]
    const start = this.eventsBefore[this.depth]
    if (!this.isLost && !this.isWhole(thread, start, isEnd)) this.isLost = true
    if (this.isLost) return
    const known = this.find(thread, alternative)
    const from = this.nodeOf[thread]
    if (known !== NONE) {
      this.compare(known, thread, start)
      this.note(thread, alternative, known)
      return
    }
    if (tree.edges >= MOST_EDGES || kernel.events.count - start > MOST_EVENTS) {
      this.isLost = true
      return
    }
    this.addConditions(thread, start)
    objects.addChanges(tree, thread, start)
    const twin = tree.twin(from, alternative)
    const child = this.childSince(start)
    const to = twin === NONE ? this.nodeHere(thread) : tree.to[twin]
    const edge = tree.edge(from, alternative, to, kernel.events, start)
    if (twin !== NONE) this.compare(edge, thread, start)
    if (child !== NONE) {
      tree.child[edge] = child
      tree.childNode[edge] = twin === NONE ? this.nodeHere(child) : tree.childNode[twin]
    }
    this.note(thread, alternative, edge)
  }

  /** Whether all that the transition did is told by its events. */
  private isWhole(thread: number, start: number, isEnd: boolean): boolean {
    const { kernel, before } = this
    const { events, pending, spins, threads, locations } = kernel
    if (locations.overlapping.length !== this.overlaps || this.hasStopped()) return false
    if (isEnd !== (pending.kind[thread] === Op.processExit && before.kind[thread] === Op.processExit))
      return false
    for (let i = start; i < events.count; i++) {
      if (isRecallable[events.kind[i]] === 0 || events.mode[i] === Mode.commute) return false
    }
    const child = this.childSince(start)
    for (let t = 0; t < threads.count; t++) {
      if (spins.blocked[t] === 1 && pending.status[t] === THREAD_LIVE) return false
      if (t === thread || t === child || t >= before.status.length) continue
      const isSame =
        pending.status[t] === before.status[t] &&
        (pending.status[t] !== THREAD_LIVE ||
          (pending.kind[t] === before.kind[t] && pending.location[t] === before.location[t]))
      if (!isSame) return false
    }
    return true
  }

  /**
   * Whether the pending operation is announced with an extent that a function of the library found by looking at memory,
   * as `strlen` does. It looked at just these bytes, and that is not in the log before the operation is done.
   */
  private isMeasured(thread: number): boolean {
    const { pending, artifact } = this.kernel
    if (pending.status[thread] !== THREAD_LIVE) return false
    if (pending.kind[thread] !== Op.load && pending.kind[thread] !== Op.store) return false
    const site = artifact.sites[pending.site[thread]]
    return site?.kind === 'call' && !extentGiven.has(site.callee ?? '')
  }

  private childSince(start: number): number {
    const { events } = this.kernel
    for (let i = events.count - 1; i >= start; i--) if (events.kind[i] === Op.create) return events.aux[i]
    return NONE
  }

  /** What the transition found: it would have gone another way otherwise. */
  private addConditions(thread: number, start: number): void {
    const { tree, kernel, objects } = this
    const { events, locations, spins } = kernel
    const first = tree.conditions
    const add = (on: number, state: number, isSeen: boolean) => {
      for (let i = first; i < tree.conditions; i++) if (tree.conditionOn[i] === on) return
      tree.addCondition(on, state, isSeen)
    }
    for (let i = start; i < events.count; i++) {
      const kind = events.kind[i]
      if (edgeOf[kind] === EDGE_FROM) add(~events.aux[i], tree.result[this.nodeOf[events.aux[i]]], true)
      const location = events.location[i]
      if (location < 0 || events.mode[i] === Mode.none) continue
      // Whether a loop goes round without changing anything also depends on what its stores replace.
      const isSeen = spins.watching[thread] === 1 || !objects.isBlind(kind, location, thread, start)
      add(location, objects.stateOf(location), isSeen)
      for (const other of locations.overlaps[location] ?? []) add(other, objects.stateOf(other), isSeen)
    }
    if (!this.isMeasured(thread)) return
    const measured = kernel.pending.location[thread]
    add(measured, objects.stateOf(measured), true)
    for (const other of locations.overlaps[measured] ?? []) add(other, objects.stateOf(other), true)
  }

  private nodeHere(thread: number): number {
    const { kernel, tree } = this
    const { pending, states } = kernel
    const condition = states.condition[thread]
    const object = states.object[thread]
    const waits = condition === THREAD_ENDED && object >= 0 && waitsForEnd(kernel, thread, object)
    return tree.node(
      pending.kind[thread],
      pending.location[thread],
      pending.site[thread],
      pending.status[thread],
      waits ? WAITS_FOR_END : condition,
      object,
      states.result[thread],
    )
  }

  /** What the program has just done is what was remembered, or it is not deterministic. */
  private compare(edge: number, thread: number, start: number): void {
    const { tree, kernel } = this
    const { events, pending } = kernel
    const from = tree.firstEvent[edge]
    const count = tree.firstEvent[edge + 1] - from
    const node = tree.to[edge]
    let isSame =
      count === events.count - start &&
      pending.status[thread] === tree.status[node] &&
      pending.kind[thread] === tree.kind[node] &&
      pending.location[thread] === tree.location[node] &&
      pending.site[thread] === tree.site[node]
    for (let i = 0; i < count && isSame; i++) {
      isSame =
        events.kind[start + i] === tree.events.kind[from + i] &&
        events.mode[start + i] === tree.events.mode[from + i] &&
        events.location[start + i] === tree.events.location[from + i] &&
        events.site[start + i] === tree.events.site[from + i] &&
        events.aux[start + i] === tree.events.aux[from + i]
    }
    if (!isSame) {
      const what = `thread ${kernel.threads.names[thread]} to ${operations[tree.kind[tree.from[edge]]].name}`
      throw this.diverged(`${what} as before`, 'something else')
    }
  }

  // --- doing

  /** The known transition of a thread from where it is, as things are. */
  private find(thread: number, alternative: number): number {
    const { tree, nodeOf } = this
    const { state } = this.objects
    for (let edge = tree.firstEdge[nodeOf[thread]]; edge !== NONE; edge = tree.nextEdge[edge]) {
      if (tree.value[edge] !== alternative) continue
      const end = tree.firstCondition[edge + 1]
      let i = tree.firstCondition[edge]
      while (i < end) {
        const on = tree.conditionOn[i]
        if ((on < 0 ? tree.result[nodeOf[~on]] : state[on]) !== tree.conditionState[i]) break
        i++
      }
      if (i === end) return edge
    }
    return NONE
  }

  /** A transition is done, be it by the program: keeps where threads and objects are now. */
  private note(thread: number, alternative: number, edge: number): void {
    const { tree, objects, kernel } = this
    const d = this.depth
    if (d === this.thread.length) this.grow()
    this.thread[d] = thread
    this.alternative[d] = alternative
    this.nodeBefore[d] = this.nodeOf[thread]
    if (!this.isHere) this.eventsBefore[d] = kernel.events.count
    const child = tree.child[edge]
    this.child[d] = child
    this.nodeOf[thread] = tree.to[edge]
    if (child !== NONE) {
      if (child >= this.nodeOf.length) this.nodeOf = grown(this.nodeOf, 2 * child)
      this.nodeOf[child] = tree.childNode[edge]
    }
    const end = tree.firstChange[edge + 1]
    for (let i = tree.firstChange[edge]; i < end; i++) {
      const k = this.changes++
      if (k === this.changed.length) {
        this.changed = grown(this.changed, k * 2)
        this.replaced = grown(this.replaced, k * 2)
      }
      const of = tree.changeOf[i]
      this.changed[k] = of
      this.replaced[k] = objects.state[of]
      objects.state[of] = tree.changeTo[i]
    }
    this.depth = d + 1
    this.changesBefore[d + 1] = this.changes
    this.eventsBefore[d + 1] = kernel.events.count
  }

  /** Shows what a transition done from memory did. */
  private show(thread: number, edge: number): void {
    const { tree, kernel } = this
    kernel.events.append(tree.events, tree.firstEvent[edge], tree.firstEvent[edge + 1])
    this.eventsBefore[this.depth] = kernel.events.count
    this.showPending(thread)
    if (tree.child[edge] !== NONE) this.showPending(tree.child[edge])
  }

  private showPending(thread: number): void {
    this.showNode(thread, this.nodeOf[thread])
  }

  private showNode(thread: number, node: number): void {
    const { tree } = this
    const { pending } = this.kernel
    pending.status[thread] = tree.status[node]
    pending.kind[thread] = tree.kind[node]
    pending.location[thread] = tree.location[node]
    pending.site[thread] = tree.site[node]
  }

  /** Where main begins. */
  private begin(): void {
    const { tree, kernel } = this
    if (tree.nodes === 0) tree.node(Op.start, -1, -1, THREAD_LIVE, ALWAYS, 0, 0)
    kernel.pending.status.fill(THREAD_ABSENT)
    kernel.events.count = 0
    this.nodeOf[0] = 0
    this.showPending(0)
  }

  /** Goes back to where so many transitions were done. */
  private goTo(depth: number): void {
    const { objects, kernel } = this
    const { pending } = kernel
    if (this.tail !== NONE) {
      this.tail = NONE
      this.showPending(this.tailThread)
    }
    for (let k = this.changes - 1; k >= this.changesBefore[depth]; k--)
      objects.state[this.changed[k]] = this.replaced[k]
    this.changes = this.changesBefore[depth]
    for (let d = this.depth - 1; d >= depth; d--) {
      this.nodeOf[this.thread[d]] = this.nodeBefore[d]
      this.showPending(this.thread[d])
      if (this.child[d] !== NONE) pending.status[this.child[d]] = THREAD_ABSENT
    }
    this.depth = depth
    if (depth === 0) return
    kernel.events.count = this.eventsBefore[depth]
    if (this.isHere) this.showAll()
  }

  /** Shows what is pending of all threads: the program may have left something else. */
  private showAll(): void {
    this.kernel.pending.status.fill(THREAD_ABSENT)
    this.showPending(0)
    for (let d = 0; d < this.depth; d++) if (this.child[d] !== NONE) this.showPending(this.child[d])
  }

  /** Objects were found to overlap: what was remembered need not hold. */
  private beginAnew(): void {
    this.clear()
    this.depth = this.changes = this.origin = 0
    this.overlaps = this.kernel.locations.overlapping.length
  }

  /** Gives up where the program has to be run most of the time all the same. */
  private judge(): void {
    if (++this.executions < PERIOD) return
    if (this.policy === 'worthwhile' && 2 * this.runs > this.executions) {
      this.isWorthwhile = false
      this.clear()
    }
    this.executions = this.runs = 0
  }

  private clear(): void {
    this.tree.clear()
    this.tails.clear()
    this.objects.clear()
    this.tail = NONE
  }

  private grow(): void {
    const size = this.thread.length * 2
    this.thread = grown(this.thread, size)
    this.alternative = grown(this.alternative, size)
    this.nodeBefore = grown(this.nodeBefore, size)
    this.eventsBefore = grown(this.eventsBefore, size + 1)
    this.child = grown(this.child, size)
    this.changesBefore = grown(this.changesBefore, size + 1)
  }
}
