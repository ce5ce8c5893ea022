import type { Expression, Expressions } from '../../src/symbolic/expressions.js'
import { isBinary, isComparison, isCount, Operator } from '../../src/symbolic/operator.js'

/** What expressions are made with. */
export type Builder = Pick<
  Expressions,
  | 'constant'
  | 'variable'
  | 'binary'
  | 'not'
  | 'choose'
  | 'extract'
  | 'concatenate'
  | 'extendUnsigned'
  | 'extendSigned'
  | 'countBits'
>

const functions: Partial<Record<Operator, string>> = {
  [Operator.add]: 'bvadd',
  [Operator.subtract]: 'bvsub',
  [Operator.multiply]: 'bvmul',
  [Operator.divideUnsigned]: 'bvudiv',
  [Operator.divideSigned]: 'bvsdiv',
  [Operator.remainderUnsigned]: 'bvurem',
  [Operator.remainderSigned]: 'bvsrem',
  [Operator.and]: 'bvand',
  [Operator.or]: 'bvor',
  [Operator.xor]: 'bvxor',
  [Operator.shiftLeft]: 'bvshl',
  [Operator.shiftRightUnsigned]: 'bvlshr',
  [Operator.shiftRightSigned]: 'bvashr',
  [Operator.lessUnsigned]: 'bvult',
  [Operator.lessSigned]: 'bvslt',
  [Operator.equal]: '=',
}

/**
 * Expressions as SMT-LIB, written as they are asked for: nothing is simplified, so an answer of z3 tells of simplifications,
 * too, and none of our circuits or evaluations takes part.
 */
export class SmtLib implements Builder {
  private readonly lines: string[] = []
  private readonly widths: number[] = []
  private readonly variables = new Map<number, Expression>()
  /** How many terms there are with each operator at each width of what it is applied to: `add 64`. */
  readonly operators = new Map<string, number>()

  /** A query that asks whether all of these hold; of some variables, values may be given. */
  query(conditions: readonly Expression[], values: readonly bigint[] = []): string {
    const fixed = [...this.variables].flatMap(([number, e]) =>
      values[number] === undefined ? [] : `(assert (= e${e} ${bits(values[number], this.widths[e])}))`,
    )
    const wanted = conditions.map((condition) => `(assert (= e${condition} #b1))`)
    return ['(push)', ...this.lines, ...wanted, ...fixed, '(check-sat)', '(pop)', ''].join('\n')
  }

  private define(operator: Operator, at: number, width: number, term: string): Expression {
    const name = `${operatorName(operator)} ${at}`
    this.operators.set(name, (this.operators.get(name) ?? 0) + 1)
    const e = (this.widths[0] = (this.widths[0] ?? 0) + 1)
    this.widths[e] = width
    this.lines.push(`(define-fun e${e} () (_ BitVec ${width}) ${term})`)
    return e
  }

  constant(value: bigint, width: number): Expression {
    return this.define(Operator.constant, width, width, bits(value, width))
  }

  variable(number: number, width: number): Expression {
    const known = this.variables.get(number)
    if (known !== undefined) return known
    this.lines.push(`(declare-const v${number} (_ BitVec ${width}))`)
    const e = this.define(Operator.variable, width, width, `v${number}`)
    this.variables.set(number, e)
    return e
  }

  binary(operator: Operator, a: Expression, b: Expression): Expression {
    const width = this.widths[a]
    const plain = `(${functions[operator]} e${a} e${b})`
    if (isComparison(operator)) return this.define(operator, width, 1, `(ite ${plain} #b1 #b0)`)
    const amount = `(bvurem e${b} ${bits(BigInt(width), width)})`
    switch (operator) {
      case Operator.shiftLeft:
      case Operator.shiftRightUnsigned:
      case Operator.shiftRightSigned:
        return this.define(operator, width, width, `(${functions[operator]} e${a} ${amount})`)
      case Operator.rotateLeft:
      case Operator.rotateRight: {
        const rest = `(bvsub ${bits(BigInt(width), width)} ${amount})`
        const [left, right] = operator === Operator.rotateLeft ? [amount, rest] : [rest, amount]
        return this.define(operator, width, width, `(bvor (bvshl e${a} ${left}) (bvlshr e${a} ${right}))`)
      }
      default:
        return this.define(operator, width, width, plain)
    }
  }

