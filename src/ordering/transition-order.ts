import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { LocationTable } from '../machine/names.js'
import { Op } from '../machine/operation.js'
import { waitsForReaders } from './blocking.js'
import { type History, holdersInTheWay, predictMode } from './hindsight.js'
import { TransitionClocks } from './transition-clocks.js'

/** Transitions of the current execution with what they did, and which happens before which. */
export class TransitionOrder implements History {
  /** Transitions taken in. */
  depth = 0
  /** Thread and value of each transition. */
  thread = new Int32Array(64)
  value = new Int32Array(64)
  /** Transition i did events `eventEnd[i-1]` … `eventEnd[i] - 1`. */
  eventEnd = new Int32Array(64)

  eventCount = 0
  kind = new Uint8Array(64)
  mode = new Uint8Array(64)
  location = new Int32Array(64)
  aux = new Int32Array(64)
  site = new Int32Array(64)
  valuesKnown = new Uint8Array(64)
  seen = new Int32Array(64)
  written = new Int32Array(64)
  operand = new Int32Array(64)
  transitionOf = new Int32Array(64)

  protected readonly clocks = new TransitionClocks()

  constructor(protected readonly machine: Machine) {}

  get locationTable(): LocationTable {
    return this.machine.locations
  }

  /** Whether transition a happens before transition b (a < b), or is it. */
  ordered(a: number, b: number): boolean {
    return this.clocks.rows[b * this.clocks.stride + this.thread[a]] > a
  }

  /**
   * What comes before f when it is moved before e: lists the transitions between e and `end` that do not happen after e,
   * nor after anybody who would keep f from running; returns how many. The end of the program is none of them: it comes
   * when nobody else can run, so f could not come after it.
   */
  stretch(e: number, f: number, end: number, into: Int32Array): number {
    const { rows, stride } = this.clocks
    let count = 0
    let at = (e + 1) * stride + this.thread[e]
    for (let d = e + 1; d < end; d++, at += stride) if (rows[at] <= e) into[count++] = d
    if (this.eventStart(f) < this.eventEnd[f] && waitsForReaders(this.kind[this.eventStart(f)])) {
      const left = holdersInTheWay(this, this.eventStart(f), e)
      if (left !== null && left.length > 0) count = this.leaveOut(left, into, count)
    }
    return count > 0 && this.beginsWith(into[count - 1], Op.processExit) ? count - 1 : count
  }

  /** Takes those transitions, and all that happens after them, out of the list; returns how many are left. */
  private leaveOut(left: readonly number[], list: Int32Array, length: number): number {
    let count = 0
    for (let i = 0; i < length; i++) {
      const d = list[i]
      if (!left.some((gone) => gone <= d && this.ordered(gone, d))) list[count++] = d
    }
    return count
  }

  eventStart(transition: number): number {
    return transition === 0 ? 0 : this.eventEnd[transition - 1]
  }

  protected beginsWith(transition: number, kind: number): boolean {
    const start = this.eventStart(transition)
    return start < this.eventEnd[transition] && this.kind[start] === kind
  }

  /**
   * Races of the last transition if a thread failed in it. That ended the execution, so it depends on everything: it
   * races with the latest transition of each thread that its conflicts do not already put before it. The end of the
   * program cuts nobody short: it comes when nobody else can run, and cannot come earlier.
   */
  racesOfFailure(): number[] {
    const last = this.depth - 1
    if (this.beginsWith(last, Op.processExit)) return []
    const latest = new Map<number, number>()
    for (let d = last - 1; d >= 0; d--) if (!latest.has(this.thread[d])) latest.set(this.thread[d], d)
    latest.delete(this.thread[last])
    const concurrent = [...latest.values()].filter((d) => !this.ordered(d, last))
    return concurrent.filter((d) => !concurrent.some((other) => other > d && this.ordered(d, other)))
  }

  /** See `hindsight.ts`. */
  predictMode(event: number, e: number): number {
    return predictMode(this, event, e)
  }

  /** Whether a thread inside a wait has been woken, or ended the wait itself. */
  protected wasWoken(thread: number): boolean {
    for (let i = this.eventCount - 1; i >= 0; i--) {
      if (this.kind[i] === Op.wake && this.aux[i] === thread) return true
      if (this.thread[this.transitionOf[i]] === thread) return this.kind[i] === Op.condReturn
    }
    return false
  }

  protected reserveEvents(depth: number, events: number): void {
    if (depth > this.thread.length) {
      const size = this.thread.length * 2
      this.thread = grown(this.thread, size)
      this.value = grown(this.value, size)
      this.eventEnd = grown(this.eventEnd, size)
    }
    while (events > this.kind.length) {
      const size = this.kind.length * 2
      this.kind = grown(this.kind, size)
      this.mode = grown(this.mode, size)
      this.location = grown(this.location, size)
      this.aux = grown(this.aux, size)
      this.site = grown(this.site, size)
      this.valuesKnown = grown(this.valuesKnown, size)
      this.seen = grown(this.seen, size)
      this.written = grown(this.written, size)
      this.operand = grown(this.operand, size)
      this.transitionOf = grown(this.transitionOf, size)
    }
  }
}
