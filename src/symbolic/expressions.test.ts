import { describe, expect, it } from 'vitest'
import { Expressions } from './expressions.js'
import { Operator } from './operator.js'

describe('expressions', () => {
  it('are kept once', () => {
    const expressions = new Expressions()
    const [x, y] = [expressions.variable(0, 32), expressions.variable(1, 32)]
    expect(expressions.binary(Operator.add, x, y)).toBe(expressions.binary(Operator.add, y, x))
    const { size } = expressions
    for (let i = 0n; i < 5000n; i++) expressions.constant(i, 64)
    for (let i = 0n; i < 5000n; i++) expressions.constant(i, 64)
    expect(expressions.size).toBe(size + 5000)
  })

  it('of bytes that were moved about are what they were', () => {
    const expressions = new Expressions()
    const sum = expressions.binary(Operator.add, expressions.variable(0, 32), expressions.variable(1, 32))
    const byte = (i: number) => expressions.extract(sum, 8 * i, 8)
    const upwards = [1, 2, 3].reduce((low, i) => expressions.concatenate(byte(i), low), byte(0))
    const downwards = [2, 1, 0].reduce((high, i) => expressions.concatenate(high, byte(i)), byte(3))
    expect(upwards).toBe(sum)
    expect(downwards).toBe(sum)
  })

  it('of truth values that were numbers in between are what they were', () => {
    const expressions = new Expressions()
    const x = expressions.variable(0, 8)
    const small = expressions.binary(Operator.lessUnsigned, x, expressions.constant(9n, 8))
    const asNumber = expressions.extendUnsigned(small, 32)
    expect(expressions.truth(asNumber)).toBe(small)
    expect(expressions.equal(asNumber, expressions.constant(0n, 32))).toBe(expressions.not(small))
    expect(expressions.equal(asNumber, expressions.constant(2n, 32))).toBe(expressions.no)
    expect(expressions.not(expressions.not(small))).toBe(small)
  })

  it('of different widths are refused', () => {
    const expressions = new Expressions()
    const add = () =>
      expressions.binary(Operator.add, expressions.variable(0, 8), expressions.variable(1, 16))
    expect(add).toThrow('operands of 8 and 16 bits')
  })
})
