import type { Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { PointSet } from '../machine/points.js'
import { Access } from './access.js'

/** One side of a race, by canonical names. */
export interface RaceAccess {
  readonly site: string
  readonly thread: string
  /** It wrote in some execution. */
  readonly write: boolean
  readonly atomic: boolean
}

/**
 * A race candidate: two accesses of different threads to one object, at least one of them a write, that nothing keeps
 * apart. Plain data with canonical names. `a` comes before `b` in the order of sites and threads, not in time.
 */
export interface RaceRecord {
  readonly a: RaceAccess
  readonly b: RaceAccess
  /** Name of the object, for people: that of the first sighting. */
  readonly object: string
  /** Executions in which `a` came first, and in which `b` did. With both, the pair is *both-order*. */
  readonly aFirst: number
  readonly bFirst: number
  /** Number of the execution that showed it first, from 1. */
  readonly execution: number
  /** The very first execution showed it: a detector that sees one run would have found it. */
  readonly atOnce: boolean
  /**
   * How to see it again: the schedule up to the later access, and which two events it is. Null for some pairs of a
   * program with very many: others at the same two sites have one, or at least others of long executions.
   */
  readonly sighting: RaceSighting | null
}

/** A schedule by names, and two of its events. Alternatives are numbers: this is for the same program only. */
export interface RaceSighting {
  readonly points: PointSet
  readonly threads: readonly string[]
  readonly values: readonly number[]
  /** Indexes of the earlier and of the later access in the event log. */
  readonly events: readonly [number, number]
  /** Whether `a` was the earlier one. */
  readonly aFirst: boolean
}

export function isBothOrder(race: Pick<RaceRecord, 'aFirst' | 'bFirst'>): boolean {
  return race.aFirst > 0 && race.bFirst > 0
}

/** What is kept of a pair besides what the hot path needs. */
interface Known {
  object: string
  execution: number
  atOnce: boolean
  sighting: RaceSighting | null
}

const WROTE = 1
const ATOMIC = 2

/**
 * Pairs that each keep a sighting; beyond, one per two sites does. A hundred threads make thousands of pairs of each two
 * sites, and a schedule for each would fill the memory.
 */
const fullySighted = 256
/** Of long executions, so many sightings are kept; beyond, only while all of them together have fewer steps than that. */
const fewestSightings = 64
const mostSightedSteps = 250_000

/**
 * A program in which each of n accesses races with each other one has n² pairs, which nobody reads and which take time and
 * memory. So many are kept whatever they are; beyond, those of two sites that have none yet; and beyond that number, those with
 * an access that has none. So every access that races is known: deepening makes it a point, and its promises rest on that.
 */
export const mostPairs = 4_096
export const mostSitePairs = 16_384

/**
 * The races seen so far, over all executions: one entry per unordered pair of accesses, an access being a site in a
 * thread. Seeing a known one again costs a look-up in a table of numbers.
 */
export class RaceTable {
  /** Changes whenever a new pair, or a known pair in a new order, was seen. */
  version = 0
  /** Pairs known. */
  count = 0
  /** Executions seen. */
  executions = 0
  /** Executions that were not looked at: `RaceRecord.execution` counts them. */
  skipped = 0

  /** By access: canonical names of its site and its thread. Names, since another worker may know sites we do not. */
  private readonly accesses: { readonly site: string; readonly thread: string }[] = []
  private readonly accessIndex = new Map<string, number>()
  /** By access: the number of its site, and whether it is part of a pair. */
  private readonly siteOf: number[] = []
  private readonly isRacy: boolean[] = []
  private readonly siteIndex = new Map<string, number>()

  /** By pair: its accesses, the smaller number first. */
  private low = new Int32Array(16)
  private high = new Int32Array(16)
  /** By pair: bits of the low access, then, two bits further up, those of the high one. */
  private flags = new Uint8Array(16)
  /**
   * By pair, twice: executions in which the low access came first, in which the high one did, not counting those since
   * it has been on the path.
   */
  private times = new Float64Array(32)
  /** The same: whether it was seen in the execution being looked at. */
  private isSeen = new Uint8Array(32)
  /** Those, in the order in which they were seen; the sequence numbers of the later accesses; since which execution. */
  private readonly path: number[] = []
  private readonly pathSequence: number[] = []
  private readonly pathSince: number[] = []
  private readonly known: Known[] = []
  /** Pairs of sites that have a pair, and a sighting. */
  private readonly racySites = new Set<number>()
  private readonly sightedSites = new Set<number>()
  private sightings = 0
  private sightedSteps = 0
  /** Open addressing: pair + 1 by hash of its accesses. */
  private slots = new Int32Array(64)

  /** The execution being looked at. */
  private trace: Trace | null = null
  private base = 0

  constructor(private readonly machine: Machine) {}

  /**
   * Begins an execution whose first event has that sequence number. What was seen in the last one before `kept` is
   * seen in this one too; 0: nothing was.
   */
  begin(trace: Trace, base: number, kept: number): void {
    const { path, pathSequence, pathSince } = this
    while (path.length > 0 && pathSequence[path.length - 1] >= kept) {
      const order = path.pop()!
      pathSequence.pop()
      this.isSeen[order] = 0
      this.times[order] += this.executions - pathSince.pop()! + 1
    }
    this.executions++
    this.trace = trace
    this.base = base
  }

  /** Number of a site in a thread; asked once per record of the history. */
  accessOf(site: number, thread: number): number {
    return this.accessNamed(this.machine.sites[site].name, this.machine.threads.names[thread])
  }

  private accessNamed(site: string, thread: string): number {
    const key = `${thread} ${site}`
    const known = this.accessIndex.get(key)
    if (known !== undefined) return known
    const access = this.accesses.push({ site, thread }) - 1
    this.accessIndex.set(key, access)
    const siteNumber = this.siteIndex.get(site) ?? this.siteIndex.size
    this.siteIndex.set(site, siteNumber)
    this.siteOf.push(siteNumber)
    this.isRacy.push(false)
    return access
  }

  private sitesOf(one: number, other: number): number {
    const a = this.siteOf[one]
    const b = this.siteOf[other]
    return a < b ? a * 2 ** 26 + b : b * 2 ** 26 + a
  }

  /** An access was followed by another that races with it. */
  see(
    earlier: number,
    earlierKind: number,
    earlierSequence: number,
    later: number,
    laterKind: number,
    laterSequence: number,
    location: number,
  ): void {
    const isLow = earlier < later
    const pair = isLow ? this.find(earlier, later) : this.find(later, earlier)
    if (pair < 0) return
    const order = pair * 2 + (isLow ? 0 : 1)
    if (this.known[pair] === undefined) {
      this.known[pair] = this.describe(earlier, later, earlierSequence, laterSequence, location)
    }
    if (this.isSeen[order] === 1) return
    this.isSeen[order] = 1
    this.path.push(order)
    this.pathSequence.push(laterSequence)
    this.pathSince.push(this.executions)
    if (this.times[order] === 0) this.version++
    this.flags[pair] |= isLow
      ? bitsOf(earlierKind) | (bitsOf(laterKind) << 2)
      : bitsOf(laterKind) | (bitsOf(earlierKind) << 2)
  }

  /** The pair of two accesses; a new one is made if there is none; -1 if it is not to be kept. */
  private find(low: number, high: number): number {
    const { slots } = this
    const mask = slots.length - 1
    let at = (Math.imul(low, 0x9e3779b1) ^ Math.imul(high, 0x85ebca6b)) & mask
    for (; slots[at] !== 0; at = (at + 1) & mask) {
      const pair = slots[at] - 1
      if (this.low[pair] === low && this.high[pair] === high) return pair
    }
    if (this.hasRoom(low, high)) return this.add(low, high)
    return -1
  }

  private hasRoom(low: number, high: number): boolean {
    const { count, isRacy } = this
    if (count < mostPairs || !isRacy[low] || !isRacy[high]) return true
    return count < mostSitePairs && !this.racySites.has(this.sitesOf(low, high))
  }

  private add(low: number, high: number): number {
    const pair = this.count++
    if (pair === this.low.length) {
      this.low = grown(this.low, pair * 2)
      this.high = grown(this.high, pair * 2)
      this.flags = grown(this.flags, pair * 2)
      this.times = grown(this.times, pair * 4)
      this.isSeen = grown(this.isSeen, pair * 4)
    }
    this.low[pair] = low
    this.high[pair] = high
    this.isRacy[low] = this.isRacy[high] = true
    this.racySites.add(this.sitesOf(low, high))
    if (this.count * 2 > this.slots.length) this.slots = new Int32Array(this.slots.length * 2)
    else {
      this.insert(pair)
      return pair
    }
    for (let p = 0; p <= pair; p++) this.insert(p)
    return pair
  }

  private insert(pair: number): void {
    const { slots } = this
    const mask = slots.length - 1
    let at = (Math.imul(this.low[pair], 0x9e3779b1) ^ Math.imul(this.high[pair], 0x85ebca6b)) & mask
    while (slots[at] !== 0) at = (at + 1) & mask
    slots[at] = pair + 1
  }

  private describe(
    earlier: number,
    later: number,
    earlierSequence: number,
    laterSequence: number,
    location: number,
  ): Known {
    return {
      object: this.machine.describeLocation(location),
      execution: this.executions + this.skipped,
      atOnce: this.executions === 1,
      sighting: this.needsSighting(earlier, later)
        ? this.sightingOf(earlierSequence, laterSequence, this.isA(earlier, later))
        : null,
    }
  }

  private needsSighting(one: number, other: number): boolean {
    if (this.sightings >= fewestSightings && this.sightedSteps >= mostSightedSteps) return false
    const sites = this.sitesOf(one, other)
    if (this.count > fullySighted && this.sightedSites.has(sites)) return false
    this.sightedSites.add(sites)
    return true
  }

  private sightingOf(earlierSequence: number, laterSequence: number, aFirst: boolean): RaceSighting {
    const { machine } = this
    const trace = this.trace!
    const event = laterSequence - this.base
    let length = 1
    while (trace.eventEnd[length - 1] <= event) length++
    this.sightings++
    this.sightedSteps += length
    return {
      points: machine.points,
      threads: Array.from(trace.thread.subarray(0, length), (t) => machine.threads.names[t]),
      values: Array.from(trace.value.subarray(0, length)),
      events: [earlierSequence - this.base, event],
      aFirst,
    }
  }

  /** Whether the first of two accesses is the one called `a` in records. */
  private isA(one: number, other: number): boolean {
    const a = this.accesses[one]
    const b = this.accesses[other]
    return a.site === b.site ? a.thread <= b.thread : a.site < b.site
  }

  /** All pairs, in the order in which they were found. */
  toData(): RaceRecord[] {
    const times = this.times.slice()
    this.path.forEach((order, i) => {
      times[order] += this.executions - this.pathSince[i] + 1
    })
    return Array.from({ length: this.count }, (_, pair) => this.recordOf(pair, times))
  }

  private recordOf(pair: number, times: Float64Array): RaceRecord {
    const low = this.low[pair]
    const high = this.high[pair]
    const lowIsA = this.isA(low, high)
    const lowSide = this.sideOf(low, this.flags[pair] & 3)
    const highSide = this.sideOf(high, this.flags[pair] >> 2)
    const [lowFirst, highFirst] = [times[pair * 2], times[pair * 2 + 1]]
    const known = this.known[pair]
    return {
      a: lowIsA ? lowSide : highSide,
      b: lowIsA ? highSide : lowSide,
      object: known.object,
      aFirst: lowIsA ? lowFirst : highFirst,
      bFirst: lowIsA ? highFirst : lowFirst,
      execution: known.execution,
      atOnce: known.atOnce,
      sighting: known.sighting,
    }
  }

  private sideOf(access: number, flags: number): RaceAccess {
    return {
      ...this.accesses[access],
      write: (flags & WROTE) !== 0,
      atomic: (flags & ATOMIC) !== 0,
    }
  }

  /** Takes in what other tables on the same program have seen: another worker's, or that of a saved run. */
  merge(records: readonly RaceRecord[]): void {
    for (const record of records) {
      const a = this.accessNamed(record.a.site, record.a.thread)
      const b = this.accessNamed(record.b.site, record.b.thread)
      this.mergeOne(record, a, b)
    }
  }

  private mergeOne(record: RaceRecord, a: number, b: number): void {
    const aIsLow = a < b
    const pair = aIsLow ? this.find(a, b) : this.find(b, a)
    if (pair < 0) return
    const { object, execution, atOnce, sighting } = record
    const known = this.known[pair]
    if (known === undefined) this.known[pair] = { object, execution, atOnce, sighting }
    else {
      known.execution = Math.min(known.execution, execution)
      known.atOnce ||= atOnce
      known.sighting ??= sighting
    }
    const flagsA = (record.a.write ? WROTE : 0) | (record.a.atomic ? ATOMIC : 0)
    const flagsB = (record.b.write ? WROTE : 0) | (record.b.atomic ? ATOMIC : 0)
    this.flags[pair] |= aIsLow ? flagsA | (flagsB << 2) : flagsB | (flagsA << 2)
    this.addTimes(pair * 2 + (aIsLow ? 0 : 1), record.aFirst)
    this.addTimes(pair * 2 + (aIsLow ? 1 : 0), record.bFirst)
  }

  private addTimes(order: number, more: number): void {
    if (more === 0) return
    if (this.times[order] === 0 && this.isSeen[order] === 0) this.version++
    this.times[order] += more
  }
}

function bitsOf(kind: number): number {
  switch (kind) {
    case Access.read:
      return 0
    case Access.write:
      return WROTE
    case Access.atomicRead:
      return ATOMIC
    default:
      return WROTE | ATOMIC
  }
}
