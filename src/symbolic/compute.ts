import { Operator } from './operator.js'

/** What an operator makes of values; unsigned, of `width` bits, and so is the result. Comparisons: 0n or 1n. */
export function compute(operator: number, width: number, a: bigint, b: bigint): bigint {
  const cut = (value: bigint) => BigInt.asUintN(width, value)
  const signed = (value: bigint) => BigInt.asIntN(width, value)
  const truth = (value: boolean) => (value ? 1n : 0n)
  const amount = b % BigInt(width)
  switch (operator) {
    case Operator.add:
      return cut(a + b)
    case Operator.subtract:
      return cut(a - b)
    case Operator.multiply:
      return cut(a * b)
    case Operator.divideUnsigned:
      return b === 0n ? cut(-1n) : a / b
    case Operator.divideSigned:
      if (b === 0n) return signed(a) < 0n ? 1n : cut(-1n)
      return cut(signed(a) / signed(b))
    case Operator.remainderUnsigned:
      return b === 0n ? a : a % b
    case Operator.remainderSigned:
      return b === 0n ? a : cut(signed(a) % signed(b))
    case Operator.and:
      return a & b
    case Operator.or:
      return a | b
    case Operator.xor:
      return a ^ b
    case Operator.shiftLeft:
      return cut(a << amount)
    case Operator.shiftRightUnsigned:
      return a >> amount
    case Operator.shiftRightSigned:
      return cut(signed(a) >> amount)
    case Operator.rotateLeft:
      return cut((a << amount) | (a >> (BigInt(width) - amount)))
    case Operator.rotateRight:
      return cut((a >> amount) | (a << (BigInt(width) - amount)))
    case Operator.equal:
      return truth(a === b)
    case Operator.lessUnsigned:
      return truth(a < b)
    case Operator.lessSigned:
      return truth(signed(a) < signed(b))
    case Operator.countLeadingZeros:
      return BigInt(width - (a === 0n ? 0 : a.toString(2).length))
    case Operator.countTrailingZeros:
      return BigInt(a === 0n ? width : (a & -a).toString(2).length - 1)
    case Operator.countOnes:
      return BigInt(a.toString(2).replaceAll('0', '').length)
    default:
      throw new Error(`operator ${operator} computes nothing`)
  }
}
