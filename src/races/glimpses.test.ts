import { expect, test } from 'vitest'
import { Glimpses } from './glimpses.js'

/** Samples that take a tick each to draw, and `cost` more to look at. */
function samples(cost: number) {
  const table = { version: 0, skipped: 0 }
  let now = 0
  let looked = 0
  let logged = 0
  const look = () => {
    looked++
    now += cost
  }
  const glimpses = new Glimpses([{ footprints: true, end: look }], table, () => now)
  /** How many of so many are looked at. */
  const draw = (times: number, hasNewRace = false) => {
    const before = looked
    for (let i = 0; i < times; i++) {
      if (glimpses.footprints) logged++
      glimpses.begin(null as never, null as never)
      if (hasNewRace) table.version++
      now++
      glimpses.end(null as never, 'completed')
    }
    expect(logged).toBe(looked)
    return looked - before
  }
  return { table, draw }
}

test('looks at samples while races are new, then at some, and needs events only of those', () => {
  const { table, draw } = samples(0.1)
  const first = draw(200, true)
  expect(first).toBeGreaterThan(20)
  const later = draw(800)
  expect(later).toBeGreaterThan(80)
  expect(later).toBeLessThan(180)
  expect(first + later + table.skipped).toBe(1000)
})

test('looking takes a small part of the time, even if each sample shows a race that is new', () => {
  const { draw } = samples(30)
  const looked = draw(10_000, true)
  expect(looked).toBeGreaterThan(50)
  // 31 ticks for each of them, in a fifth of all ticks.
  expect(31 * looked).toBeLessThan(0.25 * (10_000 + 30 * looked))
})
