import { expect, test } from 'vitest'
import type { RaceDetector } from './detector.js'
import { occasional } from './occasional.js'

/** A detector that counts what it is shown. */
function counting() {
  const table = { version: 0, skipped: 0 }
  const seen = { executions: 0 }
  const detector = { kind: 'pure', table, footprints: true, end: () => void seen.executions++ }
  return { table, seen, observer: occasional(detector as unknown as RaceDetector) }
}

test('looks at every execution while races are new, then at some', () => {
  const { table, seen, observer } = counting()
  const watch = (executions: number) => {
    const before = seen.executions
    for (let i = 0; i < executions; i++) observer.end?.(null as never, 'completed')
    return seen.executions - before
  }
  expect(watch(1000)).toBe(1000)
  expect(watch(1600)).toBe(100)
  expect(table.skipped).toBe(1500)
  table.version++
  expect(watch(1000)).toBe(1000)
  expect(watch(16)).toBe(1)
})
