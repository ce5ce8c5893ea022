import { Changes, Known } from '../../src/machine/events.js'
import type { Machine } from '../../src/machine/machine.js'
import type { ObjectKind } from '../../src/machine/names.js'
import { Mode, Op, operations } from '../../src/machine/operation.js'
import { locationName, type RecordedEvent, type Recording } from './recording.js'

/** Checks of one execution's event log against itself. */

const objectOf = new Map<number, ObjectKind>()
function acting(kind: ObjectKind, ops: readonly number[]): void {
  for (const op of ops) objectOf.set(op, kind)
}
acting('memory', [Op.load, Op.store, Op.atomicLoad, Op.atomicStore, Op.atomicUpdate, Op.free])
acting('mutex', [Op.lock, Op.tryLock, Op.timedLock, Op.unlock, Op.mutexSetup, Op.reacquire])
acting('rwlock', [Op.readLock, Op.writeLock, Op.tryReadLock, Op.tryWriteLock, Op.readUnlock, Op.writeUnlock])
acting('condition', [Op.condWait, Op.condReturn, Op.condSignal, Op.condBroadcast])
acting('semaphore', [Op.semWait, Op.semTryWait, Op.semPost, Op.semRead])
acting('barrier', [Op.barrierArrive, Op.barrierLeave])

export function checkLog(machine: Machine, { steps }: Recording): void {
  const states = new Map<number, number>()
  const all: RecordedEvent[] = []
  for (const [i, step] of steps.entries()) {
    for (const event of step.events) {
      const wrong = findWrong(machine, event, all, states)
      if (wrong !== null) {
        const what = `${operations[event.kind].name} ${locationName(machine, event.location)}`
        throw new Error(`step ${i}: ${step.name} ${what}: ${wrong}`)
      }
      all.push(event)
    }
  }
}

function findWrong(
  machine: Machine,
  event: RecordedEvent,
  earlier: readonly RecordedEvent[],
  states: Map<number, number>,
): string | null {
  const { kind, mode, location, aux } = event
  const { locations } = machine
  if ((mode === Mode.none) !== location < 0) return 'it has a mode exactly if it has an object'
  if (location >= locations.count) return 'its object is in no table'
  const expected = objectOf.get(kind)
  if (location >= 0 && expected !== undefined && locations.kinds[location] !== expected)
    return `its object is a ${locations.kinds[location]}, not a ${expected}`
  if (kind === Op.resume) return findWrongResume(event, earlier)
  if (location < 0) return null
  switch (locations.kinds[location]) {
    case 'memory':
      return findWrongValue(machine, event, earlier.length, states)
    case 'mutex':
    case 'semaphore':
    case 'rwlock': {
      if (kind === Op.mutexSetup || kind === Op.probe) {
        states.delete(location)
        return null
      }
      const known = states.get(location)
      if (known !== undefined && known !== aux) return `it found state ${aux}, which should be ${known}`
      states.set(location, stateAfter(event))
      return null
    }
    default:
      return null
  }
}

/** It names the first event of the iteration that blocked: a read or a yield of the same thread, earlier. */
function findWrongResume({ thread, aux }: RecordedEvent, earlier: readonly RecordedEvent[]): string | null {
  const first = earlier[aux]
  if (first === undefined) return 'it names no event'
  if (first.thread !== thread) return 'it names an event of another thread'
  return first.mode === Mode.read || first.mode === Mode.none ? null : 'it names a change'
}

/** A read sees what the last write left. `states` holds values here. */
function findWrongValue(
  machine: Machine,
  event: RecordedEvent,
  i: number,
  states: Map<number, number>,
): string | null {
  const { events, locations } = machine
  const { location, mode, kind, aux } = event
  if (locations.overlaps[location] !== null) return null
  const known = events.known[i]
  const last = states.get(location)
  if (known & Known.seen) {
    if (last !== undefined && last !== events.seen[i]) return `it saw ${events.seen[i]} where ${last} was`
    states.set(location, events.seen[i])
  }
  if (kind === Op.atomicUpdate && known & Known.seen && known & Known.written) {
    const changed = events.seen[i] !== events.written[i]
    if (changed !== (mode === Mode.write)) return 'it is a write exactly if it changes the value'
    const matches = events.seen[i] === events.operand[i]
    if (aux === Changes.never && changed) return 'it changed a value that it never changes'
    if (aux === Changes.always && !changed) return 'it left a value that it always changes'
    if (aux === Changes.ifEqual && changed !== matches)
      return 'it changes the value exactly if it finds another'
    if (aux === Changes.unlessEqual && changed === matches) return 'it changes the value unless it finds it'
  }
  if (mode === Mode.write) {
    if (known & Known.written) states.set(location, events.written[i])
    else states.delete(location)
  }
  return null
}

/** The state of a mutex (owner + 1), semaphore (count) or reader-writer lock (readers, or -1) after an event. */
function stateAfter({ kind, mode, thread, aux }: RecordedEvent): number {
  if (mode === Mode.read) return aux
  switch (kind) {
    case Op.lock:
    case Op.tryLock:
    case Op.timedLock:
    case Op.reacquire:
      return thread + 1
    case Op.unlock:
    case Op.writeUnlock:
      return 0
    case Op.writeLock:
    case Op.tryWriteLock:
      return -1
    case Op.semPost:
    case Op.readLock:
    case Op.tryReadLock:
      return aux + 1
    case Op.semWait:
    case Op.semTryWait:
    case Op.readUnlock:
      return aux - 1
    default:
      throw new Error(`no rule for ${operations[kind].name}`)
  }
}
