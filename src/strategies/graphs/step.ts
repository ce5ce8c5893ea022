import type { Access } from '../../memory/access.js'
import type { Value } from '../../memory/graph.js'
import type { ObjectOperation, ObjectState } from '../../memory/objects.js'

/**
 * A step of an execution: what one thread did at one point. Graphs to come share steps: what says where a step is in the
 * execution under way is set anew in each one, the rest is never changed.
 */
export interface Step {
  readonly thread: number
  /** Place among the steps of its thread, from 0. */
  readonly index: number
  /** What it did to memory, or null. */
  readonly access: Access | null
  /** What it did to a synchronisation object, or null. */
  readonly op: ObjectOperation | null
  /** What it acts on: a location, or an object (`objectPlace`); `NOWHERE` if neither. */
  readonly place: number
  /** A mutex that it gives back besides; `NOWHERE` for none. */
  readonly gives: number
  /** The step whose write it sees; of an object, the operation that it follows. Null for those that see nothing. */
  readonly source: Step | null
  /** What it left, if it wrote; of a plain store known only once it is done. */
  written: Value | ObjectState | null
  /** Which alternative it took, besides what it sees. */
  readonly way: number
  /** Threads that it let go on. */
  readonly wakes: readonly number[]
  /** The thread that it creates, and the one whose end it waited for; -1 for nobody. */
  readonly creates: number
  readonly joins: number
  /** The object that it sets up or destroys, or -1. */
  readonly setsUp: number
  /** When its read and its write were added; a read that sees another write later keeps its place. */
  readonly readAt: number
  readonly writeAt: number
  /** How many steps of each thread it comes after by program order and reads-from, itself included. */
  readonly view: readonly number[]

  // In the execution under way:
  /** Its event of the machine's graph. */
  event: number
  /** Events of its thread up to its end. */
  end: number
  /** The execution in which it was done last. */
  run: number
  /** Set to a number of its own by a revisit that does without it. */
  mark: number
}

/** What a step acts on that has nothing to do with others. */
export const NOWHERE = -1

const LIVES = 1 << 24

/** A synchronisation object as something to act on. Once it was set up anew it is another one. */
export function objectPlace(object: number, life: number): number {
  return -2 - (object + life * LIVES)
}

/** The object that a place is, and which life of it. */
export function objectAt(place: number): readonly [object: number, life: number] {
  const key = -2 - place
  return [key % LIVES, Math.floor(key / LIVES)]
}

export const isObject = (place: number): boolean => place < NOWHERE

/** Stands for the first write of a location, and for an object before anything was done to it. */
export const initial: Step = {
  thread: -1,
  index: -1,
  access: null,
  op: null,
  place: NOWHERE,
  gives: NOWHERE,
  source: null,
  written: null,
  way: 0,
  wakes: [],
  creates: -1,
  joins: -1,
  setsUp: -1,
  readAt: -1,
  writeAt: -1,
  view: [],
  event: -1,
  end: 0,
  run: 0,
  mark: 0,
}

/** A step to be done next in a certain way. */
export interface Forced {
  readonly thread: number
  /** The write to see, of reads; to follow, of writes and operations on objects. */
  readonly source: Step | null
  /** -1: in all ways that there are. */
  readonly way: number
  /** When its read was added, if that was before. */
  readonly readAt: number | null
}

/** By place: the writes there in modification order; of objects, all that was done to them. */
export type Writes = ReadonlyMap<number, readonly Step[]>

/** How a step was done in an execution. */
export interface Way {
  /** Which alternative it was, and of accesses the write that they saw or followed, as an event of the machine's graph. */
  readonly value: number
  readonly source: number
  // Once it was done:
  /** What its object held, if nothing had been done to that before. */
  first: ObjectState | undefined
  /** See `Step`. */
  event: number
  end: number
}

/** A graph to come: what is fixed, and how it goes on. */
export interface Item {
  /** The first `length` of these, in an order in which they can be done; what comes later is none of it. */
  readonly steps: readonly Step[]
  readonly length: number
  /** How the first `known` of them were done: nothing else came between them, so they can be done like that again. */
  readonly ways: readonly Way[]
  readonly known: number
  /** Of threads that wait: what they saw, and were not let go by. */
  readonly waiting: readonly Step[]
  readonly writes: Writes
  readonly forced: readonly Forced[]
  readonly clock: number
}

/** The larger of two views, thread by thread. */
export function joinViews(a: readonly number[], b: readonly number[]): readonly number[] {
  const [long, short] = a.length >= b.length ? [a, b] : [b, a]
  let joined: number[] | null = null
  for (let t = 0; t < short.length; t++) {
    if (short[t] <= long[t]) continue
    joined ??= long.slice()
    joined[t] = short[t]
  }
  return joined ?? long
}

/** Whether a step comes before whoever has this view, by program order and reads-from. */
export function isIn(view: readonly number[], { thread, index }: Step): boolean {
  return thread < 0 || (thread < view.length && view[thread] > index)
}

/** Where the search begins: nothing is fixed. */
export const firstItem: Item = {
  steps: [],
  length: 0,
  ways: [],
  known: 0,
  waiting: [],
  writes: new Map(),
  forced: [],
  clock: 0,
}
