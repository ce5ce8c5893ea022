import type { ChoicePoint, Saved, Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { HappensBefore } from '../../ordering/happens-before.js'
import { THREAD_LIVE } from '../../program/machine.js'
import { Op } from '../../program/operation.js'
import { NO_FOOTPRINT } from '../reduction/footprints.js'
import { SleepSets } from '../reduction/sleep-sets.js'
import type { StrategyContext } from '../registry.js'
import { Need } from './branch.js'
import { Choices } from './choices.js'
import { Deltas } from './deltas.js'
import { Initials } from './initials.js'
import { firstLevel, keyOf, type Priorities, parsePriorities } from './priorities.js'
import { BranchUnderReview } from './review.js'
import { loadSearch, type SavedTree, saveSearch } from './saving.js'
import { type BestFirstOptions, bytesPerSlot, makeParts, type SearchParts } from './search-parts.js'
import { NO_RECORD, NOT_EXECUTED, OWN_BRANCH } from './siblings.js'
import { choiceThread, choiceValue, ExecutionTree, NO_NODE, packChoice } from './tree.js'

/** How large the execution tree is and has been. */
export interface TreeStatistics {
  readonly created: number
  /** Nodes not done with; 0 at the end. */
  readonly live: number
  readonly peak: number
  /** Of the tree itself, as the paper reckons. */
  readonly bytesPerNode: number
  /** With what fringe and reduction need per node; records of siblings (24 bytes) and footprints come on top. */
  readonly bytesPerNodeInAll: number
  /** Records of what has been tried where. */
  readonly records: number
  /** Leaves that went to disk. */
  readonly spilled: number
}

export type { BestFirstOptions }

export interface BestFirstStrategy extends Strategy {
  readonly tree: TreeStatistics
}

/**
 * Best-first search (Coons, Burckhardt, Musuvathi, "GAMBIT: Effective Unit Testing for Concurrency Libraries", PPoPP
 * 2010, doi:10.1145/1693453.1693458). Executions to come are the leaves of a tree of deltas from the default behaviour
 * (go on with the same thread, else take the first); the most promising is run next, and shows where else to go.
 *
 * **Within a preemption bound** every option within the bound is a new leaf, so every execution within it is run, once.
 * DPOR and sleep sets are only looked at by priority functions: neither is sound under a bound (§2.3).
 *
 * **Without a bound** new leaves reverse races, as in source-set DPOR (Abdulla, Aronis, Jonsson, Sagonas, JACM 64(4),
 * 2017), and sleep sets prune. Why that is sound in any order: the theorem about source sets speaks of a depth-first
 * search, but its proof reads only the finished tree. It needs that
 *
 *  1. for every race of every execution run, some thread that can begin its reversal is among those marked at the
 *     earlier transition's position, and all that is marked and not asleep there is explored to its end;
 *  2. the children of a position have a total order, and what sleeps at a child is either inherited from the position
 *     or an earlier child, explored or asleep itself, and independent of the child's transition.
 *
 * Given both, a depth-first search that is told all marks in advance and takes children in that order explores exactly
 * this tree with these sleep sets, or larger ones, and the theorem applies: marking more than needed never hurts. (1)
 * holds at the end because races are weighed whenever an execution is new beyond its delta, marks are never taken back
 * and the fringe is emptied. (2): the order is that of first execution. The owner's own branch comes first. A child
 * executed next sleeps for those executed before it and never for one executed later, however long it waits in the
 * fringe; its descendants, whenever they run, rebuild exactly that sleep set, since records of siblings keep the number
 * of their execution. Being merely in the fringe puts nobody to sleep: its footprint is not known yet.
 *
 * Nodes may be deleted as soon as they have no successors: marks for a position come only from executions through it,
 * which are its owner's and those below.
 */
class BestFirst implements BestFirstStrategy {
  readonly name: string
  readonly footprints: boolean
  completedBound = -1
  readonly search: SearchParts
  private readonly hb: HappensBefore
  private readonly sleep: SleepSets
  private readonly choices: Choices
  private readonly initials = new Initials()
  private readonly priorities: Priorities
  private readonly bound: number
  /** Leaves come from races; otherwise all within the bound are leaves. */
  private readonly reduces: boolean
  /** Sleep sets are kept, for pruning or for priorities. */
  private readonly sleeps: boolean
  /** Races are looked for, for leaves or for priorities. */
  private readonly races: boolean
  private readonly branch: BranchUnderReview
  private readonly pickTags: (f: number) => void

  private current = NO_NODE
  private isOver = false
  private readonly deltas = new Deltas()
  /** Depths shared with the execution before. */
  private common = 0
  /** The step of the current node: what comes at it and after is new. */
  private newFrom = 0
  /** First depth at which a preemption woke nobody up: everything below repeats something. */
  private repeatsFrom = Infinity
  private fatal = -1
  /** Options to become leaves, in the order found. */
  private readonly wanted: number[] = []
  private readonly wantedDepth: number[] = []
  /** Options whose leaves have become more promising. */
  private readonly raised: number[] = []
  private readonly raisedDepth: number[] = []

  constructor(
    private readonly context: StrategyContext,
    options: BestFirstOptions,
  ) {
    const { machine, argument, bound } = context
    this.name = argument === '' ? 'best-first' : `best-first:${argument}`
    this.reduces = bound === undefined
    this.bound = bound ?? Infinity
    const given = parsePriorities(argument, context.random, options.functions)
    // The best of the paper's tables 2 (§5.2), where nothing else is asked for.
    const fallback = parsePriorities(this.reduces ? 'mdpor,pb' : 'ss,mdpor', context.random)
    this.priorities = given.functions.length > 0 ? given : { ...fallback, useSleepSets: given.useSleepSets }
    const { functions, useSleepSets, readsNeed, readsSleep } = this.priorities
    this.sleeps = useSleepSets && (this.reduces || readsSleep)
    this.races = this.reduces || readsNeed
    this.footprints = this.sleeps || this.races || functions.some((f) => f.footprints)
    this.hb = new HappensBefore(machine)
    this.search = makeParts(context, options, this.races || this.sleeps)
    this.sleep = new SleepSets(this.search.footprints)
    this.sleep.reset()
    this.choices = new Choices(functions)
    this.branch = new BranchUnderReview(context)
    this.pickTags = (f) => this.branch.pick(this.choices, f)
  }

  get script() {
    return { thread: this.choices.thread, value: this.choices.value, length: this.common }
  }

  get tree(): TreeStatistics {
    const { tree, fringe, siblings } = this.search
    return {
      created: tree.created,
      live: tree.live,
      peak: tree.peak,
      bytesPerNode: ExecutionTree.bytesPerNode,
      bytesPerNodeInAll: bytesPerSlot,
      records: siblings.count,
      spilled: fringe.spilled,
    }
  }

  begin(): boolean {
    const { tree, fringe } = this.search
    if (this.isOver) return false
    if (tree.created === 0) this.current = tree.add(NO_NODE, -1, 0)
    else {
      this.noteCompletedBound()
      this.current = fringe.pop()
      if (this.current === NO_NODE) {
        this.isOver = true
        fringe.close()
        return false
      }
    }
    this.newFrom = Math.max(0, tree.step[this.current])
    this.shareWithLast()
    // Not what was shared: what races say of it must not depend on how much that is.
    this.choices.need.fill(Need.none, 0, this.choices.first[this.common])
    if (this.repeatsFrom > this.common) this.repeatsFrom = Infinity
    this.fatal = -1
    return true
  }

  choose(point: ChoicePoint): number {
    this.advance(point.trace)
    const { choices } = this
    const d = point.depth
    choices.open(point)
    const isDelta = this.deltas.isAt(d)
    const option = isDelta ? this.followDelta(d) : this.defaultOption(point)
    if (option < 0) return -1
    choices.take(d, option)
    if (isDelta && this.deltas.at === this.deltas.length) this.applyRecords()
    if (this.sleeps && !this.reduces && this.repeatsFrom === Infinity && this.isAsleep(d, option)) {
      this.repeatsFrom = d + 1
    }
    if (this.reduces && d >= this.newFrom && !isDelta) this.markWithTaken(point, option)
    return option - choices.first[d]
  }

  end(trace: Trace, status: Status): void {
    this.advance(trace)
    this.choices.depths = trace.length
    if (status === 'failed') this.fatal = trace.length - 1
    if (this.races && status !== 'blocked') this.weighTheRest(status)
    if (!this.reduces) this.wantAllWithinBound()
    this.grow(trace)
  }

  save(): Saved {
    return {
      random: this.context.random.save(),
      isOver: this.isOver,
      completedBound: this.completedBound,
      limited: this.search.limited,
      ...saveSearch(this.search),
    }
  }

  load(saved: Saved): this {
    this.isOver = saved.isOver as boolean
    this.completedBound = (saved.completedBound as number | null) ?? Infinity
    this.search.limited = saved.limited as boolean
    loadSearch(this.search, saved as unknown as SavedTree, this.context)
    return this
  }

  /** Which leaves there were before the bound says which bounds are done: only if fewer preemptions come first. */
  private noteCompletedBound(): void {
    const { fringe, limited } = this.search
    const best = fringe.bestKey()
    if (best === Infinity) this.completedBound = limited && !this.reduces ? this.bound : Infinity
    else if (!this.reduces && this.priorities.functions[0].name === 'pb') {
      this.completedBound = firstLevel(this.priorities.functions, best) - 1
    }
  }

  /** Keeps what the current node's execution has in common with the last one. */
  private shareWithLast(): void {
    const common = this.deltas.moveTo(this.search.tree, this.current, this.choices.depths)
    this.common = common
    this.choices.depths = common
    this.hb.truncate(common)
    if (!this.sleeps) return
    if (common === 0) this.sleep.reset()
    else this.sleep.descend(this.hb, common - 1)
  }

  /** Takes what the next delta does here; those of its siblings that ran before it sleep from here on. */
  private followDelta(d: number): number {
    const { siblings } = this.search
    const choice = this.deltas.choice[this.deltas.at]
    const node = this.deltas.node[this.deltas.at++]
    if (this.sleeps) {
      const owner = this.search.tree.parent[node]
      const own = siblings.order[siblings.find(owner, d, choice)]
      for (let r = siblings.first[owner]; r !== NO_RECORD; r = siblings.next[r]) {
        if (siblings.depth[r] !== d || siblings.order[r] === NOT_EXECUTED) continue
        if (own !== NOT_EXECUTED && siblings.order[r] >= own) continue
        this.sleep.add(
          d,
          choiceThread(siblings.choice[r]),
          choiceValue(siblings.choice[r]),
          siblings.footprint[r],
        )
      }
    }
    return this.choices.find(d, choiceThread(choice), choiceValue(choice))
  }

  /** Go on with the same thread, else the first; but with nobody who sleeps, when sleep sets prune. */
  private defaultOption(point: ChoicePoint): number {
    const { choices } = this
    const d = point.depth
    const start = choices.first[d]
    if (!this.reduces || !this.sleeps || this.sleep.isEmpty(d)) return start + Math.max(0, point.stay)
    let best = -1
    for (let i = start; i < choices.first[d + 1]; i++) {
      if (this.sleep.has(d, choices.optionThread[i], choices.optionValue[i])) continue
      if (choices.optionThread[i] === point.previous) return i
      if (best < 0) best = i
    }
    return best
  }

  /** What has been tried at the positions up to the current node's step: known once its whole prefix has been run. */
  private applyRecords(): void {
    const { siblings } = this.search
    const { deltas } = this
    if (!this.races && !this.sleeps) return
    let owner = deltas.root
    let from = 0
    for (let i = 0; i < deltas.length; i++) {
      const to = deltas.step[i]
      if (to >= this.common) {
        for (let r = siblings.first[owner]; r !== NO_RECORD; r = siblings.next[r]) {
          const d = siblings.depth[r]
          if (d < from || d > to || d < this.common) continue
          const option = this.choices.find(
            d,
            choiceThread(siblings.choice[r]),
            choiceValue(siblings.choice[r]),
          )
          this.choices.record[option] = r
          this.choices.marked[option] = 1
        }
      }
      owner = deltas.node[i]
      from = to + 1
    }
  }

  private advance(trace: Trace): void {
    if (!this.races && !this.sleeps) return
    const { hb } = this
    while (hb.depth < trace.length) {
      const d = hb.depth
      hb.add(trace)
      if (this.races && d >= this.newFrom) {
        for (let i = 0; i < hb.raceCount; i++) this.reverse(hb.races[i], d)
      }
      if (this.sleeps) this.sleep.descend(hb, d)
    }
  }

  /** Alternatives of what was taken are explored too, and so is every end of the program. */
  private markWithTaken(point: ChoicePoint, option: number): void {
    const { choices } = this
    const d = point.depth
    if (point.machine.pending.kind[choices.optionThread[option]] === Op.processExit) {
      this.markEnabled(d, Need.direct)
    } else this.mark(d, choices.optionThread[option], Need.direct)
  }

  /** Races of threads that wait for ever, and of a failure, which ended everything. */
  private weighTheRest(status: Status): void {
    const { hb } = this
    const { machine } = this.context
    for (let t = 0; t < machine.threads.count; t++) {
      if (machine.pending.status[t] !== THREAD_LIVE || machine.alternatives(t) > 0) continue
      hb.weighPending(t, false)
      for (let i = 0; i < hb.raceCount; i++) this.reverse(hb.races[i], hb.depth)
    }
    if (status !== 'failed') return
    this.markEnabled(this.fatal, Need.conservative)
    for (const earlier of hb.racesOfFailure()) this.reverse(earlier, this.fatal)
  }

  private reverse(earlier: number, later: number): void {
    if (this.reduces) this.markInitial(earlier, later)
    else {
      this.suggest(earlier, later)
      const free = this.freePoint(earlier)
      if (free !== earlier) this.suggest(free, later)
    }
  }

  /** Source sets: one thread that can begin the reversal is enough; best one that costs nothing. */
  private markInitial(earlier: number, later: number): void {
    const { hb, initials, choices } = this
    initials.find(hb, earlier, later)
    const thread = hb.thread[later]
    const isOwn = initials.includes(thread)
    const need = isOwn && !this.isRelease(earlier) ? Need.direct : Need.conservative
    for (let i = 0; i < initials.count; i++) {
      if (!choices.isMarked(earlier, initials.thread[i])) continue
      if (initials.thread[i] === thread) this.mark(earlier, thread, need)
      return
    }
    for (let i = 0; i < initials.count; i++) {
      if (this.mark(earlier, initials.thread[i], need, true)) return
    }
    const chosen = isOwn ? thread : initials.thread[0]
    if (choices.firstOf(earlier, chosen) >= 0) this.mark(earlier, chosen, need)
    else this.markEnabled(earlier, Need.conservative)
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
    const prunes = this.reduces && this.sleeps
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
        if (!this.reduces || (prunes && this.sleep.has(d, thread, choices.optionValue[i]))) continue
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

  private wantAllWithinBound(): void {
    const { choices, current, search } = this
    for (let d = search.tree.step[current] + 1; d < choices.depths; d++) {
      for (let i = choices.first[d]; i < choices.first[d + 1]; i++) {
        if (i === choices.taken[d]) continue
        if (choices.preemptions[d] + choices.cost(d, i) > this.bound) {
          search.limited = true
          continue
        }
        this.wanted.push(i)
        this.wantedDepth.push(d)
      }
    }
  }

  /** Turns what is wanted into leaves, the deepest last, so that among equals it is run first. */
  private grow(trace: Trace): void {
    const { siblings, tree, fringe } = this.search
    const keeps = this.races || this.sleeps
    this.branch.trace = trace
    this.noteOwnBranch()
    for (let i = 0; i < this.raised.length; i++) {
      const leaf = siblings.node[this.choices.record[this.raised[i]]]
      if (leaf !== NO_NODE) fringe.promote(leaf, this.keyOf(this.raisedDepth[i], this.raised[i]))
    }
    const byDepth = this.wanted.map((_, i) => i).sort((a, b) => this.wantedDepth[a] - this.wantedDepth[b])
    for (const i of byDepth) this.addLeaf(this.wantedDepth[i], this.wanted[i], keeps)
    this.wanted.length = this.wantedDepth.length = this.raised.length = this.raisedDepth.length = 0
    tree.detach(this.current, (node) => siblings.drop(node))
  }

  private addLeaf(d: number, option: number, keeps: boolean): void {
    const { siblings, tree, fringe } = this.search
    const { choices } = this
    const owner = this.deltas.ownerOf(d)
    const choice = packChoice(choices.optionThread[option], choices.optionValue[option])
    const node = tree.add(owner, d, choice)
    fringe.push(node, this.keyOf(d, option))
    if (!keeps) return
    const taken = choices.taken[d]
    if ((this.sleeps || this.reduces) && choices.record[taken] === NO_RECORD) {
      // The first branch to leave this position, so what this execution did here is the owner's own branch.
      const own = packChoice(choices.thread[d], choices.value[d])
      const footprint = this.sleeps ? this.search.footprints.of(this.hb, d, d === this.fatal) : NO_FOOTPRINT
      choices.record[taken] = siblings.add(owner, d, own, OWN_BRANCH, NO_NODE, footprint)
    }
    choices.marked[option] = 1
    choices.record[option] = siblings.add(owner, d, choice, NOT_EXECUTED, node, NO_FOOTPRINT)
  }

  /** The current node has been executed: siblings that run later may sleep for it. */
  private noteOwnBranch(): void {
    const { siblings, tree } = this.search
    this.search.executions++
    const step = tree.step[this.current]
    if (step < 0 || !(this.races || this.sleeps)) return
    const record = siblings.find(tree.parent[this.current], step, tree.choice[this.current])
    siblings.order[record] = this.search.executions
    siblings.node[record] = NO_NODE
    if (this.sleeps)
      siblings.footprint[record] = this.search.footprints.of(this.hb, step, step === this.fatal)
  }

  /** Under a bound: a preemption towards a sleeper. A switch that costs nothing is never put off (§4.5). */
  private isAsleep(d: number, option: number): boolean {
    const { choices } = this
    if (choices.cost(d, option) === 0) return false
    return this.sleep.has(d, choices.optionThread[option], choices.optionValue[option])
  }

  private keyOf(d: number, option: number): number {
    const { choices, branch } = this
    branch.step = d
    branch.option = option
    branch.thread = choices.optionThread[option]
    branch.value = choices.optionValue[option]
    branch.previous = choices.previous[d]
    branch.preempts = choices.cost(d, option) === 1
    branch.preemptions = choices.preemptions[d] + choices.cost(d, option)
    branch.need = choices.need[option]
    branch.asleep =
      this.sleeps && !this.reduces && branch.preempts && (d >= this.repeatsFrom || this.isAsleep(d, option))
    return keyOf(this.priorities.functions, branch, this.pickTags)
  }
}

export function bestFirst(context: StrategyContext, options: BestFirstOptions = {}): BestFirstStrategy {
  return new BestFirst(context, options)
}

export function loadBestFirst(
  context: StrategyContext,
  saved: Saved,
  options: BestFirstOptions = {},
): BestFirstStrategy {
  return new BestFirst(context, options).load(saved)
}
