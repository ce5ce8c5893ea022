import { EventLog } from '../../../machine/events.js'
import { grown } from '../../../machine/growing.js'

export const NONE = -1

/** A power of two. */
const LATELY = 4096
const LATELY_SHIFT = 32 - Math.log2(LATELY)

/** States of objects that are numbered in advance: nothing has been written there yet. */
export const UNTOUCHED = 0

/** Conditions and changes speak of locations and of blocks of the heap: which of all these objects a location is. */
export function ofLocation(location: number): number {
  return 2 * location
}

/** The same of a block, by its number: see `ObjectStates.blockAt`. */
export function ofBlock(block: number): number {
  return 2 * block + 1
}

/** The location that an object is, or -1 for a block. */
export function locationOf(object: number): number {
  return (object & 1) === 1 ? -1 : object >> 1
}

const nodeColumns = [
  'kind',
  'location',
  'site',
  'status',
  'condition',
  'object',
  'result',
  'firstEdge',
] as const
const edgeColumns = [
  'from',
  'value',
  'to',
  'nextEdge',
  'firstCondition',
  'firstChange',
  'firstEvent',
  'child',
  'childNode',
  'isPlain',
] as const

/**
 * What threads have been seen to do, as trees: a *node* is a thread that has come so far, stopped before its pending
 * operation; an *edge* a transition from there. Which edge is taken depends on the alternative and on what the thread
 * finds: the states of the objects it touches, and what threads it joins have returned.
 */
export class RecallTree {
  nodes = 0
  edges = 0
  /** By node: the pending operation, what it waits for, and the transitions known from there. */
  kind = new Int32Array(64)
  location = new Int32Array(64)
  site = new Int32Array(64)
  status = new Int32Array(64)
  condition = new Int32Array(64)
  object = new Int32Array(64)
  /** What a thread that has ended returned. */
  result = new Int32Array(64)
  firstEdge = new Int32Array(64)

  /** By edge. */
  from = new Int32Array(64)
  value = new Int32Array(64)
  to = new Int32Array(64)
  nextEdge = new Int32Array(64)
  /** Where its conditions, its changes and its events begin; they end where those of the next edge begin. */
  firstCondition = new Int32Array(65)
  firstChange = new Int32Array(65)
  firstEvent = new Int32Array(65)
  /** The thread it creates and where that begins, or NONE. */
  child = new Int32Array(64)
  childNode = new Int32Array(64)
  /** 1 for those that leave it as it was who can run. */
  isPlain = new Int32Array(64)

  /** Conditions: an object (`ofLocation`, `ofBlock`) is in a state, or a thread (`~thread`) has returned something. */
  conditionOn = new Int32Array(64)
  conditionState = new Int32Array(64)
  /** 0 for those that make no difference to the thread itself: what a store replaced. */
  isSeen = new Uint8Array(64)
  conditions = 0
  /** Where many transitions begin at one node: edges that were found lately, by what their thread found. May be wrong. */
  readonly lately = new Int32Array(LATELY)
  /** Changes: which object comes to be in which state. */
  changeOf = new Int32Array(64)
  changeTo = new Int32Array(64)
  changes = 0
  readonly events = new EventLog()

  clear(): void {
    this.nodes = this.edges = this.conditions = this.changes = 0
    this.lately.fill(0)
    this.events.count = 0
  }

  node(
    kind: number,
    location: number,
    site: number,
    status: number,
    condition: number,
    object: number,
    result: number,
  ): number {
    const node = this.nodes++
    if (node === this.kind.length) for (const key of nodeColumns) this[key] = grown(this[key], node * 2)
    this.kind[node] = kind
    this.location[node] = location
    this.site[node] = site
    this.status[node] = status
    this.condition[node] = condition
    this.object[node] = object
    this.result[node] = result
    this.firstEdge[node] = NONE
    return node
  }

