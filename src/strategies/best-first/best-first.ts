import { type ChoicePoint, innermost, type Saved, type Strategy } from '../../execution/strategy.js'
import type { Status, Trace } from '../../execution/trace.js'
import { HappensBefore } from '../../ordering/happens-before.js'
import { defaultOption } from '../fairness.js'
import { NO_FOOTPRINT } from '../reduction/footprints.js'
import { SleepSets } from '../reduction/sleep-sets.js'
import type { StrategyContext } from '../registry.js'
import { Need } from './branch.js'
import { Choices } from './choices.js'
import { Deltas } from './deltas.js'
import { Marks } from './marks.js'
import { firstLevel, type Priorities, parsePriorities, pb } from './priorities.js'
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
  /** With what fringe and reduction need per node; records and footprints come on top. */
  readonly bytesPerNodeInAll: number
  /** All memory held: nodes, fringe, records of siblings and footprints. It is never given back, so this is the peak. */
  readonly bytes: number
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
  private readonly marks: Marks
  private readonly priorities: Priorities
  private readonly bound: number
  /** Leaves come from races; otherwise all within the bound are leaves. */
  private readonly reduces: boolean
  /** Sleep sets are kept, for pruning or for priorities. */
  private readonly sleeps: boolean
  /** Races are looked for, for leaves or for priorities. */
  private readonly races: boolean
  private readonly branch: BranchUnderReview

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
  /** Some execution was cut. */
  private hasCut = false

  constructor(
    private readonly context: StrategyContext,
    options: BestFirstOptions,
  ) {
    const { machine, argument, bound } = context
    this.name = argument === '' ? 'best-first' : `best-first:${argument}`
    this.reduces = bound === undefined
    this.bound = bound ?? Infinity
    const given = parsePriorities(
      argument,
      context.random,
      options.functions ?? (context.options?.priorities as BestFirstOptions['functions']),
    )
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
    this.marks = new Marks(machine, this.hb, this.choices, this.sleep, {
      reduces: this.reduces,
      prunes: this.reduces && this.sleeps,
    })
    this.branch = new BranchUnderReview(machine, this.choices, functions)
  }

  get script() {
    return { thread: this.choices.thread, value: this.choices.value, length: this.common }
  }

  get tree(): TreeStatistics {
    const { tree, fringe, siblings, footprints } = this.search
    return {
      created: tree.created,
      live: tree.live,
      peak: tree.peak,
      bytesPerNode: ExecutionTree.bytesPerNode,
      bytesPerNodeInAll: bytesPerSlot,
      bytes: tree.slots * bytesPerSlot + siblings.bytes + footprints.bytes,
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
    if (this.reduces && d >= this.newFrom && !isDelta) this.marks.withTaken(point, option)
    return option - choices.first[d]
  }

  end(trace: Trace, status: Status): void {
    this.advance(trace)
    this.choices.depths = trace.length
    if (status === 'failed') this.fatal = trace.length - 1
    if (status === 'cut') this.hasCut = true
    if (this.races) this.marks.atEnd(status, this.fatal)
    if (!this.reduces && this.marks.wantAllWithin(this.bound, this.search.tree.step[this.current] + 1)) {
      this.search.limited = true
    }
    this.grow(trace)
  }

  save(): Saved {
    return {
      random: this.context.random.save(),
      isOver: this.isOver,
      completedBound: this.completedBound,
      limited: this.search.limited,
      hasCut: this.hasCut,
      ...saveSearch(this.search),
    }
  }

  load(saved: Saved): this {
    this.isOver = saved.isOver as boolean
    this.completedBound = (saved.completedBound as number | null) ?? Infinity
    this.search.limited = saved.limited as boolean
    this.hasCut = saved.hasCut === true
    loadSearch(this.search, saved as unknown as SavedTree, this.context)
    return this
  }

  /** Which leaves there were before the bound says which bounds are done: only if fewer preemptions come first. */
  private noteCompletedBound(): void {
    if (this.hasCut) return
    const { fringe, limited } = this.search
    const best = fringe.bestKey()
    if (best === Infinity) this.completedBound = limited && !this.reduces ? this.bound : Infinity
    else if (!this.reduces && this.priorities.functions[0] === pb) {
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
        if (
          /* mutant: of this depth */ siblings.depth[r] !== d ||
          /* mutant: in the fringe */ siblings.order[r] === NOT_EXECUTED
        )
          continue
        if (/* mutant: ran later */ own !== NOT_EXECUTED && siblings.order[r] >= own) continue
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
    // Within a bound what costs a preemption is a leaf, never the default.
    if (/* mutant: reduces */ !this.reduces) return start + Math.max(0, point.stay)
    const option = defaultOption(point, this.sleeps ? this.sleep : null)
    return option < 0 ? option : start + option
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
          // mutant: tried
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
        for (let i = 0; i < hb.raceCount; i++) this.marks.reverse(hb.races[i], d, d)
      }
      if (this.sleeps) this.sleep.descend(hb, d)
    }
  }

  /** Turns what is wanted into leaves, the deepest last, so that among equals it is run first. */
  private grow(trace: Trace): void {
    const { siblings, tree, fringe } = this.search
    const { wanted, wantedDepth, raised, raisedDepth } = this.marks
    const keeps = this.races || this.sleeps
    this.branch.trace = trace
    this.noteOwnBranch()
    for (let i = 0; i < raised.length; i++) {
      const leaf = siblings.node[this.choices.record[raised[i]]]
      if (leaf !== NO_NODE) fringe.promote(leaf, this.keyOf(raisedDepth[i], raised[i]))
    }
    const byDepth = wanted.map((_, i) => i).sort((a, b) => wantedDepth[a] - wantedDepth[b])
    for (const i of byDepth) this.addLeaf(wantedDepth[i], wanted[i], keeps)
    this.marks.clear()
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
    if (/* mutant: own branch */ (this.sleeps || this.reduces) && choices.record[taken] === NO_RECORD) {
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
    const asleep =
      this.sleeps &&
      !this.reduces &&
      this.choices.cost(d, option) === 1 &&
      (d >= this.repeatsFrom || this.isAsleep(d, option))
    return this.branch.keyOf(d, option, asleep)
  }
}

/** The tree of a best-first search; undefined for any other strategy. */
export function treeOf(strategy: Strategy): TreeStatistics | undefined {
  return (innermost(strategy) as Partial<BestFirstStrategy>).tree
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
