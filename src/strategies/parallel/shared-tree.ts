import { LocationTable } from '../../machine/names.js'
import type { PlainStep, Plan } from '../reduction/above-root.js'
import { OWN, RESTRICTED } from '../reduction/sleep-sets.js'
import { Insertion, NotKnownYet, sleepersAt } from './insertion.js'
import type { Sleeper } from './node.js'
import { addBranches, branchRows, Node } from './node.js'
import type { HandedPoint, Kept, PartReport, PartStart, UpdatedPoint } from './part.js'
import { loadTree, type SavedTree, saveTree, type WaitingPlan } from './saved-tree.js'

/** Somebody explores what follows a node. */
class Part {
  /** Depths above its root whose branches are not those it knows. */
  readonly outdated = new Set<number>()

  constructor(public node: Node) {}
}

/** A number for it, and where it begins or was left; neither for the whole search from its beginning. */
export interface NextPart {
  readonly part: number
  readonly start: PartStart | null
  readonly kept: Kept | null
}

/**
 * The points of a search that its parts share, and what is to be explored from them. It decides who explores what; who and
 * where the parts are it does not know. docs/algorithms/parallel.md says why nothing is lost and nothing done twice.
 */
export class SharedTree {
  private readonly root = new Node(null, -1, 0, 1, [])
  private readonly parts = new Map<number, Part>()
  private nextPart = 1
  private readonly insertion: Insertion
  /** Plans that lead into a branch of which a part has yet to tell. */
  private waiting: WaitingPlan[] = []
  /** Something costs more than the bound. */
  isLimited = false

  constructor(
    locations: LocationTable = new LocationTable(),
    private readonly bound = Infinity,
    /** A search that one worker has begun. */
    begun: Kept | null = null,
  ) {
    this.root.kept = begun
    this.insertion = new Insertion(locations, (owner) => this.note(owner))
  }

  get isDone(): boolean {
    return this.root.state === 'done'
  }

  /** What is to be explored next; null if nothing is, for now. */
  take(): NextPart | null {
    const node = this.findWaiting()
    if (node === null) return null
    const part = this.nextPart++
    this.parts.set(part, new Part(node))
    if (node.kept !== null || node === this.root) {
      node.state = 'running'
      return { part, start: null, kept: node.kept }
    }
    node.state = 'opening'
    return { part, start: this.startOf(node), kept: null }
  }

  /** Nobody explores it any more: it waits again, as it was last kept. */
  drop(part: number): void {
    const { node } = this.partOf(part)
    this.parts.delete(part)
    node.state = 'waiting'
    this.insertWaiting()
  }

  /** What a part estimates of itself. */
  estimated(part: number, share: number): void {
    this.partOf(part).node.share = share
  }

