import { Random } from '../../src/random/random.js'
import type { Expression } from '../../src/symbolic/expressions.js'
import { isBinary, Operator } from '../../src/symbolic/operator.js'
import type { Builder } from './smt-lib.js'

export const widths = [8, 16, 32, 64] as const
const binary = Object.values(Operator).filter(isBinary)
const comparisons = [Operator.equal, Operator.lessUnsigned, Operator.lessSigned]
const counts = [Operator.countLeadingZeros, Operator.countTrailingZeros, Operator.countOnes]
const hard: readonly number[] = [
  Operator.multiply,
  Operator.divideSigned,
  Operator.divideUnsigned,
  Operator.remainderSigned,
  Operator.remainderUnsigned,
]

/** One to three conditions on a few variables, with all operators and widths; the same for the same seed. */
export function randomConditions(seed: number, terms: Builder): Expression[] {
  const random = new Random(seed)
  const generator = new Generator(terms, random)
  return Array.from({ length: 1 + random.below(3) }, () => generator.condition())
}

class Generator {
  constructor(
    private readonly expressions: Builder,
    private readonly random: Random,
  ) {}

  private pick<T>(list: readonly T[]): T {
    return list[this.random.below(list.length)]
  }

  condition(): Expression {
    const width = this.pick(widths)
    const operator = this.pick(comparisons)
    const condition = this.expressions.binary(operator, this.number(width, 2), this.number(width, 1))
    return this.random.below(2) === 0 ? condition : this.expressions.not(condition)
  }

  private constant(width: number): Expression {
    const { random } = this
    const large = (BigInt(random.next()) << 32n) | BigInt(random.next())
    // Small numbers and those next to powers of two are where things change.
    const value = [
      large,
      BigInt(random.below(4)),
      -BigInt(random.below(4)),
      1n << BigInt(random.below(width)),
    ][random.below(4)]
    return this.expressions.constant(value, width)
  }

  private small(width: number): Expression {
    const value = BigInt(1 + this.random.below(255))
    return this.expressions.constant(this.random.below(4) === 0 ? -value : value, width)
  }

  private variable(width: number): Expression {
    const number = widths.indexOf(width as 8) * 2 + this.random.below(2)
    return this.expressions.variable(number, width)
  }

  private number(width: number, depth: number): Expression {
    const { expressions, random } = this
    if (depth === 0) return random.below(3) === 0 ? this.constant(width) : this.variable(width)
    const narrower = widths.filter((w) => w < width)
    const wider = widths.filter((w) => w > width)
    switch (random.below(10)) {
      case 0:
        return expressions.countBits(this.pick(counts), this.number(width, depth - 1))
      case 1: {
        if (narrower.length === 0) break
        const inner = this.number(this.pick(narrower), depth - 1)
        return random.below(2) === 0
          ? expressions.extendSigned(inner, width)
          : expressions.extendUnsigned(inner, width)
      }
      case 2: {
        if (wider.length === 0) break
        const whole = this.pick(wider)
        return expressions.extract(this.number(whole, depth - 1), random.below(whole - width + 1), width)
      }
      case 3: {
        if (width === 8) break
        const half = width / 2
        return expressions.concatenate(this.number(half, depth - 1), this.number(half, depth - 1))
      }
      case 4: {
        const [a, b] = [this.number(width, depth - 1), this.number(width, depth - 1)]
        return expressions.choose(this.condition(), a, b)
      }
    }
    const operator = this.pick(binary)
    // Products and quotients of large unknown numbers are beyond any solver, mostly.
    if (hard.includes(operator) && width > 16 && random.below(8) === 0) {
      return expressions.binary(operator, this.number(width, 0), this.number(width, 0))
    }
    if (hard.includes(operator) && width > 8) {
      const extend = random.below(2) === 0 ? 'extendSigned' : 'extendUnsigned'
      return expressions.binary(
        operator,
        expressions[extend](this.number(8, depth - 1), width),
        this.small(width),
      )
    }
    return expressions.binary(operator, this.number(width, depth - 1), this.number(width, depth - 1))
  }
}
