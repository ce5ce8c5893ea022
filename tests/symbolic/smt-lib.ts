import { operandsOf } from '../../src/symbolic/evaluate.js'
import type { Expression, Expressions } from '../../src/symbolic/expressions.js'
import { Operator } from '../../src/symbolic/operator.js'

const functions: Readonly<Record<number, string>> = {
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

/** One query as SMT-LIB, independently of circuits and evaluation; it answers sat, unsat or unknown. */
export function smtLib(expressions: Expressions, conditions: readonly Expression[]): string {
  const lines: string[] = ['(push)']
  const known = new Set<Expression>()
  const define = (e: Expression): void => {
    if (known.has(e)) return
    known.add(e)
    for (const operand of operandsOf(expressions, e)) define(operand)
    const sort = `(_ BitVec ${expressions.width[e]})`
    if (expressions.operator[e] === Operator.variable) lines.push(`(declare-const e${e} ${sort})`)
    else lines.push(`(define-fun e${e} () ${sort} ${term(expressions, e)})`)
  }
  for (const condition of conditions) {
    define(condition)
    lines.push(`(assert (= e${condition} #b1))`)
  }
  return [...lines, '(check-sat)', '(pop)', ''].join('\n')
}

function term(expressions: Expressions, e: Expression): string {
  const { operator, first, second, third } = expressions
  const width = expressions.width[e]
  const [a, b] = [`e${first[e]}`, `e${second[e]}`]
  const number = (value: bigint | number) => `(_ bv${value} ${width})`
  const name = functions[operator[e]]
  switch (operator[e]) {
    case Operator.constant:
      return number(expressions.valueOf(e))
    case Operator.lessUnsigned:
    case Operator.lessSigned:
    case Operator.equal:
      return `(ite (${name} ${a} ${b}) #b1 #b0)`
    case Operator.shiftLeft:
    case Operator.shiftRightUnsigned:
    case Operator.shiftRightSigned:
      return `(${name} ${a} (bvurem ${b} ${number(width)}))`
    case Operator.rotateLeft:
    case Operator.rotateRight: {
      const isLeft = operator[e] === Operator.rotateLeft
      const amount = `(bvurem ${b} ${number(width)})`
      const rest = `(bvsub ${number(width)} ${amount})`
      const [left, right] = isLeft ? [amount, rest] : [rest, amount]
      return `(bvor (bvshl ${a} ${left}) (bvlshr ${a} ${right}))`
    }
    case Operator.choose:
      return `(ite (= ${a} #b1) ${b} e${third[e]})`
    case Operator.extract:
      return `((_ extract ${second[e] + width - 1} ${second[e]}) ${a})`
    case Operator.concatenate:
      return `(concat ${a} ${b})`
    case Operator.extendUnsigned:
      return `((_ zero_extend ${width - expressions.width[first[e]]}) ${a})`
    case Operator.extendSigned:
      return `((_ sign_extend ${width - expressions.width[first[e]]}) ${a})`
    case Operator.countLeadingZeros:
    case Operator.countTrailingZeros: {
      const isLeading = operator[e] === Operator.countLeadingZeros
      let result = number(width)
      for (let i = width - 1; i >= 0; i--) {
        const bit = isLeading ? width - 1 - i : i
        result = `(ite (= ((_ extract ${bit} ${bit}) ${a}) #b1) ${number(i)} ${result})`
      }
      return result
    }
    case Operator.countOnes: {
      const bits = Array.from(
        { length: width },
        (_, i) => `((_ zero_extend ${width - 1}) ((_ extract ${i} ${i}) ${a}))`,
      )
      return `(bvadd ${bits.join(' ')})`
    }
    default:
      return `(${name} ${a} ${b})`
  }
}
