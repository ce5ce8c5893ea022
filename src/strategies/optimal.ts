import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { THREAD_LIVE } from '../machine/machine.js'
import { Op, operations } from '../machine/operation.js'
import { isEverywhere } from '../machine/points.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { joinsLast } from './fairness.js'
import type { Divisible, HandedPoint, PartReport, PartStart, UpdatedPoint } from './parallel/part.js'
import { AboveRoot, type PlainStep } from './reduction/above-root.js'
import { Footprints, NO_FOOTPRINT } from './reduction/footprints.js'
import { HeldBack } from './reduction/held-back.js'
import { Path, type PathData } from './reduction/path.js'
import { Reversals } from './reduction/reversals.js'
import { SleepSets } from './reduction/sleep-sets.js'
import { ANY_VALUE, NIL, type SavedBranch, threadBit, WakeupTrees } from './reduction/wakeup-tree.js'
import type { StrategyContext } from './registry.js'

/**
 * Optimal DPOR with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017, doi:10.1145/3073408,
 * algorithm 2): one execution per happens-before class.
 *
 * For a race of transitions e and f, the reversal from the point before e is: all that follows e without depending on
 * it, then f's thread. It is explored unless a sleeper of that point, or a branch already waiting there, leads to the
 * same classes.
 *
 * Deviations; `docs/algorithms/optimal.md` has the argument why nothing is lost. (1) The paper looks at races of complete
 * executions only. We look when f happens, at the stretch up to f; only if the answer depends on what follows do we look
 * again at the end of every execution that contains the race. (2) Sleepers at a point nobody planned for stand only for
 * what they begin: with exact predictions there would be none. (3) A failing transition ends the execution, so it
 * depends on everything: see `HappensBefore.racesOfFailure`. (4) What f does when it no longer follows e is not known
 * before it runs. With `everywhere` it is the announced operation, whose mode follows from the state of its object
 * (`HappensBefore.predictMode`; where values are not logged, a compare-exchange counts as a change). Under other PP sets
 * it could be anything, and is taken to depend on everything: nothing is lost, but an execution may turn out redundant, is
 * given up and counted as blocked.
 */
class Optimal implements Strategy, Divisible {
  readonly name = 'optimal'
  readonly footprints = true
  private readonly machine: Machine
  private readonly hb: HappensBefore
  private readonly path = new Path(false)
  private readonly pool: Footprints
  private readonly sleep: SleepSets
  private readonly trees: WakeupTrees
  private readonly reversals: Reversals
  /** The points above the root, where there is one, and what is to be explored from them. */
  private readonly above = new AboveRoot()
  /** Per depth: the point was planned for when it was first reached; otherwise any thread was taken there. */
  private planned = new Uint8Array(64)
  /** The step before the root has been made. */
  private isOpened = true
  /** What is to be told of it. */
  private firstReport: Pick<PartReport, 'opened'> & { readonly handed: readonly HandedPoint[] } = {
    handed: [],
  }
  /** Transitions are single operations: what a thread will do next is all announced. */
  private single = true
  private started = false
  private settled = 0
  private fatal = -1
  /** Where the execution under way took a leaf, and who has a step in the sequences that were left to it. */
  private leafDepth = -1
  private leftToLeaf = 0
  private scriptLength = 0
  private resumed: number[] | null = null
  /** Races whose reversal depends on what comes after them. */
  private readonly heldBack = new HeldBack()
  constructor(context: StrategyContext) {
    this.machine = context.machine
    this.hb = new HappensBefore(context.machine)
    this.pool = new Footprints(context.machine.locations)
    this.sleep = new SleepSets(this.pool)
    this.sleep.reset()
    this.trees = new WakeupTrees(this.pool)
    this.reversals = new Reversals(this.hb, this.path, this.sleep, this.trees, this.pool, this.above)
  }

  get longRaces(): ReadonlySet<number> {
    return this.hb.longRaces
  }

  get script() {
    return { thread: this.path.thread, value: this.path.value, length: this.scriptLength }
  }

