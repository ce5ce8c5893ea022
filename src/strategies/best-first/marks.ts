import type { ChoicePoint } from '../../execution/strategy.js'
import type { Status } from '../../execution/trace.js'
import { type Machine, THREAD_LIVE } from '../../machine/machine.js'
import { Op } from '../../machine/operation.js'
import { isEverywhere } from '../../machine/points.js'
import type { HappensBefore } from '../../ordering/happens-before.js'
import { Initials } from '../reduction/initials.js'
import type { SleepSets } from '../reduction/sleep-sets.js'
import { Need } from './branch.js'
import type { Choices } from './choices.js'
import { NO_RECORD } from './siblings.js'

/** What marks go by. */
export interface MarkRules {
  /** Leaves come from races, by source sets; otherwise races only say what is promising. */
  readonly reduces: boolean
  /** What sleeps is not marked: sleep sets prune. */
  readonly prunes: boolean
}

/**
 * What the races of the execution under way ask for: options to become leaves, and leaves that have become more
 * promising. Emptied by whoever turns them into leaves.
 */
export class Marks {
  /** Options to become leaves, in the order found. */
  readonly wanted: number[] = []
  readonly wantedDepth: number[] = []
  /** Options whose leaves have become more promising. */
  readonly raised: number[] = []
  readonly raisedDepth: number[] = []
  private readonly initials = new Initials()

  constructor(
    private readonly machine: Machine,
    private readonly hb: HappensBefore,
    private readonly choices: Choices,
    private readonly sleep: SleepSets,
    private readonly rules: MarkRules,
  ) {}

  clear(): void {
    this.wanted.length = this.wantedDepth.length = this.raised.length = this.raisedDepth.length = 0
  }

  /** Alternatives of what was taken are explored too, and so is every end of the program. */
  withTaken(point: ChoicePoint, option: number): void {
    const { choices } = this
    const d = point.depth
    if (point.machine.pending.kind[choices.optionThread[option]] === Op.processExit) {
      this.markEnabled(d, Need.direct)
    } /* mutant: alternatives */ else this.mark(d, choices.optionThread[option], Need.direct)
    // Its alternatives may touch different things, and show no races of each other: see `SearchState.isPartlyAsleep`.
    // Which of them sleep differs from leaf to leaf here, so all others are tried, too.
    if (this.hasAlternatives(d, choices.optionThread[option])) this.markEnabled(d, Need.conservative)
  }

  /** Whether the thread has alternatives there that may touch different things. */
  private hasAlternatives(d: number, thread: number): boolean {
    if (this.isSingle) return false
    const { choices } = this
    const from = choices.firstOf(d, thread)
    return from >= 0 && from + 1 < choices.first[d + 1] && choices.optionThread[from + 1] === thread
  }

  /**
   * Races of threads that wait at the end, of a failure, which ended everything, and, where the execution was cut, of
   * what threads were about to do.
   */
  atEnd(status: Status, fatal: number): void {
    const { hb, machine } = this
    const end = fatal < 0 ? hb.depth : fatal
    for (let t = 0; t < machine.threads.count; t++) {
      if (machine.pending.status[t] !== THREAD_LIVE) continue
      const couldRun = this.couldRun(t, fatal)
      // What was cut would have gone on: what comes next counts as done.
      if (couldRun && status !== 'cut') continue
      if (couldRun) hb.weighNext(t)
      /* mutant: waits for ever */ else hb.weighPending(t, false)
      if (fatal >= 0 && hb.follows(fatal)) continue
      for (let i = 0; i < hb.raceCount; i++) this.reverse(hb.races[i], hb.depth, end)
    }
    // Of those who have not begun it is not known what they would do.
    if (status === 'cut') this.markEnabled(hb.depth - 1, Need.conservative)
    if (fatal < 0) return
    this.markEnabled(fatal, Need.conservative)
    for (const earlier of hb.racesOfFailure()) this.reverse(earlier, fatal, fatal)
  }

  /** At the last point: a failing transition may have let others run before it failed, which is too late. */
  private couldRun(thread: number, fatal: number): boolean {
    if (fatal < 0) return this.machine.alternatives(thread) > 0
    return thread === this.choices.thread[fatal] || this.choices.firstOf(fatal, thread) >= 0
  }

  /** A race of two transitions: the later one is to come first. Transitions from `end` on are no part of that. */
  reverse(earlier: number, later: number, end: number): void {
    if (this.rules.reduces) this.markInitial(earlier, later, end)
    else {
      this.suggest(earlier, later)
      const free = this.freePoint(earlier)
      if (free !== earlier) this.suggest(free, later)
    }
  }

