import type { Value } from '../../memory/graph.js'
import { GIVEN_BACK, type ObjectState } from '../../memory/objects.js'
import { type Graph, revisits } from './revisits.js'
import {
  type Forced,
  type Item,
  initial,
  isObject,
  joinViews,
  NOWHERE,
  objectPlace,
  type Step,
  type Way,
  type Writes,
} from './step.js'

/** The graph of the execution under way, as far as it has come. */
export class GraphSoFar implements Graph {
  /** Only ever added to: graphs to come share it. */
  steps: Step[] = []
  ways: Way[] = []
  waiting: readonly Step[] = []
  writes: Writes = new Map()
  /** Graphs to come have the map of writes, too: it must not be changed. */
  private areWritesShared = true
  /** What is to be done next. */
  forced: readonly Forced[] = []
  clock = 0
  run = 0
  /** By event of the machine's graph. */
  private readonly stepOfEvent: Step[] = []
  /** By thread: its last step, the one that created it, and the one that let it go on since. */
  private readonly last: (Step | undefined)[] = []
  private readonly creator: (Step | undefined)[] = []
  private readonly waker: (Step | undefined)[] = []
  /** By object: how often it was set up, and by whom last. */
  private readonly lives = new Map<number, number>()
  private readonly setups = new Map<number, Step>()
  /** By place of an object: what it held at first. */
  private readonly first = new Map<number, ObjectState>()

  begin(item: Item): void {
    this.run++
    this.steps = []
    this.ways = []
    this.waiting = item.waiting
    this.writes = item.writes
    this.areWritesShared = true
    this.forced = item.forced
    this.clock = item.clock
    this.stepOfEvent.length = 0
    this.last.length = 0
    this.creator.length = 0
    this.waker.length = 0
    this.lives.clear()
    this.setups.clear()
    this.first.clear()
  }

  /** So many steps of a graph to come were done, as it knows that they are. */
  resume({ steps, ways }: Item, count: number): void {
    this.steps = []
    this.ways = ways.slice(0, count)
    for (let i = 0; i < count; i++) {
      const { event, end, first } = ways[i]
      const step = steps[i]
      step.end = end
      step.event = event
      if (event >= 0) this.stepOfEvent[event] = step
      if (first !== undefined) this.noteFirst(step.place, first)
      this.push(step)
    }
  }

  /** It as it is, to be continued otherwise. */
  itemWith(next: Forced): Item {
    const { length } = this.steps
    this.areWritesShared = true
    return {
      steps: this.steps,
      length,
      ways: this.ways,
      known: length,
      waiting: this.waiting,
      writes: this.writes,
      forced: [next, ...this.forced],
      clock: this.clock,
    }
  }

  /** The step that is done next takes that alternative; of accesses, it sees or follows that event. */
  noteWay(value: number, source: number): void {
    this.ways.push({ value, source, first: undefined, event: -1, end: 0 })
  }

  /** The step that was done last has ended. */
  noteEnd(step: Step, end: number): void {
    const way = this.ways[this.steps.length - 1]
    step.end = way.end = end
    if (step.op !== null && step.source === initial) way.first = this.first.get(step.place)
  }

  /** The step is done next; what it wrote is in its place already. */
  push(step: Step): void {
    this.steps.push(step)
    step.run = this.run
    this.last[step.thread] = step
    if (step.creates >= 0) this.creator[step.creates] = step
    if (step.setsUp >= 0) {
      this.lives.set(step.setsUp, (this.lives.get(step.setsUp) ?? 0) + 1)
      this.setups.set(step.setsUp, step)
    }
    this.waker[step.thread] = undefined
    for (const thread of step.wakes) this.waker[thread] = step
  }

  /** The step is done next; `after`: the write that it follows in modification order, if it writes. */
  enter(step: Step, after: Step): void {
    this.clock += 2
    this.push(step)
    if (step.written === null) return
    const { place, gives } = step
    this.setWrites(place, insertedAfter(this.writes.get(place) ?? none, after, step))
    if (gives !== NOWHERE) this.setWrites(gives, [...(this.writes.get(gives) ?? none), step])
  }

  private setWrites(place: number, order: readonly Step[]): void {
    if (this.areWritesShared) this.writes = new Map(this.writes)
    this.areWritesShared = false
    ;(this.writes as Map<number, readonly Step[]>).set(place, order)
  }

  /** Does something as if the step that was done last had not been. */
  without(step: Step, action: () => void): void {
    const order = this.writes.get(step.place)!
    this.steps.pop()
    this.setWrites(
      step.place,
      order.filter((other) => other !== step),
    )
    action()
    this.steps.push(step)
    this.setWrites(step.place, order)
  }

  /** The step that was done last has added an event to the machine's graph. */
  noteEvent(step: Step, event: number): void {
    step.event = this.ways[this.steps.length - 1].event = event
    this.stepOfEvent[event] = step
  }

