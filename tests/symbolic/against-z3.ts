import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { CadicalSolver } from '../../src/symbolic/cadical-solver.js'
import { Evaluation } from '../../src/symbolic/evaluate.js'
import { Expressions } from '../../src/symbolic/expressions.js'
import { Operator } from '../../src/symbolic/operator.js'
import type { Answer } from '../../src/symbolic/solver.js'
import { randomConditions, widths } from './random-query.js'
import { operatorName, SmtLib } from './smt-lib.js'

const perProcess = 500
/** Fewer than usual: what one product of large numbers takes is better spent on a thousand other queries. */
const CONFLICTS = 300

/** What z3 answers to each query. It is limited by work, not by time: it watches the time in a thread that may not get to run. */
export function z3(queries: readonly string[]): string[] {
  const program = fileURLToPath(new URL('z3.mjs', import.meta.url))
  const input = `(set-option :rlimit 5000000)\n${queries.join('')}`
  const options = { input, maxBuffer: 2 ** 26, timeout: 600_000 }
  return execFileSync(process.execPath, [program], options).toString().trim().split('\n')
}

/** What we give up on, z3 need not answer. */
const UNASKED = '(echo "unknown")\n'

const expected: Readonly<Record<Answer['kind'], string>> = {
  satisfiable: 'sat',
  unsatisfiable: 'unsat',
  unknown: 'unknown',
}

export interface Agreement {
  /** How often each pair of answers was given, ours first: `unsat unknown`. */
  readonly answers: ReadonlyMap<string, number>
  /** Seeds of queries on which the solvers differ, or whose model does not hold. */
  readonly wrong: readonly string[]
  /** How many terms had each operator at each width of its operands: `add 64`. */
  readonly operators: ReadonlyMap<string, number>
}

/**
 * Random queries, answered by our solver and by z3, which is given them as they were made, before we simplify anything. A model
 * of ours is checked by evaluating, and by z3 with its values filled in; where we find none, z3 has to find none either.
 */
export async function compareWithZ3(
  first: number,
  count: number,
  onBatch: (done: number) => void = () => {},
): Promise<Agreement> {
  const answers = new Map<string, number>()
  const operators = new Map<string, number>()
  const wrong: string[] = []
  for (let from = 0; from < count; from += perProcess) {
    const seeds = Array.from({ length: Math.min(perProcess, count - from) }, (_, i) => first + from + i)
    const ours: string[] = []
    const queries: string[] = []
    for (const seed of seeds) {
      const { answer, modelHolds } = await solved(seed)
      if (!modelHolds) wrong.push(`${seed}: wrong model`)
      ours.push(expected[answer.kind])
      const terms = new SmtLib()
      const conditions = randomConditions(seed, terms)
      const model = answer.kind === 'satisfiable' ? answer.assignment : []
      queries.push(answer.kind === 'unknown' ? UNASKED : terms.query(conditions, model))
      for (const [name, times] of terms.operators) operators.set(name, (operators.get(name) ?? 0) + times)
    }
    z3(queries).forEach((theirs, i) => {
      const pair = `${ours[i]} ${theirs}`
      answers.set(pair, (answers.get(pair) ?? 0) + 1)
      if (pair === 'sat unsat' || pair === 'unsat sat') wrong.push(`${seeds[i]}: ${pair}`)
    })
    onBatch(from + seeds.length)
  }
  return { answers, wrong, operators }
}

async function solved(seed: number): Promise<{ answer: Answer; modelHolds: boolean }> {
  const expressions = new Expressions()
  const conditions = randomConditions(seed, expressions)
  const solver = await CadicalSolver.create(expressions, { conflicts: CONFLICTS })
  try {
    const answer = solver.solve(conditions)
    if (answer.kind !== 'satisfiable') return { answer, modelHolds: true }
    const evaluation = new Evaluation(expressions, answer.assignment)
    return { answer, modelHolds: conditions.every((condition) => evaluation.holds(condition)) }
  } finally {
    solver.dispose()
  }
}

/** Operators and widths that no term had. */
export function operatorsMissing(operators: Agreement['operators']): string[] {
  return Object.values(Operator).flatMap((operator) =>
    widths
      .filter((width) => !cannotBe(operator, width) && !operators.has(`${operatorName(operator)} ${width}`))
      .map((width) => `${operatorName(operator)} ${width}`),
  )
}

/** Nothing of 64 bits is widened, and nothing of 8 bits is cut. */
function cannotBe(operator: Operator, width: number): boolean {
  const widens =
    operator === Operator.concatenate ||
    operator === Operator.extendSigned ||
    operator === Operator.extendUnsigned
  return (widens && width === 64) || (operator === Operator.extract && width === 8)
}
