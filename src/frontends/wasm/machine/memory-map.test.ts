import { expect, it } from 'vitest'
import type { Layout } from '../artifact.js'
import { MAX_THREADS, memoryMap, type Piece } from './memory-map.js'

const MB = 2 ** 20
const layout = { free: 3 * 65536, tls: { base: 0, size: 20, align: 8 } } as Layout
const map = memoryMap(layout)
const slots = Array.from({ length: MAX_THREADS }, (_, i) => map.slot(i))

it('gives every slot memory of its own', () => {
  const pieces: Piece[] = [
    map.tape,
    ...slots.map(({ stackEnd, unwindEnd }) => ({ start: stackEnd, end: unwindEnd })),
    ...slots.flatMap(({ arena }) => arena),
  ].sort((a, b) => a.start - b.start)
  for (const [i, { start, end }] of pieces.entries()) {
    expect(start).toBeLessThan(end)
    if (i > 0) expect(start).toBeGreaterThanOrEqual(pieces[i - 1].end)
  }
  expect(pieces[0].start).toBeGreaterThan(layout.free)
  expect(pieces.at(-1)!.end).toBeLessThan(2 ** 32)
})

it('knows whose memory it is', () => {
  for (const [i, { arena, stackEnd, stackTop, shadow }] of slots.entries()) {
    for (const { start, end } of arena) {
      expect([start, end - 1].map(map.slotOfHeap)).toEqual([i, i])
      expect(map.slotOfStack(start)).toBe(-1)
    }
    expect([stackEnd, stackTop - 1, shadow].map(map.slotOfStack)).toEqual([i, i, -1])
    expect(map.slotOfHeap(stackTop)).toBe(-1)
  }
})

it('all that is heap is in its list, by ascending address', () => {
  const starts = map.heap.map(({ start }) => start)
  expect(starts).toEqual([...starts].sort((a, b) => a - b))
  for (const { start, end } of slots.flatMap(({ arena }) => arena))
    expect(map.heap.some((piece) => start >= piece.start && end <= piece.end)).toBe(true)
})

it('a program of few threads that allocates little needs little address space, which is there at once', () => {
  for (const { unwindEnd, arena } of [...slots.slice(0, 20), ...slots.slice(128, 132)]) {
    expect(unwindEnd).toBeLessThanOrEqual(map.firstEnd)
    expect(arena[0].end).toBeLessThanOrEqual(map.firstEnd)
  }
  expect(map.firstEnd).toBeLessThan(40 * MB)
})
