import { grown } from '../machine/growing.js'
import { compute } from './compute.js'
import { isComparison, Operator } from './operator.js'

/** Names an expression of one `Expressions`: equal names are equal expressions. 0 is none. */
export type Expression = number

/**
 * Expressions over the bytes of the input, each kept once (hash-consed), so that comparing two is comparing numbers. They
 * are made as simple as looking at the operands shows: most of what a program does with its input is moving bytes about,
 * and that leaves nothing here.
 */
export class Expressions {
  /** By expression. */
  operator = new Uint8Array(1024)
  width = new Uint8Array(1024)
  /** Operands; of constants, low and high half; of variables, the number. */
  first = new Int32Array(1024)
  second = new Int32Array(1024)
  third = new Int32Array(1024)
  private count = 1
  private table = new Int32Array(4096)

  /** How many there are. */
  get size(): number {
    return this.count - 1
  }

  readonly no = this.constant(0n, 1)
  readonly yes = this.constant(1n, 1)

  constant(value: bigint, width: number): Expression {
    const cut = BigInt.asUintN(width, value)
    return this.keep(Operator.constant, width, Number(BigInt.asIntN(32, cut)), Number(cut >> 32n) | 0, 0)
  }

  /** A part of the input that may be anything. */
  variable(number: number, width: number): Expression {
    return this.keep(Operator.variable, width, number, 0, 0)
  }

  isConstant(e: Expression): boolean {
    return this.operator[e] === Operator.constant
  }

  valueOf(constant: Expression): bigint {
    return (BigInt(this.second[constant] >>> 0) << 32n) | BigInt(this.first[constant] >>> 0)
  }

  /** Two operands of equal width: arithmetic, or a comparison. */
  binary(operator: Operator, a: Expression, b: Expression): Expression {
    const width = this.width[a]
    if (this.width[b] !== width) throw new Error(`operands of ${width} and ${this.width[b]} bits`)
    const resultWidth = isComparison(operator) ? 1 : width
    if (this.isConstant(a) && this.isConstant(b)) {
      return this.constant(compute(operator, width, this.valueOf(a), this.valueOf(b)), resultWidth)
    }
    // Constants stand on the right where the order makes no difference.
    if (isCommutative(operator) && (this.isConstant(a) || (!this.isConstant(b) && a > b))) {
      return this.simpler(operator, b, a) || this.keep(operator, resultWidth, b, a, 0)
    }
    return this.simpler(operator, a, b) || this.keep(operator, resultWidth, a, b, 0)
  }

  equal(a: Expression, b: Expression): Expression {
    return this.binary(Operator.equal, a, b)
  }

  /** Of truth values. */
  not(condition: Expression): Expression {
    return this.binary(Operator.xor, condition, this.yes)
  }

  /** Whether it is not zero. */
  truth(e: Expression): Expression {
    return this.width[e] === 1 ? e : this.not(this.equal(e, this.constant(0n, this.width[e])))
  }

  choose(condition: Expression, a: Expression, b: Expression): Expression {
    if (this.isConstant(condition)) return condition === this.yes ? a : b
    if (a === b) return a
    if (a === this.yes && b === this.no) return condition
    return this.keep(Operator.choose, this.width[a], condition, a, b)
  }

  /** `width` bits, from bit `low` on. */
  extract(e: Expression, low: number, width: number): Expression {
    const whole = this.width[e]
    if (low === 0 && width === whole) return e
    if (this.isConstant(e)) return this.constant(this.valueOf(e) >> BigInt(low), width)
    const [a, b] = [this.first[e], this.second[e]]
    switch (this.operator[e]) {
      case Operator.extract:
        return this.extract(a, b + low, width)
      case Operator.concatenate: {
        const lower = this.width[b]
        if (low >= lower) return this.extract(a, low - lower, width)
        if (low + width <= lower) return this.extract(b, low, width)
        break
      }
      case Operator.extendUnsigned:
        if (low >= this.width[a]) return this.constant(0n, width)
        if (low + width <= this.width[a]) return this.extract(a, low, width)
        break
      case Operator.extendSigned:
        if (low + width <= this.width[a]) return this.extract(a, low, width)
        break
      case Operator.and:
      case Operator.or:
      case Operator.xor:
        // A mask that is a constant often leaves nothing of such a part.
        if (this.isConstant(b))
          return this.binary(
            this.operator[e] as Operator,
            this.extract(a, low, width),
            this.extract(b, low, width),
          )
        break
    }
    return this.keep(Operator.extract, width, e, low, 0)
  }

