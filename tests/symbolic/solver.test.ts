import { describe, expect, it } from 'vitest'
import { Random } from '../../src/random/random.js'
import { CadicalSolver } from '../../src/symbolic/cadical-solver.js'
import { compute } from '../../src/symbolic/compute.js'
import { type Expression, Expressions } from '../../src/symbolic/expressions.js'
import { isBinary, isComparison, isCount, Operator } from '../../src/symbolic/operator.js'
import { times } from '../support/effort.js'
import { compareWithZ3, operatorsMissing } from './against-z3.js'
import { widths } from './random-query.js'

const queries = times(100)

describe('the solver', () => {
  // `npm run check:solver` asks 20 000.
  it('answers as z3 does, and its models hold', async () => {
    const { answers, wrong, operators } = await compareWithZ3(1, queries)
    expect(wrong).toEqual([])
    expect(operatorsMissing(operators)).toEqual([])
    const agreed = (answers.get('sat sat') ?? 0) + (answers.get('unsat unsat') ?? 0)
    expect(agreed).toBeGreaterThanOrEqual(0.95 * queries)
    expect(answers.get('unsat unsat')).toBeGreaterThan(queries / 20)
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
