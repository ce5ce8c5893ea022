import { Op, operations } from '../../machine/operation.js'
import { EventKind, type Value } from '../../memory/graph.js'
import type { GraphSource, PendingAccess } from '../../memory/graph-source.js'
import { leftBy, type ObjectOperation, wokenBy } from '../../memory/objects.js'
import { UnsuitableError } from '../registry.js'
import type { GraphSoFar } from './graph-so-far.js'
import { initial, isIn, joinViews, NOWHERE, type Step } from './step.js'

/** Operations that concern nobody else. */
const isAlone = new Set<number>([
  ...[Op.yield, Op.userPoint, Op.output, Op.choose, Op.fence, Op.exit, Op.create, Op.join, Op.barrierLeave],
])

/** A step that is being made. */
type Draft = { -readonly [Key in keyof Step]: Step[Key] }

const noEdge = { creates: -1, joins: -1 }
const nobody: readonly number[] = []

/** Makes the steps that threads are about to do, as the next ones of the graph so far. */
export class NewSteps {
  constructor(
    private readonly source: GraphSource,
    private readonly graph: GraphSoFar,
  ) {}

  access(thread: number, pending: PendingAccess, source: Step | null, readAt: number | null): Step {
    const { access } = pending
    const reads = access.kind !== EventKind.write
    const old: Value = reads ? this.source.memory!.graph.value[this.eventOf(source!, access.location)] : 0
    const fails = access.expected !== null && access.expected !== old
    const writes = access.kind !== EventKind.read && !fails
    const step = this.draft(thread, access.location, reads ? source : null, 0, readAt, writes)
    step.access = access
    step.written = writes ? (pending.written(old) ?? 0) : null
    return step
  }

  operation(op: ObjectOperation, place: number, source: Step, way: number, readAt: number | null): Step {
    const { graph } = this
    const state = graph.stateAfter(source, place)
    const step = this.draft(op.thread, place, source, way, readAt, true)
    step.op = op
    step.gives = op.gives < 0 ? NOWHERE : graph.placeOf(op.gives)
    step.written = leftBy(op, state, way)
    step.wakes = wokenBy(op, state, way)
    return step
  }

  /** Of a thread that waits for an object. */
  waiting(op: ObjectOperation, place: number): Step {
    const step = this.draft(op.thread, place, this.graph.lastAt(place), 0, null, false)
    step.op = op
    return step
  }

  other(thread: number, way: number): Step {
    const { graph, source } = this
    const { creates, joins } = source.pendingEdge?.(thread) ?? noEdge
    const setsUp = source.pendingSetup?.(thread) ?? -1
    const step = this.draft(thread, NOWHERE, null, way, null, false, joins)
    if (setsUp >= 0) {
      const all = graph.writes.get(graph.placeOf(setsUp)) ?? []
      if (!all.every((other) => isIn(step.view, other))) throw unknownOperation(Op.mutexSetup)
    }
    step.creates = creates
    step.joins = joins
    step.setsUp = setsUp
    return step
  }

  /** A thread is about to do what such a step must be: something that concerns nobody else. */
  checkAlone(thread: number, kind: number): void {
    if (!isAlone.has(kind) && !this.source.isOwnAffair?.(thread)) throw unknownOperation(kind)
  }

  /** The event of a step in the machine's graph. */
  eventOf(step: Step, location: number): number {
    return step === initial ? this.source.memory!.graph.modificationOrder[location][0] : step.event
  }

  /** The step that an event of the machine's graph belongs to. */
  stepOf(event: number): Step {
    const { graph } = this.source.memory!
    const step = graph.thread[event] < 0 ? initial : this.graph.stepOf(event)
    if (step === undefined)
      throw new UnsuitableError('graphs: knows nothing of what the library stores for programs; use dfs')
    return step
  }

  private draft(
    thread: number,
    place: number,
    source: Step | null,
    way: number,
    readAt: number | null,
    writes: boolean,
    joins = -1,
  ): Draft {
    const { graph } = this
    const own = graph.viewOfNext(thread, joins)
    return {
      thread,
      index: graph.nextIndex(thread),
      access: null,
      op: null,
      place,
      gives: NOWHERE,
      source,
      written: null,
      way,
      wakes: nobody,
      creates: -1,
      joins: -1,
      setsUp: -1,
      readAt: readAt ?? graph.clock,
      writeAt: writes ? graph.clock + 1 : -1,
      view: source === null ? own : joinViews(own, source.view),
      event: -1,
      end: 0,
      run: 0,
      mark: 0,
    }
  }
}

export function unknownOperation(kind: number): UnsuitableError {
  return new UnsuitableError(
    `graphs: knows nothing of ${operations[kind].name} as this program uses it; use dfs`,
  )
}
