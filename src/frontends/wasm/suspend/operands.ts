import { arityOf } from '../rewrite/arity.js'
import type { Reader } from '../rewrite/bytes.js'
import { OP, TYPE } from '../rewrite/instructions.js'

/** The module has something that `binaryen` is left to deal with. */
export class NotKnownError extends Error {}

export interface Operands {
  readonly takes: number
  /** Type of the result; 0 without one. */
  readonly gives: number
}

const { i32, i64, f32, f64 } = TYPE

/** Result types of the numeric instructions, up to and including an opcode. */
const numeric = [
  [0x78, i32],
  [0x8a, i64],
  [0x98, f32],
  [0xa6, f64],
  [0xab, i32],
  [0xb1, i64],
  [0xb6, f32],
  [0xbb, f64],
  [0xbc, i32],
  [0xbd, i64],
  [0xbe, f32],
  [0xbf, f64],
  [0xc1, i32],
  [0xc4, i64],
] as const

const byOpcode: readonly (Operands | undefined)[] = Array.from({ length: 256 }, (_, op) => operandsOfCode(op))

function operandsOfCode(op: number): Operands | undefined {
  if (op >= OP.i32Load && op <= 0x35) {
    const type = op < 0x2c ? [i32, i64, f32, f64][op - OP.i32Load] : op < 0x30 ? i32 : i64
    return { takes: 1, gives: type }
  }
  if (op >= OP.i32Store && op <= 0x3e) return { takes: 2, gives: 0 }
  if (op >= OP.i32Eqz && op <= 0xc4) {
    const { takes } = arityOf(op, undefined as never)!
    return { takes, gives: numeric.find(([last]) => op <= last)![1] }
  }
  switch (op) {
    case 0x01: // nop
      return { takes: 0, gives: 0 }
    case OP.drop:
      return { takes: 1, gives: 0 }
    case OP.i32Const:
    case OP.memorySize:
      return { takes: 0, gives: i32 }
    case OP.i64Const:
      return { takes: 0, gives: i64 }
    case 0x43: // f32.const
      return { takes: 0, gives: f32 }
    case 0x44: // f64.const
      return { takes: 0, gives: f64 }
    case OP.memoryGrow:
    case 0xd1: // ref.is_null
      return { takes: 1, gives: i32 }
  }
  return undefined
}

/**
 * What an instruction takes from the stack and leaves there. The reader is after its opcode, and is not moved. Control
 * instructions, `select` and those of locals and globals need more than their code to tell.
 */
export function operandsOf(op: number, r: Reader): Operands {
  const known = byOpcode[op]
  if (known) return known
  const sub = r.bytes[r.at]
  if (op === OP.bulk) {
    if (sub <= 7) return { takes: 1, gives: sub <= 3 ? i32 : i64 }
    // memory.init, memory.copy, memory.fill; data.drop
    if (sub === 8 || sub === 10 || sub === 11) return { takes: 3, gives: 0 }
    if (sub === 9) return { takes: 0, gives: 0 }
  }
  if (op === OP.atomic) return atomicOperands(sub)
  throw new NotKnownError(`instruction 0x${op.toString(16)}`)
}

/** From 0x10 on in groups of seven: whole words of 4 and 8 bytes, then parts of those of 4, then of those of 8. */
function atomicOperands(sub: number): Operands {
  if (sub <= 2) return { takes: sub === 0 ? 2 : 3, gives: i32 }
  if (sub === 3) return { takes: 0, gives: 0 }
  const group = Math.floor((sub - 0x10) / 7)
  const type = [0, 2, 3].includes((sub - 0x10) % 7) ? i32 : i64
  if (group < 0 || group > 8) throw new NotKnownError(`atomic instruction 0x${sub.toString(16)}`)
  if (group === 0) return { takes: 1, gives: type }
  if (group === 1) return { takes: 2, gives: 0 }
  return { takes: group === 8 ? 3 : 2, gives: type }
}
