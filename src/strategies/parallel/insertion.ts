import type { LocationTable } from '../../machine/names.js'
import { locationsMeet, modesConflict } from '../../ordering/dependence.js'
import type { PlainStep, Plan } from '../reduction/above-root.js'
import { EVERYTHING, isOfFailure } from '../reduction/footprints.js'
import { ANY_VALUE } from '../reduction/wakeup-tree.js'
import { Node, type Sleeper } from './node.js'

/** A part of the tree has to become known first. */
export class NotKnownYet extends Error {}

/** A sequence on its way into the tree: steps that were seen, and one that is predicted. */
interface Sequence {
  readonly steps: readonly PlainStep[]
  readonly last: PlainStep
}

/** Those that come below a node, or at a point: the branches looked at, and who sleeps there. */
interface Place {
  readonly owner: Node
  /** Branches before this one are not looked at. */
  readonly from: number
  readonly sleepers: readonly Sleeper[]
}

/**
 * Inserts sequences into the tree that several parts of one search share: the rules of `Reversals`, on steps as plain data,
 * with branches that stay in the tree when they are taken. A branch that was a leaf when it was taken stands for all that
 * can follow; below any other the sequence goes on its way.
 */
export class Insertion {
  constructor(
    private readonly locations: LocationTable,
    private readonly onAppend: (owner: Node) => void,
  ) {}

  /**
   * At the point below `owner`, on behalf of a part that explores below branch number `origin`: those before it sleep
   * there.
   */
  plan(owner: Node, origin: number, { steps, mustBegin = false }: Extract<Plan, { steps: unknown }>): void {
    const sleepers = sleepersAt(owner, origin)
    const place = { owner, from: origin + 1, sleepers }
    const sequence = { steps: steps.slice(0, -1), last: steps[steps.length - 1] }
    const [thread, value] = sequence.last
    const isCovered = mustBegin
      ? sleepers.some((s) => s.thread === thread && s.value === value)
      : this.coveredBySleeper(place, sequence)
    if (!isCovered) this.insert(place, sequence)
  }

  /** A branch with that step, and with another one below it. */
  branch(owner: Node, origin: number, step: PlainStep, below?: PlainStep): void {
    const [thread, value] = step
    if (sleepersAt(owner, origin).some((s) => s.thread === thread && s.value === value)) return
    const isStep = (node: Node, [t, v]: PlainStep) =>
      node.thread === t && (node.value === v || node.value === ANY_VALUE)
    let found = owner.children.slice(origin + 1).find((node) => isStep(node, step))
    if (found === undefined) {
      found = this.append(owner, step)
      if (below !== undefined) this.append(found, below)
      return
    }
    if (below === undefined || found.isLeaf) return
    known(found)
    if (!found.children.some((node) => isStep(node, below))) this.append(found, below)
  }

  private append(owner: Node, [thread, value, arity, cells]: PlainStep): Node {
    const node = new Node(owner, thread, value, arity, cells)
    // It was left since all that had been planned below it was asleep: it is to be taken once more.
    if (owner.state === 'done') owner.state = 'waiting'
    if (owner.state === 'waiting') owner.isLeaf = false
    owner.children.push(node)
    this.onAppend(owner)
    return node
  }

  private coveredBySleeper(place: Place, sequence: Sequence): boolean {
    const { sleepers, owner } = place
    return sleepers.some(({ thread, value, cells, isRestricted }) => {
      const arity = owner.alternativesOf(thread)
      if (!this.canBegin(place, thread, value, arity, cells, sequence)) return false
      if (isPartOf(sequence, thread)) return true
      if (isRestricted) return false
      return arity <= 1 || this.sleepersThatCanBegin(place, thread, arity, sequence) >= arity
    })
  }

  private sleepersThatCanBegin(place: Place, thread: number, arity: number, sequence: Sequence): number {
    const { sleepers } = place
    return sleepers.filter(
      (s) =>
        s.thread === thread &&
        !s.isRestricted &&
        this.canBegin(place, thread, s.value, arity, s.cells, sequence),
    ).length
  }

  /** Whether this branch is the last of its thread here, and with it every alternative is a branch or sleeps. */
  private isLastAlternative(place: Place, index: number, sequence: Sequence): boolean {
    const { owner, from } = place
    const { thread, arity } = owner.children[index]
    if (owner.children.slice(index + 1).some((node) => node.thread === thread)) return false
    const branches = owner.children
      .slice(from)
      .filter(
        (node) =>
          node.thread === thread && this.canBegin(place, thread, node.value, arity, node.cells, sequence),
      )
    return this.sleepersThatCanBegin(place, thread, arity, sequence) + branches.length >= arity
  }

