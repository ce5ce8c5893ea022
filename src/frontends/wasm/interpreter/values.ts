import { Operator } from '../../../symbolic/operator.js'
import { TYPE } from '../rewrite/instructions.js'
import { SLOT } from './numeric.js'
import type { Store } from './store.js'
import { symbolicResult } from './symbolic-operations.js'

/** Puts a value from outside on the stack. */
export function put(store: Store, at: number, type: number, value: unknown): void {
  store.expressions[at] = 0
  if (type === TYPE.i32) store.words[2 * at] = value as number
  else if (type === TYPE.i64) store.longs[at] = value as bigint
  else if (type === TYPE.f32) store.singles[2 * at] = value as number
  else store.doubles[at] = value as number
}

/** A value of the stack, for outside. */
export function take(store: Store, at: number, type: number): unknown {
  if (type === TYPE.i32) return store.words[2 * at]
  if (type === TYPE.i64) return store.longs[at]
  return type === TYPE.f32 ? store.singles[2 * at] : store.doubles[at]
}

/** Moves values within the stack. */
export function move(store: Store, to: number, from: number, count: number): void {
  if (to === from) return
  const { words, expressions } = store
  words.copyWithin(2 * to, 2 * from, 2 * (from + count))
  expressions.copyWithin(to, from, from + count)
}

/** From here on the path is about inputs with which this value is what it is now. */
export function makeConcrete(store: Store, at: number, place: number): void {
  const { path, words, expressions } = store
  const value = expressions[at]
  if (value === 0) return
  path.makeConcrete(value, words[2 * at], words[2 * at + 1], place)
  expressions[at] = 0
}

/** A number of bytes. */
export function sizeAt(store: Store, at: number, place: number): number {
  makeConcrete(store, at, place)
  return store.words[2 * at] >>> 0
}

const operands = [
  { value: 0, low: 0, high: 0 },
  { value: 0, low: 0, high: 0 },
]

/** Computes with the topmost values, the first of which is at `at`; the result takes its place. */
export function compute(store: Store, op: number, at: number, count: number, place: number): void {
  const { expressions, words, numerics, path } = store
  let value = 0
  if (expressions[at] !== 0 || (count === 2 && expressions[at + 1] !== 0)) {
    const [a, b] = operands
    a.value = expressions[at]
    a.low = words[2 * at]
    a.high = words[2 * at + 1]
    b.value = count === 2 ? expressions[at + 1] : 0
    b.low = words[2 * at + 2]
    b.high = words[2 * at + 3]
    value = symbolicResult(path, op, a, b, place)
    if (path.expressions.isConstant(value)) value = 0
  }
  numerics[op](at * SLOT)
  expressions[at] = value
}

/** Instructions on 32 bits that most of a program consists of, for operands that do not depend on the input. */
export function simple(op: number, a: number, b: number): number {
  switch (op) {
    case 0x46:
      return a === b ? 1 : 0
    case 0x47:
      return a !== b ? 1 : 0
    case 0x48:
      return a < b ? 1 : 0
    case 0x49:
      return a >>> 0 < b >>> 0 ? 1 : 0
    case 0x4a:
      return a > b ? 1 : 0
    case 0x4b:
      return a >>> 0 > b >>> 0 ? 1 : 0
    case 0x4c:
      return a <= b ? 1 : 0
    case 0x4d:
      return a >>> 0 <= b >>> 0 ? 1 : 0
    case 0x4e:
      return a >= b ? 1 : 0
    case 0x4f:
      return a >>> 0 >= b >>> 0 ? 1 : 0
    case 0x6a:
      return (a + b) | 0
    case 0x6b:
      return (a - b) | 0
    case 0x6c:
      return Math.imul(a, b)
    case 0x71:
      return a & b
    case 0x72:
      return a | b
    case 0x73:
      return a ^ b
    case 0x74:
      return a << b
    case 0x75:
      return a >> b
    default:
      return (a >>> b) | 0
  }
}

/** Which target a `br_table` has is a question of its operand: all from the last one on go to the same. */
export function decideTarget(store: Store, at: number, count: number, place: number): void {
  const { path, words, expressions } = store
  const number = words[2 * at] >>> 0
  const value = expressions[at]
  const { expressions: made } = path
  const constant = made.constant(BigInt(Math.min(number, count)), 32)
  const isThat =
    number < count
      ? made.equal(value, constant)
      : made.not(made.binary(Operator.lessUnsigned, value, constant))
  path.answer('branch', isThat, `${value} of ${count}`, place, Math.min(number, count), count + 1)
}
