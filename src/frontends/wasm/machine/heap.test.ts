import { describe, expect, it } from 'vitest'
import { Heap, RED_ZONE } from './heap.js'
import type { MemoryMap } from './memory-map.js'

/** Two slots with two pieces each. */
const map = {
  heap: [
    { start: 4096, end: 12_288 },
    { start: 40_960, end: 57_344 },
  ],
  slot: (index: number) => ({
    arena: [
      { start: 4096 + index * 4096, end: 8192 + index * 4096 },
      { start: 40_960 + index * 8192, end: 49_152 + index * 8192 },
    ],
  }),
  slotOfHeap(address: number) {
    if (address >= 4096 && address < 12_288) return Math.floor((address - 4096) / 4096)
    return address >= 40_960 && address < 57_344 ? Math.floor((address - 40_960) / 8192) : -1
  },
} as unknown as MemoryMap
const MEMORY = 60_000

const make = () => new Heap(map, () => {})

describe('Heap', () => {
  it('gives each slot addresses that depend on nobody else', () => {
    const [one, two] = [make(), make()]
    two.allocate(1, 50, 16, 0)
    expect(one.allocate(0, 10, 16, 0)).toBe(two.allocate(0, 10, 16, 0))
  })

  it('leaves nothing behind, not even in the byte before the first block', () => {
    const heap = make()
    const memory = new Uint8Array(MEMORY)
    const start = heap.allocate(1, 10, 16, 0)
    memory.fill(7, start - 1, start + 10)
    heap.reset(memory)
    expect(memory.indexOf(7)).toBe(-1)
  })

  it('goes on in the next piece, and then has nothing left', () => {
    const heap = make()
    expect(heap.allocate(0, 3000, 16, 0)).toBeLessThan(8192)
    const second = heap.allocate(0, 3000, 16, 0)
    expect(second).toBeGreaterThanOrEqual(40_960)
    expect(heap.allocate(0, 9000, 16, 0)).toBe(0)
    expect(heap.whyNot(0, 9000)).toContain('9000 bytes do not fit')
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
    const memory = new Uint8Array(MEMORY)
    heap.keep()
    const a = heap.allocate(1, 10, 16, 0)
    memory[a] = 5
    heap.free(heap.blockAt(a)!)
    expect([heap.blockAt(a)?.freed, heap.shadow.isClosed(a, 1)]).toEqual([true, true])
    heap.reset(memory)
    expect([heap.blockAt(a), memory[a]]).toEqual([undefined, 0])
    expect(heap.allocate(1, 10, 16, 0)).toBe(a)
  })

  it('goes back to what constructors left', () => {
    const heap = make()
    const memory = new Uint8Array(MEMORY)
    const [kept, gone] = [heap.allocate(0, 10, 16, 0), heap.allocate(0, 10, 16, 0)]
    heap.free(heap.blockAt(gone)!)
    heap.keep()
    expect(heap.initialRanges()).toEqual([{ start: 4096, end: gone + 10 + RED_ZONE + 1 }])
    const later = heap.allocate(0, 10, 16, 0)
    heap.free(heap.blockAt(kept)!)
    memory[kept] = memory[later] = 1
    heap.reset(memory)
    expect(heap.blockAt(kept)?.freed).toBe(false)
    expect(heap.blockAt(gone)?.freed).toBe(true)
    expect(heap.blockAt(later)).toBe(undefined)
    expect([kept, gone, later].map((start) => heap.shadow.isClosed(start, 10))).toEqual([false, true, true])
    expect([memory[kept], memory[later]]).toEqual([1, 0])
  })

  it('has room that belongs to nobody around every block', () => {
    const heap = make()
    const blocks = [1, 10, 8, 0, 100].map((size) => ({ size, start: heap.allocate(0, size, 16, 0) }))
    for (const { start, size } of blocks) {
      for (let at = -RED_ZONE; at < size + RED_ZONE; at++) {
        expect(heap.shadow.isClosed(start + at, 1)).toBe(at < 0 || at >= size)
      }
      expect(heap.blockNear(start + size + 3)?.start).toBe(start)
      expect(heap.blockNear(start - 3)?.start).toBe(start)
    }
  })

  it('says how much was too much', () => {
    const heap = new Heap(map, () => {}, 2 ** 20)
    expect(heap.allocate(0, 2 ** 20 + 1, 16, 0)).toBe(0)
    expect(heap.whyNot(0, 2 ** 20 + 1)).toContain(
      '1048577 bytes more than the 0 MB allocated so far exceed the 1 MB',
    )
  })

  it('cleans closed memory that was written to', () => {
    const heap = make()
    const memory = new Uint8Array(MEMORY)
    heap.keep()
    const a = heap.allocate(0, 10, 16, 0)
    memory[a + 1000] = 1
    heap.soil(a + 1000, 4)
    heap.reset(memory)
    expect(memory[a + 1000]).toBe(0)
  })
})
