import type { ChoicePoint } from '../execution/strategy.js'
import { Op } from '../machine/operation.js'
import type { SleepSets } from './reduction/sleep-sets.js'

/** Steps between two looks at who is left behind. */
export const fairInterval = 50

/** Threads beyond this number do not make the stretch looked at longer. */
const mostTurns = 16

/**
 * What searches begin with at a point nobody planned for: go on with the same thread, else take the first; never one that
 * sleeps. -1 if all do.
 *
 * A thread that waits in a loop whose rounds change something, if only a count of them, would thus go round up to the step
 * limit, while the thread it waits for never runs: nothing is learnt from such an execution. So now and then, whoever
 * could run and has not for long comes first. With which option a search begins is its own affair, so nothing depends
 * on this but that executions end. It goes by the steps of the execution alone: whoever comes to the same point again
 * finds the same.
 */
export function defaultOption(point: ChoicePoint, sleep: SleepSets | null): number {
  const { depth: d, count, thread, value, previous } = point
  const asleep = sleep === null || sleep.isEmpty(d) ? null : sleep
  const behind = leftBehind(point, asleep)
  if (behind >= 0) return behind
  let option = -1
  for (let i = 0; i < count; i++) {
    if (asleep?.has(d, thread[i], value[i])) continue
    if (thread[i] === previous) return i
    if (option < 0) option = i
  }
  return option
}

/**
 * The same for a search that is best left with what cannot be reversed at the end of its executions: where another thread
 * has to be taken, one that is about to join comes last. What it does after that is then often the same each time.
 */
export function joinsLast(point: ChoicePoint, sleep: SleepSets): number {
  const option = defaultOption(point, sleep)
  const { depth: d, count, thread, value, previous } = point
  const { kind } = point.machine.pending
  if (option < 0 || thread[option] === previous || kind[thread[option]] !== Op.join) return option
  for (let i = 0; i < count; i++) {
    if (kind[thread[i]] !== Op.join && !sleep.has(d, thread[i], value[i])) return i
  }
  return option
}

/** The same of threads that can each run in one way, as bits: -1 if all sleep, or that takes a look at the options. */
export function joinsLastOf(
  { depth, previous, machine }: ChoicePoint,
  able: number,
  sleep: SleepSets,
): number {
  const { kind } = machine.pending
  if (depth % fairInterval === 0 || previous < 0 || kind[previous] === Op.pause) return -1
  const awake = able & ~sleep.threads(depth)
  if (((awake >>> previous) & 1) === 1) return previous
  let first = -1
  for (let left = awake; left !== 0; left &= left - 1) {
    const thread = 31 - Math.clz32(left & -left)
    if (kind[thread] !== Op.join) return thread
    if (first < 0) first = thread
  }
  return first
}

/**
 * The first option of a thread that has not run for long, or -1; looked for now and then only. The stretch looked at
 * grows with the options, so that each thread has its turn before another has a second one. After a thread that pauses,
 * the next one.
 */
export function leftBehind(point: ChoicePoint, sleep: SleepSets | null): number {
  const { depth: d, count } = point
  if (point.stay >= 0 && point.machine.pending.kind[point.previous] === Op.pause)
    return nextAfter(point, sleep)
  if (d % fairInterval !== 0 || d === 0 || count === 1) return -1
  const steps = point.trace.thread
  const from = Math.max(0, d - fairInterval * Math.min(count, mostTurns))
  for (let option = 0; option < count; option++) {
    const thread = point.thread[option]
    if (thread === point.previous || sleep?.has(d, thread, point.value[option])) continue
    let at = d - 1
    while (at >= from && steps[at] !== thread) at--
    if (at < from) return option
  }
  return -1
}

/** The first option of the next thread in index order, and round to the first; -1 if all others sleep. */
function nextAfter(
  { depth: d, count, thread, value, previous }: ChoicePoint,
  sleep: SleepSets | null,
): number {
  let option = -1
  for (let i = 0; i < count; i++) {
    if (thread[i] === previous || sleep?.has(d, thread[i], value[i])) continue
    if (thread[i] > previous) return i
    if (option < 0) option = i
  }
  return option
}
