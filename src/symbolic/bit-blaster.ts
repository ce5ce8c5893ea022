import { type Bits, Circuits } from './circuits.js'
import { operandsOf } from './evaluate.js'
import type { Expression, Expressions } from './expressions.js'
import { type Clauses, FALSE, Gates, type Literal, TRUE } from './gates.js'
import { Operator } from './operator.js'

/** Expressions as gates of their bits, each made once. */
export class BitBlaster {
  readonly gates: Gates
  private readonly circuits: Circuits
  private readonly known = new Map<Expression, Bits>()
  /** Quotient and remainder come from the same circuit. */
  private readonly divisions = new Map<string, { quotient: Bits; remainder: Bits }>()

  constructor(
    private readonly expressions: Expressions,
    clauses: Clauses,
    /** Asked before each expression; throws if it costs too much to go on. */
    private readonly beforeEach: (gates: number) => void = () => {},
  ) {
    this.gates = new Gates(clauses)
    this.circuits = new Circuits(this.gates)
  }

  /** That a condition holds. */
  literalOf(condition: Expression): Literal {
    return this.bitsOf(condition)[0]
  }

  /** The bits of an expression, if it has any here. */
  knownBits(e: Expression): Bits | undefined {
    return this.known.get(e)
  }

  bitsOf(e: Expression): Bits {
    const open: Expression[] = [e]
    while (open.length > 0) {
      const top = open[open.length - 1]
      const missing = operandsOf(this.expressions, top).filter((operand) => !this.known.has(operand))
      if (missing.length > 0) {
        open.push(...missing)
        continue
      }
      open.pop()
      if (this.known.has(top)) continue
      this.beforeEach(this.gates.count)
      this.known.set(top, this.made(top))
    }
    return this.known.get(e)!
  }

  private made(e: Expression): Bits {
    const { expressions, circuits, known } = this
    const width = expressions.width[e]
    const [first, second, third] = [expressions.first[e], expressions.second[e], expressions.third[e]]
    const a = known.get(first) ?? []
    const b = known.get(second) ?? []
    switch (expressions.operator[e]) {
      case Operator.constant: {
        const value = expressions.valueOf(e)
        return Array.from({ length: width }, (_, i) => ((value >> BigInt(i)) & 1n ? TRUE : FALSE))
      }
      case Operator.variable:
        return Array.from({ length: width }, () => this.gates.fresh())
      case Operator.add:
        return circuits.add(a, b)
      case Operator.subtract:
        return circuits.subtract(a, b)
      case Operator.multiply:
        return circuits.multiply(a, b)
      case Operator.divideUnsigned:
        return this.division(first, second, a, b).quotient
      case Operator.remainderUnsigned:
        return this.division(first, second, a, b).remainder
      case Operator.divideSigned:
        return circuits.divideSigned(a, b)
      case Operator.remainderSigned:
        return circuits.remainderSigned(a, b)
      case Operator.and:
        return circuits.bitwise('and', a, b)
      case Operator.or:
        return circuits.bitwise('or', a, b)
      case Operator.xor:
        return circuits.bitwise('xor', a, b)
      case Operator.shiftLeft:
        return circuits.shift(a, b, 1, FALSE)
      case Operator.shiftRightUnsigned:
        return circuits.shift(a, b, -1, FALSE)
      case Operator.shiftRightSigned:
        return circuits.shift(a, b, -1, a[width - 1])
      case Operator.rotateLeft:
        return circuits.shift(a, b, 1, 'rotated')
      case Operator.rotateRight:
        return circuits.shift(a, b, -1, 'rotated')
      case Operator.equal:
        return [circuits.equal(a, b)]
      case Operator.lessUnsigned:
        return [circuits.lessUnsigned(a, b)]
      case Operator.lessSigned:
        return [circuits.lessSigned(a, b)]
      case Operator.choose:
        return circuits.choose(a[0], b, known.get(third)!)
      case Operator.extract:
        return a.slice(second, second + width)
      case Operator.concatenate:
        return [...b, ...a]
      case Operator.extendUnsigned:
        return [...a, ...Array<Literal>(width - a.length).fill(FALSE)]
      case Operator.extendSigned:
        return [...a, ...Array<Literal>(width - a.length).fill(a[a.length - 1])]
      case Operator.countLeadingZeros:
        return circuits.countLeadingZeros(a)
      case Operator.countTrailingZeros:
        return circuits.countTrailingZeros(a)
      case Operator.countOnes:
        return circuits.countOnes(a)
      default:
        throw new Error(`operator ${expressions.operator[e]} has no circuit`)
    }
  }

  private division(dividend: Expression, divisor: Expression, a: Bits, b: Bits) {
    const key = `${dividend} ${divisor}`
    let found = this.divisions.get(key)
    if (found === undefined) {
      found = this.circuits.divide(a, b)
      this.divisions.set(key, found)
    }
    return found
  }
}
