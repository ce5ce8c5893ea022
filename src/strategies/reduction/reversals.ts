import type { HappensBefore } from '../../ordering/happens-before.js'
import type { AboveRoot, PlainStep } from './above-root.js'
import { type Footprints, NO_FOOTPRINT } from './footprints.js'
import type { Path } from './path.js'
import { Sequence } from './sequence.js'
import type { SleepSets } from './sleep-sets.js'
import { ANY_VALUE, NIL, type WakeupTrees } from './wakeup-tree.js'

/**
 * Puts reversals of races into wakeup trees (Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4), 2017,
 * doi:10.1145/3073408, §6: weak initials, insertion into wakeup trees).
 *
 * A reversal is a sequence of transitions of the current execution, then one step that is predicted: the transition
 * that is to come first. It is left out where a sleeper, or a branch already waiting, leads to the same classes.
 */
export class Reversals {
  /** The one under consideration. */
  private readonly sequence: Sequence
  /** Where the step of the thread that `canBegin` was asked about is in it. */
  private own = 0
  private lastThread = 0
  private lastValue = 0
  private lastArity = 0
  private lastFootprint = NO_FOOTPRINT
  /** All of the execution is known. */
  private isWhole = true
  private isHeldBack = false
  /** The last transition that is part of the sequence, or -1. */
  lastUsed = -1
  /** What the last step does is known: see `Optimal.reverse`. */
  private isKnown = true
  /** The last step fails. */
  private isFailure = false
  /** The sleeper that alone made the last one redundant, by its index in the sleep sets, or -1. */
  sleeper = -1
  /** The transition that is the sleeper's own step, if it is part of the sequence, else -1. */
  sleepersStep = -1

  constructor(
    private readonly hb: HappensBefore,
    private readonly path: Path,
    private readonly sleep: SleepSets,
    private readonly trees: WakeupTrees,
    private readonly pool: Footprints,
    private readonly above: AboveRoot,
  ) {
    this.sequence = new Sequence(hb, pool)
  }

  /**
   * From the point before transition e: what comes before f when it is moved there, of the transitions before `end`,
   * then f's thread, with that alternative of so many. Takes over the footprint, which is that of the last step.
   *
   * With `isWhole`, `end` is the end of the execution. Otherwise it is f, and more may follow: a sleeper or a branch that
   * is merely independent of what is known so far need not be of the rest. False if there is one: the race must then be
   * looked at again, and nothing has been planned.
   */
  plan(
    e: number,
    f: number,
    end: number,
    value: number,
    arity: number,
    footprint: number,
    isWhole: boolean,
  ): boolean {
    this.sequence.collect(e, f, end)
    this.lastUsed = this.sequence.last
    this.setLast(this.hb.thread[f], value, arity, footprint)
    this.isWhole = isWhole
    this.isHeldBack = false
    if (e < this.above.root) return this.planAbove(e)
    if (this.coveredBySleeper(e) || !this.insert(e, NIL)) this.pool.release(footprint)
    return !this.isHeldBack
  }

  /** The step alone; with `mustBegin` no sleeper but itself stands for it. */
  planStep(depth: number, thread: number, value: number, footprint: number, mustBegin: boolean): void {
    this.sequence.clear()
    this.setLast(thread, value, value === ANY_VALUE ? 0 : 1, footprint)
    this.isWhole = true
    if (depth < this.above.root) {
      this.above.add({ depth, steps: [this.lastStep()], ...(mustBegin ? { mustBegin } : {}) })
      this.pool.release(footprint)
      return
    }
    const isCovered = mustBegin ? this.sleep.has(depth, thread, value) : this.coveredBySleeper(depth)
    if (isCovered || !this.insert(depth, NIL)) this.pool.release(footprint)
  }

  /**
   * The same above the root: others put branches there, so the tree here is a copy that may be older than theirs. What is
   * covered in it is covered; anything else is for whoever owns that point to judge, and only once it is known whole.
   */
  private planAbove(depth: number): boolean {
    const isCovered = this.coveredBySleeper(depth) || this.coveredByBranch(depth)
    const isSure = isCovered && !this.isHeldBack
    if (!isSure && this.isWhole) this.above.add({ depth, steps: [...this.sequenceSteps(), this.lastStep()] })
    this.pool.release(this.lastFootprint)
    return isSure || this.isWhole
  }

  /** Whether insertion would certainly end in a leaf. */
  private coveredByBranch(depth: number): boolean {
    const { trees, sequence } = this
    let node = trees.first(depth)
    let parent = NIL
    const before = sequence.copy()
    let isCovered = false
    while (node !== NIL) {
      const thread = trees.thread[node]
      const arity = trees.arity[node]
      if (!this.canBegin(depth, parent, thread, trees.value[node], arity, trees.footprint[node])) {
        node = trees.nextSibling[node]
        continue
      }
      if (!this.isPartOf(thread) && (!this.isWhole || arity > 1)) break
      const isLeaf = trees.firstChild[node] === NIL
      if (this.isLastStep(thread) && (!isLeaf || this.lastValue === ANY_VALUE)) break
      if (isLeaf) {
        isCovered = true
        break
      }
      const { own } = this
      if (own < sequence.end) sequence.takeOut(own)
      parent = node
      node = trees.firstChild[node]
    }
    sequence.restore(before)
    return isCovered
  }

