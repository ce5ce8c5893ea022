/**
 * What expressions are made of: bit vectors of 1 to 64 bits. Those of one bit are truth values. Semantics are those of
 * SMT-LIB's QF_BV, also where WebAssembly traps: dividing by zero gives all ones, the remainder is then the dividend.
 * Shifts and rotations take their amount modulo the width, as WebAssembly does; the amount is as wide as the value.
 */
export const Operator = {
  constant: 1,
  variable: 2,
  add: 3,
  subtract: 4,
  multiply: 5,
  divideUnsigned: 6,
  divideSigned: 7,
  remainderUnsigned: 8,
  remainderSigned: 9,
  and: 10,
  or: 11,
  xor: 12,
  shiftLeft: 13,
  shiftRightUnsigned: 14,
  shiftRightSigned: 15,
  rotateLeft: 16,
  rotateRight: 17,
  equal: 18,
  lessUnsigned: 19,
  lessSigned: 20,
  /** First if the condition holds, else second: condition, first, second. */
  choose: 21,
  /** So many bits of the operand, from a bit on: the second operand is a number. */
  extract: 22,
  /** The first operand has the high bits. */
  concatenate: 23,
  extendUnsigned: 24,
  extendSigned: 25,
  countLeadingZeros: 26,
  countTrailingZeros: 27,
  countOnes: 28,
} as const

export type Operator = (typeof Operator)[keyof typeof Operator]

/** Two operands of the width of the result. */
export function isBinary(operator: number): boolean {
  return operator >= Operator.add && operator <= Operator.rotateRight
}

/** Two operands of equal width, and a truth value. */
export function isComparison(operator: number): boolean {
  return operator >= Operator.equal && operator <= Operator.lessSigned
}

/** One operand of the width of the result. */
export function isCount(operator: number): boolean {
  return operator >= Operator.countLeadingZeros
}
