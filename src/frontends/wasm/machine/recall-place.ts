import { grown } from '../../../machine/growing.js'
import { type Driver, THREAD_ABSENT, THREAD_LIVE } from '../../../machine/machine.js'
import { Op } from '../../../machine/operation.js'
import { ObjectStates } from './object-states.js'
import type { ProgramKernel } from './program-kernel.js'
import { RecallTails } from './recall-tails.js'
import { NONE, ofLocation, RecallTree } from './recall-tree.js'
import { ALWAYS } from './thread-states.js'
import type { Redo } from './weak/redo.js'
import { TransitionLog } from './weak/transition-log.js'

/** Where threads and objects are in an execution that is done from memory, and the way there, to go back on. */
export class RecallPlace {
  /** The program itself is where the execution is. */
  isHere = true
  /** Somebody reads the events of the next execution. */
  areEventsRead = true
  /** Some of this or the last execution were left out. */
  protected hasSkipped = false
  protected tree = new RecallTree()
  protected readonly tailNames = { next: 0 }
  protected tails = new RecallTails(this.tree, this.tailNames)
  /** The tail that this or the last execution ended with, which is not among the transitions done, and whose it was. */
  protected tail = NONE
  protected tailThread = 0
  protected readonly logTail = () => {
    const { tail, tails, kernel } = this
    if (tail !== NONE) kernel.events.append(tails.events, tails.eventStart(tail), tails.eventsEnd(tail))
  }
  /** The node where the tail began that is being kept, or NONE. */
  protected tailFrom = NONE
  protected objects: ObjectStates
  /** Under a weak memory model: what transitions did to memory, and what does it again; whether the last one wrote the newest. */
  protected log = new TransitionLog()
  protected redo: Redo | null = null
  protected isNewest = false
  /** Transitions done, in this or the last execution. */
  protected depth = 0
  /** Per transition done. */
  protected thread = new Int32Array(64)
  protected alternative = new Int32Array(64)
  protected nodeBefore = new Int32Array(64)
  private edge = new Int32Array(64)
  protected eventsBefore = new Int32Array(65)
  protected child = new Int32Array(64)
  protected changesBefore = new Int32Array(65)
  /** What changes have replaced. */
  protected changed = new Int32Array(64)
  protected replaced = new Int32Array(64)
  protected changes = 0
  /** By thread. */
  protected nodeOf = new Int32Array(16)

  constructor(protected readonly kernel: ProgramKernel) {
    this.objects = new ObjectStates(kernel)
  }

  protected plan(thread: number, alternative: number): void {
    if (this.depth === this.thread.length) this.grow()
    this.thread[this.depth] = thread
    this.alternative[this.depth] = alternative
  }

  /** The known transition of a thread from where it is, as things are. */
  protected find(thread: number, alternative: number): number {
    const { nodeOf } = this
    return this.tree.find(nodeOf[thread], alternative, this.objects.state, nodeOf)
  }

  /** A transition is done, be it by the program: keeps where threads and objects are now. */
  protected note(thread: number, alternative: number, edge: number): void {
    const { tree } = this
    const d = this.depth
    if (d === this.thread.length) this.grow()
    this.thread[d] = thread
    this.alternative[d] = alternative
    this.nodeBefore[d] = this.nodeOf[thread]
    this.edge[d] = edge
    const { count } = this.kernel.events
    if (!this.isHere) this.eventsBefore[d] = count
    const child = tree.child[edge]
    this.child[d] = child
    this.nodeOf[thread] = tree.to[edge]
    if (child !== NONE) {
      if (child >= this.nodeOf.length) this.nodeOf = grown(this.nodeOf, 2 * child)
      this.nodeOf[child] = tree.childNode[edge]
    }
    const from = tree.firstChange[edge]
    const end = tree.firstChange[edge + 1]
    if (from < end) {
      // What is put before others in modification order is not what is there.
      const isOlder = this.redo !== null && this.log.written[edge] !== undefined && !this.isNewest
      this.change(from, end, isOlder ? ofLocation(tree.location[this.nodeBefore[d]]) : NONE)
    }
    this.depth = d + 1
    this.changesBefore[d + 1] = this.changes
    this.eventsBefore[d + 1] = count
  }

