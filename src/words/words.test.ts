import { expect, test } from 'vitest'
import { about, roughNumber, roughShare, roughTime } from './words.js'

test('what is estimated reads as a sentence', () => {
  expect(about(roughTime(300))).toBe('about 5 min')
  expect(about(roughTime(1e12))).toBe('more than a year')
  expect(about(roughShare(0.5))).toBe('about 50 %')
  expect(about(roughShare(0.001))).toBe('less than 1 %')
  expect(about(roughNumber(1e20))).toBe('more than 10^15')
})
