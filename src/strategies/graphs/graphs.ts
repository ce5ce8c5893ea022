import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../../execution/strategy.js'
import type { Machine } from '../../machine/machine.js'
import { Op, operations } from '../../machine/operation.js'
import { isEverywhere } from '../../machine/points.js'
import { EventKind } from '../../memory/graph.js'
import { type GraphSource, graphSource, type PendingAccess } from '../../memory/graph-source.js'
import { memoryModelOf } from '../memory-models.js'
import { loadOptimal, optimal } from '../optimal.js'
import { type StrategyContext, StrategyError } from '../registry.js'
import { isAllowed, predecessor, revisits } from './revisits.js'
import { type Graph, initial, isSame, isWaiting, joinViews, type Name, type Step } from './step.js'

/** A step to be done next in a certain way. */
interface Forced extends Name {
  /** The write to see, of reads; to follow, of writes. */
  readonly source: Name | null
  readonly choice: number
  /** When its read was added, if that was before. */
  readonly readAt: number | null
}

/** A graph to come: what is fixed, and how it goes on. */
interface Item extends Graph {
  readonly forced: readonly Forced[]
  readonly clock: number
}

/** Operations that concern nobody else. */
const isAlone = new Set<number>([
  ...[Op.yield, Op.userPoint, Op.output, Op.choose, Op.fence, Op.exit, Op.create, Op.join],
])

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
 * A lock is an update that needs to find the mutex free. Where it would be shown that another thread has taken it, its thread
 * waits, until it is shown the unlock: as a read that blocks in TruSt. What an execution comes to in which that does not
 * happen need not be known, but others may follow from it (a write that does not depend on the unlock).
 */
class Graphs implements Strategy {
  readonly name = 'graphs'
  readonly footprints = false
  readonly script = emptyScript
  private readonly source: GraphSource
  private stack: Item[] = [{ steps: [], writes: {}, forced: [], clock: 0 }]
  private steps: Step[] = []
  private writes: Record<number, readonly Name[]> = {}
  private forced: readonly Forced[] = []
  private plan: readonly Step[] = []
  /** Of threads that wait. */
  private waiting: readonly Step[] = []
  /** The thread whose step is added is the only one that could do anything. */
  private isQuiet = false
  /** The last step wrote what nobody knew before. */
  private isOpen = false
  private clock = 0
  /** By name of a step: the event of the machine's graph. */
  private readonly events = new Map<string, number>()
  private isStarted = false

  constructor(private readonly machine: Machine) {
    const source = graphSource(machine)
    if (source === undefined)
      throw new StrategyError('graphs: these programs have no execution graph; use dfs')
    this.source = source
  }

  begin(): boolean {
    const item = this.stack.pop()
    if (item === undefined) return false
    this.isStarted = true
    this.plan = item.steps.filter((step) => !isWaiting(step))
    this.waiting = item.steps.filter(isWaiting)
    this.isOpen = false
    this.steps = []
    this.writes = { ...item.writes }
    this.forced = item.forced
    this.clock = item.clock
    this.events.clear()
    if (!isEverywhere(this.machine.points)) throw new StrategyError('graphs: needs points everywhere')
    return true
  }

  choose(point: ChoicePoint): number {
    this.noteEvent()
    const d = this.steps.length
    if (d < this.plan.length) return this.follow(point, this.plan[d])
    const [next] = this.forced
    if (next !== undefined) {
      this.forced = this.forced.slice(1)
      return this.takeForced(point, next)
    }
    for (let i = 0; i < point.count; i++) {
      const thread = point.thread[i]
      if (this.source.isSpinning(thread) || this.waiting.some((step) => step.thread === thread)) continue
      return this.add(point, i, thread)
    }
    return -1
  }

  end(): void {
    this.noteEvent()
  }

  /** The graph so far. */
  private get whole(): Graph {
    return { steps: [...this.steps, ...this.waiting], writes: this.writes }
  }

