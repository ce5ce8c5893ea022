import type { Reader } from './bytes.js'
import { OP } from './instructions.js'

/** A proposal that hooked code cannot use, as people call it. */
export type Feature =
  | 'exceptions'
  | 'tail calls'
  | 'typed function references'
  | 'garbage collection (GC)'
  | 'several memories (multi-memory)'
  | 'tables that change while it runs'

/** The feature an instruction belongs to, if that is refused; the reader is after its first byte, and is moved. */
export function featureOf(op: number, r: Reader): Feature | undefined {
  if ((op >= 0x06 && op <= 0x0a) || op === 0x18 || op === 0x19 || op === 0x1f) return 'exceptions'
  if (op === 0x12 || op === 0x13) return 'tail calls'
  if (op === 0x14 || op === 0x15 || (op >= 0xd3 && op <= 0xd6)) return 'typed function references'
  if (op === 0xfb) return 'garbage collection (GC)'
  // An instance per thread has a table per thread: one table for all would be another program.
  if (op === 0x26) return 'tables that change while it runs'
  if (op === OP.bulk) {
    const sub = r.u32()
    if (sub === 12 || sub === 14 || sub === 15 || sub === 17) return 'tables that change while it runs'
  }
  return undefined
}
