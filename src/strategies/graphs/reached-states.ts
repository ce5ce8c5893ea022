import type { Trace } from '../../execution/trace.js'
import type { Machine } from '../../machine/machine.js'
import { kinds, Mode, Op } from '../../machine/operation.js'
import type { GraphSource } from '../../memory/graph-source.js'

/** Accesses to memory, whose alternatives are in the graph: which write is seen, or followed. */
const isAccess = kinds(({ access, point }) => access !== undefined && point !== 'none')
isAccess[Op.free] = 0
/** They say how a thread came to go on, or why it stopped; what it does is told by others. */
const isAside = new Set<number>([Op.resume, Op.probe])

/** States beyond these are not kept: an execution that comes to one of them again goes on. */
const MOST_STATES = 4_000_000

/**
 * The states that executions have come to under a weak memory model, each by all that led to it up to the order of what is
 * independent: of each thread what it did and saw, of each location the order of its writes, of each synchronisation
 * object the order of what was done to it. What a thread does next depends on what it has done and seen; what it may see
 * on the graph, which this is; what it finds of an object on what was done to it, in which order. So two executions with
 * the same of all this have come to the same state: the assumption is that of reductions, that the log and the graph tell
 * all that threads do to each other. Both have taken as many steps.
 *
 * Histories are numbered (each by that of the history without its last part), so equal numbers are equal histories, and
 * nothing rests on hashes.
 */
export class ReachedStates {
  private readonly numbers = new Map<string, number>()
  private readonly states = new Set<string>()
  /** Of the execution under way: steps looked at, and by thread the histories of what it logged and of its events. */
  private steps = 0
  private readonly logged: number[] = []
  private readonly seen: number[] = []
  private readonly events: number[] = []
  /** By object: the history of what was done to it. */
  private readonly objects = new Map<number, number>()

  constructor(
    private readonly machine: Machine,
    private readonly source: GraphSource,
  ) {}

  get count(): number {
    return this.states.size
  }

  /** An execution begins. */
  begin(): void {
    this.steps = 0
    this.logged.length = 0
    this.seen.length = 0
    this.events.length = 0
    this.objects.clear()
  }

  /** Whether the execution under way has come to a state for the first time. */
  isNew(trace: Trace): boolean {
    const key = this.keyOf(trace)
    if (this.states.has(key)) return false
    if (this.states.size < MOST_STATES) this.states.add(key)
    return true
  }

  private number(history: number, part: string): number {
    const key = `${history} ${part}`
    const known = this.numbers.get(key)
    if (known !== undefined) return known
    const number = this.numbers.size + 1
    this.numbers.set(key, number)
    return number
  }

  private keyOf(trace: Trace): string {
    for (; this.steps < trace.length; this.steps++) this.addStep(trace, this.steps)
    const { machine, source } = this
    const memory = source.memory!
    const { graph } = memory
    let key = ''
    for (let t = 0; t < machine.threads.count; t++) {
      this.addEvents(t)
      key += `${this.logged[t] ?? 0},${this.seen[t] ?? 0}${source.isSpinning(t) ? 's' : ''};`
      const floors = [...memory.floorsOf(t)].map(([location, write]) => `${location}:${this.nameOf(write)}`)
      if (floors.length > 0) key += `${floors.sort().join()};`
    }
    for (const location in graph.modificationOrder) {
      const order = graph.modificationOrder[location]
      if (order.length === 1) continue
      let history = 0
      for (let i = 1; i < order.length; i++) history = this.number(history, this.nameOf(order[i]))
      // mutant: order of writes
      key += `${location}=${history};`
    }
    return key
  }

  private addStep(trace: Trace, d: number): void {
    const { logged, objects, machine } = this
    const t = trace.thread[d]
    const { events } = trace
    const start = d === 0 ? 0 : trace.eventEnd[d - 1]
    const end = trace.eventEnd[d]
    let first = start
    while (first < end && isAside.has(events.kind[first])) first++
    const isChoiceOfWrite = first < end && isAccess[events.kind[first]] === 1
    let history = this.number(logged[t] ?? 0, isChoiceOfWrite ? 'access' : `way ${trace.value[d]}`)
    for (let i = first; i < end; i++) {
      const kind = events.kind[i]
      if (isAside.has(kind)) continue
      const location = events.location[i]
      const mode = events.mode[i]
      const isObject = mode !== Mode.none && machine.locations.kinds[location] !== 'memory'
      const before = isObject ? (objects.get(location) ?? 0) : 0
      history = this.number(history, `${kind} ${mode} ${location} ${before}`)
      if (isObject) objects.set(location, history)
    }
    logged[t] = history
  }

  private addEvents(t: number): void {
    const { graph } = this.source.memory!
    const all = graph.eventsOf(t)
    let history = this.seen[t] ?? 0
    for (let i = this.events[t] ?? 0; i < all.length; i++) {
      const e = all[i]
      // mutant: what is seen
      const seen = graph.source[e] < 0 ? '' : this.nameOf(graph.source[e])
      history = this.number(history, `e ${graph.kind[e]} ${graph.location[e]} ${graph.order[e]} ${seen}`)
    }
    this.seen[t] = history
    this.events[t] = all.length
  }

  /** An event by its thread and its place there. */
  private nameOf(event: number): string {
    const { graph } = this.source.memory!
    return graph.thread[event] < 0 ? 'initial' : `${graph.thread[event]}.${graph.rank[event]}`
  }
}