  /** Every option from that depth on that keeps within the bound; says whether any does not. */
  wantAllWithin(bound: number, from: number): boolean {
    const { choices } = this
    let limited = false
    for (let d = from; d < choices.depths; d++) {
      for (let i = choices.first[d]; i < choices.first[d + 1]; i++) {
        if (/* mutant: within a bound */ i === choices.taken[d]) continue
        if (/* mutant: bound */ choices.preemptions[d] + choices.cost(d, i) > bound) {
          limited = true
          continue
        }
        this.wanted.push(i)
        this.wantedDepth.push(d)
      }
    }
    return limited
  }

  /** Source sets: one thread that can begin the reversal is enough; best one that costs nothing. */
  private markInitial(earlier: number, later: number, end: number): void {
    const { hb, initials, choices } = this
    initials.find(hb, earlier, later, end)
    const thread = hb.thread[later]
    const isOwn = initials.includes(thread)
    const need = isOwn && !this.isRelease(earlier) ? Need.direct : Need.conservative
    // As in `source`: what a sleeper did there may be another transition than the one to come first.
    const standsForNothing = isOwn && !this.isSingle && this.isAsleep(earlier, thread)
    const stands = (initial: number) => initial !== thread || !standsForNothing
    for (let i = 0; i < initials.count; i++) {
      const initial = initials.thread[i]
      if (!choices.isMarked(earlier, initial) || !stands(initial)) continue
      if (initial === thread) this.mark(earlier, thread, need)
      return
    }
    for (let i = 0; i < initials.count; i++) {
      if (stands(initials.thread[i]) && this.mark(earlier, initials.thread[i], need, true)) return
    }
    if (standsForNothing) {
      this.markEnabled(earlier, Need.conservative)
      return
    }
    // mutant: backtrack
    const chosen = isOwn ? thread : initials.thread[0]
    if (choices.firstOf(earlier, chosen) >= 0 && !this.hasAlternatives(earlier, chosen))
      this.mark(earlier, chosen, need)
    else this.markEnabled(earlier, Need.conservative)
  }

  private get isSingle(): boolean {
    return isEverywhere(this.machine.points) && !this.machine.isCompound
  }

  private isAsleep(d: number, thread: number): boolean {
    return this.rules.prunes && this.sleep.hasThread(d, thread)
  }

  /** What DPOR would do: run the later thread there, or where it cannot, any that can. */
  private suggest(d: number, later: number): void {
    const thread = this.hb.thread[later]
    const need = this.isRelease(d) ? Need.conservative : Need.direct
    if (this.choices.firstOf(d, thread) >= 0) this.mark(d, thread, need)
    else this.markEnabled(d, Need.conservative)
  }

  /** The latest point up to d where any thread could be taken at no cost (the gap of §5.2, closed as BPOR does). */
  private freePoint(d: number): number {
    const { staying, thread } = this.choices
    let at = d
    while (at > 0 && staying[at] >= 0 && staying[at] === thread[at]) at--
    return at
  }

  private isRelease(d: number): boolean {
    const { hb } = this
    const start = hb.eventStart(d)
    if (start === hb.eventEnd[d]) return false
    const kind = hb.kind[start]
    return kind === Op.unlock || kind === Op.readUnlock || kind === Op.writeUnlock || kind === Op.semPost
  }

  private markEnabled(d: number, need: number): void {
    const { choices } = this
    let last = -1
    for (let i = choices.first[d]; i < choices.first[d + 1]; i++) {
      if (choices.optionThread[i] === last) continue
      last = choices.optionThread[i]
      this.mark(d, last, need)
    }
  }

  /**
   * Every alternative of the thread is to be explored from here, unless it sleeps; what waits in the fringe already may
   * have become more promising. With `onlyAsleep`, does so only if nothing is to be explored; says whether it did.
   */
  private mark(d: number, thread: number, need: number, onlyAsleep = false): boolean {
    const { choices } = this
    const { reduces, prunes } = this.rules
    const from = choices.firstOf(d, thread)
    if (from < 0) return false
    if (onlyAsleep) {
      if (!prunes) return false
      for (let i = from; i < choices.first[d + 1] && choices.optionThread[i] === thread; i++) {
        if (!this.sleep.has(d, thread, choices.optionValue[i])) return false
      }
    }
    for (let i = from; i < choices.first[d + 1] && choices.optionThread[i] === thread; i++) {
      const isBetter = need < choices.need[i]
      if (isBetter) choices.need[i] = need
      if (choices.marked[i] === 0) {
        // What sleeps is never marked: it keeps no record, so an execution that comes by later could not know.
        if (!reduces || (prunes && this.sleep.has(d, thread, choices.optionValue[i]))) continue
        choices.marked[i] = 1
        this.wanted.push(i)
        this.wantedDepth.push(d)
      } else if (isBetter && choices.record[i] !== NO_RECORD) {
        this.raised.push(i)
        this.raisedDepth.push(d)
      }
    }
    return true
  }
}
