import { describe, expect, test } from 'vitest'
import { Random } from './random.js'

/** Pearson's statistic: how far counts are from being all equal. */
function chiSquared(counts: readonly number[]): number {
  const expected = counts.reduce((sum, n) => sum + n, 0) / counts.length
  return counts.reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0)
}

/** Mean plus five standard deviations of the statistic: about 1 in a million for a source that is uniform. */
function limit(cells: number): number {
  const freedom = cells - 1
  return freedom + 5 * Math.sqrt(2 * freedom) + 10
}

describe('Random', () => {
  test('is xoshiro128**: the numbers that follow the state 1, 2, 3, 4', () => {
    const random = Random.load([1, 2, 3, 4])
    const expected = [
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]
    expect(expected.map(() => random.next())).toEqual(expected)
  })

  test('repeats itself with the same seed and not with another', () => {
    const draw = (seed: number) => {
      const random = new Random(seed)
      return Array.from({ length: 20 }, () => random.next())
    }
    expect(draw(7)).toEqual(draw(7))
    const firsts = new Set(Array.from({ length: 1000 }, (_, seed) => draw(seed)[0]))
    expect(firsts.size).toBe(1000)
  })

  test.each([2, 3, 6, 7, 10, 100])('is uniform below %i', (n) => {
    const random = new Random(n)
    const counts = Array<number>(n).fill(0)
    for (let i = 0; i < 20_000; i++) counts[random.below(n)]++
    expect(chiSquared(counts)).toBeLessThan(limit(n))
  })

  test('is uniform below numbers that do not divide its range', () => {
    // Of 2^32 numbers the first third would come up twice as often if the rest of the range were not drawn again.
    const n = 3 * 2 ** 30
    const random = new Random(5)
    const thirds = [0, 0, 0]
    for (let i = 0; i < 20_000; i++) thirds[Math.floor(random.below(n) / 2 ** 30)]++
    expect(chiSquared(thirds)).toBeLessThan(limit(3))
  })

  test('does not repeat its pairs: below 8, then below 8', () => {
    const random = new Random(11)
    const counts = Array<number>(64).fill(0)
    for (let i = 0; i < 40_000; i++) counts[random.below(8) * 8 + random.below(8)]++
    expect(chiSquared(counts)).toBeLessThan(limit(64))
  })

  test('is uniform when it begins: the first numbers of near seeds', () => {
    const counts = Array<number>(16).fill(0)
    for (let seed = 0; seed < 20_000; seed++) counts[new Random(seed).below(16)]++
    expect(chiSquared(counts)).toBeLessThan(limit(16))
  })

  test('draws nothing where there is nothing to choose', () => {
    const random = new Random(3)
    const state = random.save()
    expect(random.below(1)).toBe(0)
    expect(random.below(0)).toBe(0)
    expect(random.save()).toEqual(state)
  })

  test('goes on exactly after being saved and loaded, through JSON', () => {
    const random = new Random(9)
    for (let i = 0; i < 100; i++) random.next()
    const copy = Random.load(JSON.parse(JSON.stringify(random.save())))
    const rest = Array.from({ length: 50 }, () => random.below(1000))
    expect(Array.from({ length: 50 }, () => copy.below(1000))).toEqual(rest)
  })

  test('is never in the state it could not leave', () => {
    for (const seed of [0, -1, 2 ** 31, 0x9e3779b9]) {
      const random = new Random(seed)
      expect(random.save().some((word) => word !== 0)).toBe(true)
    }
  })
})