  /** The first has the high bits. */
  concatenate(high: Expression, low: Expression): Expression {
    const width = this.width[high] + this.width[low]
    if (this.isConstant(high)) {
      if (this.isConstant(low)) {
        const value = (this.valueOf(high) << BigInt(this.width[low])) | this.valueOf(low)
        return this.constant(value, width)
      }
      if (this.valueOf(high) === 0n) return this.extendUnsigned(low, width)
    }
    const whole = this.joined(high, low)
    return whole || this.keep(Operator.concatenate, width, high, low, 0)
  }

  /** Neighbouring parts of one expression are a larger part of it. */
  private joined(high: Expression, low: Expression): Expression {
    if (this.operator[low] === Operator.concatenate) {
      // ab·(b'c) where a part of the whole continues into b'.
      const middle = this.joined(high, this.first[low])
      return middle && this.concatenate(middle, this.second[low])
    }
    if (this.operator[high] !== Operator.extract) return 0
    const of = this.first[high]
    const from = this.second[high]
    const lowOf = this.operator[low] === Operator.extract ? this.first[low] : low
    const lowFrom = this.operator[low] === Operator.extract ? this.second[low] : 0
    if (lowOf !== of && low !== of) return 0
    if (lowOf !== of || lowFrom + this.width[low] !== from) return 0
    return this.extract(of, lowFrom, this.width[low] + this.width[high])
  }

  extendUnsigned(e: Expression, width: number): Expression {
    if (this.width[e] === width) return e
    if (this.isConstant(e)) return this.constant(this.valueOf(e), width)
    if (this.operator[e] === Operator.extendUnsigned) return this.extendUnsigned(this.first[e], width)
    return this.keep(Operator.extendUnsigned, width, e, 0, 0)
  }

  extendSigned(e: Expression, width: number): Expression {
    const own = this.width[e]
    if (own === width) return e
    if (this.isConstant(e)) return this.constant(BigInt.asIntN(own, this.valueOf(e)), width)
    if (this.operator[e] === Operator.extendSigned) return this.extendSigned(this.first[e], width)
    if (this.operator[e] === Operator.extendUnsigned) return this.extendUnsigned(this.first[e], width)
    return this.keep(Operator.extendSigned, width, e, 0, 0)
  }

  /** One of the operators that count bits. */
  countBits(operator: Operator, e: Expression): Expression {
    if (this.isConstant(e))
      return this.constant(compute(operator, this.width[e], this.valueOf(e), 0n), this.width[e])
    return this.keep(operator, this.width[e], e, 0, 0)
  }

  /** 0 when nothing simpler is known. */
  private simpler(operator: Operator, a: Expression, b: Expression): Expression {
    const width = this.width[a]
    if (a === b) {
      if (operator === Operator.subtract || operator === Operator.xor) return this.constant(0n, width)
      if (operator === Operator.and || operator === Operator.or) return a
      if (operator === Operator.equal) return this.yes
      if (operator === Operator.lessSigned || operator === Operator.lessUnsigned) return this.no
    }
    if (!this.isConstant(b)) return 0
    const value = this.valueOf(b)
    if (value === 0n) return this.withZero(operator, a, b)
    const ones = BigInt.asUintN(width, -1n)
    if (value === ones && operator === Operator.and) return a
    if (value === ones && operator === Operator.or) return b
    if (value === 1n && (operator === Operator.multiply || operator === Operator.divideUnsigned)) return a
    return this.withConstant(operator, a, b, value)
  }

