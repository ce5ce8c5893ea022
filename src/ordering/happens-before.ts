import type { Trace } from '../execution/trace.js'
import type { EventLog } from '../machine/events.js'
import type { Machine } from '../machine/machine.js'
import { announcedMode, EDGE_FROM, EDGE_NONE, EDGE_TO, edgeOf, Mode, Op } from '../machine/operation.js'
import { blockingRule, isFree, isUnhindered } from './blocking.js'
import { joinClock } from './clock-rows.js'
import { Conflicts } from './conflicts.js'
import { locationsMeet, modesConflict } from './dependence.js'
import { enabledWithout } from './hindsight.js'
import { LastTouches } from './last-touches.js'
import { LongRaces } from './long-races.js'
import { OwnAffairs } from './own-affairs.js'
import { TransitionOrder } from './transition-order.js'

/**
 * Happens-before between the transitions of the current execution, and the reversible races of each.
 *
 * Works as a stack in step with a depth-first search: `add` takes in one more transition, `truncate` forgets the
 * latest ones. Each location remembers the last write and each thread's last read and last commuting change, so a
 * transition is weighed against at most 1 + 2 × threads earlier ones per event.
 * Memory: O(depth × threads + events + locations × threads).
 */
export class HappensBefore extends TransitionOrder {
  /** Of the transition added last: the first `raceCount` are the earlier transitions it can be reversed with. */
  races = new Int32Array(8)
  raceCount = 0
  /** First event of the transition under way when it can block and others follow it, else -1. */
  private guard = -1
  /** The transition added or weighed last. */
  private weighed = 0
  /** `known` is of an earlier one. */
  private isKnownOld = false
  /** Threads seen so far. */
  private active = 0
  private readonly last = new LastTouches()

  /** Scratch of `add`, per thread: what the transition is known to follow whatever the order of conflicts. */
  private known = new Int32Array(8)
  /** Latest transition + 1 of each thread that conflicts directly. */
  private direct = new Int32Array(8)
  /** The same, of those that can be reversed. */
  private reversible = new Int32Array(8)
  /** Threads with an entry in `direct` or `reversible`. */
  private met = new Int32Array(8)
  private metCount = 0

  private readonly long: LongRaces
  private readonly own: OwnAffairs
  private readonly conflicts: Conflicts

  constructor(machine: Machine) {
    super(machine)
    this.long = new LongRaces(this, machine)
    this.own = new OwnAffairs(machine, this.last)
    this.conflicts = new Conflicts(this, machine, this.last)
  }

  /** See `LongRaces`. */
  get longRaces(): Set<number> {
    return this.long.sites
  }

  /** See `OwnAffairs`. */
  isOwnAffair(trace: Trace, from: number, thread: number): boolean {
    return this.own.has(trace, from, thread)
  }

  /** Takes in the next transition of the trace, which must agree with all earlier ones; fills `races`. */
  add(trace: Trace): void {
    const d = this.depth
    const p = trace.thread[d]
    const start = trace.eventStart(d)
    const end = trace.eventEnd[d]
    this.reserve(d + 1, end)
    this.thread[d] = p
    this.value[d] = trace.value[d]
    this.eventEnd[d] = end
    const events = trace.eventsOf(d)
    if (this.isUnhindered(events, start, end)) {
      this.addUnhindered(events, start, end, d, p)
      return
    }
    this.open(d, p)
    const { clocks, known } = this
    let pushes = false
    this.guard = -1
    for (let i = start; i < end; i++) {
      this.copy(events, i, d)
      const kind = this.kind[i]
      const mode = this.mode[i]
      const location = this.location[i]
      const aux = this.aux[i]
      if (kind === Op.cancelled && i === start) this.copyObject(trace, i + 1)
      const edge = edgeOf[kind]
      if (edge !== EDGE_NONE) {
        if (edge === EDGE_FROM) clocks.joinThread(aux, known, this.active)
        else pushes = true
      }
      if (mode !== Mode.none) this.weigh(i, p, location, mode, i === start || kind === Op.resume)
    }
    this.eventCount = end

    this.close(d, p)
    clocks.enter(d, p)
    this.depth = d + 1
    this.collectRaces()
    // mutant: follows its creator
    if (pushes) this.push(start, end, d)
  }

