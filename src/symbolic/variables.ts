import { operandsOf } from './evaluate.js'
import type { Expression, Expressions } from './expressions.js'
import { Operator } from './operator.js'

/** Which variables an expression mentions. */
export class Variables {
  private readonly known = new Map<Expression, ReadonlySet<number>>()

  constructor(private readonly expressions: Expressions) {}

  of(e: Expression): ReadonlySet<number> {
    const found = this.known.get(e)
    if (found) return found
    const { expressions } = this
    const variables = new Set<number>()
    const open = [e]
    const seen = new Set(open)
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (expressions.operator[next] === Operator.variable) variables.add(expressions.first[next])
      for (const operand of operandsOf(expressions, next)) {
        if (seen.has(operand)) continue
        seen.add(operand)
        open.push(operand)
      }
    }
    this.known.set(e, variables)
    return variables
  }

  /** Of some conditions, those that what is wanted depends on, directly or through others; and all their variables. */
  related(
    wanted: readonly Expression[],
    conditions: readonly Expression[],
  ): { conditions: Expression[]; variables: ReadonlySet<number> } {
    const variables = new Set(wanted.flatMap((condition) => [...this.of(condition)]))
    let rest = [...conditions]
    const related = [...wanted]
    for (let isDone = false; !isDone; ) {
      isDone = true
      const others: Expression[] = []
      for (const condition of rest) {
        const own = this.of(condition)
        if (![...own].some((variable) => variables.has(variable))) {
          others.push(condition)
          continue
        }
        related.push(condition)
        for (const variable of own) {
          if (!variables.has(variable)) isDone = false
          variables.add(variable)
        }
      }
      rest = others
    }
    return { conditions: related, variables }
  }
}