  begin(): boolean {
    const { path, hb, sleep, trees } = this
    if (!this.started) {
      this.started = true
      this.scriptLength = path.depth
      this.single = isEverywhere(this.machine.points) && !this.machine.isCompound
      return true
    }
    for (let d = path.depth - 1; d >= this.above.root; d--) {
      const resumed = this.resumed?.pop()
      if (trees.first(d) !== NIL) {
        sleep.add(d, path.thread[d], path.value[d], resumed ?? this.pool.of(hb, d, d === this.fatal))
        this.resumed = null
        hb.truncate(d)
        path.depth = d
        this.settled = Math.min(this.settled, d)
        this.heldBack.truncate(d)
        this.scriptLength = d
        this.fatal = -1
        this.leafDepth = -1
        return true
      }
      if (resumed !== undefined) this.pool.release(resumed)
      sleep.drop(d)
    }
    path.depth = 0
    return false
  }

  choose(point: ChoicePoint): number {
    this.advance(point.trace)
    const d = point.depth
    const { path, trees } = this
    if (d > path.depth) this.recordLetGo(point.trace)
    const revisited = d < path.depth
    if (!revisited) path.open(point)
    const option = trees.first(d) === NIL ? this.chooseFresh(point) : this.followTree(point)
    if (option < 0) {
      path.depth = d
      return -1
    }
    path.depth = d + 1
    path.take(d, point.thread[option], point.value[option])
    if (d + 1 >= this.planned.length) this.planned = grown(this.planned, 2 * this.planned.length)
    this.planned[d + 1] = trees.first(d + 1) === NIL ? 0 : 1
    // Nobody else can be chosen until it creates a thread, and nothing is planned or asleep.
    if (point.isAlone && point.count === 1) point.isLetGo = this.hasNothingFrom(d)
    return option
  }

  /** Whether nothing is planned or asleep at that depth and the next. */
  private hasNothingFrom(d: number): boolean {
    const { trees } = this
    return (
      d >= this.above.root && this.sleep.isEmpty(d) && trees.first(d) === NIL && trees.first(d + 1) === NIL
    )
  }

  end(trace: Trace, status: Status): void {
    if (status !== 'completed') this.recordLetGo(trace)
    this.advance(trace, this.isOwnAffair(trace, status) ? this.path.depth : trace.length)
    if (status === 'failed') this.fatal = trace.length - 1
    // Ordinary races before what is due to the end, as where they are planned when they happen.
    if (this.above.root > 0) this.reviewHeldBack()
    this.reverseWaiting(status)
    if (this.fatal >= 0) this.branchAtFailure()
    if (status === 'cut') this.branchAtCut(trace.length - 1)
    this.reviewHeldBack()
    if (!this.isOpened) this.tellFirst()
  }

  /**
   * Whether nothing has to be known of the steps at which nobody was asked. With single operations, what was planned
   * or sleeps touches only what its thread has touched in some execution, or what `share` was told of.
   */
  private isOwnAffair(trace: Trace, status: Status): boolean {
    const from = this.path.depth
    if (status !== 'completed' || from >= trace.length || !this.single) return false
    const thread = trace.thread[from]
    const { pending } = this.machine
    const isOver = pending.status[thread] !== THREAD_LIVE || pending.kind[thread] === Op.processExit
    return isOver && this.hb.isOwnAffair(trace, from, thread)
  }

