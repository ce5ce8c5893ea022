import type { Expression, Expressions } from '../../../symbolic/expressions.js'
import { Operator } from '../../../symbolic/operator.js'
import type { Path } from './path.js'

/** In the order of the opcodes, for both widths. */
const arithmetic: readonly Operator[] = [
  Operator.add,
  Operator.subtract,
  Operator.multiply,
  Operator.divideSigned,
  Operator.divideUnsigned,
  Operator.remainderSigned,
  Operator.remainderUnsigned,
  Operator.and,
  Operator.or,
  Operator.xor,
  Operator.shiftLeft,
  Operator.shiftRightSigned,
  Operator.shiftRightUnsigned,
  Operator.rotateLeft,
  Operator.rotateRight,
]
const counts: readonly Operator[] = [
  Operator.countLeadingZeros,
  Operator.countTrailingZeros,
  Operator.countOnes,
]
const I32_EQZ = 0x45
const I32_EQ = 0x46
const I64_EQZ = 0x50
const I64_EQ = 0x51
const I32_CLZ = 0x67
const I32_ADD = 0x6a
const I64_CLZ = 0x79
const I64_ADD = 0x7c
const F32_ABS = 0x8b
const DIVISION = 3
const LAST_DIVISION = 6

/** A value of the stack: its expression, 0 when it does not depend on the input, and what it is now. */
export interface Operand {
  value: Expression
  low: number
  high: number
}

/**
 * The expression of what an instruction makes of values of which at least one depends on the input; 0 when they have been
 * made concrete. Has to be asked before the instruction is done, which may trap.
 */
export function symbolicResult(path: Path, op: number, a: Operand, b: Operand, place: number): Expression {
  const { expressions } = path
  const as = (operand: Operand, width: number) => expressionOf(expressions, operand, width)
  const asNumber = (truth: Expression) => expressions.extendUnsigned(truth, 32)
  if (op === I32_EQZ || op === I64_EQZ) return asNumber(expressions.not(expressions.truth(a.value)))
  if (op >= I32_EQ && op < I64_EQZ)
    return asNumber(comparison(expressions, op - I32_EQ, as(a, 32), as(b, 32)))
  if (op >= I64_EQ && op <= I64_EQ + 9)
    return asNumber(comparison(expressions, op - I64_EQ, as(a, 64), as(b, 64)))
  if (op >= I32_CLZ && op < I32_ADD) return expressions.countBits(counts[op - I32_CLZ], a.value)
  if (op >= I64_CLZ && op < I64_ADD) return expressions.countBits(counts[op - I64_CLZ], a.value)
  if (op >= I32_ADD && op < I64_CLZ) return binary(path, op - I32_ADD, as(a, 32), as(b, 32), [a, b], place)
  if (op >= I64_ADD && op < F32_ABS) return binary(path, op - I64_ADD, as(a, 64), as(b, 64), [a, b], place)
  const extended = conversion(expressions, op, a.value)
  if (extended !== 0) return extended
  for (const { value, low, high } of [a, b]) if (value !== 0) path.makeConcrete(value, low, high, place)
  return 0
}

function expressionOf(expressions: Expressions, { value, low, high }: Operand, width: number): Expression {
  if (value !== 0) return value
  return expressions.constant((BigInt(high >>> 0) << 32n) | BigInt(low >>> 0), width)
}

/** Of one of `eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u`. */
function comparison(expressions: Expressions, at: number, a: Expression, b: Expression): Expression {
  if (at < 2) {
    const equal = expressions.equal(a, b)
    return at === 0 ? equal : expressions.not(equal)
  }
  const less = at % 2 === 0 ? Operator.lessSigned : Operator.lessUnsigned
  switch ((at - 2) >> 1) {
    case 0:
      return expressions.binary(less, a, b)
    case 1:
      return expressions.binary(less, b, a)
    case 2:
      return expressions.not(expressions.binary(less, b, a))
    default:
      return expressions.not(expressions.binary(less, a, b))
  }
}

function binary(
  path: Path,
  at: number,
  a: Expression,
  b: Expression,
  now: readonly [Operand, Operand],
  place: number,
): Expression {
  const { expressions } = path
  if (at >= DIVISION && at <= LAST_DIVISION) decideTraps(path, at, a, b, now, place)
  const result = expressions.binary(arithmetic[at], a, b)
  return expressions.isConstant(result) ? 0 : result
}

/** Divisions trap for some operands: whether these are such is decided by the input. */
function decideTraps(
  path: Path,
  at: number,
  a: Expression,
  b: Expression,
  [dividend, divisor]: readonly [Operand, Operand],
  place: number,
): void {
  const { expressions } = path
  const width = expressions.width[b]
  const isZero = divisor.low === 0 && (width === 32 || divisor.high === 0)
  path.decide('trap', expressions.equal(b, expressions.constant(0n, width)), isZero, place)
  if (isZero || arithmetic[at] !== Operator.divideSigned) return
  const lowest = expressions.constant(1n << BigInt(width - 1), width)
  const minusOne = expressions.constant(-1n, width)
  const overflows = expressions.binary(
    Operator.and,
    expressions.equal(a, lowest),
    expressions.equal(b, minusOne),
  )
  const isLowest =
    width === 32 ? dividend.low === -(2 ** 31) : dividend.low === 0 && dividend.high === -(2 ** 31)
  const isMinusOne = divisor.low === -1 && (width === 32 || divisor.high === -1)
  path.decide('trap', overflows, isLowest && isMinusOne, place)
}

/** Wrapping, extending and reinterpreting; 0 for instructions that compute with floating point. */
function conversion(expressions: Expressions, op: number, value: Expression): Expression {
  const signed = (from: number, width: number) =>
    expressions.extendSigned(expressions.extract(value, 0, from), width)
  switch (op) {
    case 0xa7:
      return expressions.extract(value, 0, 32)
    case 0xac:
      return expressions.extendSigned(value, 64)
    case 0xad:
      return expressions.extendUnsigned(value, 64)
    case 0xbc:
    case 0xbd:
    case 0xbe:
    case 0xbf:
      return value
    case 0xc0:
      return signed(8, 32)
    case 0xc1:
      return signed(16, 32)
    case 0xc2:
      return signed(8, 64)
    case 0xc3:
      return signed(16, 64)
    case 0xc4:
      return signed(32, 64)
    default:
      return 0
  }
}
