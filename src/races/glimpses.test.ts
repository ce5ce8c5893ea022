import { expect, test } from 'vitest'
import { Glimpses } from './glimpses.js'

test('looks at all samples while races are new, then at some, and needs events only of those', () => {
  const table = { version: 0, skipped: 0 }
  let looked = 0
  let logged = 0
  const glimpses = new Glimpses([{ footprints: true, end: () => void looked++ }], table)
  const sample = (times: number) => {
    const before = looked
    for (let i = 0; i < times; i++) {
      if (glimpses.footprints) logged++
      glimpses.begin(null as never, null as never)
      glimpses.end(null as never, 'completed')
    }
    return looked - before
  }
  expect(sample(48)).toBe(48)
  table.version++
  expect(sample(40)).toBe(40)
  expect(sample(800)).toBeLessThan(130)
  expect(logged).toBe(looked)
  expect(looked + table.skipped).toBe(888)
  // Late ones do not make all that follow slow.
  table.version++
  expect(sample(80)).toBe(10)
})
