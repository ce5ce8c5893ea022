import { Order } from '../../../../machine/events.js'
import { THREAD_LIVE } from '../../../../machine/machine.js'
import { Mode, Op } from '../../../../machine/operation.js'
import type { MemoryModel } from '../../../../machine/platform.js'
import type { Access } from '../../../../memory/access.js'
import { EventKind, type Value } from '../../../../memory/graph.js'
import type { PendingAccess } from '../../../../memory/graph-source.js'
import { unorderedWith } from '../../../../memory/races.js'
import { WeakMemory } from '../../../../memory/weak-memory.js'
import { atomicVerbs, LogWord, Operands } from '../../artifact.js'
import { describeAddress } from '../describe.js'
import type { Kernel, WeakPart } from '../kernel.js'
import { AnnouncedAccess } from './announced-access.js'
import { type Cell, Cells, fitted, readCell, writeCell } from './cells.js'
import { PlainHistory } from './plain-history.js'
import type { Range } from './plain-ranges.js'
import { reportRace, unsupported } from './race-report.js'
import { Synchronisation } from './synchronisation.js'
import { plainAccess, TransactionAccesses } from './transaction-accesses.js'
import type { TransitionLog } from './transition-log.js'
import { nameOfAlternative } from './write-names.js'

const eventKinds = new Map<number, number>([
  [Op.load, EventKind.read],
  [Op.store, EventKind.write],
  [Op.atomicLoad, EventKind.read],
  [Op.atomicStore, EventKind.write],
  [Op.atomicUpdate, EventKind.update],
])

/** Of a larger block, so many bytes are looked at for where it was allocated. */
const MOST_ALLOCATED = 1 << 14

/**
 * What a C program's accesses are under a memory model other than sequential consistency. All of them ask before they are
 * made, and are made right after: so before a load the value that it is to see is put into memory, and what a store has
 * left there is looked at when its thread asks next. In between, memory holds the last value of each cell in modification
 * order, which is what libraries and the host see.
 *
 * Under TSO and PSO every access of up to 8 bytes is an event of the graph. Under C11 only atomics are: plain accesses of a
 * program without data races have no choice, and a race is a bug. `PlainHistory` tells. Accesses of many bytes, and those
 * that the host makes, are never events: under TSO and PSO they are refused unless happens-before orders them with others.
 *
 * Memory that is written otherwise than by events begins a new life as a location, with what it holds then: nobody can see
 * anything older, since whoever is not ordered after that write has a race with it.
 */
export class WeakAccesses implements WeakPart {
  readonly memory: WeakMemory
  /** By thread. */
  readonly announced: AnnouncedAccess[] = []
  readonly cells: Cells
  readonly plain: PlainHistory
  /** What is told of what is done, so that it can be done from memory. */
  log: TransitionLog | null = null
  private readonly transaction = new TransactionAccesses()
  readonly synchronisation: Synchronisation
  /** The write that the running thread is doing: its value is known once it is done. */
  private outstanding = -1
  /** The cell that is being accessed: what memory holds there may not be the last value. */
  private inUse: Cell | null = null
  private readonly isC11: boolean

  constructor(
    private readonly kernel: Kernel,
    readonly model: MemoryModel,
  ) {
    this.memory = new WeakMemory(model)
    this.cells = new Cells(this.memory.trail)
    this.plain = new PlainHistory(this.memory.trail)
    this.isC11 = model === 'c11'
    this.synchronisation = new Synchronisation(kernel, this.memory)
  }

  reset(): void {
    this.memory.reset()
    this.cells.reset()
    this.plain.reset()
    this.transaction.cells.clear()
    this.outstanding = -1
    this.inUse = null
  }

  begin(thread: number, parent: number): void {
    this.memory.begin(thread, parent)
  }

