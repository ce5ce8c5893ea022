import { expect, it } from 'vitest'
import type { Io } from './io.js'
import { LiveLine, progressText } from './progress.js'

const progress = { title: 'every schedule', strategy: 'optimal', executions: 1234567, seconds: 10, bugs: 0 }

it('says what is tried, how far, how fast, and how long still', () => {
  expect(progressText(progress, 60)).toBe(
    'every schedule (optimal): 1 234 567 executions, 123 457 per second, 50 s left',
  )
  expect(progressText({ ...progress, bugs: 2 }, Infinity)).toBe(
    'every schedule (optimal): 1 234 567 executions, 123 457 per second, 2 found',
  )
})

it.each([true, false])('keeps quiet at first, and always unless at a terminal (%s)', (isLive) => {
  const written: string[] = []
  const live = new LiveLine(
    { isLive, width: 40, err: (text: string) => written.push(text) } as unknown as Io,
    60,
  )
  live.update({ ...progress, seconds: 1.9 })
  expect(written).toEqual([])
  live.update({ ...progress, seconds: 2.1 })
  live.update({ ...progress, seconds: 2.2 })
  live.clear()
  expect(written).toHaveLength(isLive ? 2 : 0)
  for (const text of written) expect(text.replace('\r\x1b[K', '').length).toBeLessThan(40)
})
