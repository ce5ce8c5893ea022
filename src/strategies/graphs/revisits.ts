import type { MemoryModel } from '../../machine/platform.js'
import { EventKind } from '../../memory/graph.js'
import { type Access, WeakMemory } from '../../memory/weak-memory.js'
import { type Graph, initial, isIn, isSame, isWaiting, type Name, type Step } from './step.js'

/**
 * Graphs in which an earlier read sees the write that was just added: TruSt's backward revisits (Kokologiannakis, Marmanis,
 * Gladstein, Vafeiadis, "Truly Stateless, Optimal Dynamic Partial Order Reduction", POPL 2022, doi:10.1145/3498711,
 * algorithm 1). What was added after the read and is not needed by the write goes; that is done only if all of it was
 * added as it would be when nobody had a choice, so that of all graphs that lead to the same one, exactly one does it.
 */
export function* revisits(graph: Graph, added: Step): Generator<Revisit> {
  const { location } = added.access!
  for (const read of graph.steps) {
    if (read.source === null || read.access!.location !== location || isIn(added.view, read)) continue
    const rest = graph.steps.filter((step) => step !== read && !isIn(added.view, step))
    const gone = rest.filter((step) => step.readAt > read.readAt)
    // Of an update that came to see another write, only the write may be younger than the read.
    const partly = rest.filter((step) => step.readAt < read.readAt && step.writeAt > read.readAt)
    const isUnforced =
      [read, ...gone].every(
        (step) => isReadMaximal(graph, added, step) && isWriteMaximal(graph, added, step),
      ) && partly.every((step) => isWriteMaximal(graph, added, step))
    if (/* mutant: earlier reads */ !isUnforced) continue
    const kept = graph.steps.filter((step) => step !== read && !gone.includes(step) && !partly.includes(step))
    yield { kept, read, partly }
  }
}

export interface Revisit {
  /** What stays as it is. */
  readonly kept: readonly Step[]
  /** What will see the new write. */
  readonly read: Step
  /** Updates that see what they saw, and write anew. */
  readonly partly: readonly Step[]
}

function isReadMaximal(graph: Graph, added: Step, step: Step): boolean {
  const { access, source, choice, readAt } = step
  if (access === null || source === null) return choice === 0
  return /* mutant: newest read */ isSame(source, newestUpTo(graph, added, access.location, readAt))
}

function isWriteMaximal(graph: Graph, added: Step, step: Step): boolean {
  const { access, written, writeAt } = step
  if (access === null || written === null) return true
  const isPrevious = previousTo(added, writeAt)
  const isSeen = graph.steps.some(
    (other) =>
      other.source !== null &&
      other.access!.location === access.location &&
      isSame(other.source, step) &&
      isPrevious(other, other.readAt),
  )
  return (
    /* mutant: newest write */ !isSeen && isSame(step, newestUpTo(graph, added, access.location, writeAt))
  )
}

const previousTo = (added: Step, at: number) => (step: Step, when: number) =>
  when <= at || isIn(added.view, step)

/** The last write, in modification order, among those added up to a moment and those that the new write needs. */
function newestUpTo(graph: Graph, added: Step, location: number, at: number): Name {
  const isPrevious = previousTo(added, at)
  const writes = graph.writes[location] ?? []
  for (let i = writes.length - 1; i >= 0; i--) {
    const step = graph.steps.find((s) => isSame(s, writes[i]))
    if (step !== undefined && isPrevious(step, step.writeAt)) return writes[i]
  }
  return initial
}

/**
 * Whether a model allows a graph, its last step's write left aside. Steps other than the last and `added` are known to be
 * allowed: without these two the graph is part of one that is.
 */
export function isAllowed(
  model: MemoryModel,
  threads: number,
  { steps, writes }: Graph,
  added: Step,
  initialValue: (location: number) => number | bigint,
): boolean {
  const memory = new WeakMemory(model)
  const locations = new Set(steps.flatMap(({ access }) => (access === null ? [] : [access.location])))
  for (const location of locations) memory.graph.addLocation(location, initialValue(location))
  const created = new Set(steps.map(({ creates }) => creates))
  for (let t = 0; t < threads; t++) if (!created.has(t)) memory.begin(t, -1)
  const events = new Map<string, number>()
  const eventOf = (name: Name, location: number) =>
    name.thread < 0
      ? memory.graph.modificationOrder[location][0]
      : events.get(`${name.thread}.${name.index}`)!
  for (const [at, step] of steps.entries()) {
    const { access, thread } = step
    if (isWaiting(step) && at < steps.length - 1) continue
    if (step.fence >= 0) memory.fence(thread, step.fence, -1)
    if (step.creates >= 0) {
      memory.synchronise(thread, [])
      memory.begin(step.creates, thread)
    }
    if (step.joins >= 0) {
      memory.end(step.joins)
      memory.join(thread, step.joins)
    }
    if (access === null) continue
    const isPureWrite = access.kind === EventKind.write
    const wanted = isPureWrite ? predecessor(step, steps.slice(0, at), writes) : step.source!
    const event = eventOf(wanted, access.location)
    const isLast = at === steps.length - 1
    if ((isLast || step === added) && !isOffered(memory, thread, access, event)) return false
    if (isLast) return true
    events.set(`${thread}.${step.index}`, memory.perform(thread, access, event, step.written ?? 0))
  }
  return true
}

function isOffered(memory: WeakMemory, thread: number, access: Access, write: number): boolean {
  const count = memory.alternatives(thread, access)
  for (let i = 0; i < count; i++) if (memory.sourceOf(thread, access, i) === write) return true
  return false
}

/** The write that a write follows among those done so far. */
export function predecessor(
  step: Name & Pick<Step, 'access'>,
  done: readonly Step[],
  writes: Graph['writes'],
): Name {
  const order = writes[step.access!.location] ?? []
  for (let i = order.findIndex((name) => isSame(name, step)) - 1; i >= 0; i--) {
    if (done.some((other) => isSame(other, order[i]))) return order[i]
  }
  return initial
}