  /**
   * Whether nothing of the transition orders threads or may have to wait, and nothing but its first event touches
   * anything: most are like that.
   */
  private isUnhindered(events: EventLog, start: number, end: number): boolean {
    for (let i = start; i < end; i++) {
      if (isUnhindered[events.kind[i]] === 0) return false
      const mode = events.mode[i]
      if (mode === Mode.none) continue
      if (i > start || mode === Mode.commute) return false
      const location = events.location[i]
      if (this.last.hasCommuted[location] === 1) return false
      const { anyOverlap, overlaps } = this.machine.locations
      if (anyOverlap && overlaps[location] !== null) return false
    }
    return true
  }

  /** Takes in such a transition: its races are found without the scratch of `open`, and its clock is written in place. */
  private addUnhindered(events: EventLog, start: number, end: number, d: number, p: number): void {
    const { clocks, active: T, last } = this
    this.weighed = d
    this.isKnownOld = true
    clocks.open(d, p, T)
    for (let i = start; i < end; i++) this.copy(events, i, d)
    let count = 0
    const mode = start < end ? this.mode[start] : Mode.none
    if (mode !== Mode.none) {
      const location = this.location[start]
      if (mode === Mode.write && last.wasRead[location] === 1) count = this.meetReads(d, p, location)
      // Reads older than the last write are ordered before it and so before us; and it comes before the others.
      if (count === 0) count = this.meetWrite(d, p, location)
      last.note(start, location, p, mode)
    }
    this.raceCount = count
    clocks.rows[d * clocks.stride + p] = d + 1
    clocks.enter(d, p)
    this.eventCount = end
    this.depth = d + 1
    if (count > 0 && this.long.isLookedFor) this.long.note(d, this.races, count)
  }

  /** Joins the last write to a location, if transition d does not follow it anyway: that is a race. */
  private meetWrite(d: number, p: number, location: number): number {
    const { rows, stride: S } = this.clocks
    const write = this.last.write[location]
    if (write === 0) return 0
    const e = this.transitionOf[write - 1]
    const q = this.thread[e]
    if (q === p || e < rows[d * S + q]) return 0
    this.races[0] = e
    // mutant: follows the write
    joinClock(rows, d * S, rows, e * S, this.active)
    return 1
  }

  /** The same for each thread's read since then. */
  private meetReads(d: number, p: number, location: number): number {
    const { races, transitionOf, active: T } = this
    const { rows, stride: S } = this.clocks
    const { read, stride } = this.last
    const write = this.last.write[location]
    const row = d * S
    const base = location * stride
    let met = 0
    for (let t = 0; t < T; t++) {
      const event = read[base + t]
      if (event <= write || t === p) continue
      const e = transitionOf[event - 1]
      // mutant: races with reads
      if (e >= rows[row + t]) races[met++] = e
    }
    for (let k = 0; k < /* mutant: follows the reads */ met; k++) joinClock(rows, row, rows, races[k] * S, T)
    return met < 2 ? met : this.keepImmediate(met)
  }

  /** See `collectRaces`. Whoever stands in between and is left out has another one in between. */
  private keepImmediate(met: number): number {
    const { races, thread } = this
    const { rows, stride: S } = this.clocks
    let count = 0
    for (let i = 0; i < met; i++) {
      const e = races[i]
      let k = 0
      while (k < met && (races[k] <= e || rows[races[k] * S + thread[e]] <= e)) k++
      if (k === met) races[count++] = e
    }
    return count
  }

