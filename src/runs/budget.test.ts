import { expect, it } from 'vitest'
import { formatSeconds } from '../words/words.js'
import { parseBudget } from './budget.js'

it.each([
  ['60s', 60],
  ['500ms', 0.5],
  ['2m', 120],
  ['1.5h', 5400],
  ['7', 7],
  ['none', Infinity],
])('reads %s', (text, seconds) => {
  expect(parseBudget(text)).toBe(seconds)
})

it.each(['', '0', '-1s', '5 s', 's', '1d', 'NaN', '1e3s'])('refuses "%s"', (text) => {
  expect(() => parseBudget(text)).toThrow(/write a time such as 60s/)
})

it.each([
  [0.004, '0.00 s'],
  [9.5, '9.50 s'],
  [61, '61 s'],
  [200, '3 min 20 s'],
  [7260, '2 h 1 min'],
])('writes %d seconds', (seconds, text) => {
  expect(formatSeconds(seconds)).toBe(text)
})
