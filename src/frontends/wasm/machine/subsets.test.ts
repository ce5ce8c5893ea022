import { expect, test } from 'vitest'
import { countSubsets, subset } from './subsets.js'

test('every subset has one number', () => {
  for (let count = 0; count <= 6; count++) {
    for (let wanted = 0; wanted <= count; wanted++) {
      const ways = countSubsets(count, wanted)
      const all = Array.from({ length: ways }, (_, i) => subset(count, wanted, i))
      expect(new Set(all.map(String)).size).toBe(ways)
      for (const places of all) {
        expect(places).toHaveLength(wanted)
        expect([...places].sort((a, b) => a - b)).toEqual(places)
        expect(places.every((place) => place >= 0 && place < count)).toBe(true)
      }
    }
  }
  expect(countSubsets(6, 3)).toBe(20)
})

test('who wants more than there are gets all', () => {
  expect(countSubsets(2, 5)).toBe(1)
  expect(subset(2, 5, 0)).toEqual([0, 1])
})