  /** Whether the step, done first, leaves the sequence possible. */
  private canBegin(
    place: Place,
    thread: number,
    value: number,
    arity: number,
    cells: readonly number[],
    { steps, last }: Sequence,
  ): boolean {
    const own = steps.findIndex(([t]) => t === thread)
    if (own < 0 && thread !== last[0] && this.conflict(cells, last[3])) return false
    // A failure comes after all that precedes it, though elsewhere the step may not fail.
    if (own < 0 && steps.length > 0 && thread === last[0] && isOfFailure(last[3])) return false
    const before = own < 0 ? steps : steps.slice(0, own)
    if (before.some((step) => this.conflict(cells, step[3]))) return false
    if (own >= 0) return value === ANY_VALUE || value === steps[own][1]
    if (thread !== last[0] || value === ANY_VALUE || value === last[1]) return true
    return last[1] === ANY_VALUE && allAlternativesPlanned(place, thread, arity)
  }

  private conflict(a: readonly number[], b: readonly number[]): boolean {
    if (a[0] === EVERYTHING || b[0] === EVERYTHING) return true
    for (let i = 0; i < a.length; i += 2) {
      for (let j = 0; j < b.length; j += 2) {
        if (modesConflict(a[i + 1], b[j + 1]) && locationsMeet(this.locations, a[i], b[j])) return true
      }
    }
    return false
  }

  private insert(start: Place, whole: Sequence): void {
    let place = start
    let sequence = whole
    let i = place.from
    while (i < place.owner.children.length) {
      const node = place.owner.children[i++]
      const { thread } = node
      if (!this.canBegin(place, thread, node.value, node.arity, node.cells, sequence)) continue
      const isIndependent = !isPartOf(sequence, thread)
      if (isIndependent && node.arity > 1) {
        // The sequence may go on with any alternative: it is added below each, and here too unless all are here.
        if (!node.isLeaf) this.insert(below(node), sequence)
        if (this.isLastAlternative(place, i - 1, sequence)) return
        continue
      }
      if (node.isLeaf) return
      if (!sequence.steps.some(([t]) => t === thread) && thread === sequence.last[0]) {
        this.insertRest(place.owner.children.slice(i - 1), sequence)
        return
      }
      sequence = without(sequence, thread)
      place = below(node)
      i = 0
    }
    let { owner } = place
    for (const step of [...sequence.steps, sequence.last]) owner = this.append(owner, step)
  }

  /** The first of these branches does the last step first; the sequence must still follow it, and each alternative of it. */
  private insertRest(branches: readonly Node[], { steps, last }: Sequence): void {
    if (steps.length === 0) return
    const rest = { steps: steps.slice(0, -1), last: steps[steps.length - 1] }
    const alternatives = last[1] === ANY_VALUE ? branches.filter((b) => b.thread === last[0]) : [branches[0]]
    for (const branch of alternatives) {
      if (!branch.isLeaf) this.insert(below(branch), rest)
    }
  }
}

/** Who sleeps at the point below `owner` for those who explore below branch number `origin`. */
export function sleepersAt(owner: Node, origin: number): Sleeper[] {
  return [
    ...(owner.sleepers ?? []),
    ...owner.children
      .slice(0, origin)
      .map(({ thread, value, cells }) => ({ thread, value, cells, isRestricted: false })),
  ]
}

function below(node: Node): Place {
  known(node)
  return { owner: node, from: 0, sleepers: [] }
}

/** What is planned below a branch is on its way here while its first execution runs. */
function known(node: Node): void {
  if (node.state === 'opening') throw new NotKnownYet()
}

function isPartOf({ steps, last }: Sequence, thread: number): boolean {
  return thread === last[0] || steps.some(([t]) => t === thread)
}

function without({ steps, last }: Sequence, thread: number): Sequence {
  const own = steps.findIndex(([t]) => t === thread)
  return own < 0 ? { steps, last } : { steps: steps.toSpliced(own, 1), last }
}

/** Whether each alternative of the thread's step sleeps or is a branch. */
function allAlternativesPlanned({ owner, from, sleepers }: Place, thread: number, arity: number): boolean {
  const branches = owner.children.slice(from).filter((node) => node.thread === thread)
  for (let value = 0; value < arity; value++) {
    const isPlanned =
      sleepers.some((s) => s.thread === thread && s.value === value) ||
      branches.some((node) => node.value === value || node.value === ANY_VALUE)
    if (!isPlanned) return false
  }
  return arity > 0
}
