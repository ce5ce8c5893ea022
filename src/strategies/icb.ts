import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import { THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { leftBehind } from './fairness.js'
import {
  type Divisible,
  type HandedPoint,
  type PartReport,
  type PartStart,
  shareUpTo,
} from './parallel/part.js'
import { AboveRoot, type PlainStep } from './reduction/above-root.js'
import { Path, type PathData } from './reduction/path.js'
import type { SavedBranch } from './reduction/wakeup-tree.js'
import type { StrategyContext } from './registry.js'

/**
 * Iterative context bounding (Musuvathi and Qadeer, PLDI 2007, doi:10.1145/1250734.1250785; Blum, "Practical Concurrency Testing", §3.4.5) with
 * bounded partial-order reduction (Coons, Musuvathi, McKinley, OOPSLA 2013, doi:10.1145/2509136.2509556): every
 * happens-before class that has an order with at most k preemptions, for k = 0, 1, 2, …
 *
 * A transition is weighed against every earlier one it conflicts with, not only the latest: what lies between would
 * have to be reversed first, and that may not fit into the bound. A race is reversed at the earlier transition's point and also, conservatively, at the latest point up to there where
 * a switch was free (the earlier thread was switched to, or gave way): trying the other thread there may cost no
 * preemption. Sleep sets are left out: they can prune
 * the only order of a class that keeps within the bound (Gambit §2.3). So a class may be visited in several of its
 * orders; executions with fewer preemptions than the bound were seen under a smaller one and are marked `rerun`.
 */
class ContextBounded implements Strategy, Divisible {
  readonly name = 'icb'
  readonly footprints = true
  completedBound = -1
  rerun = false
  private readonly hb: HappensBefore
  private readonly path = new Path()
  /** Preemptions before each depth. */
  private preemptions = new Int32Array(64)
  /** The thread that leaving costs a preemption at each depth, or -1. */
  private staying = new Int32Array(64)
  /** The latest point up to each depth where any thread could be taken at no cost: its thread was switched to, or gave way. */
  private freePoint = new Int32Array(64)
  private started = false
  private settled = 0
  private scriptLength = 0
  private bound = 0
  /** Something was left out for its cost. */
  private limited = false
  /** Some execution was cut. */
  private hasCut = false
  private readonly above = new AboveRoot()
  /** See `Backtracking`. */
  private isOpened = true
  private opened: PartReport['opened']

  constructor(
    private readonly context: StrategyContext,
    private readonly maxBound: number,
  ) {
    this.hb = new HappensBefore(context.machine)
    this.bound = context.only ?? 0
    this.path.onMarkAbove = (depth, mark) => this.above.add({ depth, mark })
  }

  get longRaces(): ReadonlySet<number> {
    return this.hb.longRaces
  }

  get script() {
    return { thread: this.path.thread, value: this.path.value, length: this.scriptLength }
  }

  begin(): boolean {
    // Known at the end: until then observers take it for a new one, which it may be.
    this.rerun = false
    if (!this.started) {
      this.started = true
      this.scriptLength = this.path.depth
      return true
    }
    for (let d = this.path.depth - 1; d >= this.path.root; d--) {
      if (this.takeNext(d)) {
        this.resumeAt(d + 1, d)
        return true
      }
    }
    if (!this.hasCut) this.completedBound = this.limited ? this.bound : Infinity
    if (!this.limited || this.bound >= this.maxBound) return false
    this.bound++
    this.limited = false
    this.resumeAt(0, 0)
    return true
  }

  choose(point: ChoicePoint): number {
    this.advance(point.trace)
    const { path } = this
    const d = point.depth
    path.open(point)
    if (d === this.staying.length) {
      this.staying = grown(this.staying, d * 2)
      this.preemptions = grown(this.preemptions, d * 2)
      this.freePoint = grown(this.freePoint, d * 2)
    }
    this.preemptions[d] = d === 0 ? 0 : this.costAfter(d - 1)
    this.staying[d] = point.stay >= 0 && /* mutant: voluntary */ !point.voluntary ? point.previous : -1
    // Whoever is left behind comes first, if that fits into the bound; going on is tried too, as it costs less.
    const behind = point.voluntary || this.preemptions[d] < this.bound ? leftBehind(point, null) : -1
    const option = behind >= 0 ? behind : Math.max(0, point.stay)
    if (behind >= 0 && point.stay >= 0) path.mark(d, point.previous)
    path.mark(d, point.thread[option])
    this.take(d, point.thread[option], point.value[option])
    if (point.machine.pending.kind[point.thread[option]] === Op.processExit) path.markEnabled(d)
    return option
  }

  end(trace: Trace, status: Status): void {
    this.advance(trace)
    if (status === 'cut') this.hasCut = true
    const last = trace.length - 1
    // Of who never ran it is not known what they would do.
    if ((status === 'failed' || status === 'cut') && last >= 0) {
      this.path.markEnabled(last)
      this.path.markEnabled(this.freePoint[last])
    }
    if (status === 'failed') {
      for (let d = 0; d < last; d++) {
        if (this.hb.thread[d] !== this.hb.thread[last] && !this.hb.follows(d)) this.markRace(d, last)
      }
    }
    const { machine } = this.context
    for (let t = 0; t < machine.threads.count; t++) {
      if (machine.pending.status[t] !== THREAD_LIVE) continue
      // Those that could have gone on are weighed too after a failure, since trying them there may not fit into the
      // bound, and where the execution was cut.
      const isEnabled = machine.alternatives(t) > 0
      const isCutShort = status === 'cut' || (status === 'failed' && t !== trace.thread[trace.length - 1])
      if (isEnabled && !isCutShort) continue
      this.hb.weighPending(t, isEnabled)
      if (this.hb.raceCount > 0) this.hb.eachConflict((earlier) => this.markRace(earlier, this.hb.depth))
    }
    this.rerun = trace.preemptions < this.bound
    if (!this.isOpened) {
      this.isOpened = true
      this.opened = { step: this.stepAt(this.path.root - 1), races: [] }
    }
  }

  get root(): number {
    return this.path.root
  }

  untried(depth: number): number {
    const { path } = this
    let untried = 0
    for (let t = 0; t < path.threads; t++) {
      if (!path.isMarked(depth, t) || this.preemptions[depth] + this.costOf(depth, t) > this.bound) continue
      untried += path.alternatives(depth, t) - path.started(depth, t)
    }
    return untried
  }

  save(): Saved {
    return {
      started: this.started,
      longRaces: [...this.hb.longRaces],
      bound: this.bound,
      limited: this.limited,
      hasCut: this.hasCut,
      completedBound: this.completedBound,
      path: this.path.save(),
      preemptions: [...this.preemptions.subarray(0, this.path.depth)],
      staying: [...this.staying.subarray(0, this.path.depth)],
      root: this.path.root,
      isOpened: this.isOpened,
    }
  }

  /** From the beginning of a part of a search. */
  open(start: PartStart, { threadHere }: StrategyContext): this {
    this.isOpened = false
    this.path.openPart(start, start.thread.length, threadHere)
    this.path.root = this.path.depth
    const staying = start.costs.map((cost) => cost![1])
    this.loadCosts(
      start.costs.map((cost) => cost![0]),
      staying.map((t) => (t < 0 ? t : threadHere(t))),
    )
    this.settled = this.path.depth - 1
    return this
  }

  report(isAsked: boolean): PartReport {
    const { opened, limited: isLimited } = this
    this.opened = undefined
    const end = isAsked ? shareUpTo(this, this.path.root, this.path.depth) : -1
    return {
      plans: this.above.take(),
      isLimited,
      ...(opened ? { opened } : {}),
      ...(end < 0 ? {} : { handed: this.handOver(end) }),
    }
  }

  private stepAt(d: number): PlainStep {
    const { path } = this
    return [path.thread[d], path.value[d], path.alternatives(d, path.thread[d]), []]
  }

  private handOver(end: number): HandedPoint[] {
    const { path } = this
    const from = path.root
    path.root = end
    return Array.from({ length: end - from }, (_, i) => {
      const d = from + i
      const branches: SavedBranch[] = []
      for (const t of path.marked(d)) {
        const arity = path.alternatives(d, t)
        for (let v = path.started(d, t); v < arity; v++) branches.push([0, t, v, arity, []])
      }
      return {
        alternatives: path.enabled(d),
        sleepers: [],
        step: this.stepAt(d),
        isLeaf: true,
        races: [],
        branches,
        marked: path.marked(d),
        cost: [this.preemptions[d], this.staying[d]],
      }
    })
  }

  load(saved: Saved, context: StrategyContext): this {
    this.started = saved.started as boolean
    for (const site of (saved.longRaces as number[] | undefined) ?? []) this.hb.longRaces.add(site)
    this.bound = saved.bound as number
    this.limited = saved.limited as boolean
    this.hasCut = saved.hasCut === true
    this.completedBound = (saved.completedBound as number | null) ?? Infinity
    this.path.load(saved.path as PathData, context.threadHere)
    this.path.root = (saved.root as number | undefined) ?? 0
    this.isOpened = (saved.isOpened as boolean | undefined) ?? true
    const staying = (saved.staying as number[]).map((t) => (t < 0 ? t : context.threadHere(t)))
    this.loadCosts(saved.preemptions as number[], staying)
    this.settled = this.path.depth
    return this
  }

  /** Per depth of the path, which is there already. */
  private loadCosts(preemptions: readonly number[], staying: readonly number[]): void {
    const size = Math.max(64, this.path.depth * 2)
    this.preemptions = grown(Int32Array.from(preemptions), size)
    this.staying = grown(Int32Array.from(staying), size)
    this.freePoint = new Int32Array(size)
    for (let d = 0; d < this.path.depth; d++) this.take(d, this.path.thread[d], this.path.value[d])
  }

  private resumeAt(depth: number, settled: number): void {
    this.hb.truncate(settled)
    this.path.depth = depth
    this.settled = Math.min(this.settled, settled)
    this.scriptLength = depth
  }

  /** Preemptions after the transition taken at depth d. */
  private costAfter(d: number): number {
    return this.preemptions[d] + this.costOf(d, this.path.thread[d])
  }

  private costOf(d: number, thread: number): number {
    return this.staying[d] >= 0 && this.staying[d] !== thread ? 1 : 0
  }

  private takeNext(d: number): boolean {
    const { path } = this
    for (let t = 0; t < path.threads; t++) {
      if (!path.isMarked(d, t) || path.started(d, t) >= path.alternatives(d, t)) continue
      if (this.preemptions[d] + this.costOf(d, t) > this.bound) {
        this.limited = true
        continue
      }
      this.take(d, t, path.started(d, t))
      return true
    }
    return false
  }

  private advance(trace: Trace): void {
    const { hb } = this
    while (hb.depth < trace.length) {
      const d = hb.depth
      hb.add(trace)
      if (d < this.settled) continue
      this.settled = d + 1
      // mutant: all conflicts
      hb.eachConflict((earlier) => this.markRace(earlier, d))
    }
  }

  private markRace(earlier: number, later: number): void {
    const thread = this.hb.thread[later]
    this.markAt(earlier, thread)
    // mutant: BPOR
    this.markAt(this.freePoint[earlier], thread)
  }

  private markAt(d: number, thread: number): void {
    if (this.path.alternatives(d, thread) > 0) this.path.mark(d, thread)
    else this.path.markEnabled(d)
  }

  private take(d: number, thread: number, value: number): void {
    this.path.take(d, thread, value)
    this.freePoint[d] = this.staying[d] >= 0 && this.staying[d] === thread ? this.freePoint[d - 1] : d
  }
}

function largestBound({ only, bound }: StrategyContext): number {
  return only ?? bound ?? Infinity
}

export function icb(context: StrategyContext): Strategy {
  return new ContextBounded(context, largestBound(context))
}

export function openIcb(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return new ContextBounded(context, largestBound(context)).open(start, context)
}

export function loadIcb(context: StrategyContext, saved: Saved): Strategy {
  return new ContextBounded(context, largestBound(context)).load(saved, context)
}
