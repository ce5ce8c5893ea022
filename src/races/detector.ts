import type { Observer } from '../execution/observer.js'
import type { Trace } from '../execution/trace.js'
import { Order } from '../machine/events.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { Site } from '../machine/names.js'
import { Op, operations } from '../machine/operation.js'
import { isSamePlatform, type Platform } from '../machine/platform.js'
import type { PointSet } from '../machine/points.js'
import { addTo } from '../words/add-to.js'
import { Access } from './access.js'
import { AccessHistory } from './access-history.js'
import { limited } from './limited-order.js'
import { pure } from './pure-order.js'
import type { DetectorEntry, RaceOrder } from './race-order.js'
import { RaceTable } from './race-table.js'

/** The one list of detectors: the command line reads it. */
export const detectors: readonly DetectorEntry[] = [pure, limited]

/** Adds one from outside; the function returned takes it away again. */
export function addDetector(entry: DetectorEntry): () => void {
  return addTo(detectors as DetectorEntry[], entry)
}

/** Name of a detector. */
export type RaceKind = string

export function raceKinds(): RaceKind[] {
  return detectors.map(({ name }) => name)
}

/** See `DetectorEntry.isExact`. */
export function isExact(kind: RaceKind): boolean {
  return entryOf(kind).isExact
}

function entryOf(kind: RaceKind): DetectorEntry {
  const entry = detectors.find(({ name }) => name === kind)
  if (entry === undefined) throw new RangeError(`no detector ${kind}; known are ${raceKinds().join(', ')}`)
  return entry
}

export interface RaceOptions {
  /** Accesses at such sites are left out. */
  readonly ignores?: (site: Site) => boolean
}

export interface RaceDetector extends Observer {
  readonly kind: RaceKind
  readonly table: RaceTable
}

/**
 * Watches executions for races and collects them in `table`. Looks at the events of an execution when it is over, one by
 * one: what is ordered depends on operations, not on transitions, so that a coarse PP set hides nothing.
 */
export function raceDetector(kind: RaceKind, machine: Machine, options: RaceOptions = {}): RaceDetector {
  return new Detector(kind, machine, entryOf(kind).order(), options)
}

const KEPT = 1
const IGNORED = 2

const NO_ACCESS = 255
const classOf = Uint8Array.from(operations, ({ access, point }) => {
  if (access === undefined) return NO_ACCESS
  if (point === 'atomic') return access === 'read' ? Access.atomicRead : Access.atomicWrite
  return Access[access]
})

/** What an execution was one of. */
interface Setting {
  readonly points: PointSet
  readonly platform: Partial<Platform>
  readonly threads: number
}

const noPlatform: Partial<Platform> = {}

class Detector implements RaceDetector {
  readonly footprints = true
  readonly table: RaceTable
  private readonly history: AccessHistory
  /** By site: whether its accesses count, once that was asked. */
  private judged = new Uint8Array(0)
  /** The execution looked at last, and what it was an execution of: what the next one shares with it is known. */
  private last = {
    length: 0,
    thread: new Int32Array(256),
    value: new Int32Array(256),
    eventEnd: new Int32Array(256),
  }
  private lastOf: Setting | null = null
  /** Events of the longest execution since the order began anew. */
  private longest = 0

  constructor(
    readonly kind: RaceKind,
    private readonly machine: Machine,
    private readonly order: RaceOrder,
    private readonly options: RaceOptions,
  ) {
    this.table = new RaceTable(machine)
    this.history = new AccessHistory(order, this.table, order.clocks.stride)
  }

  end(trace: Trace): void {
    const { machine, order, history } = this
    const { events } = trace
    const { locations } = machine
    const { undo } = order
    const kept = this.sharedSteps(trace)
    let i = kept === 0 ? 0 : trace.eventEnd[kept - 1]
    if (kept === 0) this.beginAnew(trace)
    else undo?.goBack(i)
    this.longest = Math.max(this.longest, events.count)
    const { base, stride } = order.clocks
    history.reserve(locations.count, machine.threads.count, stride)
    this.table.begin(trace, base, kept === 0 ? 0 : base + i)
    for (let d = kept; d < trace.length; d++) {
      const p = trace.thread[d]
      const end = trace.eventEnd[d]
      for (; i < end; i++) {
        undo?.beginEvent(i)
        const kind = events.kind[i]
        let access = classOf[kind]
        if (access === NO_ACCESS) {
          if (kind === Op.malloc && events.location[i] >= 0) history.renew(events.location[i], locations)
          else order.event(i, p, base + i)
          continue
        }
        const site = events.site[i]
        if (access === Access.write) order.overwrite(events.location[i])
        else if (access >= Access.atomicRead) {
          if (kind === Op.atomicUpdate && (events.order[i] & Order.failed) !== 0) access = Access.atomicRead
          order.event(i, p, base + i)
        }
        if (site >= 0 && events.location[i] >= 0 && !this.isIgnored(site))
          history.add(events.location[i], p, site, access, order.locks[p], base + i, locations)
      }
    }
    undo?.beginEvent(i)
    this.remember(trace, kept)
  }

  private beginAnew(trace: Trace): void {
    const { order } = this
    const restarts = order.clocks.base
    order.end(this.longest)
    this.longest = 0
    order.undo?.clear()
    order.begin(this.machine, trace)
    if (order.clocks.base < restarts) this.history.forget()
  }

  /** How many transitions the execution has in common with the last one, event by event. */
  private sharedSteps(trace: Trace): number {
    const { last } = this
    if (this.order.undo === null || !this.isSetAsBefore()) return 0
    const length = Math.min(last.length, trace.length)
    let shared = 0
    while (
      shared < length &&
      last.thread[shared] === trace.thread[shared] &&
      last.value[shared] === trace.value[shared] &&
      last.eventEnd[shared] === trace.eventEnd[shared]
    )
      shared++
    return shared
  }

  /** Whether the same choices would do the same as in the last execution. */
  private isSetAsBefore(): boolean {
    const { points, threads } = this.machine
    const platform = this.machine.platform?.settings ?? noPlatform
    const { lastOf } = this
    if (
      lastOf?.points === points &&
      lastOf.threads === threads.count &&
      isSamePlatform(lastOf.platform, platform)
    )
      return true
    this.lastOf = { points, platform, threads: threads.count }
    return false
  }

  private remember(trace: Trace, from: number): void {
    const { last } = this
    if (trace.length > last.thread.length) {
      last.thread = grown(last.thread, trace.length * 2)
      last.value = grown(last.value, trace.length * 2)
      last.eventEnd = grown(last.eventEnd, trace.length * 2)
    }
    for (let d = from; d < trace.length; d++) {
      last.thread[d] = trace.thread[d]
      last.value[d] = trace.value[d]
      last.eventEnd[d] = trace.eventEnd[d]
    }
    last.length = trace.length
  }

  private isIgnored(site: number): boolean {
    const { ignores } = this.options
    if (ignores === undefined) return false
    if (site >= this.judged.length) this.judged = grown(this.judged, Math.max(site + 1, site * 2))
    if (this.judged[site] === 0) this.judged[site] = ignores(this.machine.sites[site]) ? IGNORED : KEPT
    return this.judged[site] === IGNORED
  }
}