  announce(word: number, address: number, size: number): void {
    const { kernel } = this
    const thread = kernel.running
    const access = (this.announced[thread] ??= new AnnouncedAccess())
    const operation = kernel.log.kindOf(word)
    access.operation = operation
    access.kind = eventKinds.get(operation) ?? 0
    access.isAtomic = operation !== Op.load && operation !== Op.store
    access.order = access.isAtomic ? (word >>> LogWord.orderShift) & LogWord.orderMask : Order.relaxed
    access.failure = access.order
    access.expected = null
    access.site = word & LogWord.siteMask
    access.start = address
    access.size = size
    access.verb = ''
    access.isEvent = false
    if (operation === Op.fence) return
    if (access.isAtomic) this.takeOperands(access, word)
    access.isEvent = isScalar(address, size) && (access.isAtomic || !this.isC11)
    if (access.isEvent) access.location = this.cellFor(access).location
  }

  private takeOperands(access: AnnouncedAccess, word: number): void {
    const { memory, artifact } = this.kernel
    const { size } = access
    if ((word & LogWord.range) !== 0 || access.start % size !== 0) {
      const kind = (word & LogWord.range) === 0 ? ' that is not aligned' : ''
      throw unsupported(
        this.memory,
        `an atomic of ${size} bytes${kind}`,
        'aligned atomics of 1, 2, 4 and 8 bytes are',
      )
    }
    const { spill } = artifact.layout
    const told = memory.words[(spill + Operands.verb) >>> 2]
    access.verb = atomicVerbs[told & ((1 << Operands.failureShift) - 1)]
    const operandAt = (at: number): Value =>
      size === 8 ? readCell(memory, spill + at, 8) : fitted(memory.words[(spill + at) >>> 2], size)
    if (access.kind !== EventKind.read) access.operand = operandAt(Operands.value)
    if (access.verb.startsWith('compare_exchange')) {
      access.expected = operandAt(Operands.expected)
      access.failure = (told >>> Operands.failureShift) & LogWord.orderMask
    }
  }

  /** The cell of just these bytes. */
  private cellFor({ start, size }: { readonly start: number; readonly size: number }): Cell {
    const { memory, cells } = this
    const others = cells.overlapping(start, size)
    if (others.length === 1 && others[0].start === start && others[0].size === size) {
      const [cell] = others
      // Changed by nobody that we know of: the stack frame of another function.
      if (memory.graph.value[memory.graph.last(cell.location)] === this.held(cell)) return cell
      cells.remove(cell)
    } else for (const other of others) this.giveUp(other, start, size)
    const cell = cells.add(start, size, this.placeOf(start, size))
    this.log?.ranges.cell(start, size)
    memory.graph.addLocation(cell.location, this.held(cell))
    return cell
  }

  placeOf(start: number, size: number): number {
    return this.kernel.addresses.locate(start, size)
  }

  /** What memory holds there. */
  held({ start, size }: { readonly start: number; readonly size: number }): Value {
    return readCell(this.kernel.memory, start, size)
  }

  /** A cell is accessed by other bytes than before: that is only understood where everybody must see its last value. */
  private giveUp(cell: Cell, start: number, size: number): void {
    const { kernel } = this
    const isSettled = kernel.set.created.every(
      (thread) =>
        kernel.pending.status[thread] !== THREAD_LIVE || this.memory.alternatives(thread, readOf(cell)) === 1,
    )
    if (!isSettled) {
      const what = `accesses of ${cell.size} and of ${size} bytes to ${describeAddress(kernel, start)}`
      throw unsupported(this.memory, what, 'shared memory that is always accessed in the same pieces is')
    }
    this.cells.remove(cell)
  }

  isMute(thread: number): boolean {
    return this.isC11 && !this.announced[thread].isAtomic
  }

  hasChoice(thread: number): boolean {
    return this.announced[thread].isEvent
  }

  alternatives(thread: number): number {
    return this.memory.alternatives(thread, this.current(thread))
  }

  /** The access that a thread announced; its cell may have begun another life since. */
  private current(thread: number): AnnouncedAccess {
    const access = this.announced[thread]
    if (access.isEvent && this.cells.at(access.location) === undefined)
      access.location = this.cellFor(access).location
    return access
  }

  /** See `GraphSource`. */
  pendingAccess(thread: number): PendingAccess {
    const access = this.current(thread).copy()
    return { access, written: (old) => access.leaves(old) }
  }

