import { grown } from '../../../../machine/growing.js'
import { Op } from '../../../../machine/operation.js'
import type { Value } from '../../../../memory/graph.js'
import type { ObjectOperation } from '../../../../memory/objects.js'
import type { AnnouncedAccess } from './announced-access.js'
import { PlainRanges, type Range } from './plain-ranges.js'

/** What was done to weak memory: the access or fence that was announced, an access that is no event, a synchronisation. */
export const Done = { event: 1, fence: 2, plain: 3, sync: 4 } as const

const columns = ['kind', 'a', 'b', 'c', 'd'] as const

/** What values read begin at, among what a thread finds: before it come alternatives. */
const FIRST_VALUE = 1 << 20

/**
 * What transitions that can be done from memory did to weak memory, by edge of the tree of what threads do, and what threads
 * are about to do, by node.
 */
export class TransitionLog {
  readonly ranges = new PlainRanges()
  /** By node: the pending event or fence; the pending operation on an object; whether what its location holds is not known. */
  readonly access: (AnnouncedAccess | null)[] = []
  readonly operation: (ObjectOperation | null)[] = []
  readonly isUnknown: boolean[] = []
  /** By node: how many threads it has created. */
  readonly children: number[] = []
  /** By edge: what its event left. */
  readonly written: (Value | undefined)[] = []
  /** By edge: where what it did begins; it ends where that of the next edge begins. */
  first = new Int32Array(65)
  /** `Done`, and: the range; or what `Synchronisation.recorded` is told. */
  kind = new Int32Array(64)
  a = new Int32Array(64)
  b = new Int32Array(64)
  c = new Int32Array(64)
  d = new Int32Array(64)
  count = 0
  /** A transition is under way that is to be kept. */
  isOpen = false
  /** It did something that cannot be done from memory. */
  isSpoilt = false
  /** The event that it began with, or -1. */
  event = -1
  /** What it must begin with: `Done.event`, `Done.fence`, or 0. */
  private begins = 0
  private start = 0
  private readonly values = new Map<Value, number>()

  clear(): void {
    this.ranges.clear()
    this.access.length = this.operation.length = this.isUnknown.length = this.written.length = 0
    this.children.length = 0
    this.values.clear()
    this.count = this.start = 0
    this.isOpen = false
    this.event = -1
  }

  /** A number for what a load or update sees. */
  valueId(value: Value): number {
    let id = this.values.get(value)
    if (id === undefined) {
      id = FIRST_VALUE + this.values.size
      this.values.set(value, id)
    }
    return id
  }

  /** A transition of a thread begins that is at that node. */
  open(node: number): void {
    this.isOpen = true
    this.isSpoilt = false
    this.event = -1
    this.count = this.start
    const access = this.access[node] ?? null
    const isFence = access?.operation === Op.fence
    this.begins = access?.isEvent ? Done.event : isFence ? Done.fence : 0
  }

  /** What the transition did is that edge's. */
  close(edge: number, written: Value | undefined): void {
    if (edge + 1 >= this.first.length) this.first = grown(this.first, 2 * edge + 2)
    this.first[edge] = this.start
    this.first[edge + 1] = this.start = this.count
    this.written[edge] = written
  }

  /** What a thread is about to do that has come to a new node. */
  stopped(
    node: number,
    access: AnnouncedAccess | null,
    operation: ObjectOperation | null,
    children: number,
  ): void {
    this.access[node] = access?.copy() ?? null
    this.operation[node] = operation
    this.children[node] = children
    this.isUnknown[node] = false
  }

  did(event: number): void {
    this.event = event
    this.begin(Done.event)
  }

  fenced(): void {
    this.begin(Done.fence)
  }

  /** What was not announced may have several ways to go another time. */
  private begin(kind: number): void {
    if (!this.isOpen) return
    if (this.begins !== kind || this.count > this.start) this.isSpoilt = true
    this.begins = 0
    this.add(kind, 0, 0, 0, 0)
  }

  accessed(thread: number, range: Range): void {
    if (this.isOpen) this.add(Done.plain, this.ranges.touch(thread, range), 0, 0, 0)
  }

  synchronised(kind: number, mode: number, location: number, aux: number): void {
    if (this.isOpen) this.add(Done.sync, kind, mode, location, aux)
  }

  private add(kind: number, a: number, b: number, c: number, d: number): void {
    const i = this.count++
    if (i === this.kind.length) for (const key of columns) this[key] = grown(this[key], i * 2)
    this.kind[i] = kind
    this.a[i] = a
    this.b[i] = b
    this.c[i] = c
    this.d[i] = d
  }
}
