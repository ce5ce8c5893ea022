import type { Value } from '../../memory/graph.js'
import type { Access } from '../../memory/weak-memory.js'

/**
 * A step of an execution: what one thread did at one point. Plain data, never changed: graphs to come share them. Steps
 * are named by thread and place in it; the first write of a location by -1.
 */
export interface Step {
  readonly thread: number
  /** Place among the steps of its thread, from 0. */
  readonly index: number
  /** What it did to memory, or null. */
  readonly access: Access | null
  /** Of a fence: its order; else -1. */
  readonly fence: number
  /** The step whose write it sees, for reads. */
  readonly source: Name | null
  /** What it wrote, if it did. */
  readonly written: Value | null
  /** The alternative of a choice that has nothing to do with memory. */
  readonly choice: number
  /** The thread that it creates, and the one whose end it waited for; -1 for nobody. */
  readonly creates: number
  readonly joins: number
  /** Its thread waits until it finds what it expects. */
  readonly waits: boolean
  /** When its read and its write were added; a read that sees another write later keeps its place. */
  readonly readAt: number
  readonly writeAt: number
  /** How many steps of each thread it comes after by program order and reads-from, itself included. */
  readonly view: readonly number[]
}

export interface Name {
  readonly thread: number
  readonly index: number
}

/** The first write of a location. */
export const initial: Name = { thread: -1, index: -1 }

export function isSame(a: Name, b: Name): boolean {
  return a.thread === b.thread && a.index === b.index
}

/** Steps in an order in which they can be done, and the writes of each location in modification order. */
export interface Graph {
  /** Threads that wait come last, with what they saw: see `isWaiting`. */
  readonly steps: readonly Step[]
  readonly writes: Readonly<Record<number, readonly Name[]>>
}

/** Whether a step is that of a thread that waits: it found something else than it needs, and is not done. */
export function isWaiting({ waits, written }: Step): boolean {
  return waits && written === null
}

/** The larger of two views, thread by thread. */
export function joinViews(a: readonly number[], b: readonly number[]): number[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, t) => Math.max(a[t] ?? 0, b[t] ?? 0))
}

/** Whether a step comes before whoever has this view, by program order and reads-from. */
export function isIn(view: readonly number[], { thread, index }: Name): boolean {
  return thread < 0 || (view[thread] ?? 0) > index
}