  /** The event that the last step added to the machine's graph, by the name of the step. */
  private noteEvent(): void {
    const step = this.steps.at(-1)
    if (step === undefined || step.access === null) return
    const { graph } = this.source.memory!
    const events = graph.eventsOf(step.thread)
    let at = events.length - 1
    while (graph.kind[events[at]] === EventKind.sync) at--
    this.events.set(keyOf(step), events[at])
    if (!this.isOpen) return
    this.isOpen = false
    const known = { ...step, written: graph.value[events[at]] }
    this.steps[this.steps.length - 1] = known
    const { location } = step.access
    const writes = { ...this.writes, [location]: this.writes[location].filter((name) => !isSame(name, step)) }
    this.revisit(known, { steps: [...this.steps.slice(0, -1), ...this.waiting], writes }, this.clock)
  }

  private eventOf(name: Name, location: number): number {
    if (name.thread < 0) return this.source.memory!.graph.modificationOrder[location][0]
    return this.events.get(keyOf(name))!
  }

  private nameOf(event: number): Name {
    for (const step of this.steps) if (this.events.get(keyOf(step)) === event) return step
    return initial
  }

  /** The option of a thread that sees, or follows, a write; -1 if there is none. */
  private optionFor(point: ChoicePoint, thread: number, wanted: Name, pending: PendingAccess): number {
    const memory = this.source.memory!
    const event = this.eventOf(wanted, pending.access.location)
    for (let i = 0; i < point.count; i++) {
      if (point.thread[i] !== thread) continue
      if (memory.sourceOf(thread, pending.access, point.value[i]) === event) return i
    }
    return -1
  }

  private follow(point: ChoicePoint, step: Step): number {
    const pending = this.source.pendingAccess(step.thread)
    let option = -1
    if (pending === null) option = optionOf(point, step.thread, step.choice)
    else {
      const isWrite = pending.access.kind === EventKind.write
      const wanted = isWrite ? predecessor(step, this.steps, this.writes) : step.source!
      option = this.optionFor(point, step.thread, wanted, pending)
    }
    if (option < 0) throw new Error('graphs: a graph cannot be built again; please report this')
    this.steps.push(step)
    return option
  }

  private takeForced(point: ChoicePoint, { thread, source, choice, readAt }: Forced): number {
    const pending = this.source.pendingAccess(thread)
    if (pending === null) {
      const option = optionOf(point, thread, choice)
      if (option >= 0) this.steps.push(this.makeStep(thread, null, null, choice))
      return option
    }
    const option = this.optionFor(point, thread, source!, pending)
    if (option < 0) return -1
    this.isQuiet = false
    const step = this.makeStep(thread, pending, source, 0, readAt)
    this.waiting = this.waiting.filter((other) => other.thread !== thread)
    // A read that was there before now writes what it did not: that may be seen by others.
    if (readAt !== null && step.written !== null) this.revisit(step)
    this.enter(step, source!)
    return option
  }

  /** A new event of a thread, in the first way; the others are for later. */
  private add(point: ChoicePoint, option: number, thread: number): number {
    const pending = this.source.pendingAccess(thread)
    if (pending === null) {
      this.checkKind(thread)
      for (let i = point.count - 1; i > option; i--) {
        if (point.thread[i] === thread) this.later(thread, null, point.value[i])
      }
      this.steps.push(this.makeStep(thread, null, null, 0))
      return option
    }
    this.isQuiet = this.isAloneActive(point, thread)
    const memory = this.source.memory!
    const { access } = pending
    // Nobody else can take a mutex that is free, and nothing older is.
    const count = pending.waits ? 1 : memory.alternatives(thread, access)
    const sources = Array.from({ length: count }, (_, i) => this.nameOf(memory.sourceOf(thread, access, i)))
    for (const source of sources.slice(1).reverse()) this.later(thread, source, 0)
    this.isOpen = access.kind === EventKind.write && pending.written(0) === undefined
    if (!this.isOpen) this.revisitAll(thread, pending)
    this.enter(this.makeStep(thread, pending, sources[0], 0), sources[0])
    return option
  }

  /** Whether no other thread could do anything now, those left aside that wait for what this one may do. */
  private isAloneActive(point: ChoicePoint, thread: number): boolean {
    for (let i = 0; i < point.count; i++) {
      const other = point.thread[i]
      if (other !== thread && !this.waiting.some((step) => step.thread === other)) return false
    }
    return true
  }

