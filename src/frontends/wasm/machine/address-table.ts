import { grown } from '../../../machine/growing.js'
import type { LocationTable, ObjectKind } from '../../../machine/names.js'

const PAGE_BITS = 12
const PAGE_SIZE = 1 << PAGE_BITS
const PAGE_MASK = PAGE_SIZE - 1
const PAGES = 2 ** (32 - PAGE_BITS)

const WORD = 4

/** Accesses of up to this many bytes are one location found by address alone. */
const NARROW = 8

/** Bytes of synchronisation objects, as libc declares them: freeing or overwriting them conflicts with using them. */
const objectSizes: Partial<Record<ObjectKind, number>> = {
  mutex: 24,
  condition: 48,
  rwlock: 32,
  semaphore: 16,
  barrier: 20,
}
const LARGEST_OBJECT = 48

/**
 * From addresses to locations: two array reads for nearly every access.
 *
 * A location is an exact range of bytes. The table holds, for each address, the location found there first; others
 * that begin at the same address but have another size are in `more`. Ranges longer than 8 bytes are *wide*: listed
 * by page, so that whoever comes to lie inside one later finds it.
 */
export class AddressTable {
  /** By page: which row of `first` and `objects` it has; row 0 stays empty and stands for pages not seen yet. */
  private readonly rows = new Int32Array(PAGES)
  private rowCount = 1
  /** By row and offset: location + 1 of the memory range found here first. */
  private first = new Int32Array(PAGE_SIZE * 4)
  /** By row and offset: location + 1 of the synchronisation object here. */
  private objects = new Int32Array(PAGE_SIZE * 4)
  /** Locations at addresses that have more than one, by address and what tells them apart. */
  private readonly more = new Map<string, number>()
  private readonly wideByPage = new Map<number, number[]>()
  /** By location of a barrier: those of its generations, from 1. */
  private readonly generations: number[][] = []
  /** By address: location of the queue of those who wait on it. */
  private readonly futexes = new Map<number, number>()
  /** By location: its first address and its size. */
  start = new Float64Array(256)
  size = new Int32Array(256)

  constructor(private readonly locations: LocationTable) {
    locations.onPreload = (from) => this.takeIn(from)
  }

  /**
   * Locations of a saved search, or of another worker, lie where their names say: what this process comes to may overlap
   * with them although it has not been to them yet.
   */
  private takeIn(from: number): void {
    const { kinds, keys, count } = this.locations
    for (let location = from; location < count; location++) {
      const kind = kinds[location]
      const [, address, size, generation] = /^([0-9a-f]+)(?:\+(\d+)|\.(\d+))?$/.exec(keys[location]) ?? []
      if (address === undefined) continue
      const at = Number.parseInt(address, 16)
      if (kind === 'memory' && size !== undefined) this.find(at, Number(size))
      else if (kind === 'barrier' && generation !== undefined) this.generation(at, Number(generation))
      else if (kind in objectSizes || kind === 'once' || kind === 'state') this.object(kind, at)
    }
  }

  /** The memory location of an access; addresses are unsigned. */
  locate(address: number, size: number): number {
    const found = this.first[(this.rows[address >>> PAGE_BITS] << PAGE_BITS) | (address & PAGE_MASK)] - 1
    return found >= 0 && this.size[found] === size ? found : this.find(address >>> 0, size)
  }

  /** The location of a mutex, condition variable, … at that address; some are smaller than others of their kind. */
  object(kind: ObjectKind, address: number, size = objectSizes[kind] ?? WORD): number {
    const found = this.objects[(this.rows[address >>> PAGE_BITS] << PAGE_BITS) | (address & PAGE_MASK)] - 1
    return found >= 0 && this.locations.kinds[found] === kind
      ? found
      : this.findObject(kind, address >>> 0, size)
  }

  /** The location of one generation of a barrier. */
  generation(address: number, generation: number): number {
    const barrier = this.object('barrier', address)
    if (generation === 0) return barrier
    const list = (this.generations[barrier] ??= [])
    const known = list[generation]
    if (known !== undefined) return known
    const size = this.size[barrier]
    const start = address >>> 0
    const location = this.intern('barrier', `${start.toString(16)}.${generation}`, start, size)
    for (const other of this.memoryIn(start, size)) this.meet(location, other)
    list[generation] = location
    return location
  }

