import {
  type ChoicePoint,
  emptyScript,
  PASS,
  type Saved,
  type Script,
  type Strategy,
} from '../../execution/strategy.js'
import { type Machine, THREAD_LIVE } from '../../machine/machine.js'
import { Op, operations } from '../../machine/operation.js'
import { isEverywhere } from '../../machine/points.js'
import { EventKind } from '../../memory/graph.js'
import { type GraphSource, graphSource, type PendingAccess } from '../../memory/graph-source.js'
import { leftBy, type ObjectOperation, waysOf } from '../../memory/objects.js'
import { memoryModelOf } from '../memory-models.js'
import { loadOptimal, optimal } from '../optimal.js'
import { type StrategyContext, StrategyError, UnsuitableError } from '../registry.js'
import { AllowedRevisits } from './allowed-revisits.js'
import { GraphSoFar, type Shown, stateLeft } from './graph-so-far.js'
import { KnownBeginning } from './known-beginning.js'
import { NewSteps, unknownOperation } from './new-steps.js'
import { loadItems, saveItems } from './saved-items.js'
import {
  type Forced,
  firstItem,
  type Item,
  initial,
  isIn,
  isObject,
  NOWHERE,
  type Step,
  type Way,
} from './step.js'

const TAKEN = 0
const GIVE_UP = -1

/**
 * Explores each execution graph that the memory model allows once: TruSt (see `revisits.ts`). Events are added one at a
 * time, of the first thread that can go on. A read is tried with every write that it may see, a write at every place in
 * modification order that it may have; and a write is shown to every earlier read that could have seen it, had the write
 * come first. No graph is remembered once it is done.
 *
 * An update is a read and a write in one step. Where its read is to see a write that another update already follows, only
 * the second part of the above applies. A thread that went round a loop for nothing waits there: the execution in which it
 * saw something newer instead is another one. If such threads are all that is left, the execution is given up.
 *
 * What is done to a synchronisation object is an update of its state (`objects.ts`): the order of all that is done to it is
 * part of the graph. Where another operation comes to be before it after which it must wait, its thread waits until it
 * is shown one that lets it go on: as a read that blocks in TruSt. What an execution comes to in which that does not
 * happen need not be known, but others may follow from it (a write that does not depend on the unlock).
 */
class Graphs implements Strategy {
  readonly name = 'graphs'
  readonly footprints = false
  readonly script = emptyScript
  private readonly source: GraphSource
  private stack: Item[] = [firstItem]
  private readonly graph = new GraphSoFar()
  private readonly make: NewSteps
  private readonly allowed: AllowedRevisits
  private plan: Item = firstItem
  /** It was asked for a choice of the execution under way. */
  private isAsked = false
  private readonly beginning = new KnownBeginning()
  /** The last step wrote what nobody knew before. */
  private isOpen = false
  /** Who goes on, and in which way, once that is decided. */
  private thread = -1
  private value = 0

  constructor(private readonly machine: Machine) {
    const source = graphSource(machine)
    if (source === undefined)
      throw new StrategyError('graphs: these programs have no execution graph; use dfs')
    this.source = source
    this.make = new NewSteps(source, this.graph)
    this.allowed = new AllowedRevisits(machine, source, this.graph, this.make)
  }

  begin(): boolean {
    const item = this.stack.pop()
    if (item === undefined) return false
    if (!isEverywhere(this.machine.points)) throw new StrategyError('graphs: needs points everywhere')
    this.plan = item
    this.isOpen = false
    this.isAsked = false
    this.graph.begin(item)
    return true
  }

  get expected(): Script {
    return this.beginning.of(this.plan)
  }

  nominate(point: ChoicePoint): number {
    const answer = this.decide(point)
    if (answer === TAKEN) point.add(this.thread, this.value)
    return answer
  }

  choose(point: ChoicePoint): number {
    const answer = this.decide(point)
    if (answer === GIVE_UP) return GIVE_UP
    for (let i = 0; i < point.count; i++) {
      const thread = point.thread[i]
      if (answer === TAKEN) {
        if (thread === this.thread && point.value[i] === this.value) return i
        continue
      }
      // Only those are left who wait, or who end the program.
      if (this.source.isSpinning(thread) || this.graph.isWaiting(thread)) continue
      this.add(thread)
      return i
    }
    return GIVE_UP
  }

