import type { Reader } from './bytes.js'
import { OP } from './instructions.js'

export interface Arity {
  readonly takes: number
  readonly gives: number
}

const UNARY: Arity = { takes: 1, gives: 1 }
const BINARY: Arity = { takes: 2, gives: 1 }
const NOTHING: Arity = { takes: 0, gives: 0 }

/** Numeric instructions of one operand, as ranges of opcodes; all others from `i32.eqz` to `i64.extend32_s` have two. */
const unary = [
  [0x45, 0x45],
  [0x50, 0x50],
  [0x67, 0x69],
  [0x79, 0x7b],
  [0x8b, 0x91],
  [0x99, 0x9f],
  [0xa7, 0xc4],
] as const

/**
 * How many operands an instruction takes from the stack and leaves there; undefined for those that take all or that
 * need more than their code to tell (control, vectors, waiting). The reader is after the opcode and is not moved.
 */
export function arityOf(op: number, r: Reader): Arity | undefined {
  if (op >= OP.i32Eqz && op <= 0xc4) {
    return unary.some(([from, to]) => op >= from && op <= to) ? UNARY : BINARY
  }
  switch (op) {
    case 0x01: // nop
      return NOTHING
    case 0x1b: // select
    case 0x1c:
      return { takes: 3, gives: 1 }
    case OP.i64Const:
    case 0x43: // f32.const
    case 0x44: // f64.const
    case 0xd0: // ref.null
    case OP.refFunc:
    case OP.memorySize:
      return { takes: 0, gives: 1 }
    case 0x25: // table.get
    case OP.memoryGrow:
    case 0xd1: // ref.is_null
      return UNARY
    case OP.bulk: {
      const sub = r.bytes[r.at]
      if (sub <= 7) return UNARY
      if (sub === 8) return { takes: 3, gives: 0 }
      return sub === 9 ? NOTHING : undefined
    }
    default:
      return undefined
  }
}