  private copy(events: EventLog, i: number, d: number): void {
    this.kind[i] = events.kind[i]
    this.mode[i] = events.mode[i]
    this.location[i] = events.location[i]
    this.aux[i] = events.aux[i]
    this.site[i] = events.site[i]
    if ((this.valuesKnown[i] = events.known[i]) !== 0) {
      this.seen[i] = events.seen[i]
      this.written[i] = events.written[i]
      this.operand[i] = events.operand[i]
    }
    this.transitionOf[i] = d
  }

  /** Somebody may come to touch the location who has not done so in any execution seen here. */
  share(location: number): void {
    this.last.share(location)
  }

  /**
   * Weighs what a thread waits to do at the end of an execution as if it came next: fills `races`. An operation that
   * never happens is never weighed otherwise, although it could have happened earlier. The transition it would be is
   * number `depth`; it is not kept.
   */
  weighPending(thread: number, isEnabled: boolean): void {
    const { pending } = this.machine
    const kind = pending.kind[thread]
    const rule = isEnabled ? 'none' : blockingRule(kind, announcedMode[kind])
    this.raceCount = 0
    if (pending.location[thread] < 0) return
    if (!isEnabled && rule !== 'mutex' && rule !== 'counted') return
    if (!isEnabled && kind === Op.reacquire && !this.wasWoken(thread)) return
    const d = this.depth
    const i = this.eventCount
    this.reserve(d + 1, i + 1)
    this.thread[d] = thread
    this.open(d, thread)
    this.guard = -1
    this.value[d] = 0
    this.eventEnd[d] = i + 1
    this.kind[i] = kind
    this.mode[i] = announcedMode[kind]
    this.location[i] = pending.location[thread]
    this.aux[i] = -1
    this.site[i] = -1
    this.valuesKnown[i] = 0
    this.transitionOf[i] = d
    this.last.share(this.location[i])
    this.weighAgainst(this.location[i], thread, this.mode[i], rule === 'none')
    if (rule === 'mutex') this.weighLock(i, thread, this.location[i])
    else if (rule === 'counted') this.weighBlocked(i, thread)
    this.close(d, thread)
    this.collectRaces()
  }

  /** The same for a thread that could have gone on when the execution was cut, where it could have done so. */
  weighNext(thread: number): void {
    const kind = this.machine.pending.kind[thread]
    this.weighPending(thread, blockingRule(kind, announcedMode[kind]) === 'none')
  }

  /** Takes the event after a `cancelled` in early: it says what the wait was for. */
  private copyObject({ events }: Trace, i: number): void {
    this.kind[i] = events.kind[i]
    this.mode[i] = events.mode[i]
    this.location[i] = events.location[i]
    this.aux[i] = events.aux[i]
  }

  /** Begins transition d of thread p. */
  private open(d: number, p: number): void {
    this.weighed = d
    this.isKnownOld = false
    this.clocks.start(p, this.known, this.active)
    for (let i = 0; i < this.metCount; i++) this.direct[this.met[i]] = this.reversible[this.met[i]] = 0
    this.metCount = 0
  }

  private bringKnownUpToDate(): void {
    if (!this.isKnownOld) return
    this.isKnownOld = false
    this.clocks.startOf(this.weighed, this.thread[this.weighed], this.known, this.active)
  }

  /** Its clock: all that was known, and all it conflicts with. */
  private close(d: number, p: number): void {
    const { known, direct, met, active: T } = this
    const { rows, stride: S } = this.clocks
    const row = d * S
    for (let t = 0; t < T; t++) rows[row + t] = known[t]
    for (let i = 0; i < this.metCount; i++) {
      if (direct[met[i]] > 0) joinClock(rows, row, rows, (direct[met[i]] - 1) * S, T)
    }
    rows[row + p] = d + 1
  }

  /** Calls back for all that the transition added (or weighed) last conflicts with: see `Conflicts`. */
  eachConflict(visit: (earlier: number) => void): void {
    this.bringKnownUpToDate()
    this.conflicts.each(this.weighed, this.known, this.active, visit)
  }

