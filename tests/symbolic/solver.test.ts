import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/random/random.js'
import { CadicalSolver } from '../../src/symbolic/cadical-solver.js'
import { compute } from '../../src/symbolic/compute.js'
import { Evaluation } from '../../src/symbolic/evaluate.js'
import { type Expression, Expressions } from '../../src/symbolic/expressions.js'
import { isBinary, isComparison, isCount, Operator } from '../../src/symbolic/operator.js'
import type { Answer } from '../../src/symbolic/solver.js'
import { times } from '../support/effort.js'
import { randomQuery, widths } from './random-query.js'
import { smtLib } from './smt-lib.js'

/** FAULTLINE_EFFORT=200 makes it 20 000. */
const queries = times(100)
const perProcess = 100

/** Limited by work, not by time: z3 watches the time in a thread, which does not always get to run. */
function z3(script: string): string[] {
  const program = fileURLToPath(new URL('z3.mjs', import.meta.url))
  const input = `(set-option :rlimit 5000000)\n${script}`
  const options = { input, maxBuffer: 2 ** 26, timeout: 300_000 }
  return execFileSync(process.execPath, [program], options).toString().trim().split('\n')
}

const names: Readonly<Record<Answer['kind'], string>> = {
  satisfiable: 'sat',
  unsatisfiable: 'unsat',
  unknown: 'unknown',
}

describe('the solver', () => {
  it('answers as z3 does, and its models hold', async () => {
    const seen = new Map<string, number>()
    const operators = new Set<number>()
    const different: string[] = []
    for (let from = 0; from < queries; from += perProcess) {
      const seeds = Array.from({ length: Math.min(perProcess, queries - from) }, (_, i) => 1 + from + i)
      const script: string[] = []
      const ours: string[] = []
      for (const seed of seeds) {
        const { expressions, conditions } = randomQuery(seed)
        for (let e = 1; e <= expressions.size; e++) operators.add(expressions.operator[e])
        const solver = await CadicalSolver.create(expressions, { conflicts: 20_000 })
        const answer = solver.solve(conditions)
        solver.dispose()
        ours.push(names[answer.kind])
        script.push(smtLib(expressions, conditions))
        if (answer.kind !== 'satisfiable') continue
        const evaluation = new Evaluation(expressions, answer.assignment)
        if (!conditions.every((condition) => evaluation.holds(condition)))
          different.push(`${seed}: wrong model`)
      }
      z3(script.join('')).forEach((theirs, i) => {
        const pair = `${ours[i]} ${theirs}`
        seen.set(pair, (seen.get(pair) ?? 0) + 1)
        if (pair === 'sat unsat' || pair === 'unsat sat') different.push(`${seeds[i]}: ${pair}`)
      })
    }
    expect(different).toEqual([])
    expect(operators.size).toBe(Object.keys(Operator).length)
    const answered = (seen.get('sat sat') ?? 0) + (seen.get('unsat unsat') ?? 0)
    expect(answered).toBeGreaterThan(0.98 * queries)
    expect(seen.get('unsat unsat')).toBeGreaterThan(queries / 20)
  })

  it('finds for known operands the result that evaluation has, and no other', async () => {
    const random = new Random(7)
    const wrong: string[] = []
    for (const operator of Object.values(Operator)) {
      if (!isBinary(operator) && !isComparison(operator) && !isCount(operator)) continue
      for (const width of widths) {
        const expressions = new Expressions()
        const solver = await CadicalSolver.create(expressions)
        for (let n = times(2); n > 0; n--) {
          const edge = [0n, 1n, -1n, 1n << BigInt(width - 1)]
          const any = () =>
            random.below(2) === 0
              ? edge[random.below(4)]
              : (BigInt(random.next()) << 32n) | BigInt(random.next())
          const [a, b] = [BigInt.asUintN(width, any()), BigInt.asUintN(width, any())]
          const [x, y] = [expressions.variable(0, width), expressions.variable(1, width)]
          const made: Expression = isCount(operator)
            ? expressions.countBits(operator, x)
            : expressions.binary(operator, x, y)
          const result = expressions.constant(compute(operator, width, a, b), expressions.width[made])
          const given = [
            expressions.equal(x, expressions.constant(a, width)),
            expressions.equal(y, expressions.constant(b, width)),
          ]
          const same = expressions.equal(made, result)
          const answers = [same, expressions.not(same)].map((last) => solver.solve([...given, last]).kind)
          if (answers.join() !== 'satisfiable,unsatisfiable')
            wrong.push(`${operator} of ${a} and ${b} (${width} bits): ${answers}`)
        }
        solver.dispose()
      }
    }
    expect(wrong).toEqual([])
  })

  it('gives up where a query costs more than allowed', async () => {
    const expressions = new Expressions()
    const [x, y] = [expressions.variable(0, 64), expressions.variable(1, 64)]
    const product = expressions.binary(Operator.multiply, x, y)
    const isOne = (e: Expression) => expressions.equal(e, expressions.constant(1n, 64))
    // Two factors of a number with two large prime factors.
    const conditions = [
      expressions.equal(product, expressions.constant(3_037_000_493n * 2_860_486_313n, 64)),
      expressions.binary(Operator.lessUnsigned, x, expressions.constant(2n ** 32n, 64)),
      expressions.binary(Operator.lessUnsigned, y, expressions.constant(2n ** 32n, 64)),
      expressions.not(isOne(x)),
      expressions.not(isOne(y)),
    ]
    const hasty = await CadicalSolver.create(expressions, { conflicts: 1 })
    expect(hasty.solve(conditions)).toEqual({ kind: 'unknown' })
    const small = await CadicalSolver.create(expressions, { gates: 100 })
    expect(small.solve(conditions)).toEqual({ kind: 'unknown' })
    const late = await CadicalSolver.create(expressions, { isOver: () => true })
    expect(late.solve(conditions)).toEqual({ kind: 'unknown' })
    for (const solver of [hasty, small, late]) solver.dispose()
  })
})
