import { compute } from './compute.js'
import type { Expression, Expressions } from './expressions.js'
import { isBinary, isComparison, isCount, Operator } from './operator.js'

/** The value of each variable, by its number; those left out are 0. */
export type Assignment = readonly bigint[]

/** Values of expressions for one input, each computed once. */
export class Evaluation {
  private readonly known = new Map<Expression, bigint>()

  constructor(
    private readonly expressions: Expressions,
    private readonly assignment: Assignment,
  ) {}

  valueOf(e: Expression): bigint {
    const found = this.known.get(e)
    if (found !== undefined) return found
    // Chains of operations are as long as the loops that made them: no recursion.
    const open: Expression[] = [e]
    while (open.length > 0) {
      const top = open[open.length - 1]
      const missing = this.operandsOf(top).filter((operand) => !this.known.has(operand))
      if (missing.length > 0) {
        open.push(...missing)
        continue
      }
      open.pop()
      this.known.set(top, this.computed(top))
    }
    return this.known.get(e)!
  }

  holds(condition: Expression): boolean {
    return this.valueOf(condition) !== 0n
  }

  private operandsOf(e: Expression): Expression[] {
    return operandsOf(this.expressions, e)
  }

  private computed(e: Expression): bigint {
    const { expressions, known } = this
    const operator = expressions.operator[e]
    const width = expressions.width[e]
    const [first, second] = [expressions.first[e], expressions.second[e]]
    const a = known.get(first) ?? 0n
    if (isBinary(operator) || isComparison(operator))
      return compute(operator, expressions.width[first], a, known.get(second)!)
    if (isCount(operator)) return compute(operator, width, a, 0n)
    switch (operator) {
      case Operator.constant:
        return expressions.valueOf(e)
      case Operator.variable:
        return BigInt.asUintN(width, this.assignment[first] ?? 0n)
      case Operator.choose:
        return known.get(a !== 0n ? second : expressions.third[e])!
      case Operator.extract:
        return BigInt.asUintN(width, a >> BigInt(second))
      case Operator.concatenate:
        return (a << BigInt(expressions.width[second])) | known.get(second)!
      case Operator.extendUnsigned:
        return a
      case Operator.extendSigned:
        return BigInt.asUintN(width, BigInt.asIntN(expressions.width[first], a))
      default:
        throw new Error(`operator ${operator} has no value`)
    }
  }
}

/** The expressions that an expression is made of. */
export function operandsOf(expressions: Expressions, e: Expression): Expression[] {
  const operator = expressions.operator[e]
  const [first, second] = [expressions.first[e], expressions.second[e]]
  if (operator <= Operator.variable) return []
  if (isBinary(operator) || isComparison(operator) || operator === Operator.concatenate) {
    return [first, second]
  }
  return operator === Operator.choose ? [first, second, expressions.third[e]] : [first]
}
