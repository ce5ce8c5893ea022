import { ProgramError } from './program.js'

/** Thrown by `/` and `%`. */
export class DivisionByZero extends Error {}

/** How often each operator may be applied: `-` negates one operand and subtracts two. */
const arities: Readonly<Record<string, readonly number[]>> = {
  '+': [2],
  '-': [1, 2],
  '*': [2],
  '/': [2],
  '%': [2],
  '==': [2],
  '!=': [2],
  '<': [2],
  '<=': [2],
  '>': [2],
  '>=': [2],
  '&': [2],
  '|': [2],
  '^': [2],
  '<<': [2],
  '>>': [2],
  '!': [1],
  '&&': [2],
  '||': [2],
  '?:': [3],
}

/** The operator of an expression that is neither number nor name, its number of operands checked. */
export function checkOperator(expression: unknown, where: string): string {
  if (!Array.isArray(expression)) {
    throw new ProgramError(
      where,
      `${JSON.stringify(expression) ?? 'nothing'} is not an expression; write a number, a name or ["+", a, b]`,
    )
  }
  const operator: unknown = expression[0]
  const arity =
    typeof operator === 'string' && Object.hasOwn(arities, operator) ? arities[operator] : undefined
  if (arity === undefined) {
    throw new ProgramError(
      where,
      `unknown operator ${JSON.stringify(operator)}; known are ${Object.keys(arities).join(' ')}`,
    )
  }
  const operands = expression.length - 1
  if (!arity.includes(operands)) {
    throw new ProgramError(
      where,
      `operator "${operator}" takes ${arity.join(' or ')} operands, not ${operands}`,
    )
  }
  return operator as string
}

/** What each operator without short cuts computes; the second operand of a unary one is ignored. */
export const evaluators: Readonly<Record<string, (x: number, y: number) => number>> = {
  '+': (x, y) => (x + y) | 0,
  '-': (x, y) => (x - y) | 0,
  '*': (x, y) => Math.imul(x, y),
  '/': (x, y) => (x / nonZero(y)) | 0,
  '%': (x, y) => (x % nonZero(y)) | 0,
  '==': (x, y) => (x === y ? 1 : 0),
  '!=': (x, y) => (x !== y ? 1 : 0),
  '<': (x, y) => (x < y ? 1 : 0),
  '<=': (x, y) => (x <= y ? 1 : 0),
  '>': (x, y) => (x > y ? 1 : 0),
  '>=': (x, y) => (x >= y ? 1 : 0),
  '&': (x, y) => x & y,
  '|': (x, y) => x | y,
  '^': (x, y) => x ^ y,
  '<<': (x, y) => x << y,
  '>>': (x, y) => x >> y,
  '!': (x) => (x === 0 ? 1 : 0),
}

function nonZero(y: number): number {
  if (y === 0) throw new DivisionByZero('division by zero')
  return y
}
