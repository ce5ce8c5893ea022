import type { Machine } from '../machine/machine.js'
import type { Value } from './graph.js'
import type { Access, WeakMemory } from './weak-memory.js'

/** What a thread is about to do to memory, and what it would leave there. */
export interface PendingAccess {
  readonly access: Access
  /** Undefined where that is not known before it is done. */
  written(old: Value): Value | undefined
  /** It takes place only if it finds what it expects; until then its thread waits. A lock is such. */
  readonly waits?: boolean
}

/** What a thread is about to do to other threads; -1 for nobody. */
export interface PendingEdge {
  /** The thread that it creates. */
  readonly creates: number
  /** The thread whose end it waited for. */
  readonly joins: number
}

/** Capability of a machine: shows the execution graph that its memory is, under a weak memory model. */
export interface GraphSource {
  readonly memory: WeakMemory | null
  /** As far as can be told beforehand, threads do nothing to each other but what is an access or an edge. */
  readonly isMemoryOnly: boolean
  /** The pending access of a thread, for keeps; null if its pending operation is none. */
  pendingAccess(thread: number): PendingAccess | null
  /** The pending operation of a thread, if it creates or joins another; undefined where no program does. */
  pendingEdge?(thread: number): PendingEdge | null
  /** Whether the pending operation of a thread, which is no access, concerns nobody else. */
  isOwnAffair?(thread: number): boolean
  /** Memory order of the pending fence of a thread. */
  fenceOrder(thread: number): number
  /** The thread went round a loop for nothing and waits to see something newer. */
  isSpinning(thread: number): boolean
}

export function graphSource(machine: Machine): GraphSource | undefined {
  return (machine as { graphSource?: GraphSource }).graphSource
}
