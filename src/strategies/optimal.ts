import { type ChoicePoint, PASS, type Saved, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import { THREAD_LIVE } from '../machine/machine.js'
import { Op } from '../machine/operation.js'
import { isEverywhere } from '../machine/points.js'
import { joinsLast, joinsLastOf } from './fairness.js'
import type { Divisible, PartStart } from './parallel/part.js'
import { beginOfBody, NO_FOOTPRINT } from './reduction/footprints.js'
import { OptimalSearch } from './reduction/optimal-search.js'
import { ANY_VALUE, NIL } from './reduction/wakeup-tree.js'
import type { StrategyContext } from './registry.js'
import { loadSource, openSource, source } from './source.js'

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
 * before it runs. It is the announced operation, whose mode follows from the state of its object
 * (`HappensBefore.predictMode`; where values are not logged, a compare-exchange counts as a change). Where transitions are
 * more than what they announce, source sets search instead: see `knowsWhatIsNext`.
 */
class Optimal extends OptimalSearch {
  begin(): boolean {
    const { path, hb, sleep, trees } = this
    if (!this.started) {
      this.started = true
      this.scriptLength = path.depth
      return true
    }
    for (let d = path.depth - 1; d >= this.above.root; d--) {
      const resumed = this.resumed?.pop()
      if (trees.first(d) !== NIL) {
        sleep.add(d, path.thread[d], path.value[d], resumed ?? this.pool.of(hb, d, d === this.fatal))
        this.sharedLength = this.resumed === null ? d : 0
        this.resumed = null
        hb.truncate(d)
        path.depth = d
        this.settled = Math.min(this.settled, d)
        this.heldBack.truncate(d)
        this.scriptLength = d
        this.fatal = -1
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
    // mutant: let go
    if (d > path.depth) this.recordLetGo(point.trace)
    if (this.isLetGo(point)) {
      point.isLetGo = true
      return 0
    }
    const revisited = d < path.depth
    if (!revisited) path.open(point)
    const option = trees.first(d) === NIL ? this.chooseFresh(point) : this.followTree(point)
    if (option < 0) {
      path.depth = d
      return -1
    }
    this.step(d, point.thread[option], point.value[option])
    return option
  }

  /** The same where it is enough to know who can run, each in one way: most points are like that. */
  nominate(point: ChoicePoint): number {
    const able = this.machine.ableThreads ?? 0
    // With one thread it depends on who else is alive.
    if ((able & (able - 1)) === 0) return PASS
    this.advance(point.trace)
    const { path, trees } = this
    const d = point.depth
    if (d !== path.depth || d < this.above.root) return PASS
    const node = trees.first(d)
    const thread = node === NIL ? joinsLastOf(point, able, this.sleep) : trees.stepThatFits(node, able)
    if (thread < 0 || (node !== NIL && this.isAsleep(d, thread, 0))) return PASS
    path.openAble(d, able)
    if (node === NIL) {
      trees.clear(d)
      trees.clear(d + 1)
      this.sleep.restrict(d)
    } else trees.release(trees.takeFirst(d))
    this.step(d, thread, 0)
    point.add(thread, 0)
    return 0
  }

  private step(d: number, thread: number, value: number): void {
    const { path } = this
    path.depth = d + 1
    path.take(d, thread, value)
    if (d + 1 >= this.planned.length) this.planned = grown(this.planned, 2 * this.planned.length)
    this.planned[d + 1] = this.trees.first(d + 1) === NIL ? 0 : 1
  }

  /**
   * A planned step sleeps where what came before it, which was taken to depend on everything, did not depend on it. All that
   * begins with it has been explored. With exact predictions there is no such step.
   */
  private isAsleep(d: number, thread: number, value: number): boolean {
    return this.machine.isCompound !== false && this.sleep.has(d, thread, value)
  }

  /** Nobody else can be chosen until the last thread left creates one, and nothing is planned or asleep. */
  private isLetGo({ depth: d, count, live }: ChoicePoint): boolean {
    return (
      live === 1 &&
      count === 1 &&
      d === this.path.depth &&
      d >= this.above.root &&
      this.trees.first(d) === NIL &&
      this.sleep.isEmpty(d)
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
    const { depth } = this.path
    this.leftAt = status === 'blocked' && depth > 0 && this.planned[depth] === 1 ? depth : -1
    if (!this.isOpened) this.tellFirst()
  }

  /**
   * Whether nothing has to be known of the steps at which nobody was asked. What was planned or sleeps touches only what
   * its thread has touched in some execution, or what `share` was told of: not so for bodies of transactions.
   */
  private isOwnAffair(trace: Trace, status: Status): boolean {
    const from = this.path.depth
    if (status !== 'completed' || from >= trace.length || this.machine.isCompound) return false
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

  /** A point nobody planned for: any thread that is not asleep. */
  private chooseFresh(point: ChoicePoint): number {
    const d = point.depth
    const { trees } = this
    const option = joinsLast(point, this.sleep)
    if (option < 0) return -1
    trees.clear(d)
    trees.clear(d + 1)
    this.sleep.restrict(d)
    // mutant: alternatives
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
      const arity = this.path.alternatives(d, thread)
      const footprint = this.announced(pending.kind[thread], pending.location[thread], arity)
      if (d < this.above.root) {
        this.above.add({ depth: d, branch: [thread, point.value[i], arity, this.pool.save(footprint)] })
        this.pool.release(footprint)
        continue
      }
      this.trees.append(d, NIL, thread, point.value[i], arity, footprint)
    }
  }

  private announced(kind: number, location: number, arity: number): number {
    if (location >= 0) this.hb.share(location)
    // Of a body nothing is announced. To choose whether it runs touches nothing.
    if (kind === Op.txBegin && arity === 1) return this.pool.unknown()
    return this.pool.announced(kind, location)
  }

  /** Above the root there is but one branch to take: what comes after it there is another part's. */
  private followTree(point: ChoicePoint): number {
    const d = point.depth
    const { trees } = this
    while (trees.first(d) !== NIL) {
      const node = trees.first(d)
      const thread = trees.thread[node]
      const value = trees.value[node]
      if (value !== ANY_VALUE && this.isAsleep(d, thread, value)) {
        trees.dropFirst(d)
        if (d < this.above.root) return -1
        continue
      }
      trees.release(trees.takeFirst(d))
      let option = 0
      while (option < point.count && !this.fits(point, option, thread, value)) option++
      if (option < point.count) {
        if (value === ANY_VALUE) this.branchOnValues(point, option)
        return option
      }
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
        if (!this.reverse(hb.races[i], f, f, false))
          /* mutant: held back */ this.heldBack.push(hb.races[i], f)
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
    const arity = isOpen ? 0 : path.arity(f, thread)
    const footprint = fatal ? this.pool.failure() : this.predicted(f, e)
    if (!isWhole && this.pool.isEverything(footprint)) {
      this.pool.release(footprint)
      return false
    }
    return this.reversals.plan(e, f, end, isOpen ? ANY_VALUE : hb.value[f], arity, footprint, isWhole)
  }

  private predicted(f: number, e: number): number {
    const { hb, pool } = this
    return beginOfBody(hb, f) < 0 ? pool.predicted(hb, f, e) : pool.predictedBody(hb, f, e)
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
      const footprint = this.announced(kind[t], location[t], path.alternatives(last, t))
      this.reversals.planStep(last, t, ANY_VALUE, footprint, false)
    }
  }

  /** A failure cut everybody short: what others could have done at that point, or what could have come later. */
  private branchAtFailure(): void {
    const { hb, path, machine, fatal: f } = this
    for (const e of hb.racesOfFailure()) this.reverse(e, f, f, true, true)
    /* mutant: other values */ this.branchOnOtherValues(f)
    for (let t = 0; t < machine.threads.count; t++) {
      if (t === hb.thread[f] || path.alternatives(f, t) === 0 || machine.pending.status[t] !== THREAD_LIVE)
        continue
      this.branchBeforeFailure(f, t)
    }
  }

  /** The other alternatives of what failed: where it was planned with this one, nobody has thought of them here. */
  private branchOnOtherValues(f: number): void {
    const { hb, path, sleep, trees, pool } = this
    const thread = hb.thread[f]
    const arity = path.alternatives(f, thread)
    for (let value = 0; value < arity; value++) {
      if (value === hb.value[f] || sleep.has(f, thread, value)) continue
      const footprint = pool.unknown()
      if (f < this.above.root) {
        this.above.add({ depth: f, branch: [thread, value, arity, pool.save(footprint)] })
        pool.release(footprint)
      } else if (trees.hasBranch(f, NIL, thread, value)) pool.release(footprint)
      else trees.append(f, NIL, thread, value, arity, footprint)
    }
  }

  /**
   * Another thread goes first, unless it sleeps. If its step leaves the failing one as it is, the failure comes right after
   * it. Otherwise what follows is open: maybe another failure, which depends on everything, so that no other sleeper can be
   * said to stand for it.
   */
  private branchBeforeFailure(f: number, thread: number): void {
    const { hb, path, sleep, trees, pool } = this
    const { kind, location } = this.machine.pending
    const arity = path.alternatives(f, thread)
    const footprint = this.announced(kind[thread], location[thread], arity)
    if (pool.dependsOn(footprint, hb, f)) {
      const value = arity > 1 ? ANY_VALUE : 0
      this.reversals.planStep(f, thread, value, footprint, /* mutant: others before a failure */ true)
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
      const step = () => this.announced(kind[thread], location[thread], arity)
      const branch = found !== NIL ? found : trees.append(f, NIL, thread, value, arity, step())
      const failing = hb.thread[f]
      if (trees.find(f, branch, failing, hb.value[f]) !== NIL) continue
      trees.append(f, branch, failing, hb.value[f], path.alternatives(f, failing), pool.failure())
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
    const arity = path.alternatives(f, thread)
    this.above.add({
      depth: f,
      branch: [thread, value, arity, cells(this.announced(kind[thread], location[thread], arity))],
      below: [failing, hb.value[f], path.alternatives(f, failing), cells(pool.failure())],
    })
  }
}

/**
 * Whether transitions do what they announce and no more, but for the bodies of transactions, which are the only alternative
 * of their step. Elsewhere alternatives of one step may touch different things, and what a plan stands for is not what its steps
 * lead to: classes get lost. Source sets plan one step at a time, and see what it does when they come to it.
 */
function knowsWhatIsNext({ machine }: StrategyContext): boolean {
  return isEverywhere(machine.points) && machine.isCompound !== true
}

export function optimal(context: StrategyContext): Strategy {
  return knowsWhatIsNext(context) ? new Optimal(context) : source(context)
}

export function openOptimal(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return knowsWhatIsNext(context) ? new Optimal(context).open(start, context) : openSource(context, start)
}

export function loadOptimal(context: StrategyContext, saved: Saved): Strategy {
  return knowsWhatIsNext(context) ? new Optimal(context).load(saved, context) : loadSource(context, saved)
}