  /** Whose turn it is, and in which way. */
  private decide({ depth }: ChoicePoint): number {
    if (!this.isAsked && depth > 0) this.graph.resume(this.plan, depth)
    this.isAsked = true
    this.noteLast()
    const { steps, forced } = this.graph
    if (steps.length < this.plan.length) return this.follow(this.plan.steps[steps.length])
    if (forced.length > 0) {
      this.graph.forced = forced.slice(1)
      return this.takeForced(forced[0])
    }
    const { threads } = this.machine
    for (let thread = 0; thread < threads.count; thread++) {
      if (this.isActive(thread)) return this.take(thread, this.add(thread))
    }
    for (let thread = 0; thread < threads.count; thread++) this.addBlocked(thread)
    // Of graphs that differ in what a thread saw that waits to the end, the one in which it saw the last counts.
    const isStale = this.graph.waiting.some(({ source, place }) => source !== this.graph.lastAt(place))
    return isStale ? GIVE_UP : PASS
  }

  end(): void {
    this.noteLast()
  }

  /** Whether a thread can go on, and need not wait for what the execution under way is not about. */
  private isActive(thread: number): boolean {
    const { pending } = this.machine
    if (pending.status[thread] !== THREAD_LIVE || pending.kind[thread] === Op.processExit) return false
    if (this.source.isSpinning(thread) || this.graph.isWaiting(thread)) return false
    return this.machine.alternatives(thread) > 0
  }

  /** Where the last step is in the machine's graph; what it did to an object must be what it was taken to do. */
  private noteLast(): void {
    const { graph, source } = this
    const step = graph.steps.at(-1)
    if (step === undefined || step.end > 0) return
    const memory = source.memory!
    const events = memory.graph.eventsOf(step.thread)
    graph.noteEnd(step, events.length)
    if (step.op !== null) this.checkState(step.op, step.written)
    if (step.access === null) return
    let at = events.length - 1
    while (memory.graph.kind[events[at]] === EventKind.sync) at--
    graph.noteEvent(step, events[at])
    if (!this.isOpen) return
    this.isOpen = false
    step.written = memory.graph.value[events[at]]
    graph.without(step, () => this.show(step, false, graph.clock))
  }

  private checkState(op: ObjectOperation, expected: unknown): void {
    if (this.machine.bug !== null || this.source.stateOf(op) === expected) return
    throw new UnsuitableError(
      `graphs: cannot tell what ${operations[op.kind].name} of this program does; use dfs`,
    )
  }

  private follow(step: Step): number {
    const { graph, plan } = this
    const { thread, op } = step
    const at = graph.steps.length
    // mutant: known ways
    const isKnown = at < plan.known && !this.source.isSpinning(thread)
    const value = isKnown ? this.again(step, plan.ways[at]) : this.anew(step)
    if (value < 0) throw new Error('graphs: a graph cannot be built again; please report this')
    if (op !== null) {
      if (step.source === initial) graph.noteFirst(step.place, this.source.stateOf(op))
      // Read back from another process, where threads may have had other numbers.
      if (step.run === 0) step.written = leftBy(op, graph.stateAfter(step.source!, step.place), step.way)
    }
    step.end = 0
    graph.push(step)
    return this.take(thread, value)
  }

  /** All before it is as it was when it was done like that: nobody need look which alternatives there are. */
  private again({ thread, access }: Step, { value, source }: Way): number {
    if (access !== null) this.source.memory!.foretell(thread, value, source)
    return this.way(value, source)
  }

  /** The alternative that does a step, or -1. */
  private anew(step: Step): number {
    const { machine, graph } = this
    const { thread, access, way } = step
    if (machine.alternatives(thread) <= way) return -1
    if (access === null) return this.way(way, -1)
    const wanted = access.kind === EventKind.write ? graph.predecessor(step) : step.source!
    const event = this.make.eventOf(wanted, access.location)
    return this.way(this.source.memory!.alternativeFor(thread, access, event), event)
  }

  private way(value: number, source: number): number {
    this.graph.noteWay(value, source)
    return value
  }

