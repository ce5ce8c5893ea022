import type { Expression, Expressions } from '../../../symbolic/expressions.js'
import { Operator } from '../../../symbolic/operator.js'
import type { Path } from './path.js'

/** Places that one load may read from; with more, the address is made a number. */
const MOST_PLACES = 256

/**
 * What is loaded from an address that depends on the input, as long as it lies in its object: a choice among all that lies
 * there. 0 where the address has to be a number. That is so where it is a number already: accesses to shared memory
 * are logged before they are made, and the log counts as decided.
 */
export function indexedLoad(
  path: Path,
  bytes: Uint8Array,
  address: Expression,
  now: number,
  offset: number,
  size: number,
  place: number,
): Expression {
  const { expressions } = path
  const object = path.witness.objectAt(now + offset)
  if (object === undefined || path.isDecided(address, now)) return 0
  const [start, end] = object
  const room = end - start - size + 1
  if (room <= 0 || now + offset + size > end) return 0
  const index = expressions.binary(
    Operator.subtract,
    address,
    expressions.constant(BigInt(start - offset), 32),
  )
  const step = trailingZeros(expressions, index)
  if (room >>> step > MOST_PLACES) return 0
  path.decideInside(address, now, offset, size, object, place)
  const at = (place: number) => loaded(path, bytes, start + place, size)
  const value = chosen(expressions, index, step, room, 0, Math.ceil(Math.log2(room)), at)
  return expressions.isConstant(value) ? 0 : value
}

/** By the bits of the index, from the highest; what lies beyond the end is never chosen. */
function chosen(
  expressions: Expressions,
  index: Expression,
  step: number,
  room: number,
  from: number,
  bits: number,
  at: (place: number) => Expression,
): Expression {
  if (bits <= step) return at(from)
  const bit = bits - 1
  const low = chosen(expressions, index, step, room, from, bit, at)
  const middle = from + 2 ** bit
  if (middle >= room) return low
  const high = chosen(expressions, index, step, room, middle, bit, at)
  return expressions.choose(expressions.extract(index, bit, 1), high, low)
}

function loaded({ shadow, expressions }: Path, bytes: Uint8Array, address: number, size: number): Expression {
  const known = shadow.load(bytes, address, size)
  if (known !== 0) return known
  let value = 0n
  for (let i = size - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[address + i])
  return expressions.constant(value, 8 * size)
}

/** Bits that are zero whatever the input is, from the lowest on, as far as one sees at once. */
function trailingZeros(expressions: Expressions, e: Expression): number {
  const [a, b] = [expressions.first[e], expressions.second[e]]
  const ofConstant = (constant: Expression) => {
    const value = expressions.valueOf(constant)
    return value === 0n ? 32 : (value & -value).toString(2).length - 1
  }
  switch (expressions.operator[e]) {
    case Operator.constant:
      return ofConstant(e)
    case Operator.add:
      return Math.min(trailingZeros(expressions, a), trailingZeros(expressions, b))
    case Operator.multiply:
      return expressions.isConstant(b) ? ofConstant(b) : 0
    case Operator.shiftLeft:
      return expressions.isConstant(b) ? Number(expressions.valueOf(b)) % 32 : 0
    default:
      return 0
  }
}
