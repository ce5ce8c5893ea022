import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HeapShadow } from './heap-shadow.js'

const START = 8192
const END = 32_768

/** Blocks at multiples of 16 that do not overlap, some closed again. */
const blocks = fc
  .array(fc.record({ gap: fc.integer({ min: 2, max: 300 }), size: fc.nat(9000), closed: fc.boolean() }), {
    maxLength: 6,
  })
  .map((list) => {
    let next = START
    return list
      .map(({ gap, size, closed }) => {
        const start = next + gap * 16
        next = Math.ceil((start + size) / 16) * 16
        return { start, size, closed }
      })
      .filter(({ start, size }) => start + size <= END)
  })

describe('HeapShadow', () => {
  it('is closed exactly where the heap belongs to nobody', () => {
    fc.assert(
      fc.property(
        blocks,
        fc.array(fc.tuple(fc.integer({ min: START - 20, max: END + 20 }), fc.integer({ min: 1, max: 9000 }))),
        (list, accesses) => {
          const shadow = new HeapShadow([{ start: START, end: END }])
          const isClosed = new Uint8Array(END + 20_000).fill(1, START, END)
          for (const { start, size, closed } of list) {
            shadow.open(start, size)
            if (closed) shadow.close(start, start + size)
            else isClosed.fill(0, start, start + size)
          }
          const near = list.flatMap(({ start, size }) =>
            [start, start + size].flatMap((at) =>
              [-9, -8, -1, 0, 1, 5].flatMap((offset) => [1, 4, 8, 13].map((n) => [at + offset, n] as const)),
            ),
          )
          for (const [address, size] of [...accesses, ...near]) {
            expect(shadow.isClosed(address, size)).toBe(
              isClosed.subarray(address, address + size).includes(1),
            )
          }
        },
      ),
      { numRuns: 200, seed: 6 },
    )
  })

  it('says nothing about memory that is no heap', () => {
    const shadow = new HeapShadow([{ start: START, end: END }])
    expect([shadow.isClosed(0, 8), shadow.isClosed(END, 4), shadow.isClosed(START - 8, 8)]).toEqual([
      false,
      false,
      false,
    ])
    expect(shadow.isClosed(START - 8, 9)).toBe(true)
  })
})
