import { grown } from '../../../../machine/growing.js'
import { Op } from '../../../../machine/operation.js'
import type { Value } from '../../../../memory/graph.js'
import { unorderedWith } from '../../../../memory/races.js'
import { AnnouncedAccess } from './announced-access.js'
import { Done, type TransitionLog } from './transition-log.js'
import type { WeakAccesses } from './weak-accesses.js'

/**
 * Does to weak memory what transitions did before, without the program. What a thread reads is what says which transition it is,
 * so all but where its event comes in the graph is known.
 */
export class Redo {
  /** Whether the event that was done last left what is now the newest of its location. */
  isNewest = false
  /** By number of transitions done: how many events there were, and how far the trail had come. */
  private events = new Int32Array(64)
  private marks = new Int32Array(64)

  constructor(
    readonly weak: WeakAccesses,
    private readonly log: TransitionLog,
  ) {}

  /** Everything is as it is before `main`. */
  begin(): void {
    for (const access of this.weak.announced) if (access) access.isEvent = false
    this.weak.reset()
    this.weak.begin(0, -1)
    this.weak.memory.trail.isOn = true
    this.reached(0)
  }

  /** So many transitions were done, and who came to another operation has said what it is. */
  reached(depth: number): void {
    if (depth === this.events.length) {
      this.events = grown(this.events, 2 * depth)
      this.marks = grown(this.marks, 2 * depth)
    }
    const { graph, trail } = this.weak.memory
    this.events[depth] = graph.count
    this.marks[depth] = trail.mark
  }

  /** Everything is as it was when so many transitions were done. */
  goBack(depth: number): void {
    this.weak.memory.goBack(this.events[depth], this.marks[depth])
  }

  /** A thread is at that node again. */
  announceAgain(thread: number, node: number): void {
    const known = this.log.access[node]
    const access = (this.weak.announced[thread] ??= new AnnouncedAccess())
    if (known === null) access.isEvent = false
    else {
      access.take(known)
      if (known.isEvent) access.location = this.weak.cells.overlapping(known.start, known.size)[0].location
    }
  }

  /** A thread has not begun yet. */
  dismiss(thread: number): void {
    const access = this.weak.announced[thread]
    if (access !== undefined) access.isEvent = false
  }

  /** The write that the pending event of a thread sees, or follows, in that way. */
  sourceOf(thread: number, alternative: number): number {
    const { memory, announced } = this.weak
    return memory.sourceOf(thread, announced[thread], alternative)
  }

  /** False where it cannot be done: there is a race, or another thread is about to access what is given up. */
  transition(thread: number, edge: number, source: number): boolean {
    const { log, weak } = this
    const { memory, synchronisation } = weak
    const { kind, a, b, c, d } = log
    const end = log.first[edge + 1]
    for (let i = log.first[edge]; i < end; i++) {
      switch (kind[i]) {
        case Done.event:
          if (!this.event(thread, source, log.written[edge])) return false
          break
        case Done.fence:
          memory.fence(thread, weak.announced[thread].order, weak.announced[thread].site)
          break
        case Done.plain:
          if (log.ranges.isShared[a[i]] === 1 && !this.plainly(thread, a[i])) return false
          break
        case Done.sync:
          synchronisation.recorded(thread, a[i], b[i], c[i], d[i])
      }
    }
    return true
  }

  private event(thread: number, source: number, written: Value | undefined): boolean {
    const { memory, announced, plain } = this.weak
    const access = announced[thread]
    const { graph } = memory
    const { start, size, site } = access
    const writes = written !== undefined
    const range = { start, size, site, isAtomic: true, reads: true, writes }
    const known = memory.known(thread)
    if (plain.access(thread, graph.eventsOf(thread).length, known, range) !== null) return false
    const event = memory.perform(thread, access, source, written ?? 0)
    this.isNewest = writes && graph.last(access.location) === event
    return true
  }

  private plainly(thread: number, id: number): boolean {
    const { memory, plain, cells, announced } = this.weak
    const { graph } = memory
    const range = this.log.ranges.at(id)
    const known = memory.known(thread)
    if (plain.access(thread, graph.eventsOf(thread).length, known, range) !== null) return false
    for (const cell of cells.overlapping(range.start, range.size)) {
      if (unorderedWith(graph, thread, known, cell.location, range.writes) >= 0) return false
      if (!range.writes) continue
      if (announced.some((access) => access?.isEvent && access.location === cell.location)) return false
      cells.remove(cell)
    }
    return true
  }

  /** A thread has come to that node. False where it cannot be told what it is about to access. */
  announce(thread: number, node: number, held: Value | undefined): boolean {
    const { weak, log } = this
    const known = log.access[node]
    const access = (weak.announced[thread] ??= new AnnouncedAccess())
    if (known === null) {
      access.isEvent = false
      return true
    }
    access.take(known)
    if (!known.isEvent) return true
    if (log.isUnknown[node] || held === undefined) return false
    const others = weak.cells.overlapping(known.start, known.size)
    if (others.length === 0) {
      const cell = weak.cells.add(known.start, known.size, weak.placeOf(known.start, known.size))
      weak.memory.graph.addLocation(cell.location, held)
      access.location = cell.location
      return true
    }
    const [cell] = others
    if (others.length > 1 || cell.start !== known.start || cell.size !== known.size) return false
    // Its last value is `held`: an event that is the newest changes both, and what else is written there takes the cell away.
    access.location = cell.location
    return true
  }

  /** What the pending operation of a thread is, of those that ask. */
  static isAnnounced(kind: number): boolean {
    return asks.has(kind)
  }
}

const asks = new Set<number>([Op.load, Op.store, Op.atomicLoad, Op.atomicStore, Op.atomicUpdate, Op.fence])