  /**
   * The location of the queue of those who wait on an address. No bytes of its own: a wait reads the word at the
   * address as any other access does.
   */
  futex(address: number): number {
    const known = this.futexes.get(address)
    if (known !== undefined) return known
    const location = this.intern('futex', address.toString(16), address, 0)
    this.futexes.set(address, location)
    return location
  }

  private find(address: number, size: number): number {
    const key = rangeKey(address, size)
    const known = this.more.get(key)
    if (known !== undefined) return known
    const at = this.place(address)
    const location = this.intern('memory', key, address, size)
    if (size > 8) this.locations.wide.add(location)
    if (this.first[at] === 0 && size <= NARROW) this.first[at] = location + 1
    else this.more.set(key, location)
    for (const other of this.memoryIn(address, size)) this.meet(location, other)
    for (const other of this.objectsIn(address, size)) {
      this.meet(location, other)
      this.generations[other]?.forEach((generation) => {
        this.meet(location, generation)
      })
    }
    if (size > NARROW) this.listWide(location)
    return location
  }

  private findObject(kind: ObjectKind, address: number, size: number): number {
    const key = `${kind} ${address.toString(16)}`
    const known = this.more.get(key)
    if (known !== undefined) return known
    const at = this.place(address)
    const location = this.intern(kind, address.toString(16), address, size)
    if (this.objects[at] === 0) this.objects[at] = location + 1
    else this.more.set(key, location)
    for (const other of this.memoryIn(address, size)) this.meet(location, other)
    return location
  }

  private meet(a: number, b: number): void {
    if (a !== b) this.locations.addOverlap(a, b)
  }

  /** Known memory locations that share bytes with a range. */
  private memoryIn(address: number, size: number): Set<number> {
    const found = new Set<number>()
    const consider = (location: number) => {
      if (this.shares(location, address, size)) found.add(location)
    }
    for (let a = Math.max(0, address - NARROW + 1); a < address + size; a++) {
      const location = this.first[this.indexOf(a)] - 1
      if (location < 0) continue
      consider(location)
      for (let n = 1; n <= NARROW; n++) {
        const other = this.more.get(rangeKey(a, n))
        if (other !== undefined) consider(other)
      }
    }
    for (let page = address >>> PAGE_BITS; page <= (address + size - 1) >>> PAGE_BITS; page++) {
      for (const wide of this.wideByPage.get(page) ?? []) consider(wide)
    }
    return found
  }

  /** Known synchronisation objects that share bytes with a range. */
  private objectsIn(address: number, size: number): number[] {
    const found: number[] = []
    for (let a = Math.max(0, address - LARGEST_OBJECT + 1); a < address + size; a++) {
      const location = this.objects[this.indexOf(a)] - 1
      if (location >= 0 && this.shares(location, address, size)) found.push(location)
    }
    return found
  }

  private shares(location: number, address: number, size: number): boolean {
    const start = this.start[location]
    return start < address + size && address < start + this.size[location]
  }

  /** Where an address is found in `first` and `objects`; in the empty row when its page was not seen yet. */
  private indexOf(address: number): number {
    return (this.rows[address >>> PAGE_BITS] << PAGE_BITS) | (address & PAGE_MASK)
  }

  private listWide(location: number): void {
    const from = this.start[location] >>> PAGE_BITS
    const to = (this.start[location] + this.size[location] - 1) >>> PAGE_BITS
    for (let page = from; page <= to; page++) {
      const list = this.wideByPage.get(page)
      if (list) list.push(location)
      else this.wideByPage.set(page, [location])
    }
  }

  private intern(kind: ObjectKind, key: string, address: number, size: number): number {
    const location = this.locations.intern(kind, key)
    if (location >= this.size.length) {
      const length = Math.max(this.size.length * 2, location + 1)
      this.start = grown(this.start, length)
      this.size = grown(this.size, length)
    }
    this.start[location] = address
    this.size[location] = size
    return location
  }

  /** Index of an address in `first` and `objects`. */
  private place(address: number): number {
    const page = address >>> PAGE_BITS
    if (this.rows[page] === 0) {
      if ((this.rowCount + 1) * PAGE_SIZE > this.first.length) {
        this.first = grown(this.first, this.first.length * 2)
        this.objects = grown(this.objects, this.objects.length * 2)
      }
      this.rows[page] = this.rowCount++
    }
    return (this.rows[page] << PAGE_BITS) | (address & PAGE_MASK)
  }
}

/** Canonical: addresses are, since every thread has its own stack and arena. */
function rangeKey(address: number, size: number): string {
  return `${address.toString(16)}+${size}`
}
