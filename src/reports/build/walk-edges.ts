import type { Recording } from '../../explain/recording.js'
import type { Machine } from '../../machine/machine.js'
import { EDGE_FROM, EDGE_TO, edgeOf, operations } from '../../machine/operation.js'
import { modesConflict } from '../../ordering/dependence.js'
import type { WalkEdge } from '../report.js'

/** The last event in each of three modes: see `Mode`, of which the first touches nothing. */
const modes = [1, 2, 3]

/**
 * Which operations of one thread come right after which of another: those that use one object and conflict, with no
 * other conflicting one in between, and those where a thread starts, wakes or joins the other. `stepOf` says which step
 * an event is, -1 for those that are not shown; their edges go to the neighbours in the same thread.
 */
export function edgesOf(machine: Machine, { events }: Recording, stepOf: Int32Array): WalkEdge[] {
  const { locations, threads } = machine
  const width = threads.count
  /** Per location: the last event of each thread in each mode, -1 for none. */
  const last = new Map<number, Int32Array>()
  const lastOf = new Int32Array(width).fill(-1)
  /** Who created or woke a thread that has done nothing since. */
  const owed = new Map<number, number>()
  const shown = neighbours(events, stepOf)
  const edges: WalkEdge[] = []
  const add = (from: number, to: number, kind: WalkEdge['kind']) => {
    const [a, b] = [shown.before[from], shown.after[to]]
    if (a >= 0 && b >= 0 && a < b) edges.push({ from: a, to: b, kind })
  }
  events.forEach(({ thread, kind, mode, location, other }, i) => {
    const creator = owed.get(thread)
    if (creator !== undefined) add(creator, i, 'thread')
    owed.delete(thread)
    if (edgeOf[kind] === EDGE_FROM && other >= 0 && lastOf[other] >= 0) add(lastOf[other], i, 'thread')
    if (location >= 0) {
      for (const from of conflicting(location, mode)) {
        if (events[from].thread !== thread) add(from, i, kindOf(from, i))
      }
      const seen = last.get(location) ?? new Int32Array(width * 4).fill(-1)
      last.set(location, seen)
      seen[thread * 4 + mode] = i
    }
    lastOf[thread] = i
    if (edgeOf[kind] === EDGE_TO && other >= 0) owed.set(other, i)
  })
  return edges

  /** Earlier events that conflict, the last first; none that conflicts with a later one of them. */
  function conflicting(location: number, mode: number): number[] {
    const candidates: number[] = []
    for (const met of [location, ...(locations.overlaps[location] ?? [])]) {
      const seen = last.get(met)
      if (seen === undefined) continue
      for (let t = 0; t < width; t++) {
        for (const m of modes) {
          if (seen[t * 4 + m] >= 0 && modesConflict(m, mode)) candidates.push(seen[t * 4 + m])
        }
      }
    }
    candidates.sort((a, b) => b - a)
    return candidates.filter(
      (from, i) =>
        !candidates.slice(0, i).some((later) => modesConflict(events[later].mode, events[from].mode)),
    )
  }

  function kindOf(from: number, to: number): WalkEdge['kind'] {
    if (locations.kinds[events[to].location] !== 'memory') return 'sync'
    const isAtomic = (i: number) => operations[events[i].kind].point === 'atomic'
    return isAtomic(from) && isAtomic(to) ? 'atomic' : 'memory'
  }
}

/** For each event, the step that it is; else the last one before it, or the first after it, in the same thread. */
function neighbours(events: Recording['events'], stepOf: Int32Array) {
  const before = new Int32Array(events.length)
  const after = new Int32Array(events.length)
  const at = new Map<number, number>()
  const visit = (i: number, result: Int32Array) => {
    if (stepOf[i] >= 0) at.set(events[i].thread, stepOf[i])
    result[i] = at.get(events[i].thread) ?? -1
  }
  for (let i = 0; i < events.length; i++) visit(i, before)
  at.clear()
  for (let i = events.length - 1; i >= 0; i--) visit(i, after)
  return { before, after }
}
