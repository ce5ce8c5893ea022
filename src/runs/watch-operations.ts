import type { Observer } from '../execution/observer.js'
import type { Trace } from '../execution/trace.js'
import type { Machine } from '../machine/machine.js'
import { Op, operations } from '../machine/operation.js'
import { type NamedPointKind, pointKinds, type RacePoint } from '../machine/points.js'
import type { OperationsSeen } from './workers/messages.js'

/** One bit per kind of point that a user can name. */
export function kindBit(kind: NamedPointKind): number {
  return 1 << pointKinds.indexOf(kind)
}

const RELEASES = 1
/** Done while another holds the lock, it does not wait but goes another way. */
const PEEKS = 2
const SETS_UP = 4
const WATCHED = 8
const FREES = 16
const WAITS = 32

const roles = Uint8Array.from(
  operations,
  ({ point, tries, locks }) =>
    (point === 'unlock' ? RELEASES : 0) | (tries !== undefined && locks === 'takes' ? PEEKS : 0),
)
roles[Op.writeRequest] = PEEKS
roles[Op.mutexSetup] = SETS_UP
roles[Op.watch] = WATCHED
roles[Op.free] = FREES
roles[Op.condWait] = WAITS

/** By operation: its role in the lowest bits, then the kinds of points that guard it. */
const roleBits = 6
const traits = Uint16Array.from(operations, ({ point }, kind) => {
  const guards =
    point === 'unlock'
      ? kindBit('unlock') | kindBit('release')
      : point === 'none' || point === 'access'
        ? 0
        : kindBit(point)
  return roles[kind] | (guards << roleBits)
})

/**
 * What deepening must know about the operations of a state space besides its races.
 *
 * - Which kinds of points could have arisen at all: a state space in which no operation of a kind occurs is the same
 *   with and without points of that kind, so a job that adds only such a kind need not be run.
 * - Whether points are needed before releases. Between taking a lock and releasing it there is no point but racy
 *   accesses and further synchronisation; that is enough as long as everybody else who wants the lock waits for it. One
 *   who tries it, or waits only for a time, or sets it up or destroys it, can tell whether it is held.
 * - Writes to what an invariant reads: two of different threads conflict though they are to different variables.
 *
 * The last two err on the safe side: a point too many costs executions, never a schedule.
 */
export class WatchOperations implements Observer, OperationsSeen {
  readonly footprints = true
  /** Bits of `kindBit`. */
  kindsSeen = 0
  needsRelease = false
  /** Memory was freed: what becomes of it matters. */
  hasFreed = false
  /** A thread waited on a condition variable: what may end that matters. */
  hasWaited = false
  readonly watched: RacePoint[] = []
  private machine!: Machine
  private readonly watchedKeys = new Set<string>()

  /** All of it as plain data. */
  seen(): OperationsSeen {
    const { kindsSeen, needsRelease, hasFreed, hasWaited, watched } = this
    return { kindsSeen, needsRelease, hasFreed, hasWaited, watched }
  }

  begin(machine: Machine): void {
    this.machine = machine
  }

  end(trace: Trace): void {
    const { kind, count } = trace.events
    let seen = 0
    for (let i = 0; i < count; i++) seen |= traits[kind[i]]
    this.kindsSeen |= seen >> roleBits
    this.hasFreed ||= (seen & FREES) !== 0
    this.hasWaited ||= (seen & WAITS) !== 0
    if (!this.needsRelease && (seen & RELEASES) !== 0 && (seen & (PEEKS | SETS_UP)) !== 0) {
      this.needsRelease = this.someonePeeks(trace)
    }
    if ((seen & WATCHED) !== 0) this.collectWatched(trace)
  }

  /** Whether an operation that can tell that a lock is held may meet a holder that is about to release it. */
  private someonePeeks(trace: Trace): boolean {
    const peeks = this.eventsOf(trace, PEEKS | SETS_UP)
    const releases = this.eventsOf(trace, RELEASES)
    const { kind, location } = trace.events
    return peeks.some((peek) =>
      releases.some(
        (release) =>
          location[peek.event] === location[release.event] &&
          peek.thread !== release.thread &&
          !(roles[kind[peek.event]] === SETS_UP && this.isApart(trace, peek, release.thread)),
      ),
    )
  }

  /** Whether the event is before its thread created the other (or an ancestor of it) or after it joined it. */
  private isApart(trace: Trace, { event, thread }: ThreadEvent, other: number): boolean {
    const { kind, aux, count } = trace.events
    const { names } = this.machine.threads
    let i = 0
    for (let d = 0; d < trace.length; d++) {
      const end = Math.min(trace.eventEnd[d], count)
      for (; i < end; i++) {
        if (trace.thread[d] !== thread || aux[i] < 0) continue
        if (kind[i] === Op.join && aux[i] === other && i < event) return true
        if (kind[i] !== Op.create || i < event) continue
        const child = names[aux[i]]
        if (names[other] === child || names[other].startsWith(`${child}.`)) return true
      }
    }
    return false
  }

  private collectWatched(trace: Trace): void {
    const { site, location } = trace.events
    const events = this.eventsOf(trace, WATCHED)
    for (const { event, thread } of events) {
      if (!events.some((e) => e.thread !== thread && location[e.event] === location[event])) continue
      let write = event
      while (write > 0 && site[write] < 0) write--
      if (site[write] < 0) continue
      const point = { site: this.machine.sites[site[write]].name, thread: this.machine.threads.names[thread] }
      const key = `${point.thread} ${point.site}`
      if (this.watchedKeys.has(key)) continue
      this.watchedKeys.add(key)
      this.watched.push(point)
    }
  }

  private eventsOf(trace: Trace, wanted: number): ThreadEvent[] {
    const found: ThreadEvent[] = []
    let i = 0
    for (let d = 0; d < trace.length; d++) {
      for (; i < trace.eventEnd[d]; i++) {
        if ((roles[trace.events.kind[i]] & wanted) !== 0) found.push({ event: i, thread: trace.thread[d] })
      }
    }
    return found
  }
}

interface ThreadEvent {
  readonly event: number
  readonly thread: number
}
