import { Changes, Known } from '../machine/events.js'
import type { LocationTable } from '../machine/names.js'
import { announcedMode, kinds, Mode, Op } from '../machine/operation.js'
import { applyCount, blockingKind, blockingRule, countAllows, isFree, waitsForReaders } from './blocking.js'
import { locationsMeet, modesConflict } from './dependence.js'

/**
 * What an operation would have met had one earlier transition, and all that happens after it, not been there: what it
 * takes to move the operation before that transition. Told from the events of the execution alone.
 *
 * For most operations that is all that has to go. A write lock is different: read locks commute, so of two readers that
 * hold the lock together neither happens after the other, and taking one away leaves the other in the way. Whoever
 * holds the lock at the end of what stays must go as well, with all that happens after it (`holdersInTheWay`).
 */

/** The execution looked back on: `HappensBefore` is one. */
export interface History {
  readonly thread: Int32Array
  readonly kind: Uint8Array
  readonly mode: Uint8Array
  readonly location: Int32Array
  readonly aux: Int32Array
  readonly valuesKnown: Uint8Array
  readonly seen: Int32Array
  readonly written: Int32Array
  readonly operand: Int32Array
  readonly transitionOf: Int32Array
  readonly locationTable: LocationTable
  eventStart(transition: number): number
  ordered(a: number, b: number): boolean
}

const varies = kinds((operation) => operation.varies === true)

/** Whether an event stays. */
type Kept = (event: number) => boolean

/**
 * The mode event i would have had transition e, and all that happens after it, not been there: exact where the
 * state of its object can be told, else the mode it announced.
 */
export function predictMode(history: History, i: number, e: number): number {
  const kind = history.kind[i]
  const announced = announcedMode[kind]
  if (varies[kind] === 0 || history.mode[i] === Mode.none) return announced
  if (kind === Op.atomicUpdate) return predictUpdate(history, i, e) ? announced : Mode.read
  const blocking = blockingKind[kind]
  if (blocking < 0) return announced
  const kept = without(history, e)
  if (blocking === Op.lock) return mutexEnabled(history, i, kept) ? announced : Mode.read
  return countEnabled(history, i, kept, blocking) ? announcedMode[blocking] : Mode.read
}

/** Whether the update would change its object; true when that cannot be told. */
function predictUpdate(history: History, i: number, e: number): boolean {
  const changes = history.aux[i]
  if (changes === Changes.never) return false
  if (changes === Changes.unknown || changes === Changes.always) return true
  const location = history.location[i]
  if (history.locationTable.overlaps[location] !== null) return true
  const kept = without(history, e)
  let first = i
  let last = -1
  for (let k = i - 1; k >= 0; k--) {
    if (history.location[k] !== location) continue
    first = k
    if (last < 0 && history.mode[k] === Mode.write && kept(k)) last = k
  }
  if ((history.valuesKnown[last < 0 ? first : last] & (last < 0 ? Known.seen : Known.written)) === 0)
    return true
  const value = last < 0 ? history.seen[first] : history.written[last]
  return /* mutant: would change */ wouldChange(changes, value, history.operand[i])
}

function wouldChange(changes: number, value: number, operand: number): boolean {
  if (changes === Changes.unlessSet) return (value & operand) !== operand
  if (changes === Changes.unlessClear) return (value & operand) !== 0
  return (value === operand) === (changes === Changes.ifEqual)
}

/** Whether an event stays when transition e, and all that happens after it, is taken away. */
function without(history: History, e: number): Kept {
  return (event) => {
    const transition = history.transitionOf[event]
    return transition < e || !history.ordered(e, transition)
  }
}

/**
 * Whether the operation of event i could run had transition e, and all that happens after it, not been there, nor those
 * who would keep it from running.
 */
export function enabledWithout(history: History, i: number, e: number): boolean {
  if (waitsForReaders(history.kind[i])) return holdersInTheWay(history, i, e) !== null
  const kept = without(history, e)
  switch (blockingRule(history.kind[i], history.mode[i])) {
    case 'none':
      return true
    case 'never':
      return letGo(history, i, kept)
    case 'mutex':
      return mutexEnabled(history, i, kept)
    case 'counted':
      return countEnabled(history, i, kept)
    case 'spin':
      return spinEnabled(history, i, kept)
    case 'cancelled':
      return cancelEnabled(history, i, kept)
  }
}

function mutexEnabled(history: History, i: number, kept: Kept): boolean {
  for (let k = i - 1; k >= 0; k--) {
    // The last change that stays decides: one that found the mutex free took it, or made it what it is.
    if (history.location[k] === history.location[i] && history.mode[k] === Mode.write && kept(k))
      return history.kind[k] === Op.mutexSetup || !isFree(history.aux[k])
  }
  return true
}

