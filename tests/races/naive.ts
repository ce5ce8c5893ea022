import type { Trace } from '../../src/execution/trace.js'
import { Order } from '../../src/machine/events.js'
import type { Machine } from '../../src/machine/machine.js'
import { Mode, Op } from '../../src/machine/operation.js'
import type { RaceKind } from '../../src/races/index.js'

/**
 * Races by their definition, as slowly as can be: which events order which is asked of every two events, then closed
 * transitively. Shares nothing with the detectors but the meaning of the log.
 */

export interface NaiveRace {
  /** Indexes of events, the earlier one first. */
  readonly earlier: number
  readonly later: number
}

export interface LogEvent {
  readonly i: number
  readonly thread: number
  readonly kind: number
  readonly mode: number
  readonly location: number
  readonly site: number
  readonly aux: number
  readonly order: number
  readonly failed: boolean
}

export function logOf(trace: Trace): LogEvent[] {
  const { events } = trace
  const log: LogEvent[] = []
  for (let d = 0; d < trace.length; d++) {
    for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
      log.push({
        i,
        thread: trace.thread[d],
        kind: events.kind[i],
        mode: events.mode[i],
        location: events.location[i],
        site: events.site[i],
        aux: events.aux[i],
        order: events.order[i] & Order.mask,
        failed: (events.order[i] & Order.failed) !== 0,
      })
    }
  }
  return log
}

const isOneOf = (kinds: readonly number[]) => (e: LogEvent) => kinds.includes(e.kind)
const changed = (e: LogEvent) => e.mode !== Mode.read

const takesMutex = (e: LogEvent) =>
  isOneOf([Op.lock, Op.tryLock, Op.timedLock, Op.reacquire])(e) && e.mode === Mode.write
const readsMutex = (e: LogEvent) =>
  isOneOf([Op.lock, Op.tryLock, Op.timedLock, Op.unlock])(e) && e.mode === Mode.read
const takesForReading = (e: LogEvent) => isOneOf([Op.readLock, Op.tryReadLock])(e) && changed(e)
const takesForWriting = (e: LogEvent) => isOneOf([Op.writeLock, Op.tryWriteLock])(e) && changed(e)
const failsRwlock = (e: LogEvent) => isOneOf([Op.tryReadLock, Op.tryWriteLock])(e) && e.mode === Mode.read
const takesPermit = (e: LogEvent) => isOneOf([Op.semWait, Op.semTryWait])(e) && changed(e)
const onCondition = isOneOf([Op.condWait, Op.condReturn, Op.condSignal, Op.condBroadcast])
const onBarrier = isOneOf([Op.barrierArrive, Op.barrierLeave])

/** Whether the outcome of the later of two operations on one synchronisation object rests on the earlier one. */
function restsOn(later: LogEvent, earlier: LogEvent): boolean {
  if (later.location < 0 || later.location !== earlier.location) return false
  const givesBack = earlier.kind === Op.unlock && changed(earlier)
  if (takesMutex(later)) return givesBack
  if (readsMutex(later)) {
    const isTry = later.kind === Op.tryLock || later.kind === Op.timedLock
    return takesMutex(earlier) || (givesBack && !isTry)
  }
  if (takesForReading(later)) return earlier.kind === Op.writeUnlock
  if (takesForWriting(later)) return earlier.kind === Op.writeUnlock || earlier.kind === Op.readUnlock
  if (failsRwlock(later)) return takesForReading(earlier) || takesForWriting(earlier)
  if (takesPermit(later)) return earlier.kind === Op.semPost
  if (later.kind === Op.semTryWait) return takesPermit(earlier)
  if (later.kind === Op.semRead) return takesPermit(earlier) || earlier.kind === Op.semPost
  if (onCondition(later)) return onCondition(earlier)
  return onBarrier(later) && earlier.kind === Op.barrierArrive
}

function threadOrders(log: readonly LogEvent[], earlier: LogEvent, later: LogEvent): boolean {
  if (earlier.thread === later.thread) return true
  if (earlier.kind === Op.create || earlier.kind === Op.wake) return earlier.aux === later.thread
  return later.kind === Op.join && later.aux === earlier.thread && log.length > 0
}