  /** An edge of that node and alternative whose conditions hold, or NONE. */
  find(node: number, value: number, state: Int32Array, nodeOf: Int32Array): number {
    const { nextEdge, lately } = this
    const first = this.firstEdge[node]
    if (first === NONE) return NONE
    const next = nextEdge[first]
    if (next === NONE) return this.fits(first, value, state, nodeOf) ? first : NONE
    const location = this.location[node]
    const at =
      (Math.imul(node, 0x9e3779b1) ^
        Math.imul(location < 0 ? 0 : state[ofLocation(location)], 0x85ebca6b)) >>>
      LATELY_SHIFT
    const guess = lately[at]
    if (this.from[guess] === node && this.fits(guess, value, state, nodeOf)) return guess
    for (let edge = first; edge !== NONE; edge = nextEdge[edge]) {
      if (!this.fits(edge, value, state, nodeOf)) continue
      lately[at] = edge
      return edge
    }
    return NONE
  }

  private fits(edge: number, value: number, state: Int32Array, nodeOf: Int32Array): boolean {
    if (this.value[edge] !== value) return false
    const { conditionOn, conditionState } = this
    const end = this.firstCondition[edge + 1]
    for (let i = this.firstCondition[edge]; i < end; i++) {
      const on = conditionOn[i]
      if ((on < 0 ? this.result[nodeOf[~on]] : state[on]) !== conditionState[i]) return false
    }
    return true
  }

  /** Adds a condition of the edge that is about to be added. */
  addCondition(on: number, state: number, isSeen: boolean): void {
    const i = this.conditions++
    if (i === this.conditionOn.length) {
      this.conditionOn = grown(this.conditionOn, i * 2)
      this.conditionState = grown(this.conditionState, i * 2)
      this.isSeen = grown(this.isSeen, i * 2)
    }
    this.conditionOn[i] = on
    this.conditionState[i] = state
    this.isSeen[i] = isSeen ? 1 : 0
  }

  /**
   * An edge after which the thread is where it is after the one about to be added: it began at the same node, took the
   * same alternative and saw the same. NONE if there is none.
   */
  twin(from: number, value: number): number {
    for (let edge = this.firstEdge[from]; edge !== NONE; edge = this.nextEdge[edge]) {
      if (this.value[edge] === value && this.sawSame(edge)) return edge
    }
    return NONE
  }

  private sawSame(edge: number): boolean {
    const { isSeen, conditionOn, conditionState } = this
    let i = this.firstCondition[edge]
    let k = this.firstCondition[this.edges]
    const end = this.firstCondition[edge + 1]
    for (;;) {
      while (i < end && isSeen[i] === 0) i++
      while (k < this.conditions && isSeen[k] === 0) k++
      if (i === end || k === this.conditions) return i === end && k === this.conditions
      if (conditionOn[i] !== conditionOn[k] || conditionState[i] !== conditionState[k]) return false
      i++
      k++
    }
  }

  /** Adds a change of the edge that is about to be added. */
  addChange(of: number, to: number): void {
    const i = this.changes++
    if (i === this.changeOf.length) {
      this.changeOf = grown(this.changeOf, i * 2)
      this.changeTo = grown(this.changeTo, i * 2)
    }
    this.changeOf[i] = of
    this.changeTo[i] = to
  }

  /** Adds an edge with those conditions and changes, and the events of a log from `start` on. */
  edge(from: number, value: number, to: number, log: EventLog, start: number): number {
    const edge = this.edges++
    if (edge + 2 > this.from.length) for (const key of edgeColumns) this[key] = grown(this[key], edge * 2 + 2)
    this.from[edge] = from
    this.value[edge] = value
    this.to[edge] = to
    this.nextEdge[edge] = this.firstEdge[from]
    this.firstEdge[from] = edge
    this.events.append(log, start, log.count)
    this.child[edge] = this.childNode[edge] = NONE
    this.isPlain[edge] = 0
    this.firstCondition[edge + 1] = this.conditions
    this.firstChange[edge + 1] = this.changes
    this.firstEvent[edge + 1] = this.events.count
    return edge
  }
}
