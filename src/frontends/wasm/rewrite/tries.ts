import { Reader } from './bytes.js'
import { CATCH, OP, readCatches, skipImmediates } from './instructions.js'

/** From the first instruction of a block to its end. */
export interface CatchingRange {
  readonly start: number
  readonly end: number
}

/**
 * Where a function may catch an exception for good. Blocks that only run destructors do not: they catch everything, with
 * a reference, and throw that again; but what they throw may be caught in another block of the function, wherever that
 * lies.
 */
export function catchingRanges(bytes: Uint8Array, code: number, end: number): CatchingRange[] {
  const ranges: CatchingRange[] = []
  let isForGood = false
  const open: number[] = []
  const r = new Reader(bytes, code, end)
  while (!r.done) {
    const at = r.at
    const op = r.byte()
    if (op === OP.tryTable) {
      r.skipLeb()
      if (readCatches(r).some(({ kind }) => kind !== CATCH.allWithReference)) isForGood = true
      open.push(at)
    } else if (op === OP.block || op === OP.loop || op === OP.if) {
      r.skipLeb()
      open.push(-1)
    } else if (op === OP.end) {
      const start = open.pop()
      if (start !== undefined && start >= 0) ranges.push({ start, end: at })
    } else skipImmediates(r, op)
  }
  return isForGood ? ranges : []
}