  /** Whether the transition added or weighed last follows transition d whatever the order of conflicts. */
  follows(d: number): boolean {
    this.bringKnownUpToDate()
    return d < this.known[this.thread[d]]
  }

  /** Forgets all transitions from `depth` on. */
  truncate(depth: number): void {
    if (this.depth <= depth) return
    const { clocks, thread, location, mode, last } = this
    const start = this.eventStart(depth)
    let i = this.eventCount - 1
    for (let d = this.depth - 1; d >= depth; d--) {
      const p = thread[d]
      clocks.pop(d, p)
      const first = this.eventStart(d)
      for (; i >= first; i--) last.undo(i, location[i], p, mode[i])
    }
    this.eventCount = start
    this.depth = depth
  }

  /** Finds what event i conflicts with, and becomes the latest of its location. */
  private weigh(i: number, p: number, location: number, mode: number, first: boolean): void {
    // Further on in a transition a blocking operation need not be possible: the thread would stop before it.
    const rule = first ? blockingRule(this.kind[i], mode) : 'none'
    this.weighAgainst(location, p, mode, rule === 'none')
    const overlaps = this.machine.locations.anyOverlap ? this.machine.locations.overlaps[location] : null
    if (overlaps !== null) {
      for (const other of overlaps)
        if (other < this.last.locations) this.weighAgainst(other, p, mode, rule === 'none')
    }
    if (rule === 'mutex') this.weighLock(i, p, location)
    else if (rule !== 'none' && rule !== 'never') this.weighBlocked(i, p)
    if (first && rule !== 'none') this.guard = i
    this.last.note(i, location, p, mode)
  }

  private weighAgainst(location: number, p: number, mode: number, reversible: boolean): void {
    const { read, commute, stride, wasRead, hasCommuted } = this.last
    const write = this.last.write[location]
    if (write > 0) this.precede(write - 1, p, reversible)
    const base = location * stride
    const end = base + this.active
    if (mode !== Mode.read && wasRead[location] === 1) {
      // Reads older than the last write are ordered before it and so before us.
      for (let i = base; i < end; i++) if (read[i] > write) this.precede(read[i] - 1, p, reversible)
    }
    if (mode !== Mode.commute && hasCommuted[location] === 1) {
      for (let i = base; i < end; i++)
        if (/* mutant: commuting */ commute[i] > write) this.precede(commute[i] - 1, p, reversible)
    }
  }

  private precede(event: number, p: number, reversible: boolean): void {
    const e = this.transitionOf[event]
    const q = this.thread[e]
    if (q === p || e < this.known[q]) return
    this.meet(q)
    if (e >= this.direct[q]) this.direct[q] = e + 1
    if (!reversible || e < this.reversible[q]) return
    // The first operation must be possible where the transition is moved to.
    if (this.guard < 0 || enabledWithout(this, this.guard, e)) this.reversible[q] = e + 1
  }

  /**
   * A lock cannot go before the unlock that enabled it, but it can go before the lock that this unlock ended: walk
   * back to the transition that found the mutex free. (Abdulla et al., JACM 2017, §8: the race hidden by the unlock.)
   */
  private weighLock(i: number, p: number, location: number): void {
    const { replaced, read, commute } = this.last
    const write = this.last.write[location]
    const base = location * this.last.stride
    for (let t = base; t < base + this.active; t++) {
      if (read[t] > write) this.weighLook(i, p, read[t] - 1, write)
      if (commute[t] > write) this.weighLook(i, p, commute[t] - 1, write)
    }
    let event = write
    while (event > 0) {
      const earlier = replaced[event - 1]
      const e = this.transitionOf[event - 1]
      const isFirstOfTransition = earlier === 0 || this.transitionOf[earlier - 1] !== e
      if (isFirstOfTransition && isFree(this.aux[event - 1])) {
        this.reverse(e, p)
        return
      }
      event = earlier
    }
  }