  not(condition: Expression): Expression {
    return this.define(Operator.xor, 1, 1, `(bvnot e${condition})`)
  }

  choose(condition: Expression, a: Expression, b: Expression): Expression {
    const width = this.widths[a]
    return this.define(Operator.choose, width, width, `(ite (= e${condition} #b1) e${a} e${b})`)
  }

  extract(e: Expression, low: number, width: number): Expression {
    return this.define(
      Operator.extract,
      this.widths[e],
      width,
      `((_ extract ${low + width - 1} ${low}) e${e})`,
    )
  }

  concatenate(high: Expression, low: Expression): Expression {
    const width = this.widths[high] + this.widths[low]
    return this.define(Operator.concatenate, this.widths[low], width, `(concat e${high} e${low})`)
  }

  extendUnsigned(e: Expression, width: number): Expression {
    const by = width - this.widths[e]
    return this.define(Operator.extendUnsigned, this.widths[e], width, `((_ zero_extend ${by}) e${e})`)
  }

  extendSigned(e: Expression, width: number): Expression {
    const by = width - this.widths[e]
    return this.define(Operator.extendSigned, this.widths[e], width, `((_ sign_extend ${by}) e${e})`)
  }

  countBits(operator: Operator, e: Expression): Expression {
    const width = this.widths[e]
    const bit = (i: number) => `((_ extract ${i} ${i}) e${e})`
    if (operator === Operator.countOnes) {
      const ones = Array.from({ length: width }, (_, i) => `((_ zero_extend ${width - 1}) ${bit(i)})`)
      return this.define(operator, width, width, `(bvadd ${ones.join(' ')})`)
    }
    let term = bits(BigInt(width), width)
    for (let i = width - 1; i >= 0; i--) {
      const from = operator === Operator.countLeadingZeros ? width - 1 - i : i
      term = `(ite (= ${bit(from)} #b1) ${bits(BigInt(i), width)} ${term})`
    }
    return this.define(operator, width, width, term)
  }
}

function bits(value: bigint, width: number): string {
  return `(_ bv${BigInt.asUintN(width, value)} ${width})`
}

export function operatorName(operator: number): string {
  return Object.entries(Operator).find(([, number]) => number === operator)![0]
}

/** The same expression, made by another builder. */
export function translated(from: Expressions, e: Expression, to: Builder): Expression {
  const known = new Map<Expression, Expression>()
  const made = (e: Expression): Expression => {
    const found = known.get(e)
    if (found !== undefined) return found
    const result = make(e)
    known.set(e, result)
    return result
  }
  const make = (e: Expression): Expression => {
    const operator = from.operator[e] as Operator
    const [a, b, width] = [from.first[e], from.second[e], from.width[e]]
    if (isBinary(operator) || isComparison(operator)) return to.binary(operator, made(a), made(b))
    if (isCount(operator)) return to.countBits(operator, made(a))
    switch (operator) {
      case Operator.constant:
        return to.constant(from.valueOf(e), width)
      case Operator.variable:
        return to.variable(a, width)
      case Operator.choose:
        return to.choose(made(a), made(b), made(from.third[e]))
      case Operator.extract:
        return to.extract(made(a), b, width)
      case Operator.concatenate:
        return to.concatenate(made(a), made(b))
      case Operator.extendUnsigned:
        return to.extendUnsigned(made(a), width)
      default:
        return to.extendSigned(made(a), width)
    }
  }
  return made(e)
}