const acquires = (order: number) => order !== Order.relaxed && order !== Order.release
const releases = (order: number) =>
  order === Order.release || order === Order.acqRel || order === Order.seqCst
const isAtomicRead = (e: LogEvent) => e.kind === Op.atomicLoad || e.kind === Op.atomicUpdate
const isUnchanged = (e: LogEvent) => e.kind === Op.atomicUpdate && e.mode === Mode.read && !e.failed
const isAtomicWrite = (e: LogEvent) => e.kind === Op.atomicStore || (e.kind === Op.atomicUpdate && !e.failed)

/** C++20: pairs of events that synchronise through atomics and fences. */
function synchronised(log: readonly LogEvent[]): [number, number][] {
  const found: [number, number][] = []
  for (const read of log.filter(isAtomicRead)) {
    const targets = [
      ...(acquires(read.order) ? [read] : []),
      ...log.filter(
        (f) => f.kind === Op.fence && f.thread === read.thread && f.i > read.i && acquires(f.order),
      ),
    ]
    let isContinued = false
    for (let w = read.i - 1; w >= 0; w--) {
      const write = log[w]
      if (write.location !== read.location) continue
      if (write.kind === Op.store) break
      // The read could have come before an update that changed nothing, unless something has changed the value since.
      if (!isAtomicWrite(write) || (isUnchanged(write) && !isContinued)) continue
      const heads = [
        ...(releases(write.order) ? [write] : []),
        ...log.filter(
          (f) => f.kind === Op.fence && f.thread === write.thread && f.i < write.i && releases(f.order),
        ),
      ]
      for (const head of heads) for (const target of targets) found.push([head.i, target.i])
      if (write.kind !== Op.atomicUpdate) break
      isContinued ||= !isUnchanged(write)
    }
  }
  return found
}

function close(log: readonly LogEvent[], edges: Iterable<[number, number]>): boolean[][] {
  const before = log.map(() => new Array<boolean>(log.length).fill(false))
  for (const [a, b] of edges) before[a][b] = true
  // Edges go forwards in time, so one pass in order closes them.
  for (let b = 0; b < log.length; b++) {
    for (let m = 0; m < b; m++) {
      if (!before[m][b]) continue
      for (let a = 0; a < m; a++) if (before[a][m]) before[a][b] = true
    }
  }
  return before
}

function* pureEdges(log: readonly LogEvent[]): Generator<[number, number]> {
  for (const later of log) {
    for (const earlier of log.slice(0, later.i)) {
      if (threadOrders(log, earlier, later) || restsOn(later, earlier)) yield [earlier.i, later.i]
    }
  }
  yield* synchronised(log)
}

/** Create, wake, join and barriers; semaphores are added one by one. */
function limitedOrder(log: readonly LogEvent[], machine: Machine): boolean[][] {
  const edges: [number, number][] = []
  for (const later of log) {
    for (const earlier of log.slice(0, later.i)) {
      if (threadOrders(log, earlier, later)) edges.push([earlier.i, later.i])
      if (earlier.kind !== Op.barrierArrive || isSecondArrival(log, earlier)) continue
      const leaves = later.kind === Op.barrierLeave && later.location === earlier.location
      const isLast = isSecondArrival(log, later) && log[later.i - 1].location === earlier.location
      if (leaves || isLast) edges.push([earlier.i, later.i])
    }
  }
  for (;;) {
    const before = close(log, edges)
    const more = log.flatMap((wait) =>
      wait.kind !== Op.semWait || isLockLike(log, wait.location, machine)
        ? []
        : log
            .slice(0, wait.i)
            .filter((e) => e.kind === Op.semPost && e.location === wait.location && !before[e.i][wait.i])
            .filter((e) => mostWithout(log, before, e, wait) <= 0)
            .map((e): [number, number] => [e.i, wait.i]),
    )
    if (more.length === 0) return before
    edges.push(more[0])
  }
}