  private withZero(operator: Operator, a: Expression, zero: Expression): Expression {
    switch (operator) {
      case Operator.add:
      case Operator.subtract:
      case Operator.or:
      case Operator.xor:
      case Operator.shiftLeft:
      case Operator.shiftRightSigned:
      case Operator.shiftRightUnsigned:
      case Operator.rotateLeft:
      case Operator.rotateRight:
        return a
      case Operator.and:
      case Operator.multiply:
        return zero
      case Operator.lessUnsigned:
        return this.no
      default:
        return this.withConstant(operator, a, zero, 0n)
    }
  }

  private withConstant(operator: Operator, a: Expression, b: Expression, value: bigint): Expression {
    const width = this.width[a]
    const inner = this.first[a]
    if (operator === Operator.equal) {
      if (width === 1) return value === 1n ? a : this.not(a)
      // Truth values come as numbers: what they are compared with says which.
      if (this.operator[a] === Operator.extendUnsigned) {
        if (value >> BigInt(this.width[inner]) !== 0n) return this.no
        return this.equal(inner, this.extract(b, 0, this.width[inner]))
      }
      if (this.operator[a] === Operator.xor && this.isConstant(this.second[a]))
        return this.equal(inner, this.binary(Operator.xor, b, this.second[a]))
      if (this.operator[a] === Operator.add && this.isConstant(this.second[a]))
        return this.equal(inner, this.binary(Operator.subtract, b, this.second[a]))
    }
    const isChain = operator === Operator.add || operator === Operator.xor || operator === Operator.and
    if (isChain && this.operator[a] === operator && this.isConstant(this.second[a])) {
      return this.binary(operator, inner, this.binary(operator, this.second[a], b))
    }
    if (operator === Operator.subtract) return this.binary(Operator.add, a, this.constant(-value, width))
    return 0
  }

  private keep(operator: number, width: number, a: number, b: number, c: number): Expression {
    const mask = this.table.length - 1
    let at = hash(operator, width, a, b, c) & mask
    for (let e = this.table[at]; e !== 0; e = this.table[at]) {
      if (
        this.first[e] === a &&
        this.second[e] === b &&
        this.third[e] === c &&
        this.operator[e] === operator &&
        this.width[e] === width
      ) {
        return e
      }
      at = (at + 1) & mask
    }
    const e = this.count++
    if (e === this.first.length) this.grow()
    this.operator[e] = operator
    this.width[e] = width
    this.first[e] = a
    this.second[e] = b
    this.third[e] = c
    this.table[at] = e
    if (this.count * 2 > this.table.length) this.rehash()
    return e
  }

  private grow(): void {
    for (const key of ['operator', 'width'] as const) this[key] = grown(this[key], 2 * this.count)
    for (const key of ['first', 'second', 'third'] as const) this[key] = grown(this[key], 2 * this.count)
  }

  private rehash(): void {
    this.table = new Int32Array(this.table.length * 4)
    const mask = this.table.length - 1
    for (let e = 1; e < this.count; e++) {
      const { operator, width, first, second, third } = this
      let at = hash(operator[e], width[e], first[e], second[e], third[e]) & mask
      while (this.table[at] !== 0) at = (at + 1) & mask
      this.table[at] = e
    }
  }
}

function isCommutative(operator: Operator): boolean {
  switch (operator) {
    case Operator.add:
    case Operator.multiply:
    case Operator.and:
    case Operator.or:
    case Operator.xor:
    case Operator.equal:
      return true
    default:
      return false
  }
}

function hash(operator: number, width: number, a: number, b: number, c: number): number {
  let h = Math.imul((operator << 8) | width, 0x9e3779b1) ^ Math.imul(a, 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35) ^ Math.imul(b, 0x27d4eb2f) ^ Math.imul(c, 0x165667b1)
  h = Math.imul(h ^ (h >>> 15), 0x2c1b3c6d)
  return h ^ (h >>> 16)
}
