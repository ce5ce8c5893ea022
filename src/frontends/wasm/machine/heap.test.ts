import { describe, expect, it } from 'vitest'
import { Heap } from './heap.js'
import type { MemoryMap } from './memory-map.js'

/** Two slots with two pieces each. */
const map = {
  slot: (index: number) => ({
    arena: [
      { start: 1000 + index * 1000, end: 2000 + index * 1000 },
      { start: 10_000 + index * 5000, end: 15_000 + index * 5000 },
    ],
  }),
  slotOfHeap(address: number) {
    if (address >= 1000 && address < 3000) return Math.floor((address - 1000) / 1000)
    return address >= 10_000 && address < 20_000 ? Math.floor((address - 10_000) / 5000) : -1
  },
} as unknown as MemoryMap

const make = () => new Heap(map, () => {})

describe('Heap', () => {
  it('gives each slot addresses that depend on nobody else', () => {
    const [one, two] = [make(), make()]
    two.allocate(1, 50, 16, 0)
    expect(one.allocate(0, 10, 16, 0)).toBe(two.allocate(0, 10, 16, 0))
  })

  it('goes on in the next piece, and then has nothing left', () => {
    const heap = make()
    expect(heap.allocate(0, 900, 16, 0)).toBeLessThan(2000)
    const second = heap.allocate(0, 900, 16, 0)
    expect(second).toBeGreaterThanOrEqual(10_000)
    expect(heap.allocate(0, 6000, 16, 0)).toBe(0)
  })

  it('finds blocks by any of their bytes, and nothing between them', () => {
    const heap = make()
    const [a, b] = [heap.allocate(0, 10, 16, 7), heap.allocate(0, 0, 16, 8)]
    expect(heap.blockAt(a + 9)).toMatchObject({ start: a, size: 10, site: 7, rank: 1, freed: false })
    expect(heap.blockAt(a + 10)).toBe(undefined)
    expect(heap.blockAt(b)).toMatchObject({ start: b, size: 0, rank: 2 })
    expect(heap.blockAt(5)).toBe(undefined)
  })

  it('knows freed blocks until the reset', () => {
    const heap = make()
    const memory = new Uint8Array(20_000)
    heap.keep()
    const a = heap.allocate(1, 10, 16, 0)
    memory[a] = 5
    heap.free(heap.blockAt(a)!)
    expect([heap.isFreed(a), heap.isFreed(a + 10), heap.freed]).toEqual([true, false, 1])
    heap.reset(memory)
    expect([heap.isFreed(a), heap.freed, memory[a]]).toEqual([false, 0, 0])
    expect(heap.allocate(1, 10, 16, 0)).toBe(a)
  })

  it('goes back to what constructors left', () => {
    const heap = make()
    const memory = new Uint8Array(20_000)
    const [kept, gone] = [heap.allocate(0, 10, 16, 0), heap.allocate(0, 10, 16, 0)]
    heap.free(heap.blockAt(gone)!)
    heap.keep()
    expect(heap.initialRanges()).toEqual([{ start: 1000, end: gone + 26 }])
    const later = heap.allocate(0, 10, 16, 0)
    heap.free(heap.blockAt(kept)!)
    memory[kept] = memory[later] = 1
    heap.reset(memory)
    expect(heap.blockAt(kept)?.freed).toBe(false)
    expect(heap.blockAt(gone)?.freed).toBe(true)
    expect(heap.blockAt(later)).toBe(undefined)
    expect([memory[kept], memory[later]]).toEqual([1, 0])
  })
})
