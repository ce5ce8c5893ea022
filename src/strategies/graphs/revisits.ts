import { initial, isIn, NOWHERE, type Step, type Writes } from './step.js'

/** The graph so far. */
export interface Graph {
  readonly steps: readonly Step[]
  /** Those of threads that wait. */
  readonly waiting: readonly Step[]
  readonly writes: Writes
}

/** What goes when an earlier read comes to see a new write. */
export interface Revisit {
  /** What will see the new write. */
  readonly read: Step
  /** Updates that see what they saw, and write anew. */
  readonly partly: readonly Step[]
  /** Steps that go have this mark: these, the read, and others. */
  readonly mark: number
}

let marks = 0

/**
 * Graphs in which an earlier read sees the write that was just added: TruSt's backward revisits (Kokologiannakis, Marmanis,
 * Gladstein, Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022, doi:10.1145/3498711,
 * algorithm 1). What was added after the read and is not needed by the write goes; that is done only if all of it was
 * added as it would be when nobody had a choice, so that of all graphs that lead to the same one, exactly one does it.
 */
export function* revisits(graph: Graph, added: Step, place: number): Generator<Revisit> {
  for (const list of [graph.steps, graph.waiting]) {
    for (const read of list) {
      if (read.place !== place || read.source === null || isIn(added.view, read)) continue
      const revisit = withoutRead(graph, added, read)
      if (/* mutant: earlier reads */ revisit !== null) yield revisit
    }
  }
}

function withoutRead(graph: Graph, added: Step, read: Step): Revisit | null {
  if (!isReadMaximal(graph, added, read) || !isWriteMaximal(graph, added, read)) return null
  const mark = ++marks
  const partly: Step[] = []
  read.mark = mark
  for (const list of [graph.steps, graph.waiting]) {
    for (const step of list) {
      if (step === read || isIn(added.view, step)) continue
      const isGone = step.readAt > read.readAt
      // Of an update that came to see another write, only the write may be younger than the read.
      const isPartlyGone = !isGone && step.writeAt > read.readAt
      if (!isGone && !isPartlyGone) continue
      if (isGone && !isReadMaximal(graph, added, step)) return null
      if (!isWriteMaximal(graph, added, step)) return null
      if (isPartlyGone) partly.push(step)
      step.mark = mark
    }
  }
  return { read, partly, mark }
}

function isReadMaximal(graph: Graph, added: Step, step: Step): boolean {
  const { source, way, readAt, place } = step
  if (way !== 0) return false
  return source === null || /* mutant: newest read */ source === newestUpTo(graph, added, place, readAt)
}

function isWriteMaximal(graph: Graph, added: Step, step: Step): boolean {
  if (step.written === null) return true
  if (/* mutant: newest write */ !isLastUnseen(graph, added, step, step.place)) return false
  return step.gives === NOWHERE || isLastUnseen(graph, added, step, step.gives)
}

function isLastUnseen(graph: Graph, added: Step, step: Step, place: number): boolean {
  const { writeAt } = step
  if (newestUpTo(graph, added, place, writeAt) !== step) return false
  const { steps, waiting } = graph
  for (let i = 0; i < steps.length + waiting.length; i++) {
    const other = i < steps.length ? steps[i] : waiting[i - steps.length]
    if (other.source !== step || other.place !== place) continue
    if (other.readAt <= writeAt || isIn(added.view, other)) return false
  }
  return true
}

/** The last write, in modification order, among those added up to a moment and those that the new write needs. */
function newestUpTo({ writes }: Graph, added: Step, place: number, at: number): Step {
  const order = writes.get(place)
  if (order === undefined) return initial
  for (let i = order.length - 1; i >= 0; i--) {
    if (order[i].writeAt <= at || isIn(added.view, order[i])) return order[i]
  }
  return initial
}
