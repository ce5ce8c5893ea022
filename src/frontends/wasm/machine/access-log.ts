import { Changes, type EventLog, Known, Order } from '../../../machine/events.js'
import { kinds, Mode, Op } from '../../../machine/operation.js'
import { type Artifact, type CodeSiteKind, type Layout, LogWord, PAIRED, WORD_SIZE } from '../artifact.js'
import type { AddressTable } from './address-table.js'
import type { Glue } from './glue.js'
import type { Heap } from './heap.js'
import type { HeapShadow } from './heap-shadow.js'
import type { OwnMemory } from './own-memory.js'
import type { ProgramMemory } from './program.js'
import { SeenLongAccesses } from './seen-long-accesses.js'
import type { Spins } from './spins.js'
import type { Stops } from './stops.js'
import { makeAtomic } from './transaction-events.js'

/** A range of up to this many bytes is logged word by word; longer ones are one wide location. */
const SPLIT_LIMIT = 64
const WORD = 4
/** Values of accesses up to this size are told. */
const VALUE_SIZE = 4

export const kindOfSite: Record<CodeSiteKind, number> = {
  load: Op.load,
  store: Op.store,
  atomicLoad: Op.atomicLoad,
  atomicStore: Op.atomicStore,
  atomicUpdate: Op.atomicUpdate,
  fence: Op.fence,
  // The log says whether the runtime read or wrote.
  call: Op.load,
  loop: Op.yield,
  trap: Op.yield,
}

const isAtomic = kinds(({ point, access }) => point === 'atomic' && access !== undefined)

/** Told of accesses that no correct program makes. */
export interface AccessFaults {
  nullAccess(site: number, address: number): void
  /** An access outside the memory that the program has. */
  outside(site: number): void
  /** The access touches memory of the heap that is not the program's; `wrote` tells whether it wrote there. */
  heapAccess(site: number, address: number, size: number, wrote: boolean): void
}

/** Wants to know of writes, while it is watching. */
export interface WriteListener {
  readonly isWatching: boolean
  wrote(address: number, size: number, site: number): void
}

/**
 * Reads the log that instrumented code writes. Draining it makes rows of the event log, tells spin detection what the
 * thread did, and checks addresses.
 */
export class AccessLog {
  footprints = true
  /** The event that the atomic which the running thread is about to do will be, and what it finds; -1 if not known. */
  private foundBy = -1
  private found = 0
  /** An update writes, though it leaves what it finds: where transactions are told of conflicts, it is in one. */
  updatesWrite = false
  /** Accesses taken in so far, about; never goes back. */
  taken = 0
  readonly longAccesses: SeenLongAccesses
  private readonly layout: Layout
  private readonly kinds: Uint8Array
  private readonly sizes: Uint8Array
  private readonly calls: Uint8Array
  /** By site: 1 for a load or store of a word at most, of which the address is all that can be wrong. */
  private readonly isSimple: Uint8Array
  private readonly table: AddressTable
  private readonly events: EventLog
  private readonly spins: Spins
  private readonly heap: Heap
  private readonly shadow: HeapShadow
  private readonly faults: AccessFaults
  private readonly own: OwnMemory | undefined
  private readonly checks: WriteListener
  private readonly stops: Stops

  constructor(
    artifact: Artifact,
    private readonly memory: ProgramMemory,
    private readonly glue: Glue,
    private readonly listeners: {
      readonly addresses: AddressTable
      readonly events: EventLog
      readonly spins: Spins
      readonly heap: Heap
      readonly faults: AccessFaults
      readonly own: OwnMemory | undefined
      readonly checks: WriteListener
      readonly stops: Stops
      readonly weak: { finish(): void } | null
      /** Whether what the thread does is part of an atomic section. */
      isInSection(thread: number): boolean
    },
  ) {
    this.layout = artifact.layout
    this.longAccesses = new SeenLongAccesses(artifact.sites)
    this.table = listeners.addresses
    this.events = listeners.events
    this.spins = listeners.spins
    this.heap = listeners.heap
    this.shadow = listeners.heap.shadow
    this.faults = listeners.faults
    this.own = listeners.own
    this.checks = listeners.checks
    this.stops = listeners.stops
    this.kinds = Uint8Array.from(artifact.sites, (site) => kindOfSite[site.kind])
    this.sizes = Uint8Array.from(artifact.sites, (site) => site.size)
    this.calls = Uint8Array.from(artifact.sites, (site) => (site.kind === 'call' ? 1 : 0))
    this.isSimple = Uint8Array.from(artifact.sites, ({ kind, size }) =>
      (kind === 'load' || kind === 'store') && size > 0 && size <= WORD_SIZE ? 1 : 0,
    )
  }

