import { FALSE, type Gates, type Literal, TRUE } from './gates.js'

/** A number as bits, the lowest first. */
export type Bits = readonly Literal[]

/** Arithmetic in gates, on numbers of equal width. */
export class Circuits {
  constructor(readonly gates: Gates) {}

  bitwise(gate: 'and' | 'or' | 'xor', a: Bits, b: Bits): Bits {
    return a.map((bit, i) => this.gates[gate](bit, b[i]))
  }

  choose(condition: Literal, a: Bits, b: Bits): Bits {
    return a.map((bit, i) => this.gates.choose(condition, bit, b[i]))
  }

  add(a: Bits, b: Bits): Bits {
    return this.sum(a, b, FALSE).bits
  }

  subtract(a: Bits, b: Bits): Bits {
    return this.sum(a, negated(b), TRUE).bits
  }

  private negate(a: Bits): Bits {
    return this.sum(negated(a), zeros(a.length), TRUE).bits
  }

  private sum(a: Bits, b: Bits, carryIn: Literal): { bits: Bits; carry: Literal } {
    const { gates } = this
    let carry = carryIn
    const bits = a.map((bit, i) => {
      const sum = gates.xor(gates.xor(bit, b[i]), carry)
      carry = gates.majority(bit, b[i], carry)
      return sum
    })
    return { bits, carry }
  }

  equal(a: Bits, b: Bits): Literal {
    return a.reduce((all, bit, i) => this.gates.and(all, -this.gates.xor(bit, b[i])), TRUE)
  }

  lessUnsigned(a: Bits, b: Bits): Literal {
    return -this.sum(a, negated(b), TRUE).carry
  }

  lessSigned(a: Bits, b: Bits): Literal {
    const flipped = (bits: Bits) => bits.map((bit, i) => (i === bits.length - 1 ? -bit : bit))
    return this.lessUnsigned(flipped(a), flipped(b))
  }

  multiply(a: Bits, b: Bits): Bits {
    // Rows of the one with fewer unknown bits.
    const isConstant = (bits: Bits) => bits.filter((bit) => bit !== FALSE).length
    const [rows, other] = isConstant(a) < isConstant(b) ? [a, b] : [b, a]
    return rows.reduce<Bits>((sum, row, i) => {
      if (row === FALSE) return sum
      const shifted = sum.map((_, j) => (j < i ? FALSE : this.gates.and(other[j - i], row)))
      return this.add(sum, shifted)
    }, zeros(a.length))
  }

  /** By long division; dividing by zero gives all ones, and the dividend as remainder. */
  divide(a: Bits, b: Bits): { quotient: Bits; remainder: Bits } {
    const width = a.length
    const quotient: Literal[] = []
    const divisor = [...b, FALSE]
    // One bit more than the divisor has: what is brought down may be more than it.
    let rest: Bits = zeros(width + 1)
    for (let i = width - 1; i >= 0; i--) {
      const down = [a[i], ...rest.slice(0, width)]
      const { bits, carry } = this.sum(down, negated(divisor), TRUE)
      quotient[i] = carry
      rest = this.choose(carry, bits, down)
    }
    return { quotient, remainder: rest.slice(0, width) }
  }

  divideSigned(a: Bits, b: Bits): Bits {
    const { signA, signB, quotient } = this.magnitudes(a, b)
    return this.choose(this.gates.xor(signA, signB), this.negate(quotient), quotient)
  }

  /** Has the sign of the dividend. */
  remainderSigned(a: Bits, b: Bits): Bits {
    const { signA, remainder } = this.magnitudes(a, b)
    return this.choose(signA, this.negate(remainder), remainder)
  }

  private magnitudes(a: Bits, b: Bits) {
    const signA = a[a.length - 1]
    const signB = b[b.length - 1]
    const absolute = (bits: Bits, sign: Literal) => this.choose(sign, this.negate(bits), bits)
    return { signA, signB, ...this.divide(absolute(a, signA), absolute(b, signB)) }
  }

  /** `direction` 1 is to the left. What comes in is `fill`, or what goes out at the other end. */
  shift(a: Bits, amount: Bits, direction: 1 | -1, fill: Literal | 'rotated'): Bits {
    const width = a.length
    let bits = a
    for (let stage = 0; 1 << stage < width; stage++) {
      const before = bits
      const moved = before.map((_, i) => {
        const from = i - direction * (1 << stage)
        if (from >= 0 && from < width) return before[from]
        return fill === 'rotated' ? before[(from + width) % width] : fill
      })
      bits = this.choose(amount[stage], moved, before)
    }
    return bits
  }

  countOnes(a: Bits): Bits {
    const width = a.length
    return a.reduce<Bits>((sum, bit) => this.add(sum, [bit, ...zeros(width - 1)]), zeros(width))
  }

  /** The number of zeros before the first one, from the lowest bit. */
  countTrailingZeros(a: Bits): Bits {
    let isZeroSoFar: Literal = TRUE
    const zerosBefore = a.map((bit) => {
      isZeroSoFar = this.gates.and(isZeroSoFar, -bit)
      return isZeroSoFar
    })
    return this.countOnes(zerosBefore)
  }

  countLeadingZeros(a: Bits): Bits {
    return this.countTrailingZeros([...a].reverse())
  }
}

function negated(a: Bits): Bits {
  return a.map((bit) => -bit)
}

export function zeros(width: number): Bits {
  return Array<Literal>(width).fill(FALSE)
}
