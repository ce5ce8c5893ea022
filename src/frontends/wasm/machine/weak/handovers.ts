import { Mode, ObjectClock, Op, operations } from '../../../../machine/operation.js'

/**
 * What synchronisation means for memory, by kind of operation and mode as it turned out. Unlike for race detection under
 * sequential consistency, a try that fails orders nothing, nor do condition variables beyond what their mutexes do, nor
 * setting an object up; annotations promise nothing to the memory model.
 */
const silent = new Set<number>([
  ...[Op.condWait, Op.condReturn, Op.condSignal, Op.condBroadcast],
  ...[Op.mutexSetup, Op.customLock, Op.customUnlock, Op.freeList, Op.semRead],
])

const { open, shared } = ObjectClock
const modeNames = Object.keys(Mode) as (keyof typeof Mode)[]

const clocksOf = (kind: number, mode: number, side: 'after' | 'before'): number => {
  if (silent.has(kind) || mode === Mode.read) {
    // Leaving a barrier is a read of it, and waits for all to arrive.
    return kind === Op.barrierLeave && side === 'after' ? open : 0
  }
  return (operations[kind].orders?.[modeNames[mode]]?.[side] ?? 0) & (open | shared)
}

const table = (side: 'after' | 'before') =>
  operations.map((_, kind) => modeNames.map((_name, mode) => clocksOf(kind, mode, side)))

const after = table('after')
const before = table('before')

/** Whether an operation acts on a synchronisation object at all. */
export const synchronises = Uint8Array.from(operations, ({ orders }) => (orders === undefined ? 0 : 1))

/** Keys of the clocks of an object: readers release to one of their own, which only writers acquire from. */
function keys(location: number, clocks: number): number[] {
  const found: number[] = []
  if ((clocks & open) !== 0) found.push(2 * location)
  if ((clocks & shared) !== 0) found.push(2 * location + 1)
  return found
}

export function acquired(kind: number, mode: number, location: number): number[] {
  return keys(location, after[kind][mode])
}

export function released(kind: number, mode: number, location: number): number[] {
  return keys(location, before[kind][mode])
}