  /** Whether a range lies in the constants of the program. */
  isConstant(address: number, size: number): boolean {
    const { constantStart, constantEnd } = this.layout
    const start = address >>> 0
    return start < constantEnd && start >= constantStart && start + size <= constantEnd
  }

  /** Operation kind of an access announced by its log word. */
  kindOf(word: number): number {
    const site = word & LogWord.siteMask
    return this.calls[site] === 1 && (word & LogWord.wrote) !== 0 ? Op.store : this.kinds[site]
  }

  /** Location of an access; the first of its words when it is a range. */
  locationOf(address: number, size: number): number {
    if (size === 0) return -1
    if (size <= 8) return this.table.locate(address, size)
    return size <= SPLIT_LIMIT
      ? this.table.locate(address, firstPart(address, size))
      : this.table.locate(address, size)
  }

  /** A thread is about to do what it announced: of an atomic, what it is going to find is still there. */
  lookBefore(kind: number, location: number): void {
    this.foundBy = -1
    if (!this.footprints || location < 0 || (kind !== Op.atomicStore && kind !== Op.atomicUpdate)) return
    const size = this.table.size[location]
    const address = this.table.start[location]
    if (size > VALUE_SIZE || address % size !== 0) return
    this.foundBy = this.events.count
    this.found = this.valueAt(address, size)
  }

  private valueAt(address: number, size: number): number {
    const { bytes, words } = this.memory
    if (size === 4) return words[address >>> 2]
    return size === 1 ? bytes[address] : bytes[address] | (bytes[address + 1] << 8)
  }

  /** Takes in what the thread has logged so far; false when that was nothing. */
  drain(thread: number): boolean {
    const length = this.glue.takeLog()
    if (length === 0) return false
    this.taken += length >> 3
    const from = this.layout.log >> 2
    const logged = from + (length >> 2)
    const end = this.own === undefined ? logged : this.own.scan(from, logged)
    if (
      this.footprints ||
      this.spins.watching[thread] === 1 ||
      this.spins.open > 0 ||
      this.checks.isWatching
    ) {
      const first = this.events.count
      this.decode(thread, from, end)
      if (this.listeners.isInSection(thread)) makeAtomic(this.events, first)
    } else {
      this.check(from, end)
    }
    this.listeners.weak?.finish()
    if (end < logged) this.faults.outside(this.memory.words[end] & LogWord.siteMask)
    return true
  }

