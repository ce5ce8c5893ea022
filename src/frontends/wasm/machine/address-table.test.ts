import { describe, expect, it } from 'vitest'
import { LocationTable } from '../../../machine/names.js'
import { AddressTable } from './address-table.js'

function make() {
  const locations = new LocationTable()
  return { locations, table: new AddressTable(locations) }
}

describe('AddressTable', () => {
  it('gives a range one location, with its bytes in the key', () => {
    const { table, locations } = make()
    const location = table.locate(0x1000, 4)
    expect(table.locate(0x1000, 4)).toBe(location)
    expect(locations.keys[location]).toBe('1000+4')
    expect(locations.overlaps[location]).toBe(null)
  })

  it('knows where locations lie that came by name alone', () => {
    const { table, locations } = make()
    const byte = table.locate(0x2001, 1)
    const [word, mutex] = locations.preload([
      ['memory', '2000+4'],
      ['mutex', '3000'],
    ])
    expect(locations.overlaps[word]).toEqual([byte])
    expect(locations.overlaps[mutex]).toBe(null)
    const half = table.locate(0x2002, 2)
    const inMutex = table.locate(0x3004, 4)
    expect(locations.overlaps[half]).toEqual([word])
    expect(locations.overlaps[inMutex]).toEqual([mutex])
    expect(table.locate(0x2000, 4)).toBe(word)
  })

  it('knows which ranges share bytes, whichever came first', () => {
    const { table, locations } = make()
    const word = table.locate(0x2000, 8)
    const half = table.locate(0x2004, 4)
    const byte = table.locate(0x2004, 1)
    const next = table.locate(0x2008, 4)
    expect(locations.overlaps[word]).toEqual([half, byte])
    expect(locations.overlaps[byte]).toEqual([word, half])
    expect(locations.overlaps[next]).toBe(null)
    expect(table.locate(0x2004, 4)).toBe(half)
    expect(table.locate(0x2004, 1)).toBe(byte)
  })

  it('knows long ranges, over pages', () => {
    const { table, locations } = make()
    const before = table.locate(0x3ffe, 2)
    const block = table.locate(0x3ff0, 8192)
    const after = table.locate(0x5000, 4)
    const outside = table.locate(0x5ff0, 4)
    expect(locations.overlaps[block]).toEqual([before, after])
    expect(locations.overlaps[outside]).toBe(null)
  })

  it('keeps objects of different kinds at one address apart', () => {
    const { table } = make()
    const mutex = table.object('mutex', 0x6000)
    expect(table.object('condition', 0x6000)).not.toBe(mutex)
    expect(table.object('mutex', 0x6000)).toBe(mutex)
    expect(table.locate(0x6000, 4)).not.toBe(mutex)
  })

  it('knows what shares bytes with an object, whichever came first', () => {
    const { table, locations } = make()
    const early = table.locate(0x7010, 4)
    const mutex = table.object('mutex', 0x7000)
    const late = table.locate(0x7000, 64)
    const outside = table.locate(0x7018, 4)
    expect(locations.overlaps[mutex]).toEqual([early, late])
    expect(locations.overlaps[outside]).toEqual([late])
  })

  it('takes addresses of the upper half as signed or unsigned', () => {
    const { table } = make()
    expect(table.locate(-16, 4)).toBe(table.locate(0xfffffff0, 4))
    expect(table.object('mutex', -64)).toBe(table.object('mutex', 0xffffffc0))
  })
})
