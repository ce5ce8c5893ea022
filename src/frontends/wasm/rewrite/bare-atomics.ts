import { Reader } from './bytes.js'
import { decodeModule } from './decode-module.js'
import { readLocals } from './function.js'
import { OP, skipImmediates } from './instructions.js'

/**
 * The first atomic instruction that changes memory by itself; those before it wait, notify, order, or load. Every load has a
 * call, too; but compilers before clang 20 leave some of those they replaced where they were, and nobody uses what they load.
 */
const FIRST_CHANGE = 0x17

/**
 * Whether an object file has atomic instructions that change memory. The sanitizer's pass makes calls of atomics, so those that are left are what
 * it does not know, and nobody would see them.
 */
export function hasBareAtomics(object: Uint8Array): boolean {
  return decodeModule(object).bodies.some((body) => {
    const r = new Reader(body.bytes, readLocals(body, []).code, body.end)
    while (!r.done) {
      const op = r.byte()
      if (op === OP.atomic && r.bytes[r.at] >= FIRST_CHANGE) return true
      skipImmediates(r, op)
    }
    return false
  })
}
