import fc from 'fast-check'
import { expect, test } from 'vitest'
import { drive } from '../../../tests/support/drive.js'
import { set, yieldNow } from './build.js'
import { type Expression, modelMachine } from './index.js'

type Binary = (x: number, y: number) => number
const binary: Record<string, Binary> = {
  '+': (x, y) => (x + y) | 0,
  '-': (x, y) => (x - y) | 0,
  '*': (x, y) => Number(BigInt.asIntN(32, BigInt(x) * BigInt(y))),
  '/': (x, y) => Math.trunc(x / y) | 0,
  '%': (x, y) => (x % y) | 0,
  '==': (x, y) => Number(x === y),
  '!=': (x, y) => Number(x !== y),
  '<': (x, y) => Number(x < y),
  '<=': (x, y) => Number(x <= y),
  '>': (x, y) => Number(x > y),
  '>=': (x, y) => Number(x >= y),
  '&': (x, y) => x & y,
  '|': (x, y) => x | y,
  '^': (x, y) => x ^ y,
  '<<': (x, y) => x << y,
  '>>': (x, y) => x >> y,
}

/** The value, or null for a division by zero; written apart from the compiler. */
function evaluate(e: Expression, registers: Record<string, number>): number | null {
  if (typeof e === 'number') return e
  if (typeof e === 'string') return registers[e]
  const [operator, ...operands] = e
  const x = evaluate(operands[0], registers)
  if (x === null) return null
  if (operands.length === 1) return operator === '!' ? Number(x === 0) : -x | 0
  if (operator === '?:') return evaluate(operands[x !== 0 ? 1 : 2], registers)
  if (operator === '&&' && x === 0) return 0
  if (operator === '||' && x !== 0) return 1
  const y = evaluate(operands[1], registers)
  if (y === null) return null
  if (operator === '&&' || operator === '||') return Number(y !== 0)
  if ((operator === '/' || operator === '%') && y === 0) return null
  return binary[operator](x, y)
}

const { tree: expressions } = fc.letrec<{ tree: Expression }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('p', 'q'),
    fc.oneof(fc.integer({ min: -3, max: 3 }), fc.integer()),
    fc
      .tuple(fc.constantFrom(...Object.keys(binary), '&&', '||'), tie('tree'), tie('tree'))
      .map(([operator, x, y]): Expression => [operator, x, y]),
    fc.tuple(fc.constantFrom('!', '-'), tie('tree')).map(([operator, x]): Expression => [operator, x]),
    fc.tuple(tie('tree'), tie('tree'), tie('tree')).map(([c, x, y]): Expression => ['?:', c, x, y]),
  ),
}))

test('compiled expressions compute what they say', () => {
  fc.assert(
    fc.property(expressions, fc.integer(), fc.integer({ min: -2, max: 2 }), (expression, p, q) => {
      const machine = modelMachine({
        threads: { a: [yieldNow(), set('p', p), set('q', q), set('result', expression)] },
        variables: { x: 0 },
      })
      drive(machine, 'a')
      const expected = evaluate(expression, { p, q })
      if (expected === null) expect(machine.bug?.kind).toBe('trap')
      else expect(machine.finalState()).toContain(`p=${p} q=${q} result=${expected}`)
    }),
    { seed: 11, numRuns: 1000 },
  )
})

test('checks compute the same', () => {
  fc.assert(
    fc.property(expressions, fc.integer(), fc.integer({ min: -2, max: 2 }), (expression, p, q) => {
      const expected = evaluate(expression, { p, q })
      const machine = modelMachine({
        threads: { a: [yieldNow()] },
        variables: { p, q },
        atEnd: { right: ['==', expression, expected ?? 0] },
      })
      drive(machine, 'a')
      const message = machine.checkEnd()?.message ?? 'holds'
      expect(message).toBe(expected === null ? 'check at the end right fails (division by zero)' : 'holds')
    }),
    { seed: 12, numRuns: 1000 },
  )
})