  /** Points at which nobody was asked. */
  private recordLetGo(trace: Trace): void {
    const { path, trees } = this
    for (let d = path.depth; d < trace.length; d++) {
      path.openAlone(d, trace.thread[d])
      trees.clear(d)
      trees.clear(d + 1)
      if (d + 1 >= this.planned.length) this.planned = grown(this.planned, 2 * this.planned.length)
      this.planned[d + 1] = 0
    }
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
  private footprintCells(d: number): number[] {
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
    this.single = isEverywhere(this.machine.points) && !this.machine.isCompound
    this.settled = this.path.depth
    this.planned = new Uint8Array(Math.max(64, 2 * this.path.depth)).fill(1)
    if (data.planned) this.planned.set(data.planned)
    if (data.done.length > 0) {
      this.resumed = data.done.map((cells) => this.pool.load(cells, locationHere))
    }
    return this
  }

  /** For footprints that come from elsewhere. */
  private sharing({ locationHere }: StrategyContext): (saved: number) => number {
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
  private tellFirst(): void {
    this.isOpened = true
    const { root } = this.above
    if (this.path.depth < root) return
    this.firstReport = {
      opened: { step: this.stepAt(root - 1), races: this.heldBack.of(root - 1) },
      handed:
        this.path.depth > root && this.planned[root] === 1 ? this.handOver(root, this.freshAfter(root)) : [],
    }
  }

  /** Up to where to hand over so that both sides have something to explore; -1 if there is not enough. */
  private share(): number {
    const { path } = this
    const first = this.firstWithBranches(this.above.root)
    const end = this.freshAfter(first)
    return end < path.depth && this.firstWithBranches(end) < path.depth ? end : -1
  }

  private firstWithBranches(from: number): number {
    let d = from
    while (d < this.path.depth && this.trees.first(d) === NIL) d++
    return d
  }

  /** The first point after depth d that nobody planned for. */
  private freshAfter(d: number): number {
    let end = d + 1
    while (end < this.path.depth && this.planned[end] === 1) end++
    return end
  }

  private stepAt(d: number): PlainStep {
    const { path } = this
    return [path.thread[d], path.value[d], path.alternatives(d, path.thread[d]), this.footprintCells(d)]
  }

  /** Points from that depth on, which is the root, up to `end`, which is the root from then on. */
  private handOver(from: number, end: number): HandedPoint[] {
    this.above.root = end
    const sleepers = this.sleep.save(end)
    const branches = this.trees.save(end)
    return Array.from({ length: end - from }, (_, i) => {
      const d = from + i
      return {
        alternatives: this.path.enabled(d),
        sleepers: sleepers[d],
        step: this.stepAt(d),
        isLeaf: d + 1 >= this.path.depth || this.planned[d + 1] === 0,
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

  /** A point nobody planned for: any thread that is not asleep. */
  private chooseFresh(point: ChoicePoint): number {
    const d = point.depth
    const { trees } = this
    const option = joinsLast(point, this.sleep)
    if (option < 0) return -1
    trees.clear(d)
    trees.clear(d + 1)
    this.sleep.restrict(d)
    this.branchOnValues(point, option)
    if (point.machine.pending.kind[point.thread[option]] === Op.processExit) {
      for (let i = 0; i < point.count; i++) {
        if (i === option) continue
        trees.append(d, NIL, point.thread[i], 0, 1, NO_FOOTPRINT)
      }
    }
    return option
  }

  /** The other alternatives of the thread chosen are classes of their own. */
  private branchOnValues(point: ChoicePoint, option: number): void {
    const d = point.depth
    const thread = point.thread[option]
    if (this.path.alternatives(d, thread) === 1) return
    const { pending } = point.machine
    for (let i = 0; i < point.count; i++) {
      if (point.thread[i] !== thread || i === option) continue
      if (this.sleep.has(d, thread, point.value[i]) || this.trees.hasBranch(d, NIL, thread, point.value[i]))
        continue
      const footprint = this.announced(pending.kind[thread], pending.location[thread])
      const arity = this.path.alternatives(d, thread)
      if (d < this.above.root) {
        this.above.add({ depth: d, branch: [thread, point.value[i], arity, this.pool.save(footprint)] })
        this.pool.release(footprint)
        continue
      }
      this.trees.append(d, NIL, thread, point.value[i], arity, footprint)
    }
  }

  private announced(kind: number, location: number): number {
    if (location >= 0) this.hb.share(location)
    return this.single ? this.pool.announced(kind, location) : this.pool.everything()
  }

  private followTree(point: ChoicePoint): number {
    const d = point.depth
    const { trees } = this
    while (trees.first(d) !== NIL) {
      const node = trees.takeFirst(d)
      const thread = trees.thread[node]
      const value = trees.value[node]
      this.leafDepth = d
      this.leftToLeaf = trees.standsIn[node]
      trees.release(node)
      let option = 0
      while (option < point.count && !this.fits(point, option, thread, value)) option++
      if (option < point.count) {
        if (value === ANY_VALUE) this.branchOnValues(point, option)
        return option
      }
      // What comes after it there is another part's.
      if (value === ANY_VALUE && d < this.above.root) return -1
      if (value !== ANY_VALUE) {
        throw new Error(
          `optimal: thread ${this.machine.threads.names[thread]} was planned at step ${d} but cannot run`,
        )
      }
    }
    return -1
  }

  private fits(point: ChoicePoint, option: number, thread: number, value: number): boolean {
    if (point.thread[option] !== thread) return false
    const found = point.value[option]
    if (value !== ANY_VALUE) return found === value
    return (
      !this.sleep.has(point.depth, thread, found) && !this.trees.hasBranch(point.depth, NIL, thread, found)
    )
  }

  private advance(trace: Trace, end = trace.length): void {
    const { hb } = this
    while (hb.depth < end) {
      const f = hb.depth
      hb.add(trace)
      if (f < this.settled) continue
      this.settled = f + 1
      for (let i = 0; i < hb.raceCount; i++) {
        if (!this.reverse(hb.races[i], f, f, false)) this.heldBack.push(hb.races[i], f)
      }
      this.sleep.descend(hb, f)
    }
  }

  /** Looks again at the races held back, with all that has happened since. */
  private reviewHeldBack(): void {
    const { heldBack, reversals, hb, sleep, pool } = this
    // What failed depends on everything: it is never part of what comes before a reversed step.
    const end = this.fatal < 0 ? hb.depth : this.fatal
    for (let i = 0; i < heldBack.count; i++) {
      const f = heldBack.later[i]
      if (heldBack.isSettled(i, hb, sleep, pool, end)) continue
      this.reverse(heldBack.earlier[i], f, end, true)
      if (reversals.sleeper >= 0) heldBack.cover(i, reversals.sleeper, reversals.sleepersStep, end)
      else heldBack.planned(i, reversals.lastUsed, end)
    }
  }

  /**
   * Plans the reversal of the race of e and f; transitions from `end` on are no part of it. False if that depends on
   * what follows; never if that is known (`isWhole`).
   */
  private reverse(
    e: number,
    f: number,
    end: number,
    isWhole: boolean,
    fatal = false,
    isCut = false,
  ): boolean {
    const { hb, path } = this
    const kind = hb.kind[hb.eventStart(f)]
    const isOpen = isCut || kind === Op.condSignal || kind === Op.condReturn
    const thread = hb.thread[f]
    const arity = isOpen ? 0 : f < path.depth ? path.alternatives(f, thread) : 1
    const footprint = fatal || !this.single ? this.pool.everything() : this.pool.predicted(hb, f, e)
    return this.reversals.plan(e, f, end, isOpen ? ANY_VALUE : hb.value[f], arity, footprint, isWhole)
  }

  /**
   * What threads wait to do at the end could have come earlier. Where an execution was cut, the same holds for whatever
   * a thread was about to do; one that spins may not be able to there, and with `ANY_VALUE` is then left out.
   */
  private reverseWaiting(status: Status): void {
    const { hb, machine } = this
    const end = this.fatal < 0 ? hb.depth : this.fatal
    for (let t = 0; t < machine.threads.count; t++) {
      if (machine.pending.status[t] !== THREAD_LIVE) continue
      const couldRun = this.couldRun(t)
      if (couldRun && status !== 'cut') continue
      if (couldRun) hb.weighNext(t)
      else hb.weighPending(t, false)
      if (this.fatal >= 0 && hb.follows(this.fatal)) continue
      for (let i = 0; i < hb.raceCount; i++) this.reverse(hb.races[i], hb.depth, end, true, false, couldRun)
    }
  }

  /** At the last point: a failing transition may have let others run before it failed, which is too late. */
  private couldRun(thread: number): boolean {
    if (this.fatal < 0) return this.machine.alternatives(thread) > 0
    return thread === this.path.thread[this.fatal] || this.path.alternatives(this.fatal, thread) > 0
  }

  /** Others go instead of the last step: of those who have not begun it is not known what they would do. */
  private branchAtCut(last: number): void {
    const { path, machine } = this
    const { kind, location, status } = machine.pending
    for (let t = 0; t < machine.threads.count; t++) {
      if (t === path.thread[last] || path.alternatives(last, t) === 0 || status[t] !== THREAD_LIVE) continue
      this.reversals.planStep(last, t, ANY_VALUE, this.announced(kind[t], location[t]), false)
    }
  }

  /** A failure cut everybody short: what others could have done at that point, or what could have come later. */
  private branchAtFailure(): void {
    const { hb, path, machine, fatal: f } = this
    for (const e of hb.racesOfFailure()) this.reverse(e, f, f, true, true)
    for (let t = 0; t < machine.threads.count; t++) {
      if (t === hb.thread[f] || path.alternatives(f, t) === 0 || machine.pending.status[t] !== THREAD_LIVE)
        continue
      this.branchBeforeFailure(f, t)
    }
  }

  /**
   * Another thread goes first. If its step leaves the failing one as it is, the failure comes right after it, and
   * being dependent on everything no sleeper stands for both; otherwise what follows is open.
   *
   * If the failing step was a leaf, sequences may have been left to it that do something independent first: since it
   * failed, they were not explored after it. Threads whose step may turn out to be independent, and which have one in
   * such a sequence, have to be tried then, whoever sleeps.
   */
  private branchBeforeFailure(f: number, thread: number): void {
    const { hb, path, sleep, trees, pool } = this
    const { kind, location } = this.machine.pending
    const arity = path.alternatives(f, thread)
    const footprint = this.announced(kind[thread], location[thread])
    if (pool.dependsOn(footprint, hb, f)) {
      const isOpen = !this.single || operations[kind[thread]].varies === true
      const wasLeft = this.leafDepth === f && (this.leftToLeaf & threadBit(thread)) !== 0
      this.reversals.planStep(f, thread, arity > 1 ? ANY_VALUE : 0, footprint, isOpen && wasLeft)
      return
    }
    pool.release(footprint)
    for (let value = 0; value < arity; value++) {
      if (sleep.has(f, thread, value)) continue
      if (f < this.above.root) {
        this.planFailureAfter(f, thread, value)
        continue
      }
      const found = trees.find(f, NIL, thread, value)
      // A leaf stands for all that can follow.
      if (found !== NIL && trees.firstChild[found] === NIL) continue
      const step = () => this.announced(kind[thread], location[thread])
      const branch = found !== NIL ? found : trees.append(f, NIL, thread, value, arity, step())
      const failing = hb.thread[f]
      if (trees.find(f, branch, failing, hb.value[f]) !== NIL) continue
      trees.append(f, branch, failing, hb.value[f], path.alternatives(f, failing), pool.everything())
    }
  }

  /** The same above the root. */
  private planFailureAfter(f: number, thread: number, value: number): void {
    const { hb, path, pool } = this
    const { kind, location } = this.machine.pending
    const cells = (footprint: number) => {
      const saved = pool.save(footprint)
      pool.release(footprint)
      return saved
    }
    const failing = hb.thread[f]
    this.above.add({
      depth: f,
      branch: [
        thread,
        value,
        path.alternatives(f, thread),
        cells(this.announced(kind[thread], location[thread])),
      ],
      below: [failing, hb.value[f], path.alternatives(f, failing), cells(pool.everything())],
    })
  }
}

export function optimal(context: StrategyContext): Strategy {
  return new Optimal(context)
}

export function openOptimal(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return new Optimal(context).open(start, context)
}

export function loadOptimal(context: StrategyContext, saved: Saved): Strategy {
  return new Optimal(context).load(saved, context)
}
