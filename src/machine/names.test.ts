import { describe, expect, test } from 'vitest'
import { hashName, LocationTable, ThreadTable } from './names.js'

describe('threads', () => {
  test('are named by parent and rank, whatever the order of discovery', () => {
    const table = new ThreadTable()
    const main = table.root(0)
    const second = table.child(main, 2)
    const first = table.child(main, 1)
    expect([second, first].map((t) => table.names[t])).toEqual(['0.2', '0.1'])
    expect(table.names[table.child(second, 1)]).toBe('0.2.1')
    expect(table.child(main, 2)).toBe(second)
    expect(table.count).toBe(4)
  })

  test('are found by name, and added with their parents', () => {
    const table = new ThreadTable()
    const deep = table.byName('0.1.2')
    expect([...table.names]).toEqual(['0', '0.1', '0.1.2'])
    expect(table.byName('0.1.2')).toBe(deep)
    expect(() => table.byName('main')).toThrow('"main" is not a thread name; they look like 0, 0.1 or 0.1.2')
    expect(() => table.byName('0.-1')).toThrow(RangeError)
  })

  test('get the same indexes again from saved names', () => {
    const table = new ThreadTable()
    table.child(table.child(table.root(0), 2), 1)
    table.root(1)
    const again = new ThreadTable()
    expect(again.preload(table.names)).toEqual([0, 1, 2, 3])
    expect(again.names).toEqual(table.names)
    const used = new ThreadTable()
    used.root(1)
    expect(used.preload(table.names)).toEqual([1, 2, 3, 0])
  })

  test('show a label where they have one', () => {
    const table = new ThreadTable()
    const main = table.root(0)
    expect(table.labelOf(main)).toBe('0')
    table.label(main, 'main')
    expect(table.labelOf(main)).toBe('main')
    expect(table.names[main]).toBe('0')
  })
})

describe('locations', () => {
  test('are told apart by kind and key together', () => {
    const table = new LocationTable()
    const memory = table.intern('memory', 'x')
    const mutex = table.intern('mutex', 'x')
    expect(mutex).not.toBe(memory)
    expect(table.intern('memory', 'x')).toBe(memory)
    expect(table.hashes[mutex]).not.toBe(table.hashes[memory])
    expect(table.entries()).toEqual([
      ['memory', 'x'],
      ['mutex', 'x'],
    ])
  })

  test('get the same indexes again from saved entries', () => {
    const table = new LocationTable()
    table.intern('memory', 'x')
    table.intern('semaphore', 's')
    const again = new LocationTable()
    expect(again.preload(table.entries())).toEqual([0, 1])
    const used = new LocationTable()
    used.intern('semaphore', 's')
    expect(used.preload(table.entries())).toEqual([1, 0])
  })

  test('know which others share bytes with them', () => {
    const table = new LocationTable()
    const [a, b, c] = ['0+8', '4+4', '8+4'].map((key) => table.intern('memory', key))
    expect(table.anyOverlap).toBe(false)
    table.addOverlap(a, b)
    expect(table.anyOverlap).toBe(true)
    expect(table.overlaps.slice(a, c + 1)).toEqual([[b], [a], null])
  })
})

test('hashes of names are spread: no two alike among many', () => {
  const hashes = new Set(Array.from({ length: 20_000 }, (_, i) => hashName(`0.${i}`)))
  expect(hashes.size).toBeGreaterThan(19_998)
})
