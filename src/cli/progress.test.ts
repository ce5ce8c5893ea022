import { expect, it } from 'vitest'
import type { Io } from './io.js'
import { LiveLine, progressText } from './progress.js'

const progress = { title: 'every schedule', strategy: 'optimal', executions: 1234567, seconds: 10, bugs: 0 }

it('says what is tried, how far, how fast, and how long still', () => {
  expect(progressText(progress, 60)).toBe(
    'every schedule (optimal): 1 234 567 executions, 50 s of budget, 123 457 per second',
  )
  expect(progressText({ ...progress, bugs: 2 }, Infinity)).toBe(
    'every schedule (optimal): 1 234 567 executions, 2 found, 123 457 per second',
  )
})

it('says how much is done and how long it takes, as an estimate', () => {
  const outlook = { executions: 1e7, share: 0.1239, secondsLeft: 2400, seen: 1234567 }
  expect(progressText({ ...progress, outlook }, Infinity)).toBe(
    'every schedule (optimal): 1 234 567 executions, est. 12 % done, 40 min to go, 123 457 per second',
  )
  expect(progressText({ ...progress, outlook: { ...outlook, share: 0.001, bound: 3 } }, Infinity)).toBe(
    'every schedule (optimal): 1 234 567 executions, est. less than 1 % of bound 3 done, 40 min to go, 123 457 per second',
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
  for (const text of written) expect(text.replace('\r\x1b[J', '').length).toBeLessThan(40)
})
