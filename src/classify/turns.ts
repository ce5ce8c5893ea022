import type { ChoicePoint } from '../execution/strategy.js'

/** One choice of an execution. */
export interface Turn {
  readonly thread: number
  readonly value: number
}

/** An option of a thread, with that alternative if there is one; -1 if it cannot run. */
export function optionOf(point: ChoicePoint, thread: number, value = 0): number {
  let found = -1
  for (let i = 0; i < point.count; i++) {
    if (point.thread[i] !== thread) continue
    if (point.value[i] === value) return i
    if (found < 0) found = i
  }
  return found
}