  private takeForced(forced: Forced): number {
    const { thread, source, readAt } = forced
    const { graph, machine } = this
    // An access that nothing holds up can go on: in how many ways is not asked, which takes time to tell.
    let pending = this.source.isSpinning(thread) ? null : this.source.pendingAccess(thread)
    const ways = pending === null ? machine.alternatives(thread) : 1
    if (ways === 0) return GIVE_UP
    pending ??= this.source.pendingAccess(thread)
    if (pending !== null) {
      const event = this.make.eventOf(source!, pending.access.location)
      const value = this.source.memory!.alternativeFor(thread, pending.access, event)
      if (value < 0) return GIVE_UP
      this.source.memory!.foretell(thread, value, event)
      const step = this.make.access(thread, pending, source, readAt)
      // A read that was there before now writes what it did not: that may be seen by others.
      if (readAt !== null && step.written !== null) this.show(step)
      graph.enter(step, source!)
      return this.take(thread, this.way(value, event))
    }
    const op = this.source.pendingObject(thread)
    if (op === null) {
      if (forced.way >= ways) return GIVE_UP
      graph.enter(this.make.other(thread, forced.way), initial)
      return this.take(thread, this.way(forced.way, -1))
    }
    const place = graph.placeOf(op.object)
    if (graph.lastAt(place) !== source)
      throw new Error('graphs: an object is in another state; please report this')
    if (source === initial) graph.noteFirst(place, this.source.stateOf(op))
    const way = Math.max(0, forced.way)
    if (forced.way < 0)
      for (let w = ways - 1; w > 0; w--) this.stack.push(graph.itemWith({ ...forced, way: w }))
    const step = this.make.operation(op, place, source!, way, readAt)
    graph.waiting = graph.waiting.filter((other) => other.thread !== thread)
    if (readAt !== null) this.show(step)
    graph.enter(step, source!)
    return this.take(thread, this.way(way, -1))
  }

  private take(thread: number, value: number): number {
    this.thread = thread
    this.value = value
    return TAKEN
  }

  /** A new step of a thread, in the first way, which is returned; the others are for later. */
  private add(thread: number): number {
    const pending = this.source.pendingAccess(thread)
    if (pending !== null) return this.addAccess(thread, pending)
    const op = this.source.pendingObject(thread)
    if (op !== null) return this.addOperation(thread, op)
    this.make.checkAlone(thread, this.machine.pending.kind[thread])
    for (let way = this.machine.alternatives(thread) - 1; way > 0; way--) this.later(thread, null, way)
    this.graph.enter(this.make.other(thread, 0), initial)
    return this.way(0, -1)
  }

  private addAccess(thread: number, pending: PendingAccess): number {
    const { graph } = this
    const memory = this.source.memory!
    const { access } = pending
    const count = memory.alternatives(thread, access)
    const event = memory.sourceOf(thread, access, 0)
    const newest = this.make.stepOf(event)
    for (let i = count - 1; i > 0; i--)
      this.later(thread, this.make.stepOf(memory.sourceOf(thread, access, i)), 0)
    this.isOpen = access.kind === EventKind.write && pending.written(0) === undefined
    if (access.kind === EventKind.write) {
      const step = this.make.access(thread, pending, newest, null)
      if (!this.isOpen) this.show(step)
      graph.enter(step, newest)
      return this.way(0, event)
    }
    if (access.kind === EventKind.update) {
      for (const source of [initial, ...(graph.writes.get(access.location) ?? [])]) {
        const step = this.make.access(thread, pending, source, null)
        if (step.written !== null) this.show(step)
      }
    }
    graph.enter(this.make.access(thread, pending, newest, null), newest)
    return this.way(0, event)
  }

  private addOperation(thread: number, op: ObjectOperation): number {
    const { graph, machine } = this
    const place = graph.placeOf(op.object)
    const all = graph.writes.get(place) ?? []
    const state = this.source.stateOf(op)
    if (all.length === 0) graph.noteFirst(place, state)
    const last = all.at(-1) ?? initial
    const ways = waysOf(op, state)
    if (graph.stateAfter(last, place) !== state || ways !== machine.alternatives(thread))
      throw unknownOperation(op.kind)
    for (let way = ways - 1; way > 0; way--) this.later(thread, last, way)
    this.showEarlier(op, place)
    for (let way = ways - 1; way > 0; way--) this.show(this.make.operation(op, place, last, way, null))
    const step = this.make.operation(op, place, last, 0, null)
    this.show(step, ways === 1)
    graph.enter(step, last)
    return this.way(0, -1)
  }

