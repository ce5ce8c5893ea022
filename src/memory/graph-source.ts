import type { Machine } from '../machine/machine.js'
import type { Value } from './graph.js'
import type { Access, WeakMemory } from './weak-memory.js'

/** What a thread is about to do to memory, and what it would leave there. */
export interface PendingAccess {
  readonly access: Access
  written(old: Value): Value
}

/** Capability of a machine: shows the execution graph that its memory is, under a weak memory model. */
export interface GraphSource {
  readonly memory: WeakMemory | null
  /** Threads do nothing to each other but through memory: no locks, no waiting for a thread's end. */
  readonly isMemoryOnly: boolean
  /** The pending access of a thread, for keeps; null if its pending operation is none. */
  pendingAccess(thread: number): PendingAccess | null
  /** Memory order of the pending fence of a thread. */
  fenceOrder(thread: number): number
  /** The thread went round a loop for nothing and waits to see something newer. */
  isSpinning(thread: number): boolean
}

export function graphSource(machine: Machine): GraphSource | undefined {
  return (machine as { graphSource?: GraphSource }).graphSource
}
