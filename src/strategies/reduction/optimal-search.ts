import type { ChoicePoint, Saved, Script, Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import type { Machine } from '../../machine/machine.js'
import { HappensBefore } from '../../ordering/happens-before.js'
import type { Divisible, HandedPoint, PartReport, PartStart, UpdatedPoint } from '../parallel/part.js'
import type { StrategyContext } from '../registry.js'
import { AboveRoot, type PlainStep } from './above-root.js'
import { Footprints } from './footprints.js'
import { HeldBack } from './held-back.js'
import { Path, type PathData } from './path.js'
import { Reversals } from './reversals.js'
import { SleepSets } from './sleep-sets.js'
import { NIL, type SavedBranch, WakeupTrees } from './wakeup-tree.js'

/** Nodes of wakeup trees that are handed over at most. Every part that begins below their points is told of them. */
const mostHanded = 4096

/** Where a search by `optimal` is: how it is written down and read back, and how parts of it are handed to others. */
export abstract class OptimalSearch implements Strategy, Divisible {
  readonly name = 'optimal'
  readonly footprints = true
  protected readonly machine: Machine
  protected readonly hb: HappensBefore
  protected readonly path = new Path(false)
  protected readonly pool: Footprints
  protected readonly sleep: SleepSets
  protected readonly trees: WakeupTrees
  protected readonly reversals: Reversals
  /** The points above the root, where there is one, and what is to be explored from them. */
  protected readonly above = new AboveRoot()
  /** Per depth: the point was planned for when it was first reached; otherwise any thread was taken there. */
  protected planned = new Uint8Array(64)
  /** The last execution was given up at that depth, since all that had been planned there was asleep; else -1. */
  protected leftAt = -1
  /** The step before the root has been made. */
  protected isOpened = true
  /** What is to be told of it. */
  protected firstReport: Pick<PartReport, 'opened'> & { readonly handed: readonly HandedPoint[] } = {
    handed: [],
  }
  protected started = false
  protected settled = 0
  protected fatal = -1
  protected scriptLength = 0
  /** So many of its choices are those of the execution before. */
  protected sharedLength = 0
  protected resumed: number[] | null = null
  /** Races whose reversal depends on what comes after them. */
  protected readonly heldBack = new HeldBack()
  constructor(context: StrategyContext) {
    this.machine = context.machine
    this.hb = new HappensBefore(context.machine)
    this.pool = new Footprints(context.machine.locations)
    this.sleep = new SleepSets(this.pool)
    this.sleep.reset()
    this.trees = new WakeupTrees(this.pool)
    this.reversals = new Reversals(this.hb, this.path, this.sleep, this.trees, this.pool, this.above)
  }

  abstract begin(): boolean
  abstract choose(point: ChoicePoint): number
  abstract end(trace: Trace, status: Status): void

  get longRaces(): ReadonlySet<number> {
    return this.hb.longRaces
  }

  get script(): Script {
    const { thread, value } = this.path
    return { thread, value, length: this.scriptLength, shared: this.sharedLength }
  }

  get root(): number {
    return this.above.root
  }

  untried(depth: number): number {
    const { trees } = this
    let untried = 0
    for (let node = trees.first(depth); node !== NIL; node = trees.nextSibling[node]) untried++
    return untried
  }

  save(): Saved {
    return {
      started: this.started,
      longRaces: [...this.hb.longRaces],
      heldBack: this.heldBack.save(),
      path: this.path.save(),
      sleep: this.sleep.save(this.path.depth),
      trees: this.trees.save(this.path.depth),
      done: Array.from({ length: this.path.depth }, (_, d) => this.footprintCells(d)),
      root: this.above.root,
      planned: [...this.planned.subarray(0, this.path.depth)],
      isOpened: this.isOpened,
    }
  }

  /** What the step at that depth did, which after `load` the happens-before does not know yet. */
  protected footprintCells(d: number): number[] {
    if (this.resumed !== null) return this.pool.save(this.resumed[d])
    const footprint = this.pool.of(this.hb, d, d === this.fatal)
    const cells = this.pool.save(footprint)
    this.pool.release(footprint)
    return cells
  }

  load(saved: Saved, context: StrategyContext): this {
    const data = saved as unknown as {
      started: boolean
      heldBack: number[]
      path: PathData
      sleep: number[][][]
      trees: SavedBranch[][]
      done: number[][]
      root?: number
      planned?: number[]
      isOpened?: boolean
    }
    this.started = data.started
    this.above.root = data.root ?? 0
    this.isOpened = data.isOpened ?? true
    for (const site of (saved.longRaces as number[] | undefined) ?? []) this.hb.longRaces.add(site)
    this.heldBack.load(data.heldBack)
    const locationHere = this.sharing(context)
    this.path.load(data.path, context.threadHere)
    this.sleep.load(data.sleep, context.threadHere, locationHere)
    this.trees.load(data.trees, context.threadHere, locationHere)
    this.settled = this.path.depth
    this.planned = new Uint8Array(Math.max(64, 2 * this.path.depth)).fill(1)
    if (data.planned) this.planned.set(data.planned)
    if (data.done.length > 0) {
      this.resumed = data.done.map((cells) => this.pool.load(cells, locationHere))
    }
    return this
  }

  /** For footprints that come from elsewhere. */
  protected sharing({ locationHere }: StrategyContext): (saved: number) => number {
    return (saved) => {
      const location = locationHere(saved)
      this.hb.share(location)
      return location
    }
  }

  get plansWaiting(): number {
    return this.above.count
  }

  report(isAsked: boolean): PartReport {
    const { root } = this.above
    const end = isAsked ? this.share() : -1
    const handed = [...this.firstReport.handed, ...(end < 0 ? [] : this.handOver(root, end))]
    const { opened } = this.firstReport
    this.firstReport = { handed: [] }
    return {
      plans: this.above.take(),
      ...(opened ? { opened } : {}),
      ...(handed.length > 0 ? { handed } : {}),
    }
  }

  /**
   * After the first execution of a part, the steps planned below its root are known, and the points they lead to are handed
   * over: other parts may have more to add there, so nothing of them may be done with and forgotten here.
   */
  protected tellFirst(): void {
    this.isOpened = true
    const { root } = this.above
    if (this.path.depth < root) return
    const isLeft = this.leftAt === root
    this.firstReport = {
      opened: {
        step: this.stepAt(root - 1),
        races: this.heldBack.of(root - 1),
        ...(isLeft ? { isLeft } : {}),
      },
      handed:
        this.path.depth > root && this.planned[root] === 1 ? this.handOver(root, this.freshAfter(root)) : [],
    }
  }

  /**
   * Up to where to hand over so that both sides have something to explore; -1 if there is not enough, or so much was planned
   * there that writing it down for each who takes some of it would take longer than doing it.
   */
  protected share(): number {
    const { path } = this
    const { root } = this.above
    const first = this.firstWithBranches(root)
    const end = this.freshAfter(first)
    if (end >= path.depth || this.firstWithBranches(end) >= path.depth) return -1
    return this.trees.holdsMoreThan(mostHanded, root, end) ? -1 : end
  }

  protected firstWithBranches(from: number): number {
    let d = from
    while (d < this.path.depth && this.trees.first(d) === NIL) d++
    return d
  }

  /** The first point after depth d that nobody planned for. */
  protected freshAfter(d: number): number {
    let end = d + 1
    while (end < this.path.depth && this.planned[end] === 1) end++
    return end
  }

  protected stepAt(d: number): PlainStep {
    const { path } = this
    return [path.thread[d], path.value[d], path.alternatives(d, path.thread[d]), this.footprintCells(d)]
  }

  /** Points from that depth on, which is the root, up to `end`, which is the root from then on. */
  protected handOver(from: number, end: number): HandedPoint[] {
    this.above.root = end
    const sleepers = this.sleep.save(end)
    const branches = this.trees.save(end)
    return Array.from({ length: end - from }, (_, i) => {
      const d = from + i
      return {
        alternatives: this.path.enabled(d),
        sleepers: sleepers[d],
        step: this.stepAt(d),
        isLeaf: this.leftAt !== d + 1 && (d + 1 >= this.path.depth || this.planned[d + 1] === 0),
        races: this.heldBack.of(d),
        branches: branches[d],
      }
    })
  }

  /** The branches of a point above the root as they are by now. */
  update({ depth, branches }: UpdatedPoint, context: StrategyContext): void {
    this.trees.replace(depth, branches, context.threadHere, this.sharing(context))
    this.heldBack.lookAgain(depth)
  }

  /** From the beginning of a part of a search. */
  open(start: PartStart, context: StrategyContext): this {
    const { threadHere } = context
    const locationHere = this.sharing(context)
    const last = start.thread.length - 1
    this.above.root = last + 1
    this.isOpened = false
    this.heldBack.load(start.races)
    this.path.openPart(start, last, threadHere)
    this.sleep.load(start.sleepers, threadHere, locationHere)
    const branches = start.branches.with(last, [...start.planned, ...start.branches[last]])
    this.trees.load(branches, threadHere, locationHere)
    this.settled = last
    return this
  }
}