  /** Shows what an operation on an object would have done, had it come before others that it knows nothing of. */
  private showEarlier(op: ObjectOperation, place: number): void {
    const { graph } = this
    const view = graph.viewOfNext(op.thread, -1)
    const setup = graph.setupOf(op.object)
    if (setup !== undefined && !isIn(view, setup)) throw unknownOperation(Op.mutexSetup)
    const all = graph.writes.get(place) ?? []
    let from = all.length
    while (from > 0 && !isIn(view, all[from - 1])) from--
    for (let i = from; i < all.length; i++) {
      const source = i === 0 ? initial : all[i - 1]
      const count = waysOf(op, graph.stateAfter(source, place))
      if (count > 0 && all[i].place !== place) throw unknownOperation(op.kind)
      for (let way = 0; way < count; way++) this.show(this.make.operation(op, place, source, way, null))
    }
  }

  /** Where nobody else can go on: a thread that waits for an object, which might have come to it before others. */
  private addBlocked(thread: number): void {
    const { graph, machine } = this
    if (machine.pending.status[thread] !== THREAD_LIVE || graph.isWaiting(thread)) return
    const op = this.source.pendingObject(thread)
    if (op === null || machine.alternatives(thread) > 0) return
    const place = graph.placeOf(op.object)
    this.showEarlier(op, place)
    graph.waiting = [...graph.waiting, this.make.waiting(op, place)]
    graph.clock += 2
  }

  private later(thread: number, source: Step | null, way: number): void {
    this.stack.push(this.graph.itemWith({ thread, source, way, readAt: null }))
  }

  /** Shows a new write to earlier reads. `isNext`: it is the next step of the graph so far, and has no other way to go. */
  private show(added: Step, isNext = false, clock = this.graph.clock + 2): void {
    this.showAt(added, added.place, isNext, clock)
    if (added.gives !== NOWHERE) this.showAt(added, added.gives, isNext, clock)
  }

  private showAt(added: Step, place: number, isNext: boolean, clock: number): void {
    const { graph } = this
    for (const shown of graph.shownTo(added, place)) {
      const { read } = shown
      if (!isObject(place)) {
        if (this.allowed.allows(added, shown)) this.stack.push(graph.itemShowing(added, shown, false, clock))
        continue
      }
      const isShut = waysOf(read.op!, stateLeft(added, place)) === 0
      const item = graph.itemShowing(added, shown, isShut, clock)
      if (isNext && read.written === null && this.letGo(added.thread, shown, item)) return
      this.stack.push(item)
    }
  }

  /**
   * Where everybody else waits or has ended, nothing can follow from the execution in which a thread goes on waiting for
   * what it is shown now: this one goes on as the one in which it does not. Of several that wait, the first; they come to
   * it again.
   */
  private letGo(thread: number, { read, isKept }: Shown, { waiting, forced }: Item): boolean {
    const { graph, machine } = this
    if (forced.length !== 1 || forced[0].thread !== read.thread || !graph.steps.every(isKept)) return false
    if (graph.waiting.some((step) => step !== read && !isKept(step) && step.readAt < read.readAt))
      return false
    for (let other = 0; other < machine.threads.count; other++) {
      if (other !== thread && this.isActive(other)) return false
    }
    graph.waiting = waiting
    graph.forced = forced
    return true
  }

  save(): Saved {
    return { stack: saveItems(this.stack) }
  }

  load(saved: Saved, context: StrategyContext): this {
    this.stack = loadItems(saved.stack as unknown[], this.source, context)
    return this
  }
}

/** Under sequential consistency a graph is a class of executions, which `optimal` explores once each. */
export function graphs(context: StrategyContext): Strategy {
  return memoryModelOf(context.machine) === 'sc' ? named(optimal(context)) : new Graphs(context.machine)
}

export function loadGraphs(context: StrategyContext, saved: Saved): Strategy {
  return memoryModelOf(context.machine) === 'sc'
    ? named(loadOptimal(context, saved))
    : new Graphs(context.machine).load(saved, context)
}

function named<T extends Strategy>(strategy: T): T {
  return Object.defineProperty(strategy, 'name', { value: 'graphs' })
}