  /** The same of an event that changed nothing, after the last write. */
  private weighLook(i: number, p: number, event: number, write: number): void {
    const e = this.transitionOf[event]
    // Who comes to a transaction that would take the lock has not looked at it, nor taken it.
    if (this.kind[event] === Op.txWatch) {
      if (enabledWithout(this, i, e)) this.reverse(e, p)
      return
    }
    // Most reads (a failed trylock) found it taken; an unlock refused with an error code may find it free.
    if (!isFree(this.aux[event])) return
    // Free because the same transition had just released it: not at its point.
    if (write === 0 || this.transitionOf[write - 1] !== e) this.reverse(e, p)
  }

  private reverse(e: number, p: number): void {
    const q = this.thread[e]
    if (q === p || e < this.known[q] || e < this.reversible[q]) return
    this.meet(q)
    this.reversible[q] = e + 1
  }

  private meet(thread: number): void {
    if (this.direct[thread] === 0 && this.reversible[thread] === 0) this.met[this.metCount++] = thread
  }

  /**
   * Semaphores, reader-writer locks and spins: the operation can be reversed with e when it would be enabled had e,
   * and all that follows from e, not happened. The latest such e of each thread counts. Linear scans: these
   * operations are rare, and exactness matters more than speed here.
   */
  private weighBlocked(i: number, p: number): void {
    for (let k = i - 1; k >= 0; k--) {
      if (
        !modesConflict(this.mode[k], this.mode[i]) ||
        !locationsMeet(this.locationTable, this.location[k], this.location[i])
      )
        continue
      const e = this.transitionOf[k]
      const q = this.thread[e]
      if (q === p || e < this.known[q] || e < this.reversible[q]) continue
      let hidden = false
      for (let t = 0; t < this.active && !hidden; t++) {
        const accepted = this.reversible[t]
        hidden = accepted > 0 && accepted - 1 !== e && accepted - 1 > e && this.ordered(e, accepted - 1)
      }
      if (hidden || !enabledWithout(this, i, e)) continue
      this.meet(q)
      this.reversible[q] = e + 1
    }
  }

  /**
   * Keeps the races with no other reversible one between: that one is reversed first, and leads to the rest. What
   * cannot be reversed (the post that enabled a wait) does not stand in between.
   */
  private collectRaces(): void {
    const { races, reversible, met, metCount } = this
    const { rows, stride: S } = this.clocks
    this.raceCount = 0
    for (let i = 0; i < metCount; i++) {
      const q = met[i]
      const e = reversible[q] - 1
      if (e < 0) continue
      let immediate = true
      for (let k = 0; k < metCount && immediate; k++) {
        const later = reversible[met[k]] - 1
        if (later > e && met[k] !== q && rows[later * S + q] > e) immediate = false
      }
      if (immediate) races[this.raceCount++] = e
    }
    if (this.long.isLookedFor) this.long.note(this.weighed, this.races, this.raceCount)
  }

  /** Threads that were created or woken go on after this transition. */
  private push(start: number, end: number, d: number): void {
    for (let i = start; i < end; i++) {
      if (edgeOf[this.kind[i]] === EDGE_TO && this.aux[i] >= 0) this.clocks.push(d, this.aux[i])
    }
  }

  private reserve(depth: number, events: number): void {
    const threads = (this.active = this.machine.threads.count)
    const locations = this.machine.locations.count
    const { last } = this
    this.clocks.reserve(depth, threads)
    if (locations > last.locations || threads > last.stride || events > last.replaced.length) {
      last.reserve(locations, threads, events)
    }
    if (threads > this.known.length) this.widen(threads * 2)
    this.reserveEvents(depth, events)
  }

  private widen(threads: number): void {
    this.known = new Int32Array(threads)
    this.direct = new Int32Array(threads)
    this.reversible = new Int32Array(threads)
    this.races = new Int32Array(threads)
    this.met = new Int32Array(threads)
    this.metCount = 0
  }
}
