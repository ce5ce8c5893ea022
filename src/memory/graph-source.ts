import type { Machine } from '../machine/machine.js'
import type { Access } from './access.js'
import type { Value } from './graph.js'
import type { ObjectOperation, ObjectState } from './objects.js'
import type { WeakMemory } from './weak-memory.js'

/** What a thread is about to do to memory, and what it would leave there. */
export interface PendingAccess {
  readonly access: Access
  /** Undefined where that is not known before it is done. */
  written(old: Value): Value | undefined
}

/** What a thread is about to do to other threads; -1 for nobody. */
export interface PendingEdge {
  /** The thread that it creates. */
  readonly creates: number
  /** The thread whose end it waited for. */
  readonly joins: number
}

/** Capability: shows the execution graph that a machine's memory is, under a weak memory model. */
export interface GraphSource {
  readonly memory: WeakMemory | null
  /** As far as can be told beforehand, threads do nothing to each other but what is shown here. */
  readonly isShownWhole: boolean
  /**
   * What a location of the graph is in another process, given the locations of machines there; undefined where they are
   * the same in all.
   */
  locationThere?(location: number, machineLocation: (location: number) => number): number
  /** The pending access of a thread, for keeps; null if its pending operation is none. */
  pendingAccess(thread: number): PendingAccess | null
  /** The pending operation of a thread on a synchronisation object, for keeps; null if it is none that is known. */
  pendingObject(thread: number): ObjectOperation | null
  /** What such an object holds now. */
  stateOf(operation: ObjectOperation): ObjectState
  /** The object that a thread is about to set up or to destroy, or -1. */
  pendingSetup?(thread: number): number
  /** The pending operation of a thread, if it creates or joins another; undefined where no program does. */
  pendingEdge?(thread: number): PendingEdge | null
  /** Whether the pending operation of a thread, which is none of these, concerns nobody else. */
  isOwnAffair?(thread: number): boolean
  /** The thread went round a loop for nothing and waits to see something newer. */
  isSpinning(thread: number): boolean
}

export function graphSource(machine: Machine): GraphSource | undefined {
  return (machine as { graphSource?: GraphSource }).graphSource
}
