import { THREAD_LIVE } from '../../machine/machine.js'
import { Op } from '../../machine/operation.js'
import {
  barrierState,
  isKnownOperation,
  mutexState,
  type ObjectOperation,
  type ObjectState,
  rwlockState,
  threadsState,
} from '../../memory/objects.js'
import { Action } from './actions.js'
import { waiterAt } from './condition.js'
import type { DeclaredType } from './layout.js'
import type { ModelState } from './state.js'

type SynchronisationType = Exclude<DeclaredType, 'variable' | 'array'>

/** What a thread is about to do to a synchronisation object, which is known by its first cell; null if nothing. */
export function pendingOperation(s: ModelState, thread: number): ObjectOperation | null {
  const kind = s.pending.kind[thread]
  const object = s.object[thread]
  if (!actsOnObject(kind) || (kind === Op.reacquire && s.signalled[thread] === 0)) return null
  const type = s.layout.objectAt(object).type as SynchronisationType
  if (!isKnownOperation(type, kind)) return null
  const gives = kind === Op.condWait ? s.a[thread] : -1
  return { type, kind, thread, object, detail: s.layout.detail[object], gives }
}

const kindsOfObjects: readonly SynchronisationType[] = [
  'mutex',
  'rwlock',
  'condition',
  'semaphore',
  'barrier',
]

function actsOnObject(kind: number): boolean {
  return kindsOfObjects.some((type) => isKnownOperation(type, kind))
}

/** What an object holds now. */
export function stateOf(s: ModelState, { type, object }: ObjectOperation): ObjectState {
  const { cells } = s
  switch (type) {
    case 'mutex':
      return mutexState(cells[object], cells[object + 1])
    case 'semaphore':
      return cells[object]
    case 'rwlock': {
      if (cells[object] < 0) return rwlockState(cells[object + 1] - 1, [])
      const readers: number[] = []
      for (let t = 0; t < s.threads.count; t++) {
        const holds = s.readHolds[t * s.layout.rwlocks + s.layout.detail[object]]
        for (let i = 0; i < holds; i++) readers.push(t)
      }
      return rwlockState(-1, readers)
    }
    case 'condition':
      return threadsState(Array.from({ length: cells[object + 2] }, (_, i) => waiterAt(s, object, i)))
    default:
      return barrierState(cells[object + 1], arrivedAt(s, object))
  }
}

/** Who has arrived and not been let go. */
function arrivedAt(s: ModelState, barrier: number): number[] {
  const arrived: number[] = []
  for (let t = 0; t < s.threads.count; t++) {
    const isLive = s.pending.status[t] === THREAD_LIVE
    if (!isLive || s.action[t] !== Action.barrierLeave || s.object[t] !== barrier) continue
    if (s.generation[t] === s.cells[barrier + 1]) arrived.push(t)
  }
  return arrived
}
