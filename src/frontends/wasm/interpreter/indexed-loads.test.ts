import { describe, expect, it } from 'vitest'
import { Evaluation } from '../../../symbolic/evaluate.js'
import { Operator } from '../../../symbolic/operator.js'
import { indexedLoad } from './indexed-loads.js'
import { Path } from './path.js'

const START = 64

/** An object from `START` on, of which every byte is another; the byte at `symbolic`, if given, is input 1. */
function objectOf(size: number, symbolic = -1) {
  const path = new Path()
  path.witness = {
    running: () => 0,
    objectAt: (address) => (address >= START && address < START + size ? [START, START + size] : undefined),
    isLog: () => false,
  }
  path.begin()
  const bytes = Uint8Array.from({ length: 1024 }, (_, i) => (i * 37 + 11) & 0xff)
  if (symbolic >= 0) path.shadow.setByte(bytes, START + symbolic, path.expressions.variable(1, 8))
  return { path, bytes, expressions: path.expressions }
}

describe('a load whose address depends on the input', () => {
  it.each([
    [1, 1, 200],
    [1, 1, 37],
    [2, 2, 100],
    [4, 4, 64],
    [4, 12, 144],
    [8, 8, 64],
    [2, 1, 33],
  ])('finds what lies there: %i bytes, every %i of %i', (size, step, whole) => {
    const { path, bytes, expressions } = objectOf(whole, 8)
    const number = (n: number) => expressions.constant(BigInt(n), 32)
    const entry = expressions.extendUnsigned(expressions.variable(0, 8), 32)
    const scaled = expressions.binary(Operator.multiply, entry, number(step))
    const address = expressions.binary(Operator.add, scaled, number(START - 4))
    const value = indexedLoad(path, bytes, address, START - 4, 4, size, 1)
    expect(value).not.toBe(0)
    for (let i = 0; i * step + size <= whole; i++) {
      const evaluation = new Evaluation(expressions, [BigInt(i), BigInt(bytes[START + 8])])
      const found = Array.from(bytes.subarray(START + i * step, START + i * step + size))
      const wanted = found.reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
      expect([i, evaluation.valueOf(value)]).toEqual([i, wanted])
    }
    // It is asked whether the address lies inside, and nothing else.
    const [{ decisions }] = path.takePaths()
    expect(decisions.map(({ kind }) => kind)).toEqual(['bounds'])
  })

  it('is left to one place if that is decided, if there are too many, or if the object is not known', () => {
    const { path, bytes, expressions } = objectOf(512)
    const entry = expressions.extendUnsigned(expressions.variable(0, 16), 32)
    const at = (n: number) => expressions.binary(Operator.add, entry, expressions.constant(BigInt(n), 32))
    expect(indexedLoad(path, bytes, at(START), START, 0, 1, 1)).toBe(0)
    expect(indexedLoad(path, bytes, at(8), 8, 0, 1, 1)).toBe(0)
    const small = objectOf(16)
    const address = small.expressions.binary(
      Operator.add,
      small.expressions.extendUnsigned(small.expressions.variable(0, 8), 32),
      small.expressions.constant(BigInt(START), 32),
    )
    small.path.makeConcrete(address, START + 3, 0, 1)
    expect(indexedLoad(small.path, small.bytes, address, START + 3, 0, 1, 1)).toBe(0)
  })
})