  stepOf(event: number): Step | undefined {
    return this.stepOfEvent[event]
  }

  isWaiting(thread: number): boolean {
    for (const step of this.waiting) if (step.thread === thread) return true
    return false
  }

  nextIndex(thread: number): number {
    return (this.last[thread]?.index ?? -1) + 1
  }

  /** What the next step of a thread comes after, itself included. */
  viewOfNext(thread: number, joins: number): readonly number[] {
    const before = (this.last[thread] ?? this.creator[thread])?.view ?? none
    const view = before.slice() as number[]
    while (view.length <= thread) view.push(0)
    view[thread] = this.nextIndex(thread) + 1
    const waker = this.waker[thread]
    const woken = waker === undefined ? view : joinViews(view, waker.view)
    return joins < 0 ? woken : joinViews(woken, this.last[joins]?.view ?? none)
  }

  setupOf(object: number): Step | undefined {
    return this.setups.get(object)
  }

  placeOf(object: number): number {
    return objectPlace(object, this.lives.get(object) ?? 0)
  }

  /** The last that was done to an object. */
  lastAt(place: number): Step {
    return this.writes.get(place)?.at(-1) ?? initial
  }

  /** What an object held before anything was done to it. */
  noteFirst(place: number, state: ObjectState): void {
    if (!this.first.has(place)) this.first.set(place, state)
  }

  /** What an object holds after a step. */
  stateAfter(step: Step, place: number): ObjectState {
    return step === initial ? this.first.get(place)! : stateLeft(step, place)
  }

  /** The write that a write of this graph follows among those done so far. */
  predecessor(step: Step): Step {
    const order = this.writes.get(step.place)!
    for (let i = order.indexOf(step) - 1; i >= 0; i--) if (order[i].run === this.run) return order[i]
    return initial
  }

  /**
   * Graphs in which an earlier read sees a new write: what stays, the places that the write may then have, and the read. The
   * write takes its place by what it sees, if it sees something.
   */
  *shownTo(added: Step, place: number): Generator<Shown> {
    for (const { read, partly, mark } of revisits(this, added, place)) {
      const isKept = (step: Step) => step.mark !== mark
      const order = (this.writes.get(place) ?? none).filter(isKept)
      const shown = { read, partly, isKept, order }
      if (added.source === null) {
        for (let at = order.length; at >= 0; at--) yield { ...shown, at }
        continue
      }
      const own = place === added.place ? order : (this.writes.get(added.place) ?? none).filter(isKept)
      const at = added.source === initial ? 0 : own.indexOf(added.source) + 1
      if (at === 0 && added.source !== initial) continue
      // Nothing comes between an update and what it saw, nor between two operations on an object.
      const next = own[at]
      if (next !== undefined && (isObject(place) || next.source === added.source)) continue
      yield { ...shown, at }
    }
  }

  /** The graph in which that is so, `read` being done next or waiting for more. */
  itemShowing(added: Step, { read, partly, isKept, order, at }: Shown, isShut: boolean, clock: number): Item {
    const writes = new Map<number, readonly Step[]>()
    for (const [place, all] of this.writes) writes.set(place, all.filter(isKept))
    const own = order.slice()
    own.splice(at, 0, added)
    if (added.gives === NOWHERE) writes.set(added.place, own)
    else {
      for (const place of [added.place, added.gives]) {
        writes.set(place, [...(writes.get(place) ?? none), added])
      }
    }
    const steps = this.steps.filter(isKept)
    let known = 0
    while (known < steps.length && steps[known] === this.steps[known]) known++
    const length = steps.push(added)
    const waiting = this.waiting.filter(isKept)
    if (isShut) waiting.push({ ...read, source: added, written: null, way: 0, wakes: [], writeAt: -1 })
    const again: Forced[] = isShut
      ? []
      : [{ thread: read.thread, source: added, way: read.op === null ? 0 : -1, readAt: read.readAt }]
    const forced = [
      ...again,
      ...partly.map(({ thread, source, way, readAt }) => ({ thread, source, way, readAt })),
    ]
    return { steps, length, ways: this.ways, known, waiting, writes, forced, clock }
  }
}

/** A read that comes to see a new write. */
export interface Shown {
  readonly read: Step
  readonly partly: readonly Step[]
  readonly isKept: (step: Step) => boolean
  /** The writes that stay, and where among them the new one comes. */
  readonly order: readonly Step[]
  readonly at: number
}

const none: readonly never[] = []

/** What a step leaves at a place. */
export function stateLeft(step: Step, place: number): ObjectState {
  return step.place === place ? (step.written as ObjectState) : GIVEN_BACK
}

export function valueLeft(step: Step): Value {
  return (step.written ?? 0) as Value
}

function insertedAfter(order: readonly Step[], after: Step, step: Step): readonly Step[] {
  const at = after === initial ? 0 : order.indexOf(after) + 1
  const longer = order.slice()
  longer.splice(at, 0, step)
  return longer
}
