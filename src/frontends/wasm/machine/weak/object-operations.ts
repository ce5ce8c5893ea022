import { Op } from '../../../../machine/operation.js'
import {
  barrierState,
  isKnownOperation,
  MutexType,
  mutexState,
  type ObjectOperation,
  type ObjectState,
  ONCE_DONE,
  rwlockState,
  threadsState,
} from '../../../../memory/objects.js'
import { ALIVE as BARRIER_ALIVE } from '../barriers.js'
import type { Kernel } from '../kernel.js'
import { ONCE_DONE as ONCE_WORD_DONE, onceRunner } from '../once.js'
import { holdersOf } from '../rwlocks.js'

/** Bits of a mutex's first word: its type, and what makes it another than is told here (robust, with a ceiling). */
const TYPE_MASK = 3
const SPECIAL = 4 | 16
const NORMAL = 32
/** Bytes of a POSIX spin lock. */
const SPIN_LOCK_SIZE = 4

/** The object of a thread's pending operation, whichever generation of it. */
export function objectOf({ pending, locations, addresses }: Kernel, thread: number): number {
  const location = pending.location[thread]
  if (location < 0 || locations.kinds[location] !== 'barrier') return location
  return addresses.object('barrier', addresses.start[location])
}

/** What a thread is about to do to a synchronisation object; null if that is nothing, or not known. */
export function operationOf(kernel: Kernel, thread: number): ObjectOperation | null {
  const { pending, locations, states } = kernel
  const location = pending.location[thread]
  if (location < 0) return null
  const kind = pending.kind[thread]
  const type = locations.kinds[location]
  if (!isKnownOperation(type, kind) || (kind === Op.reacquire && states.signalled[thread] === 0)) return null
  const object = objectOf(kernel, thread)
  const words = wordsOf(kernel, object)
  if (type === 'barrier' && words(3) !== BARRIER_ALIVE) return null
  if (type === 'mutex' && !isSpinLock(kernel, object) && (words(0) & SPECIAL) !== 0) return null
  const gives = kind === Op.condWait ? kernel.addresses.object('mutex', states.waitingWith[thread]) : -1
  return { type, kind, thread, object, detail: detailOf(kernel, object), gives }
}

function isSpinLock({ addresses }: Kernel, object: number): boolean {
  return addresses.size[object] === SPIN_LOCK_SIZE
}

const wordsOf =
  ({ memory, addresses }: Kernel, object: number) =>
  (at: number): number =>
    memory.words[(addresses.start[object] >>> 2) + at]

function detailOf(kernel: Kernel, object: number): number {
  const type = kernel.locations.kinds[object]
  const word = wordsOf(kernel, object)(0)
  if (type === 'barrier') return word
  if (type !== 'mutex' || isSpinLock(kernel, object)) return 0
  return (word & NORMAL) !== 0 ? MutexType.normal : word & TYPE_MASK
}

/** What an object holds now. */
export function stateOf(kernel: Kernel, { type, object }: ObjectOperation): ObjectState {
  const words = wordsOf(kernel, object)
  const address = kernel.addresses.start[object]
  switch (type) {
    case 'mutex':
      return isSpinLock(kernel, object) ? mutexState(words(0), 1) : mutexState(words(1), words(2))
    case 'once':
      return words(0) === ONCE_WORD_DONE ? ONCE_DONE : onceRunner(words(0)) + 1
    case 'semaphore':
      return words(0)
    case 'rwlock': {
      if (words(0) < 0) return rwlockState(words(1) - 1, [])
      const readers = holdersOf(kernel, address).flatMap((thread) =>
        kernel.states.readLocks[thread].filter((lock) => lock === address).map(() => thread),
      )
      return rwlockState(-1, readers)
    }
    case 'condition':
      return threadsState(waitersAt(kernel, address))
    default:
      return barrierState(words(2), waitersAt(kernel, address))
  }
}

function waitersAt({ waiters }: Kernel, address: number): number[] {
  return Array.from({ length: waiters.count(address) }, (_, place) => waiters.at(address, place))
}