  private later(thread: number, source: Name | null, choice: number): void {
    const index = this.count(thread)
    const forced = [{ thread, index, source, choice, readAt: null }, ...this.forced]
    this.stack.push({ ...this.whole, writes: { ...this.writes }, forced, clock: this.clock })
  }

  /** Shows a new write to earlier reads: an update once for each write that it may see. */
  private revisitAll(thread: number, pending: PendingAccess): void {
    const { kind, location } = pending.access
    if (kind === EventKind.read) return
    if (kind === EventKind.write) {
      this.revisit(this.makeStep(thread, pending, null, 0))
      return
    }
    for (const source of [initial, ...(this.writes[location] ?? [])]) {
      const step = this.makeStep(thread, pending, source, 0)
      if (step.written !== null) this.revisit(step)
    }
  }

  private revisit(added: Step, graph: Graph = this.whole, clock = this.clock + 2): void {
    const { location } = added.access!
    for (const { kept, read, partly } of revisits(graph, added)) {
      const isKept = (name: Name) => kept.some((step) => isSame(step, name))
      const writes: Record<number, readonly Name[]> = {}
      for (const [at, names] of Object.entries(graph.writes)) writes[Number(at)] = names.filter(isKept)
      const own = writes[location] ?? []
      const places = added.source === null ? [...own.keys(), own.length] : [placeAfter(own, added.source)]
      for (const place of places) {
        if (place < 0) continue
        const order = [
          ...own.slice(0, place),
          { thread: added.thread, index: added.index },
          ...own.slice(place),
        ]
        const next = { ...writes, [location]: order }
        const steps = [...kept.filter((step) => !isWaiting(step)), added, ...kept.filter(isWaiting)]
        const seeing: Step = { ...read, source: { thread: added.thread, index: added.index }, written: null }
        if (!this.allows({ steps: [...steps, seeing], writes: next }, added)) continue
        const isShut = read.waits && added.written !== read.access!.expected
        if (isShut) steps.push({ ...seeing, writeAt: -1 })
        const redone = isShut ? partly : [read, ...partly]
        const forced = redone.map(
          (step): Forced => ({
            thread: step.thread,
            index: step.index,
            source: step === read ? { thread: added.thread, index: added.index } : step.source,
            choice: 0,
            readAt: step.readAt,
          }),
        )
        if (isWaiting(read) && this.letGo(graph, kept, read, forced)) return
        this.stack.push({ steps, writes: next, forced, clock })
      }
    }
  }

  /**
   * Where everybody else waits or has ended, nothing can follow from the execution in which a thread goes on waiting for
   * what it is shown now: this one goes on as the one in which it does not. Of several that wait, the first; they come to
   * it again.
   */
  private letGo(graph: Graph, kept: readonly Step[], read: Step, forced: readonly Forced[]): boolean {
    const isOnlyWaiting = graph.steps.every(
      (step) => step === read || kept.includes(step) || (isWaiting(step) && step.readAt > read.readAt),
    )
    if (!this.isQuiet || !isOnlyWaiting || forced.length !== 1) return false
    this.waiting = kept.filter(isWaiting)
    this.forced = forced
    return true
  }

  private allows(graph: Graph, added: Step): boolean {
    const { graph: own, model } = this.source.memory!
    return isAllowed(
      model,
      this.machine.threads.count,
      graph,
      added,
      (at) => own.value[own.modificationOrder[at][0]],
    )
  }

  private makeStep(
    thread: number,
    pending: PendingAccess | null,
    source: Name | null,
    choice: number,
    readAt: number | null = null,
  ): Step {
    const index = this.count(thread)
    const edge = this.source.pendingEdge?.(thread) ?? null
    const own = [...this.viewOf(thread)]
    for (let t = own.length; t <= thread; t++) own[t] = 0
    own[thread] = index + 1
    const joins = pending === null && edge !== null ? edge.joins : -1
    const known = joins < 0 ? own : joinViews(own, this.viewOf(joins))
    const access = pending?.access ?? null
    const reads = access !== null && access.kind !== EventKind.write
    const seen = reads && source !== null ? this.steps.find((step) => isSame(step, source)) : undefined
    const view = seen === undefined ? known : joinViews(known, seen.view)
    const graph = this.source.memory!.graph
    const old = reads && source !== null ? graph.value[this.eventOf(source, access.location)] : 0
    const fails = access !== null && access.expected !== null && access.expected !== old
    const writes = access !== null && access.kind !== EventKind.read && !fails
    const { pending: operations } = this.machine
    return {
      thread,
      index,
      access,
      fence: operations.kind[thread] === Op.fence ? this.source.fenceOrder(thread) : -1,
      source: reads ? source : null,
      written: writes ? (pending!.written(old) ?? 0) : null,
      choice,
      creates: edge?.creates ?? -1,
      joins,
      waits: pending?.waits ?? false,
      readAt: readAt ?? this.clock,
      writeAt: writes ? this.clock + 1 : -1,
      view,
    }
  }

