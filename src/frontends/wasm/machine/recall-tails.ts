import { EventLog } from '../../../machine/events.js'
import { grown } from '../../../machine/growing.js'
import { NONE, type RecallTree } from './recall-tree.js'

/** Tails kept per node: more say that what follows from there is different each time. */
const MOST_PER_NODE = 8

/**
 * What a thread that was the last one left did up to the end of the program, as a whole: from where it began, if all that
 * it found on its way is as it was, it does the same again.
 */
export class RecallTails {
  /** By node: its tail that was kept last, and how many there are. */
  private newest = new Int32Array(64).fill(NONE)
  private countAt = new Uint8Array(64)
  /** By tail: the one kept before it at the same node; the node it leads to. */
  private older: number[] = []
  private last: number[] = []
  /** A number that no other tail has had or will have, under whatever points. */
  private name: number[] = []
  /** Where its conditions, steps and events begin; they end where those of the next one begin. */
  private firstCondition: number[] = [0]
  private firstStep: number[] = [0]
  private firstEvent: number[] = [0]
  /** What it found before it had changed it: see `RecallTree.conditionOn`. */
  private conditionOn = new Int32Array(64)
  private conditionState = new Int32Array(64)
  /** Events of a tail up to the end of each of its steps. */
  eventEnd = new Int32Array(64)
  readonly events = new EventLog()
  private steps = 0
  private conditions = 0
  /** The tail under way: what it has changed so far. */
  private readonly changed = new Set<number>()

  constructor(
    private readonly tree: RecallTree,
    /** Shared by all there are of a program. */
    private readonly names: { next: number },
  ) {}

  clear(): void {
    this.newest.fill(NONE)
    this.countAt.fill(0)
    this.older.length = this.last.length = this.name.length = 0
    this.firstCondition.length = this.firstStep.length = this.firstEvent.length = 1
    this.steps = this.conditions = this.events.count = 0
  }

  /** A tail that begins at that node, as things are, or NONE. */
  find(node: number, state: Int32Array, nodeOf: Int32Array): number {
    const { result } = this.tree
    if (node >= this.newest.length) return NONE
    for (let tail = this.newest[node]; tail !== NONE; tail = this.older[tail]) {
      const end = this.firstCondition[tail + 1]
      let i = this.firstCondition[tail]
      while (i < end) {
        const on = this.conditionOn[i]
        if ((on < 0 ? result[nodeOf[~on]] : state[on]) !== this.conditionState[i]) break
        i++
      }
      if (i === end) return tail
    }
    return NONE
  }

  nameOf(tail: number): number {
    return this.name[tail]
  }

  stepsOf(tail: number): number {
    return this.firstStep[tail + 1] - this.firstStep[tail]
  }

  stepStart(tail: number): number {
    return this.firstStep[tail]
  }

  eventStart(tail: number): number {
    return this.firstEvent[tail]
  }

  eventsEnd(tail: number): number {
    return this.firstEvent[tail + 1]
  }

  /** The node where it ends. */
  lastNode(tail: number): number {
    return this.last[tail]
  }

  /** Begins a tail from that node; false if enough are known. */
  begin(node: number): boolean {
    if (node >= this.newest.length) {
      const size = Math.max(node + 1, this.newest.length * 2)
      this.newest = grown(this.newest, size).fill(NONE, this.newest.length)
      this.countAt = grown(this.countAt, size)
    }
    if (this.countAt[node] >= MOST_PER_NODE) return false
    const tail = this.older.length
    // What was begun and not ended is dropped.
    this.steps = this.firstStep[tail]
    this.conditions = this.firstCondition[tail]
    this.events.count = this.firstEvent[tail]
    this.changed.clear()
    return true
  }

  /** It goes on with that edge. */
  add(edge: number): void {
    const { tree } = this
    for (let i = tree.firstCondition[edge]; i < tree.firstCondition[edge + 1]; i++) {
      if (!this.changed.has(tree.conditionOn[i]))
        this.addCondition(tree.conditionOn[i], tree.conditionState[i])
    }
    for (let i = tree.firstChange[edge]; i < tree.firstChange[edge + 1]; i++)
      this.changed.add(tree.changeOf[i])
    this.events.append(tree.events, tree.firstEvent[edge], tree.firstEvent[edge + 1])
    if (this.steps === this.eventEnd.length) this.eventEnd = grown(this.eventEnd, this.steps * 2)
    this.eventEnd[this.steps++] = this.events.count - this.firstEvent[this.older.length]
  }

  /** It has ended at that node: the program is over. */
  end(node: number, first: number): void {
    this.older.push(this.newest[first])
    this.newest[first] = this.last.length
    this.countAt[first]++
    this.last.push(node)
    this.name.push(this.names.next++)
    this.firstCondition.push(this.conditions)
    this.firstStep.push(this.steps)
    this.firstEvent.push(this.events.count)
  }

  private addCondition(on: number, state: number): void {
    const from = this.firstCondition[this.older.length]
    for (let i = from; i < this.conditions; i++) if (this.conditionOn[i] === on) return
    if (this.conditions === this.conditionOn.length) {
      this.conditionOn = grown(this.conditionOn, this.conditions * 2)
      this.conditionState = grown(this.conditionState, this.conditions * 2)
    }
    this.conditionOn[this.conditions] = on
    this.conditionState[this.conditions++] = state
  }
}