  private sequenceSteps(): PlainStep[] {
    const { hb, pool, path } = this
    return Array.from(this.sequence.copy(), (d) => {
      const footprint = pool.of(hb, d)
      const cells = pool.save(footprint)
      pool.release(footprint)
      return [hb.thread[d], hb.value[d], path.arity(d, hb.thread[d]), cells]
    })
  }

  private lastStep(): PlainStep {
    return [this.lastThread, this.lastValue, this.lastArity, this.pool.save(this.lastFootprint)]
  }

  private setLast(thread: number, value: number, arity: number, footprint: number): void {
    this.lastThread = thread
    this.lastValue = value
    this.lastArity = arity
    this.lastFootprint = footprint
    this.isKnown = !this.pool.isEverything(footprint)
    this.isFailure = this.pool.isFailure(footprint)
  }

  /**
   * A sleeper stands for the sequence if it begins it. One that is merely independent of all of it stands for it if what
   * comes later and depends on it has been planned, which `SleepSets.restrict` denies; and if it has several
   * alternatives, only together with all the others, since the sequence may go on with any of them.
   */
  private coveredBySleeper(depth: number): boolean {
    const { sleep, sequence } = this
    const end = sleep.end(depth)
    this.sleeper = -1
    for (let i = sleep.start(depth); i < end; i++) {
      const thread = sleep.thread[i]
      const arity = this.path.alternatives(depth, thread)
      if (!this.canBegin(depth, NIL, thread, sleep.value[i], arity, sleep.footprint[i])) continue
      const { own } = this
      // Those of its alternatives that do not sleep have branches, which need not stand for all of the sequence.
      if (this.isLastStep(thread) && this.lastValue === ANY_VALUE && !this.isAllAsleep(depth, thread, arity))
        continue
      if (!this.isPartOf(thread)) {
        if (sleep.isRestricted[i] === 1) continue
        if (arity > 1 && this.sleepersThatCanBegin(depth, thread, arity) < arity) continue
        if (!this.isWhole) this.isHeldBack = true
      }
      // What comes later may stand in the way of a last step that may do anything.
      if (arity <= 1 && this.isKnown) {
        this.sleeper = i
        this.sleepersStep = own < sequence.end ? sequence.at[own] : -1
      }
      return true
    }
    return false
  }

  /** How many alternatives of the thread sleep there, leave the sequence possible and are not restricted. */
  private sleepersThatCanBegin(depth: number, thread: number, arity: number): number {
    const { sleep } = this
    const end = sleep.end(depth)
    let count = 0
    for (let i = sleep.start(depth); i < end; i++) {
      if (sleep.thread[i] !== thread || sleep.isRestricted[i] === 1) continue
      if (this.canBegin(depth, NIL, thread, sleep.value[i], arity, sleep.footprint[i])) count++
    }
    return count
  }

  private isAllAsleep(depth: number, thread: number, arity: number): boolean {
    for (let value = 0; value < arity; value++) if (!this.sleep.has(depth, thread, value)) return false
    return true
  }

  /** Whether the thread, which `canBegin` was asked about, has a step in the sequence, or the last one. */
  private isPartOf(thread: number): boolean {
    return thread === this.lastThread || this.own < this.sequence.end
  }

  /** The same of the last one alone. */
  private isLastStep(thread: number): boolean {
    return thread === this.lastThread && this.own === this.sequence.end
  }

  /**
   * Whether the step, done first, leaves the sequence possible: it is the sequence's own, with nothing before it that
   * it depends on, or it is independent of all of it. Leaves in `own` where the thread's step is in the sequence.
   */
  private canBegin(
    depth: number,
    parent: number,
    thread: number,
    value: number,
    arity: number,
    footprint: number,
  ): boolean {
    const { sequence, pool } = this
    const own = sequence.indexOf(thread)
    this.own = own
    // Most often it is the last step that stands in the way: looked at first, it saves looking at all the others.
    if (own === sequence.end && thread !== this.lastThread && pool.conflict(footprint, this.lastFootprint))
      return false
    // A failure comes after all that precedes it, though elsewhere the step may not fail.
    if (own === sequence.end && own > sequence.from && thread === this.lastThread && this.isFailure)
      return false
    // mutant: branch covers
    if (own > sequence.from && sequence.conflicts(footprint, own)) return false
    if (own < sequence.end) return value === ANY_VALUE || value === this.hb.value[sequence.at[own]]
    if (thread !== this.lastThread || value === ANY_VALUE || value === this.lastValue) return true
    return this.lastValue === ANY_VALUE && this.allAlternativesPlanned(depth, parent, thread, arity)
  }

  /** Whether each alternative of the thread's step is asleep at that depth or a branch below that parent. */
  private allAlternativesPlanned(depth: number, parent: number, thread: number, arity: number): boolean {
    for (let v = 0; v < arity; v++) {
      const asleep = parent === NIL && this.sleep.has(depth, thread, v)
      if (!asleep && !this.trees.hasBranch(depth, parent, thread, v)) return false
    }
    return arity > 0
  }

