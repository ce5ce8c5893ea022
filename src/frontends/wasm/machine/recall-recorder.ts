import type { DivergenceError } from '../../../execution/runner.js'
import { THREAD_LIVE } from '../../../machine/machine.js'
import { EDGE_FROM, edgeOf, kinds, Mode, Op, operations } from '../../../machine/operation.js'
import type { Value } from '../../../memory/graph.js'
import { waitsForEnd } from './enabledness.js'
import type { ProgramKernel } from './program-kernel.js'
import { RecallPlace } from './recall-place.js'
import { locationOf, NONE, ofLocation } from './recall-tree.js'
import { isRecallable } from './recallable.js'
import { ALWAYS, THREAD_ENDED } from './thread-states.js'
import { operationOf } from './weak/object-operations.js'
import { Redo } from './weak/redo.js'

/** A condition of nodes only: the thread joins another whose end it must wait for. */
export const WAITS_FOR_END = 255

/** More transitions, or longer ones, are not remembered. */
const MOST_EDGES = 200_000
const MOST_EVENTS = 64

/** By kind: 1 for plain and atomic accesses to memory. */
const isAccess = kinds(
  ({ access, point }) => access !== undefined && (point === 'access' || point === 'atomic'),
)
isAccess[Op.free] = 0

/** Functions of the library that touch as many bytes as they are told. */
const extentGiven: ReadonlySet<string> = new Set(['memcpy', 'memmove', 'memset'])

/** Adds what the program does to memory, and compares it with what was remembered. */
export abstract class RecallRecorder extends RecallPlace {
  /** A transition is under way that is to be added to the tree. */
  protected isOpen = false
  /** The rest of the execution is not added: something happened that cannot be done from memory. */
  protected isLost = false
  protected overlaps = 0
  /** See `Spins.doubtful`; before the transition under way. */
  private doubtful = 0
  /** What was pending before the transition under way, by thread. */
  protected before = { status: new Uint8Array(16), kind: new Uint8Array(16), location: new Int32Array(16) }

  constructor(
    kernel: ProgramKernel,
    /** Whether a thread has stopped for ever in the execution of the program. */
    private readonly hasStopped: () => boolean,
  ) {
    super(kernel)
  }

  /** The program did not do what it did before: nothing that was remembered can be trusted. */
  protected abstract diverged(expected: string, found: string): DivergenceError

  protected open(): void {
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
    this.doubtful = this.kernel.spins.doubtful
    this.kernel.heap.touched.length = 0
    this.isOpen = true
    if (this.redo !== null) this.log.open(this.nodeOf[this.thread[this.depth]])
  }

  /** The transition under way has ended: adds it to the tree, if it can be done from memory. */
  protected record(isEnd: boolean): void {
    const { tree, kernel, objects, log } = this
    this.isOpen = false
    log.isOpen = false
    const thread = this.thread[this.depth]
    const alternative = this.alternative[this.depth]
    const start = this.eventsBefore[this.depth]
    if (!this.isLost && !this.isWhole(thread, start, isEnd)) this.isLost = true
    if (this.isLost) return
    const branch = this.branchTaken(alternative)
    const known = this.find(thread, branch)
    const from = this.nodeOf[thread]
    if (known !== NONE) {
      this.compare(known, thread, start)
      this.keep(thread, alternative, known)
      return
    }
    if (tree.edges >= MOST_EDGES || kernel.events.count - start > MOST_EVENTS) {
      this.isLost = true
      return
    }
    const written = this.written()
    this.addConditions(thread, start)
    objects.addChanges(tree, thread, start, written)
    const twin = tree.twin(from, branch)
    const child = this.childSince(start)
    const to = twin === NONE ? this.nodeHere(thread) : tree.to[twin]
    const edge = tree.edge(from, branch, to, kernel.events, start)
    if (this.redo !== null) log.close(edge, written)
    if (twin !== NONE) this.compare(edge, thread, start)
    if (child !== NONE) {
      tree.child[edge] = child
      tree.childNode[edge] = twin === NONE ? this.nodeHere(child) : tree.childNode[twin]
    }
    if (this.leavesAble(edge, start)) tree.isPlain[edge] = 1
    this.keep(thread, alternative, edge)
  }

  /** Notes a transition of the program. */
  private keep(thread: number, alternative: number, edge: number): void {
    const { weak, pending } = this.kernel
    this.isNewest = false
    if (weak !== null && this.log.written[edge] !== undefined) {
      const { graph } = weak.memory
      this.isNewest = graph.last(graph.location[this.log.event]) === this.log.event
    }
    this.note(thread, alternative, edge)
    if (weak === null) return
    const node = this.nodeOf[thread]
    const access = this.log.access[node]
    if (access?.isEvent && !this.objects.holds(pending.location[thread], weak.held(access)))
      this.log.isUnknown[node] = true
  }

  /** Which way a transition went, as far as its thread can tell: which alternative, or what it read. */
  private branchTaken(alternative: number): number {
    const { event } = this.log
    if (this.redo === null || event < 0) return alternative
    const { graph } = this.kernel.weak!.memory
    return graph.source[event] < 0 ? 0 : this.log.valueId(graph.value[graph.source[event]])
  }

  /** What the event of the transition under way left; undefined if it wrote nothing. */
  private written(): Value | undefined {
    const { event } = this.log
    if (this.redo === null || event < 0) return undefined
    const { graph } = this.kernel.weak!.memory
    return graph.writes(event) ? graph.value[event] : undefined
  }