  private decode(thread: number, at: number, end: number): void {
    const { sizes, kinds, calls, table, events, spins, footprints, shadow, isSimple } = this
    const { words } = this.memory
    const { nullEnd } = this.layout
    const open = shadow.openBefore - WORD_SIZE
    const isBusy = this.checks.isWatching
    while (at < end) {
      const word = words[at]
      const address = words[at + 1] >>> 0
      at += 2
      const site = word & LogWord.siteMask
      let kind = kinds[site]
      let size = sizes[site]
      let operand = 0
      let replacement = 0
      if (isSimple[site] === 1 && address >= nullEnd && address < open && !isBusy) {
        this.take(thread, kind, kind === Op.load ? Mode.read : Mode.write, table.locate(address, size), site)
        continue
      }
      if ((word & LogWord.range) !== 0) {
        size = words[at]
        at += 2
      } else if ((word & PAIRED) !== 0) {
        operand = words[at]
        replacement = words[at + 1]
        at += 2
      }
      // Atomics are what they are, whatever their size.
      if (size > WORD_SIZE && isAtomic[kind] === 0) this.sawLong(site)
      let mode: number
      if (kind === Op.load || kind === Op.atomicLoad) {
        mode = Mode.read
        if (calls[site] === 1 && (word & LogWord.wrote) !== 0) {
          kind = Op.store
          mode = Mode.write
        }
      } else if (kind === Op.atomicUpdate) mode = (word & LogWord.changed) !== 0 ? Mode.write : Mode.read
      else if (kind === Op.fence) {
        if (spins.watching[thread] === 1) spins.read(thread, -1, events.count, kind, site)
        if (footprints) {
          events.push(kind, Mode.none, -1, site, -1)
          events.setOrder(orderOf(word, kind))
        }
        continue
      } else mode = Mode.write
      if (address < nullEnd) this.faults.nullAccess(site, address)
      if ((address >= open || size > WORD_SIZE) && shadow.isClosed(address, size)) {
        this.soil(at, end)
        this.faults.heapAccess(site, address, size, mode === Mode.write)
      }
      // What a library reads and nobody can write (most of what is printed) is no operation.
      if (mode === Mode.read && calls[site] === 1 && this.isConstant(address, size)) continue
      if (mode === Mode.write && this.checks.isWatching) this.checks.wrote(address, size, site)
      const first = events.count
      if (size > 8 && size <= SPLIT_LIMIT) this.split(thread, kind, mode, address, size, site)
      else this.take(thread, kind, mode, table.locate(address, size), site)
      if (isAtomic[kind] === 1) {
        const order = orderOf(word, kind)
        for (let i = first; i < events.count; i++) events.order[i] = order
        if (footprints && at === end && size <= VALUE_SIZE)
          this.tellValues(word, kind, address, size, operand, replacement)
        if (this.updatesWrite && kind === Op.atomicUpdate && footprints && mode === Mode.read) {
          events.mode[first] = Mode.write
          events.known[first] |= Known.same
        }
      }
    }
  }

  /**
   * Values of an atomic that is the last the thread has done: what it left is still there. A
   * reduction can then tell what an update would do elsewhere (`src/ordering/hindsight.ts`).
   */
  private tellValues(
    word: number,
    kind: number,
    address: number,
    size: number,
    operand: number,
    replacement: number,
  ): void {
    const { events } = this
    if (address % size !== 0) return
    const last = events.count - 1
    const left = this.valueAt(address, size)
    const seen = this.foundBy === last ? Known.seen : 0
    if (kind === Op.atomicLoad) events.values(Known.seen, left, 0, 0)
    else if (kind === Op.atomicStore) events.values(seen | Known.written, this.found, left, 0)
    else if ((word & LogWord.compares) !== 0)
      this.tellComparison(word, left, truncated(operand, size), truncated(replacement, size))
    else if ((word & LogWord.exchanges) !== 0) {
      events.aux[last] = Changes.unlessEqual
      events.values(seen | Known.written | Known.operand, this.found, left, left)
    } else {
      const hasChanged = (word & LogWord.changed) !== 0
      if ((word & LogWord.isUniform) !== 0) events.aux[last] = hasChanged ? Changes.always : Changes.never
      else if ((word & LogWord.sets) !== 0) events.aux[last] = Changes.unlessSet
      else if ((word & LogWord.clears) !== 0) events.aux[last] = Changes.unlessClear
      const mask = (word & PAIRED) === 0 ? 0 : Known.operand
      const bits = truncated(operand, size)
      if (hasChanged) events.values(seen | Known.written | mask, this.found, left, bits)
      else events.values(Known.seen | Known.written | mask, left, left, bits)
    }
  }

  private tellComparison(word: number, left: number, expected: number, replacement: number): void {
    const { events } = this
    events.aux[events.count - 1] = replacement === expected ? Changes.never : Changes.ifEqual
    const seen = (word & LogWord.succeeded) === 0 ? left : expected
    events.values(Known.seen | Known.written | Known.operand, seen, left, expected)
  }

  private split(
    thread: number,
    kind: number,
    mode: number,
    address: number,
    size: number,
    site: number,
  ): void {
    const end = address + size
    while (address < end) {
      const part = firstPart(address, end - address)
      this.take(thread, kind, mode, this.table.locate(address, part), site)
      address += part
    }
  }