  /**
   * Adds the sequence and the last step below that node, or to the tree of that depth. False if a branch there covers
   * them, or does the last step: its footprint is then not in use.
   */
  private insert(depth: number, below: number): boolean {
    const { trees, hb, sequence } = this
    let parent = below
    let before = NIL
    let node = /* mutant: looks at siblings */ below === NIL ? trees.first(depth) : trees.firstChild[below]
    while (node !== NIL) {
      const thread = trees.thread[node]
      if (
        !this.canBegin(depth, parent, thread, trees.value[node], trees.arity[node], trees.footprint[node])
      ) {
        before = node
        node = trees.nextSibling[node]
        continue
      }
      const isIndependent = !this.isPartOf(thread)
      if (isIndependent && !this.isWhole) {
        this.isHeldBack = true
        return false
      }
      if (isIndependent && trees.arity[node] > 1) {
        // The sequence may go on with any alternative: it is added below each, and here too unless all are here.
        this.insertCopy(depth, node)
        if (this.isLastAlternative(depth, parent, node)) return false
        before = node
        node = trees.nextSibling[node]
        continue
      }
      if (this.isLastStep(thread)) {
        this.insertRest(depth, node)
        return false
      }
      // A leaf stands for all that can follow.
      if (trees.firstChild[node] === NIL) return false
      if (this.own < sequence.end) sequence.takeOut(this.own)
      parent = node
      before = NIL
      node = trees.firstChild[node]
    }
    for (let i = sequence.from; i < sequence.end; i++) {
      const d = sequence.at[i]
      const arity = this.path.arity(d, hb.thread[d])
      const footprint = this.pool.of(hb, d)
      parent = trees.appendAfter(before, depth, parent, hb.thread[d], hb.value[d], arity, footprint)
      before = NIL
    }
    const { lastThread, lastValue, lastArity, lastFootprint } = this
    trees.appendAfter(before, depth, parent, lastThread, lastValue, lastArity, lastFootprint)
    return true
  }

  /** Adds the sequence and the last step below that branch, unless it is a leaf, which stands for them. */
  private insertCopy(depth: number, branch: number): void {
    if (this.trees.firstChild[branch] === NIL) return
    const { pool, lastThread, lastValue, lastArity, lastFootprint } = this
    const sequence = this.sequence.copy()
    const copy = (this.lastFootprint = pool.copy(lastFootprint))
    if (!this.insert(depth, branch)) pool.release(copy)
    this.sequence.restore(sequence)
    this.lastThread = lastThread
    this.lastValue = lastValue
    this.lastArity = lastArity
    this.lastFootprint = lastFootprint
  }

  /**
   * Whether this branch is the last of its thread here, and with it every alternative is a branch or sleeps. Alternatives
   * may touch different things (a transaction starts, or aborts): each must leave the sequence possible.
   */
  private isLastAlternative(depth: number, parent: number, node: number): boolean {
    const { trees } = this
    const thread = trees.thread[node]
    const arity = trees.arity[node]
    for (let next = trees.nextSibling[node]; next !== NIL; next = trees.nextSibling[next]) {
      if (trees.thread[next] === thread) return false
    }
    let planned = parent === NIL ? this.sleepersThatCanBegin(depth, thread, arity) : 0
    const first = parent === NIL ? trees.first(depth) : trees.firstChild[parent]
    for (let branch = first; branch !== NIL; branch = trees.nextSibling[branch]) {
      if (trees.thread[branch] !== thread) continue
      if (this.canBegin(depth, parent, thread, trees.value[branch], arity, trees.footprint[branch])) planned++
    }
    return planned >= arity
  }

  /**
   * The branch does the last step first; the sequence must still follow it. If the last step stands for all its
   * alternatives, it must follow each of them: those that come after this branch, which is the first.
   */
  private insertRest(depth: number, first: number): void {
    const { trees, lastThread, lastValue } = this
    if (lastValue !== ANY_VALUE) {
      this.insertBelow(depth, first)
      return
    }
    const rest = this.sequence.copy()
    for (let branch = first; branch !== NIL; branch = trees.nextSibling[branch]) {
      if (trees.thread[branch] !== lastThread) continue
      this.sequence.restore(rest)
      this.insertBelow(depth, branch)
    }
  }

  /** What is left of the sequence, without the last step, which the branch does. A leaf stands for all that can follow. */
  private insertBelow(depth: number, branch: number): void {
    if (this.trees.firstChild[branch] === NIL || this.sequence.isEmpty) return
    this.insertSequence(depth, branch)
  }

  /** Adds the sequence alone below that node: its last transition is the last step. */
  private insertSequence(depth: number, below: number): void {
    const { hb, pool } = this
    const d = this.sequence.takeLast()
    this.lastThread = hb.thread[d]
    this.lastValue = hb.value[d]
    this.lastArity = this.path.arity(d, hb.thread[d])
    const footprint = pool.of(hb, d)
    this.lastFootprint = footprint
    if (!this.insert(depth, below)) pool.release(footprint)
  }
}
