import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Reader, Writer } from './bytes.js'

describe('LEB128', () => {
  it('reads back unsigned numbers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 0xffffffff }), (n) => {
        const writer = new Writer(1)
        writer.u32(n)
        const reader = new Reader(writer.view())
        expect(reader.u32()).toBe(n)
        expect(reader.done).toBe(true)
      }),
      { seed: 1 },
    )
  })

  it('reads back signed numbers', () => {
    fc.assert(
      fc.property(fc.integer(), (n) => {
        const writer = new Writer(1)
        writer.s32(n)
        const reader = new Reader(writer.view())
        expect(reader.s32()).toBe(n)
        expect(reader.done).toBe(true)
      }),
      { seed: 1 },
    )
  })

  it('reads the padded numbers that linkers write', () => {
    expect(new Reader(Uint8Array.of(0x83, 0x80, 0x80, 0x80, 0x00)).u32()).toBe(3)
    expect(new Reader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f)).s32()).toBe(-1)
    expect(new Reader(Uint8Array.of(0x83, 0x80, 0x80, 0x80, 0x00)).s32()).toBe(3)
  })

  it('passes over numbers of any width', () => {
    const reader = new Reader(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 7))
    reader.skipLeb()
    expect(reader.byte()).toBe(7)
  })
})

it('a writer grows and keeps what it has', () => {
  const writer = new Writer(2)
  for (let i = 0; i < 300; i++) writer.byte(i & 255)
  writer.bytes([1, 2, 3])
  writer.name('né')
  const bytes = writer.view()
  expect(bytes.length).toBe(300 + 3 + 4)
  expect([...bytes.subarray(298, 303)]).toEqual([298 & 255, 299 & 255, 1, 2, 3])
  expect(new Reader(bytes, 303).name()).toBe('né')
})