  perform(value: number): void {
    const { kernel, memory } = this
    const thread = kernel.running
    const access = this.current(thread)
    if (access.operation === Op.fence) {
      this.log?.fenced()
      memory.fence(thread, access.order, access.site)
    } else if (access.isEvent) this.performEvent(thread, access, memory.sourceOf(thread, access, value))
    else {
      const { start, size, site } = access
      const writes = access.kind === EventKind.write
      this.accessPlainly(thread, { start, size, site, isAtomic: false, reads: !writes, writes })
    }
    kernel.log.lookBefore(access.operation, kernel.pending.location[thread])
  }

  private performEvent(thread: number, access: AnnouncedAccess, source: number): void {
    const { memory, kernel } = this
    const { graph } = memory
    const cell = this.cells.at(access.location)!
    const old = graph.value[source]
    const fails = access.expected !== null && access.expected !== old
    const writes = access.kind !== EventKind.read && !fails
    this.checkPlain(thread, {
      start: cell.start,
      size: cell.size,
      site: access.site,
      isAtomic: true,
      reads: true,
      writes,
    })
    const event = memory.perform(thread, access, source, access.leaves(old) ?? 0)
    this.log?.did(event)
    if (access.kind !== EventKind.write) writeCell(kernel.memory, cell.start, cell.size, old)
    this.inUse = cell
    if (writes) this.outstanding = event
  }

  /** An access that is no event: it races, or sees what there is. */
  private accessPlainly(thread: number, access: Range, verb?: string): void {
    const { memory } = this
    const { graph } = memory
    this.log?.accessed(thread, access)
    this.checkPlain(thread, access, verb)
    for (const cell of this.cells.overlapping(access.start, access.size)) {
      const other = unorderedWith(graph, thread, memory.known(thread), cell.location, access.writes)
      if (other >= 0) {
        const race = {
          thread: graph.thread[other],
          site: graph.site[other],
          wrote: graph.writes(other),
          rank: graph.rank[other],
        }
        reportRace(this.kernel, memory, access, race, verb)
      }
      if (access.writes) this.cells.remove(cell)
    }
  }

  finish(): void {
    const { kernel, memory, inUse } = this
    if (inUse === null) return
    const { graph } = memory
    if (this.outstanding >= 0) graph.value[this.outstanding] = this.held(inUse)
    const last = graph.last(inUse.location)
    if (last !== this.outstanding) writeCell(kernel.memory, inUse.start, inUse.size, graph.value[last])
    this.outstanding = -1
    this.inUse = null
  }

  touch(word: number, address: number, size: number): void {
    const { kernel, transaction, cells } = this
    const kind = eventKinds.get(kernel.log.kindOf(word))
    // Every thread has its own errno, at one address.
    if (kind === undefined || (address === kernel.artifact.layout.errno && address !== 0)) return
    if (!isScalar(address, size))
      throw unsupported(
        this.memory,
        'an access of many bytes in a transaction',
        'accesses of up to 8 bytes are',
      )
    const known = cells.overlapping(address, size).find((cell) => transaction.cells.has(cell))
    if (known !== undefined && (known.start !== address || known.size !== size))
      throw unsupported(
        this.memory,
        `accesses of ${known.size} and of ${size} bytes to ${describeAddress(kernel, address)} in a transaction`,
        'memory that is always accessed in the same pieces is',
      )
    transaction.note(known ?? this.cellFor({ start: address, size }), kind, word & LogWord.siteMask)
  }

  closeTransaction(outcome: 'commits' | 'aborts' | 'fails'): void {
    const { kernel, memory, transaction } = this
    const thread = kernel.running
    const reads = transaction.accesses(EventKind.read)
    const writes = transaction.accesses(EventKind.write)
    if (outcome === 'commits') {
      for (const [{ start, size }, { site, reads, writes }] of transaction.cells)
        this.checkPlain(thread, { start, size, site, isAtomic: true, reads, writes })
      memory.commit(
        thread,
        [...reads, ...writes].map(({ cell, access }) => ({ access, written: this.held(cell) })),
      )
    } else if (outcome === 'aborts') {
      // They were loads as any other, and what comes later sees nothing older.
      for (const { access } of reads) memory.perform(thread, access, memory.graph.last(access.location), 0)
    }
    transaction.cells.clear()
  }