  private take(thread: number, kind: number, mode: number, location: number, site: number): void {
    const { spins, events } = this
    if (mode === Mode.read) {
      if (spins.watching[thread] === 1) spins.read(thread, location, events.count, kind, site)
    } else {
      const isWatched = spins.watching[thread] === 1
      const mayBeSame = kind === Op.store || kind === Op.atomicStore
      if (isWatched && mayBeSame && this.table.size[location] <= WORD_SIZE && this.calls[site] === 0) {
        spins.store(thread, location, events.count, kind, site)
      } else {
        if (isWatched) spins.disturb(thread)
        if (spins.open > 0) spins.changed(location)
      }
    }
    if (this.footprints) events.push(kind, mode, location, site, -1)
  }

  /** Looks at addresses only. */
  private check(at: number, end: number): void {
    const { sizes, kinds, shadow, isSimple } = this
    const { words } = this.memory
    const { nullEnd } = this.layout
    // An access of a word that begins here is right, whatever is allocated.
    const open = shadow.openBefore - WORD_SIZE
    while (at < end) {
      const word = words[at]
      const address = words[at + 1] >>> 0
      const site = word & LogWord.siteMask
      at += 2
      if (isSimple[site] === 1 && address >= nullEnd && address < open) continue
      let size = sizes[site]
      if ((word & LogWord.range) !== 0) {
        size = words[at]
        at += 2
      } else if ((word & PAIRED) !== 0) at += 2
      if (kinds[site] === Op.fence) continue
      if (size > WORD_SIZE && isAtomic[kinds[site]] === 0) this.sawLong(site)
      if (address < nullEnd) this.faults.nullAccess(site, address)
      if (shadow.isClosed(address, size)) {
        this.soil(at, end)
        this.faults.heapAccess(site, address, size, this.writes(word))
      }
    }
  }

  /** Takes the accesses logged so far out of the log, checks their addresses and hands them on, as nobody's. */
  takeAccesses(each: (address: number, size: number, site: number, wrote: boolean) => void): void {
    const end = (this.layout.log + this.glue.takeLog()) >> 2
    this.check(this.layout.log >> 2, end)
    const { words } = this.memory
    for (let at = this.layout.log >> 2; at < end; at += 2) {
      const word = words[at]
      const address = words[at + 1] >>> 0
      const site = word & LogWord.siteMask
      let size = this.sizes[site]
      if ((word & LogWord.range) !== 0) {
        at += 2
        size = words[at]
      } else if ((word & PAIRED) !== 0) at += 2
      if (this.kinds[site] !== Op.fence) each(address, size, site, this.writes(word))
    }
  }

  private writes(word: number): boolean {
    const kind = this.kindOf(word)
    return kind === Op.store || kind === Op.atomicStore || (word & LogWord.changed) !== 0
  }

  /** The running thread made an access of several words in one step. */
  sawLong(site: number): void {
    // Nothing comes in between under a weak memory model: whoever could is refused, or races.
    if (this.listeners.weak !== null) return
    this.longAccesses.note(site, site >= 0 && this.stops.splits(site))
  }

  /** What the thread may have written to the heap in its last access and since then, where it should not. */
  private soil(at: number, end: number): void {
    const { words } = this.memory
    for (let i = this.layout.log >> 2; i < end; ) {
      const word = words[i]
      const address = words[i + 1] >>> 0
      i += 2
      let size = this.sizes[word & LogWord.siteMask]
      if ((word & LogWord.range) !== 0) {
        size = words[i]
        i += 2
      } else if ((word & PAIRED) !== 0) i += 2
      if (i >= at && this.shadow.isClosed(address, size)) this.heap.soil(address, size)
    }
  }
}

/** What the log says of an atomic: its order, and whether it failed. */
/** As many of its bytes as the object has. */
function truncated(value: number, size: number): number {
  return size === 4 ? value : value & (size === 1 ? 0xff : 0xffff)
}

function orderOf(word: number, kind: number): number {
  const order = (word >>> LogWord.orderShift) & LogWord.orderMask
  const isFailed = kind === Op.atomicUpdate && (word & LogWord.succeeded) === 0
  return isFailed ? order | Order.failed : order
}

/** Bytes up to the next word boundary: 4 where the address is aligned. */
function firstPart(address: number, size: number): number {
  const offset = address % WORD
  if (offset === 0 && size >= WORD) return WORD
  return offset % 2 === 0 && size >= 2 ? 2 : 1
}