  /**
   * How much of the search is estimated to be done, from 0 to 1: branches of one point are taken to be equally large, as by
   * the weighted backtrack estimator.
   */
  get share(): number {
    let share = 0
    const open: [Node, number][] = [[this.root, 1]]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, weight] = next
      if (node.state === 'done') share += weight
      else if (node.state !== 'open') share += weight * node.share
      else {
        const { children, doneBefore } = node
        const each = weight / (children.length + doneBefore)
        share += each * doneBefore
        for (const child of children) open.push([child, each])
      }
    }
    return share
  }

  /** With all parts as they were last kept. */
  save(): SavedTree {
    return saveTree(this.root, this.isLimited, this.waiting)
  }

  load(saved: SavedTree): this {
    this.isLimited = saved.isLimited
    this.waiting = loadTree(this.root, saved)
    this.insertWaiting()
    return this
  }

  /** Takes in what a part says; returns what it should know about the points above its root. */
  report(number: number, report: PartReport, isDone: boolean): UpdatedPoint[] {
    const part = this.partOf(number)
    const { opened, handed, plans } = report
    if (report.isLimited) this.isLimited = true
    if (opened) this.open(part.node, opened.step, opened.races)
    // The execution ended with it: what was planned for later is not there.
    if (opened && !handed) part.node.isLeaf = !opened.isLeft
    if (handed) part.node = this.takeOver(part.node, handed)
    if (report.kept) part.node.kept = report.kept
    for (const plan of plans) this.plan(part.node, plan)
    if (isDone) {
      this.parts.delete(number)
      // It turned out to be asleep: all that it begins has been explored.
      if (part.node.state === 'opening') {
        part.node.isLeaf = true
        part.node.forgetChildren()
      }
      part.node.state = part.node.children.length > 0 ? 'waiting' : 'done'
      part.node.kept = null
    }
    // Before anything is forgotten: it may be what they lead to.
    if (opened || isDone) this.insertWaiting()
    if (isDone) this.collapse(part.node)
    return isDone ? [] : this.updatesFor(part)
  }

  private partOf(number: number): Part {
    const part = this.parts.get(number)
    if (part === undefined) throw new Error(`there is no part ${number} of this search`)
    return part
  }

  /** The shallowest branch that can be taken: whoever comes before it is known by what it does. */
  private findWaiting(): Node | null {
    if (this.root.state === 'waiting') return this.root
    let level: Node[] = [this.root]
    while (level.length > 0) {
      const next: Node[] = []
      for (const node of level) {
        if (node.state !== 'open' || node.isFinished) continue
        for (const child of node.children) {
          if (child.state === 'opening') break
          if (child.state !== 'waiting') continue
          if (this.fitsBound(node, child)) return child
          this.isLimited = true
          child.state = 'done'
          this.collapse(child)
        }
        next.push(...node.children)
      }
      level = next
    }
    return null
  }

  private fitsBound(owner: Node, child: Node): boolean {
    if (owner.cost === null) return true
    const [before, staying] = owner.cost
    return before + (staying >= 0 && staying !== child.thread ? 1 : 0) <= this.bound
  }

  private startOf(node: Node): PartStart {
    const steps = node.path()
    const owners = steps.map((step) => step.parent!)
    const places = steps.map((step, d) => owners[d].children.indexOf(step))
    const planned = branchRows([node])
    return {
      thread: steps.map((s) => s.thread),
      value: steps.map((s) => s.value),
      alternatives: owners.map((o) => o.alternatives!),
      sleepers: owners.map((owner, d) =>
        sleepersAt(owner, places[d]).map((s, i) => [
          s.thread,
          s.value,
          (i >= owner.sleepers!.length ? OWN : 0) | (s.isRestricted ? RESTRICTED : 0),
          ...s.cells,
        ]),
      ),
      branches: owners.map((owner, d) => branchRows(owner.children.slice(places[d] + 1))),
      planned,
      marked: owners.map((o) => [...o.marked]),
      costs: owners.map((o) => o.cost ?? undefined),
      races: steps.slice(0, -1).flatMap((s) => s.races),
    }
  }

  private open(node: Node, [, value, arity, cells]: PlainStep, races: readonly number[]): void {
    node.value = value
    node.arity = arity
    node.cells = cells
    node.races = races
    node.state = 'running'
    node.forgetChildren()
  }

  /** The points from that node's on are here now; returns the last step, below which the part goes on. */
  private takeOver(node: Node, points: readonly HandedPoint[]): Node {
    let owner = node
    for (const point of points) {
      owner.forgetChildren()
      const [thread, value, arity, cells] = point.step
      const step = new Node(owner, thread, value, arity, cells)
      step.isLeaf = point.isLeaf
      step.races = point.races
      owner.children.push(step)
      addBranches(owner, point.branches)
      owner.alternatives = point.alternatives
      owner.sleepers = point.sleepers.map(readSleeper)
      owner.doneBefore = point.sleepers.filter(([, , flags]) => (flags & OWN) !== 0).length
      owner.share = 0
      owner.cost = point.cost ?? null
      for (const thread of point.marked ?? []) owner.marked.add(thread)
      step.state = 'running'
      owner.state = 'open'
      owner.kept = null
      owner = step
    }
    return owner
  }

  private plan(below: Node, plan: Plan): void {
    let origin = below
    while (origin.depth > plan.depth) origin = origin.parent!
    this.insertPlan(origin.parent!, origin, plan)
  }

  private insertPlan(owner: Node, origin: Node, plan: Plan): void {
    const index = owner.children.indexOf(origin)
    try {
      if ('steps' in plan) this.insertion.plan(owner, index, plan)
      else if ('branch' in plan) this.insertion.branch(owner, index, plan.branch, plan.below)
      else this.mark(owner, plan.mark)
    } catch (error) {
      if (!(error instanceof NotKnownYet)) throw error
      this.waiting.push({ owner, origin, plan })
    }
  }

  private insertWaiting(): void {
    const { waiting } = this
    this.waiting = []
    for (const { owner, origin, plan } of waiting) this.insertPlan(owner, origin, plan)
  }

  /** Every alternative of a thread is a branch, unless it sleeps. */
  private mark(owner: Node, thread: number): void {
    if (owner.marked.has(thread)) return
    owner.marked.add(thread)
    const isKnown = (value: number) =>
      owner.sleepers!.some((s) => s.thread === thread && s.value === value) ||
      owner.children.some((c) => c.thread === thread && c.value === value)
    const arity = owner.alternativesOf(thread)
    for (let value = 0; value < arity; value++) {
      if (!isKnown(value)) owner.children.push(new Node(owner, thread, value, arity, []))
    }
  }

  /** Branches were added at a point: parts below it, or below a point that it follows, should know. */
  private note(owner: Node): void {
    for (const part of this.parts.values()) {
      const path = new Set<Node>(part.node.path()).add(this.root)
      let meeting = owner
      while (!path.has(meeting)) meeting = meeting.parent!
      part.outdated.add(meeting.depth + 1)
    }
  }

  private updatesFor({ node, outdated }: Part): UpdatedPoint[] {
    const updates = node
      .path()
      .filter((step) => outdated.has(step.depth))
      .map((step) => {
        const { children } = step.parent!
        return { depth: step.depth, branches: branchRows(children.slice(children.indexOf(step) + 1)) }
      })
    outdated.clear()
    return updates
  }

  /** What is finished and cannot be added to is forgotten. */
  private collapse(from: Node): void {
    for (let node: Node | null = from; node?.isFinished; node = node.parent) {
      if (!node.isLeaf) continue
      node.state = 'done'
      node.forgetChildren()
    }
  }
}

function readSleeper([thread, value, flags, ...cells]: readonly number[]): Sleeper {
  return { thread, value, isRestricted: (flags & RESTRICTED) !== 0, cells }
}