  recorded(kind: number, mode: number, location: number, aux: number): void {
    const { kernel } = this
    if (kernel.constructing) return
    const thread = kernel.running
    const isMemory = location >= 0 && kernel.locations.kinds[location] === 'memory'
    const isAccess = eventKinds.has(kind) || kind === Op.free
    if (kind === Op.atomicStore && isMemory) this.storeForHost(thread, location)
    else if (isAccess && isMemory) {
      if (kind === Op.free && !this.isC11) return
      const writes = mode !== Mode.read
      const range = this.rangeOf(thread, location, writes)
      this.accessPlainly(thread, range, kind === Op.free ? 'frees' : undefined)
    }
    if (isAccess) return
    // Setting a mutex up is to its users what a write is to readers.
    if (kernel.locations.kinds[location] === 'mutex' && this.isC11) {
      const range = this.rangeOf(thread, location, kind === Op.mutexSetup)
      this.log?.accessed(thread, range)
      this.checkPlain(thread, range, 'sets up or destroys')
    }
    this.log?.synchronised(kind, mode, location, aux)
    this.synchronisation.recorded(thread, kind, mode, location, aux)
  }

  /**
   * To be accessed, memory must have been allocated before, which here as in the standards means that it happens before:
   * so allocating is a store to the block, as setting it to zero is anyway: to its beginning, if it is very large.
   */
  allocated(start: number, size: number, site: number): void {
    if (!this.isC11 || this.kernel.constructing || size === 0) return
    const first = Math.min(size, MOST_ALLOCATED)
    const range = { start, size: first, site, isAtomic: false, reads: false, writes: true }
    this.accessPlainly(this.kernel.running, range, 'allocates')
  }

  /** The host has stored for the running thread what programs load with acquire: that a static variable is initialised. */
  private storeForHost(thread: number, location: number): void {
    const { kernel, memory, cells } = this
    if (this.log !== null) this.log.isSpoilt = true
    const { start, size, site } = this.rangeOf(thread, location, true)
    let cell = cells.of(location)
    if (cell === undefined) {
      cell = cells.add(start, size, location)
      memory.graph.addLocation(cell.location, fitted(0, size))
    }
    const store = { ...readOf(cell), kind: EventKind.write, order: Order.release, isAtomic: true, site }
    memory.perform(thread, store, memory.graph.last(cell.location), readCell(kernel.memory, start, size))
  }

  private rangeOf(thread: number, location: number, writes: boolean): Range {
    const { addresses, pending } = this.kernel
    const [start, size] = [addresses.start[location], addresses.size[location]]
    return { start, size, site: pending.site[thread], isAtomic: false, reads: !writes, writes }
  }

  private checkPlain(thread: number, access: Range, verb?: string): void {
    const { memory } = this
    const rank = memory.graph.eventsOf(thread).length
    const race = this.plain.access(thread, rank, memory.known(thread), access)
    if (race !== null) reportRace(this.kernel, memory, access, race, verb)
  }

  canGoOn(thread: number): boolean {
    const { spins } = this.kernel
    const read = spins.locationsRead(thread).map((location) => this.cells.of(location))
    if (read.some((cell) => cell && this.memory.hasNewer(thread, cell.location))) return true
    return read.some((cell) => cell === undefined) && spins.canGoOn(thread)
  }

  freshen(thread: number): void {
    for (const location of this.kernel.spins.locationsRead(thread)) {
      const cell = this.cells.of(location)
      if (cell) this.memory.freshen(thread, cell.location)
    }
  }

  alternativeName(thread: number, value: number): string {
    const access = this.current(thread)
    const source = this.memory.sourceOf(thread, access, value)
    return nameOfAlternative(this.kernel, this.memory, thread, access, source)
  }
}

function isScalar(address: number, size: number): boolean {
  return size <= 8 && size > 0 && (size & (size - 1)) === 0 && address % size === 0
}

/** A plain read of a cell. */
function readOf(cell: Cell): Access {
  return plainAccess(cell, EventKind.read, -1)
}
