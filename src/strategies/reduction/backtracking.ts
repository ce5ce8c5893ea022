import type { ChoicePoint, Saved, Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { THREAD_LIVE } from '../../machine/machine.js'
import { Op } from '../../machine/operation.js'
import { isEverywhere } from '../../machine/points.js'
import { HappensBefore } from '../../ordering/happens-before.js'
import { defaultOption } from '../fairness.js'
import {
  type Divisible,
  type HandedPoint,
  type PartReport,
  type PartStart,
  shareUpTo,
} from '../parallel/part.js'
import type { StrategyContext } from '../registry.js'
import { AboveRoot, type PlainStep } from './above-root.js'
import { Footprints } from './footprints.js'
import { Path, type PathData } from './path.js'
import { SleepSets } from './sleep-sets.js'
import type { SavedBranch } from './wakeup-tree.js'

/** What a race is judged on. */
export interface SearchState {
  readonly path: Path
  readonly hb: HappensBefore
  /** Whether some alternative of the thread sleeps at that depth. */
  isAsleep(depth: number, thread: number): boolean
  /**
   * Whether the thread has several alternatives there, which touch different things, and some of them sleep: a transaction
   * that starts, say. Those that do not sleep show no race of those that do, so they alone cannot stand for all others.
   */
  isPartlyAsleep(depth: number, thread: number): boolean
  /** Transitions are single operations: what a thread will do next is all announced. */
  readonly isSingle: boolean
}

/**
 * Decides which threads to try where, when transitions `earlier` and `later` race. Transitions from `end` on are no part
 * of the reversal.
 */
export type MarkForRace = (state: SearchState, earlier: number, later: number, end: number) => void

/**
 * Depth-first search with sets of threads to try at each depth, grown as races are seen, and sleep sets: the frame
 * that DPOR and source-DPOR share. They differ in `MarkForRace` alone.
 */
export class Backtracking implements Strategy, SearchState, Divisible {
  readonly footprints = true
  readonly hb: HappensBefore
  readonly path = new Path()
  private readonly pool: Footprints
  private readonly sleep: SleepSets
  private started = false
  /** Transitions whose races are marked: those of a path read back are not marked again. */
  private settled = 0
  /** The transition in which a thread failed in the last execution, or -1. */
  private fatal = -1
  private scriptLength = 0
  private readonly above = new AboveRoot()
  /** The step before the root has been made; if it was not told of yet, what it did. */
  private isOpened = true
  private opened: PartReport['opened']
  /** After `load`, before the first execution: footprints of the path's transitions, which `hb` does not know yet. */
  private resumed: number[] | null = null

  constructor(
    readonly name: string,
    private readonly context: StrategyContext,
    private readonly markForRace: MarkForRace,
    private readonly useSleepSets: boolean,
  ) {
    this.hb = new HappensBefore(context.machine)
    this.pool = new Footprints(context.machine.locations)
    this.sleep = new SleepSets(this.pool)
    this.sleep.reset()
    this.path.onMarkAbove = (depth, mark) => this.above.add({ depth, mark })
  }

  get longRaces(): ReadonlySet<number> {
    return this.hb.longRaces
  }

  get script() {
    return { thread: this.path.thread, value: this.path.value, length: this.scriptLength }
  }

  begin(): boolean {
    const { path, hb, sleep } = this
    if (!this.started) {
      this.started = true
      this.scriptLength = path.depth
      return true
    }
    for (let d = path.depth - 1; d >= path.root; d--) {
      if (this.useSleepSets) {
        const footprint = this.resumed ? this.resumed.pop()! : this.pool.of(hb, d, d === this.fatal)
        sleep.add(d, path.thread[d], path.value[d], footprint)
      }
      if (this.takeNext(d)) {
        this.resumed = null
        hb.truncate(d)
        path.depth = d + 1
        this.settled = Math.min(this.settled, d)
        this.scriptLength = d + 1
        this.fatal = -1
        return true
      }
      sleep.drop(d)
    }
    path.depth = 0
    return false
  }

  choose(point: ChoicePoint): number {
    this.advance(point.trace)
    const { path } = this
    const d = point.depth
    const option = defaultOption(point, this.useSleepSets ? this.sleep : null)
    if (option < 0) return -1
    path.open(point)
    path.mark(d, point.thread[option])
    if (this.isPartlyAsleep(d, point.thread[option])) path.markEnabled(d)
    path.take(d, point.thread[option], point.value[option])
    // Program ends are enabled only when nothing else is and each ends the execution: all are tried.
    if (point.machine.pending.kind[point.thread[option]] === Op.processExit) path.markEnabled(d)
    return option
  }

  end(trace: Trace, status: Status): void {
    this.advance(trace)
    if (status === 'failed') this.fatal = trace.length - 1
    // mutant: waits at a leaf
    this.markWaiting(status)
    if (this.fatal >= 0) this.markFailure()
    if (!this.isOpened) this.tellFirst()
  }

  private markFailure(): void {
    // The failure ended everything: whatever others could have done instead, or before, is still to be seen.
    // mutant: failure
    this.path.markEnabled(this.fatal)
    for (const earlier of this.hb.racesOfFailure()) this.markForRace(this, earlier, this.fatal, this.fatal)
  }

  /**
   * What threads wait to do at the end could have come earlier: also in an execution that was given up because all who
   * could run were asleep, since nobody else will tell of the thread that waits there. Where an execution was cut, the
   * same holds for whatever a thread was about to do.
   */
  private markWaiting(status: Status): void {
    const { hb, fatal } = this
    const { threads, pending } = this.context.machine
    const end = fatal < 0 ? hb.depth : fatal
    for (let t = 0; t < threads.count; t++) {
      if (pending.status[t] !== THREAD_LIVE) continue
      const couldRun = this.couldRun(t)
      if (couldRun && status !== 'cut') continue
      if (couldRun) hb.weighNext(t)
      /* mutant: waits for ever */ else hb.weighPending(t, false)
      if (fatal >= 0 && hb.follows(fatal)) continue
      for (let i = 0; i < hb.raceCount; i++) this.markForRace(this, hb.races[i], hb.depth, end)
    }
    // Of those who have not begun it is not known what they would do.
    if (status === 'cut') this.path.markEnabled(hb.depth - 1)
  }

  get root(): number {
    return this.path.root
  }

  untried(depth: number): number {
    let untried = 0
    this.eachUntried(depth, () => untried++)
    return untried
  }

  private eachUntried(depth: number, visit: (thread: number, value: number) => void): void {
    const { path, sleep } = this
    for (let t = 0; t < path.threads; t++) {
      if (!path.isMarked(depth, t)) continue
      for (let v = path.started(depth, t); v < path.alternatives(depth, t); v++) {
        if (!this.useSleepSets || !sleep.has(depth, t, v)) visit(t, v)
      }
    }
  }

  save(): Saved {
    return {
      started: this.started,
      longRaces: [...this.hb.longRaces],
      path: this.path.save(),
      sleep: this.sleep.save(this.path.depth),
      // The last execution's footprints are still needed to put it to sleep.
      done: Array.from({ length: this.path.depth }, (_, d) => this.footprintData(d)),
      root: this.path.root,
      isOpened: this.isOpened,
    }
  }

  load(saved: Saved, context: StrategyContext): this {
    const data = saved as unknown as {
      started: boolean
      path: PathData
      sleep: number[][][]
      done: number[][]
      root?: number
      isOpened?: boolean
    }
    this.path.root = data.root ?? 0
    this.isOpened = data.isOpened ?? true
    this.path.load(data.path, context.threadHere)
    this.sleep.load(data.sleep, context.threadHere, context.locationHere)
    this.started = data.started
    for (const site of (saved.longRaces as number[] | undefined) ?? []) this.hb.longRaces.add(site)
    this.settled = this.path.depth
    if (data.done.length > 0) {
      this.resumed = data.done.map((cells) => this.pool.load(cells, context.locationHere))
    }
    return this
  }

  /** From the beginning of a part of a search. */
  open(start: PartStart, { threadHere, locationHere }: StrategyContext): this {
    this.isOpened = false
    this.path.openPart(start, start.thread.length, threadHere)
    this.path.root = this.path.depth
    this.sleep.load(start.sleepers, threadHere, locationHere)
    this.settled = this.path.depth - 1
    return this
  }

  report(isAsked: boolean): PartReport {
    const { opened } = this
    this.opened = undefined
    const end = isAsked ? shareUpTo(this, this.path.root, this.path.depth) : -1
    return {
      plans: this.above.take(),
      ...(opened ? { opened } : {}),
      ...(end < 0 ? {} : { handed: this.handOver(end) }),
    }
  }

  private tellFirst(): void {
    this.isOpened = true
    this.opened = { step: this.stepAt(this.path.root - 1), races: [] }
  }

  private stepAt(d: number): PlainStep {
    const { path } = this
    return [path.thread[d], path.value[d], path.alternatives(d, path.thread[d]), this.footprintData(d)]
  }

  private handOver(end: number): HandedPoint[] {
    const { path, sleep } = this
    const sleepers = sleep.save(end)
    const from = path.root
    path.root = end
    return Array.from({ length: end - from }, (_, i) => {
      const d = from + i
      const branches: SavedBranch[] = []
      this.eachUntried(d, (t, v) => branches.push([0, t, v, path.alternatives(d, t), []]))
      return {
        alternatives: path.enabled(d),
        sleepers: sleepers[d],
        step: this.stepAt(d),
        isLeaf: true,
        races: [],
        branches,
        marked: path.marked(d),
      }
    })
  }

  get isSingle(): boolean {
    const { machine } = this.context
    return isEverywhere(machine.points) && !machine.isCompound
  }

  isPartlyAsleep(depth: number, thread: number): boolean {
    return !this.isSingle && this.path.alternatives(depth, thread) > 1 && this.isAsleep(depth, thread)
  }

  isAsleep(depth: number, thread: number): boolean {
    return this.useSleepSets && this.sleep.hasThread(depth, thread)
  }

  /** At the last point: a failing transition may have let others run before it failed, which is too late. */
  private couldRun(thread: number): boolean {
    if (this.fatal < 0) return this.context.machine.alternatives(thread) > 0
    return thread === this.path.thread[this.fatal] || this.path.alternatives(this.fatal, thread) > 0
  }

  private footprintData(d: number): number[] {
    if (this.resumed !== null) return this.pool.save(this.resumed[d])
    const footprint = this.pool.of(this.hb, d, d === this.fatal)
    const data = this.pool.save(footprint)
    this.pool.release(footprint)
    return data
  }

  private takeNext(d: number): boolean {
    const { path, sleep } = this
    for (let t = 0; t < path.threads; t++) {
      if (!path.isMarked(d, t)) continue
      for (let v = path.started(d, t); v < path.alternatives(d, t); v++) {
        if (this.useSleepSets && sleep.has(d, t, v)) continue
        path.take(d, t, v)
        return true
      }
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
      for (let i = 0; i < hb.raceCount; i++) this.markForRace(this, hb.races[i], d, d)
      if (this.useSleepSets) this.sleep.descend(hb, d)
    }
  }
}