function isSecondArrival(log: readonly LogEvent[], e: LogEvent): boolean {
  const last = log[e.i - 1]
  return (
    e.kind === Op.barrierArrive &&
    last?.kind === Op.barrierArrive &&
    last.thread === e.thread &&
    last.site === e.site
  )
}

const changeOf = (e: LogEvent) => (e.kind === Op.semPost ? 1 : takesPermit(e) ? -1 : 0)

function initialPermits(log: readonly LogEvent[], location: number): number {
  return log.find(
    (e) => e.location === location && isOneOf([Op.semPost, Op.semWait, Op.semTryWait, Op.semRead])(e),
  )!.aux
}

function isLockLike(log: readonly LogEvent[], location: number, machine: Machine): boolean {
  if (initialPermits(log, location) !== 1) return false
  return machine.threads.names.every((_, thread) => {
    let held = 0
    return log
      .filter((e) => e.thread === thread && e.location === location)
      .every((e) => {
        held -= changeOf(e)
        return held === 0 || held === 1
      })
  })
}

function mostWithout(log: readonly LogEvent[], before: boolean[][], post: LogEvent, wait: LogEvent): number {
  let permits = initialPermits(log, wait.location)
  for (const thread of new Set(log.map((e) => e.thread))) {
    let sum = 0
    let most = 0
    for (const e of log) {
      if (e.thread !== thread || e.location !== wait.location || e.i >= wait.i) continue
      if (e.i === post.i || before[post.i][e.i]) break
      sum += changeOf(e)
      most = before[e.i][wait.i] ? sum : Math.max(most, sum)
    }
    permits += most
  }
  return permits
}

/** Locks held just before an event: by location, whether exclusively. */
function locksAt(log: readonly LogEvent[], at: LogEvent, machine: Machine): [number, boolean][] {
  const held: [number, boolean][] = []
  const giveBack = (location: number, exclusive: boolean) => {
    const index = held.findIndex(([l, x]) => l === location && x === exclusive)
    if (index >= 0) held.splice(index, 1)
  }
  for (const e of log.slice(0, at.i)) {
    if (e.thread !== at.thread) continue
    const lockLike =
      machine.locations.kinds[e.location] === 'semaphore' && isLockLike(log, e.location, machine)
    if (takesMutex(e) || takesForWriting(e) || (lockLike && takesPermit(e))) held.push([e.location, true])
    else if (takesForReading(e)) held.push([e.location, false])
    else if (e.kind === Op.readUnlock) giveBack(e.location, false)
    else if ((e.kind === Op.unlock && changed(e)) || e.kind === Op.writeUnlock) giveBack(e.location, true)
    else if (lockLike && e.kind === Op.semPost) giveBack(e.location, true)
  }
  return held
}

const isPlain = (e: LogEvent) => e.kind === Op.load || e.kind === Op.store
const isAccess = (e: LogEvent) => isPlain(e) || isAtomicRead(e) || e.kind === Op.atomicStore
const writes = (e: LogEvent) => e.kind === Op.store || isAtomicWrite(e)

/** Whether two events are accesses that race if nothing keeps them apart. */
export function conflict(a: LogEvent, b: LogEvent): boolean {
  return (
    isAccess(a) &&
    isAccess(b) &&
    a.thread !== b.thread &&
    a.location === b.location &&
    (writes(a) || writes(b)) &&
    (isPlain(a) || isPlain(b))
  )
}

export function naiveRaces(trace: Trace, machine: Machine, kind: RaceKind): NaiveRace[] {
  const log = logOf(trace)
  const before = kind === 'pure' ? close(log, pureEdges(log)) : limitedOrder(log, machine)
  const races: NaiveRace[] = []
  for (const later of log) {
    for (const earlier of log.slice(0, later.i)) {
      if (!conflict(earlier, later) || before[earlier.i][later.i]) continue
      if (kind === 'limited') {
        const locks = locksAt(log, later, machine)
        const excluded = locksAt(log, earlier, machine).some(([l, x]) =>
          locks.some(([m, y]) => l === m && (x || y)),
        )
        if (excluded) continue
      }
      races.push({ earlier: earlier.i, later: later.i })
    }
  }
  return races
}