  /** Whether exactly those can run after the transition who could before: it accessed memory, and can go on. */
  private leavesAble(edge: number, start: number): boolean {
    const { tree } = this
    const { events, locations } = this.kernel
    for (let i = start; i < events.count; i++) if (isAccess[events.kind[i]] === 0) return false
    for (let i = tree.firstChange[edge]; i < tree.firstChange[edge + 1]; i++) {
      const location = locationOf(tree.changeOf[i])
      if (location >= 0 && locations.kinds[location] !== 'memory') return false
    }
    const to = tree.to[edge]
    return (
      tree.status[to] === THREAD_LIVE && tree.condition[to] === ALWAYS && tree.kind[to] !== Op.processExit
    )
  }

  /** Whether all that the transition did is told by its events. */
  protected isWhole(thread: number, start: number, isEnd: boolean): boolean {
    const { kernel, before } = this
    const { events, pending, spins, threads, locations } = kernel
    if (locations.overlapping.length !== this.overlaps || this.hasStopped()) return false
    // Another time the loop may be one that goes round without changing anything: the values that are there do not tell.
    if (spins.doubtful !== this.doubtful) return false
    if (this.redo !== null && !this.isKnownToMemory(thread, start)) return false
    // Another time a block may begin there.
    if (pending.kind[thread] === Op.free && pending.location[thread] < 0) return false
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

  /** Whether the same can be done to weak memory without the program. */
  private isKnownToMemory(thread: number, start: number): boolean {
    const { log } = this
    const { events, pending, threads } = this.kernel
    if (log.isSpoilt) return false
    const isEvent = this.log.access[this.nodeOf[thread]]?.isEvent ?? false
    if (isEvent !== log.event >= 0) return false
    let live = 0
    for (let t = 0; t < threads.count; t++) if (pending.status[t] === THREAD_LIVE) live++
    for (let i = start; i < events.count; i++) {
      // Of what type a mutex is must be known to its users beforehand.
      if (events.kind[i] === Op.mutexSetup && live > 1) return false
      if (isEvent && i > start && events.location[i] === events.location[start]) return false
    }
    return true
  }

  /**
   * Whether the pending operation is announced with an extent that a function of the library found by looking at memory,
   * as `strlen` does. It looked at just these bytes, and that is not in the log before the operation is done.
   */
  protected isMeasured(thread: number): boolean {
    const { pending, artifact } = this.kernel
    if (pending.status[thread] !== THREAD_LIVE) return false
    if (pending.kind[thread] !== Op.load && pending.kind[thread] !== Op.store) return false
    const site = artifact.sites[pending.site[thread]]
    return site?.kind === 'call' && !extentGiven.has(site.callee ?? '')
  }

  protected childSince(start: number): number {
    const { events } = this.kernel
    for (let i = events.count - 1; i >= start; i--) if (events.kind[i] === Op.create) return events.aux[i]
    return NONE
  }

  /** What the transition found: it would have gone another way otherwise. */
  protected addConditions(thread: number, start: number): void {
    const { tree, kernel, objects } = this
    const { events, locations } = kernel
    const first = tree.conditions
    const add = (on: number, state: number, isSeen: boolean) => {
      for (let i = first; i < tree.conditions; i++) {
        if (tree.conditionOn[i] !== on) continue
        // A store may have replaced only some of the bytes that the transition goes on to look at.
        if (isSeen) tree.isSeen[i] = 1
        return
      }
      tree.addCondition(on, state, isSeen)
    }
    const found = (location: number, isSeen: boolean) => {
      add(ofLocation(location), objects.stateOf(location), isSeen)
      for (const other of locations.overlaps[location] ?? [])
        add(ofLocation(other), objects.stateOf(other), isSeen)
    }
    // Under a weak memory model, what it saw says already which edge it is.
    for (let i = this.log.event >= 0 ? start + 1 : start; i < events.count; i++) {
      const kind = events.kind[i]
      if (edgeOf[kind] === EDGE_FROM) add(~events.aux[i], tree.result[this.nodeOf[events.aux[i]]], true)
      const location = events.location[i]
      if (location < 0 || events.mode[i] === Mode.none) continue
      found(location, !objects.isBlind(kind, location, thread, start))
    }
    if (this.isMeasured(thread)) found(kernel.pending.location[thread], true)
    for (const block of this.blocks(thread, start)) add(block, objects.state[block], true)
  }

  /** Blocks of the heap on which the transition depends: an access is right as far as a block reaches. */
  private *blocks(thread: number, start: number): Iterable<number> {
    const { objects } = this
    const { events, heap, pending } = this.kernel
    for (let i = start; i < events.count; i++) yield* objects.blocksAt(events.location[i])
    // What is about to be freed is announced as a whole.
    if (pending.kind[thread] === Op.free) yield* objects.blocksAt(pending.location[thread])
    for (const address of heap.touched) yield objects.blockAt(address)
  }

  protected nodeHere(thread: number): number {
    const { kernel, tree } = this
    const { pending, states } = kernel
    const condition = states.condition[thread]
    const object = states.object[thread]
    const waits = condition === THREAD_ENDED && object >= 0 && waitsForEnd(kernel, thread, object)
    const node = tree.node(
      pending.kind[thread],
      pending.location[thread],
      pending.site[thread],
      pending.status[thread],
      waits ? WAITS_FOR_END : condition,
      object,
      states.result[thread],
    )
    if (kernel.weak !== null) {
      const isAccess = pending.status[thread] === THREAD_LIVE && Redo.isAnnounced(pending.kind[thread])
      const access = isAccess ? kernel.weak.announced[thread] : null
      this.log.stopped(node, access, operationOf(kernel, thread), states.children[thread])
    }
    return node
  }

  /** What the program has just done is what was remembered, or it is not deterministic. */
  protected compare(edge: number, thread: number, start: number): void {
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
}