  /** What the next step of a thread comes after. */
  private viewOf(thread: number): readonly number[] {
    const last = this.steps.findLast((step) => step.thread === thread)
    return (last ?? this.steps.find(({ creates }) => creates === thread))?.view ?? []
  }

  /** The step is the next; `after`: the write that it follows in modification order, if it writes. */
  private enter(step: Step, after: Name): void {
    this.clock += 2
    this.steps.push(step)
    if (step.written === null) return
    const { location } = step.access!
    const own = this.writes[location] ?? []
    const place = placeAfter(own, after)
    this.writes[location] = [
      ...own.slice(0, place),
      { thread: step.thread, index: step.index },
      ...own.slice(place),
    ]
  }

  private count(thread: number): number {
    return this.steps.reduce((sum, step) => sum + (step.thread === thread ? 1 : 0), 0)
  }

  private checkKind(thread: number): void {
    const kind = this.machine.pending.kind[thread]
    if (isAlone.has(kind) || this.source.isOwnAffair?.(thread)) return
    throw new StrategyError(
      `graphs: knows nothing of ${operations[kind].name}; for programs with more than memory, fences and choices use dfs`,
    )
  }

  save(): Saved {
    return { stack: this.stack.map((item) => storable(item)), isStarted: this.isStarted }
  }

  load(saved: Saved, { threadHere, locationHere }: StrategyContext): this {
    const name = <T extends Name>(given: T): T => ({
      ...given,
      thread: given.thread < 0 ? given.thread : threadHere(given.thread),
    })
    const view = (given: readonly number[]) => {
      const here: number[] = []
      given.forEach((count, t) => {
        here[threadHere(t)] = count
      })
      return Array.from(here, (count) => count ?? 0)
    }
    const seen = (given: Name | null) => (given === null ? null : name(given))
    const threadOrNobody = (thread: number) => (thread < 0 ? thread : threadHere(thread))
    const step = (given: Step): Step => ({
      ...name(given),
      source: seen(given.source),
      view: view(given.view),
      access: given.access && { ...given.access, location: locationHere(given.access.location) },
      creates: threadOrNobody(given.creates),
      joins: threadOrNobody(given.joins),
    })
    this.stack = (saved.stack as unknown[]).map(restored).map((item) => ({
      ...item,
      steps: item.steps.map(step),
      forced: item.forced.map((next) => ({ ...name(next), source: seen(next.source) })),
      writes: Object.fromEntries(
        Object.entries(item.writes).map(([at, names]) => [locationHere(Number(at)), names.map(name)]),
      ),
    }))
    return this
  }
}

/** Values of 8 bytes are no JSON. */
function storable(item: Item): unknown {
  return JSON.parse(
    JSON.stringify(item, (_, value) => (typeof value === 'bigint' ? { wide: String(value) } : value)),
  )
}

function restored(stored: unknown): Item {
  return JSON.parse(JSON.stringify(stored), (_, value) =>
    typeof value?.wide === 'string' ? BigInt(value.wide) : value,
  )
}

function keyOf({ thread, index }: Name): string {
  return `${thread}.${index}`
}

function optionOf(point: ChoicePoint, thread: number, value: number): number {
  for (let i = 0; i < point.count; i++) if (point.thread[i] === thread && point.value[i] === value) return i
  return -1
}

/** The place right after a write; -1 if it is not there. */
function placeAfter(writes: readonly Name[], write: Name): number {
  if (write.thread < 0) return 0
  const at = writes.findIndex((name) => isSame(name, write))
  return at < 0 ? -1 : at + 1
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