function spinEnabled(history: History, i: number, kept: Kept): boolean {
  const p = history.thread[history.transitionOf[i]]
  const start = history.eventStart(history.transitionOf[i])
  for (let r = history.aux[i]; r < start; r++) {
    if (history.thread[history.transitionOf[r]] !== p || history.mode[r] === Mode.none) continue
    // What its own transaction would touch is not what it has read.
    if (history.kind[r] === Op.txWatch) continue
    for (let w = r + 1; w < start; w++) {
      if (history.thread[history.transitionOf[w]] === p || !modesConflict(history.mode[w], Mode.read))
        continue
      // To come to a transaction changes nothing, though it matters to it who reads what it would write; nor does an update
      // that counts as a write for the sake of transactions only.
      if (history.kind[w] === Op.txWatch || (history.valuesKnown[w] & Known.same) !== 0) continue
      if (locationsMeet(history.locationTable, history.location[w], history.location[r]) && kept(w))
        return true
    }
  }
  return false
}

/** Whether a wait that was cancelled could still end: it is cancelled, or gets what it waits for (the next event). */
function cancelEnabled(history: History, i: number, kept: Kept): boolean {
  const object = i + 1
  const waitsForPermit = history.kind[object] === Op.semTryWait
  for (let k = 0; k < i; k++) {
    const isMet = history.location[k] === history.location[i] && history.kind[k] === Op.cancel
    const isOver = !waitsForPermit && history.location[k] === history.location[object]
    if ((isMet || isOver) && history.mode[k] === Mode.write && kept(k)) return true
  }
  return waitsForPermit && countEnabled(history, object, kept, Op.semWait)
}

/** Whether a thread could still leave its barrier: it can once all have arrived, and that is not undone. */
function letGo(history: History, i: number, kept: Kept): boolean {
  for (let k = 0; k < i; k++) {
    const isArrival = history.location[k] === history.location[i] && history.kind[k] === Op.barrierArrive
    if (isArrival && !kept(k)) return false
  }
  return true
}

function countEnabled(history: History, i: number, kept: Kept, kind = history.kind[i]): boolean {
  const location = history.location[i]
  let state: number | null = null
  for (let k = 0; k < i; k++) {
    // A probe says that the object kept its thread from going on, not in which state it was.
    if (history.location[k] !== location || history.kind[k] === Op.probe) continue
    if (history.kind[k] === Op.mutexSetup && history.mode[k] === Mode.write) {
      if (kept(k)) state = history.aux[k]
      // Before it was set up, the operation goes on, into an error.
      else return state === null || countAllows(kind, state)
      continue
    }
    state ??= history.aux[k]
    if (kept(k)) state = applyCount(history.kind[k], history.mode[k], state)
  }
  return countAllows(kind, state ?? history.aux[i])
}

const nobody: readonly number[] = []

/**
 * The transitions that must be left out, with e and all that happens after any of them, so that the write lock of event
 * i finds its lock free; null if that cannot be, since somebody holds it already before e.
 *
 * Each holder found must go whatever else does: its unlock is not among what stays. So what is left is the largest part
 * of the execution, closed under what happens before, in which the write lock can run.
 */
export function holdersInTheWay(history: History, i: number, e: number): readonly number[] | null {
  let left = nobody
  const stays = (transition: number) =>
    transition < e ||
    (!history.ordered(e, transition) &&
      !left.some((holder) => holder <= transition && history.ordered(holder, transition)))
  for (;;) {
    const holders = holdersAmong(history, i, (event) => stays(history.transitionOf[event]))
    if (holders.length === 0) return left
    if (/* mutant: readers in the way */ holders.some((holder) => holder < e)) return null
    left = [...left, ...holders]
  }
}

/** Transitions that took the lock of event i and did not give it back, among the events before it that stay. */
function holdersAmong(history: History, i: number, kept: Kept): number[] {
  const location = history.location[i]
  const holders: number[] = []
  for (let k = 0; k < i; k++) {
    if (history.location[k] !== location || !kept(k)) continue
    const transition = history.transitionOf[k]
    const change = applyCount(history.kind[k], history.mode[k], 0)
    const isSetup = history.kind[k] === Op.mutexSetup && history.mode[k] === Mode.write
    if (isSetup) holders.length = 0
    else if (history.kind[k] === Op.readUnlock || history.kind[k] === Op.writeUnlock) {
      const thread = history.thread[transition]
      const own = holders.findLastIndex((holder) => history.thread[holder] === thread)
      if (own >= 0) holders.splice(own, 1)
    } else if (change !== 0 && history.kind[k] !== Op.writeQueue) holders.push(transition)
  }
  return holders
}