  private change(from: number, end: number, unchanged: number): void {
    const { changeOf, changeTo } = this.tree
    const { state } = this.objects
    while (this.changes + end - from > this.changed.length) {
      const size = this.changed.length * 2
      this.changed = grown(this.changed, size)
      this.replaced = grown(this.replaced, size)
    }
    for (let i = from; i < end; i++) {
      const of = changeOf[i]
      if (of === unchanged) continue
      const k = this.changes++
      this.changed[k] = of
      this.replaced[k] = state[of]
      state[of] = changeTo[i]
    }
  }

  /** Shows what a transition done from memory did. */
  protected show(thread: number, edge: number): void {
    const { tree, kernel } = this
    const from = tree.firstEvent[edge]
    const end = tree.firstEvent[edge + 1]
    if (this.areEventsRead) kernel.events.append(tree.events, from, end)
    else {
      this.hasSkipped = true
      kernel.events.skip(end - from)
    }
    this.eventsBefore[this.depth] = kernel.events.count
    this.showPending(thread)
    if (tree.child[edge] !== NONE) this.showPending(tree.child[edge])
  }

  /** Writes down the events so far that nobody wanted to read. */
  protected logSkipped(): void {
    if (!this.hasSkipped) return
    this.hasSkipped = false
    const { tree } = this
    const { events } = this.kernel
    events.count = 0
    for (let d = 0; d < this.depth; d++)
      events.append(tree.events, tree.firstEvent[this.edge[d]], tree.firstEvent[this.edge[d] + 1])
  }

  protected showPending(thread: number): void {
    this.showNode(thread, this.nodeOf[thread])
  }

  protected showNode(thread: number, node: number): void {
    const { tree } = this
    const { pending } = this.kernel
    pending.status[thread] = tree.status[node]
    pending.kind[thread] = tree.kind[node]
    pending.location[thread] = tree.location[node]
    pending.site[thread] = tree.site[node]
  }

  /** Where main begins. */
  protected begin(): void {
    const { tree, kernel } = this
    if (tree.nodes === 0)
      this.log.stopped(tree.node(Op.start, -1, -1, THREAD_LIVE, ALWAYS, 0, 0), null, null, 0)
    kernel.pending.status.fill(THREAD_ABSENT)
    kernel.events.count = 0
    this.hasSkipped = false
    this.nodeOf[0] = 0
    this.showPending(0)
  }

  /** Goes back to where so many transitions were done. */
  protected goTo(depth: number): void {
    if (depth === 0) {
      this.goToBeginning()
      return
    }
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
    kernel.events.count = this.eventsBefore[depth]
    if (this.isHere) this.showAll()
  }

  /** The same to where nothing was done; what is pending shows when the execution begins. */
  protected goToBeginning(): void {
    const { state } = this.objects
    for (let k = this.changes - 1; k >= 0; k--) state[this.changed[k]] = this.replaced[k]
    this.tail = NONE
    this.changes = this.depth = 0
  }

  /** Shows what is pending of all threads: the program may have left something else. */
  protected showAll(): void {
    this.kernel.pending.status.fill(THREAD_ABSENT)
    this.showPending(0)
    for (let d = 0; d < this.depth; d++) if (this.child[d] !== NONE) this.showPending(this.child[d])
  }

  /** The last thread left does all the rest at once, if that is known; otherwise it is kept. */
  protected doTail(driver: Driver, thread: number): boolean {
    const { tails, objects } = this
    if (driver.goAlone === undefined || this.redo !== null) return false
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

  protected keepTail(driver: Driver, thread: number, edge: number): void {
    const { tails, tree } = this
    if (driver.alone !== thread || tree.child[edge] !== NONE) {
      this.tailFrom = NONE
      return
    }
    tails.add(edge)
    if (tree.kind[tree.from[edge]] === Op.processExit) tails.end(tree.to[edge], this.tailFrom)
  }

  /** Does the steps of the tail one by one after all. */
  protected unfoldTail(): void {
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

  protected clear(): void {
    this.tree.clear()
    this.tails.clear()
    this.objects.clear()
    this.log.clear()
    this.tail = NONE
  }

  protected grow(): void {
    const size = this.thread.length * 2
    this.thread = grown(this.thread, size)
    this.alternative = grown(this.alternative, size)
    this.nodeBefore = grown(this.nodeBefore, size)
    this.edge = grown(this.edge, size)
    this.eventsBefore = grown(this.eventsBefore, size + 1)
    this.child = grown(this.child, size)
    this.changesBefore = grown(this.changesBefore, size + 1)
  }
}
