import { expect, test, vi } from 'vitest'
import { Progress } from './progress.js'

test('agrees with what was known before, rises, and ends at 1', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  let share = 0
  const progress = new Progress(() => share, 0.4)
  share = 0.01
  expect(progress.share()).toBeUndefined()
  now.mockReturnValue(1000)
  expect(progress.share()).toBeCloseTo(0.4)
  share = 0.1
  expect(progress.share()).toBeCloseTo(0.4 ** 0.5)
  share = 1
  expect(progress.share()).toBe(1)
  now.mockRestore()
})

test('takes the word of the tree where nothing was known before', () => {
  const now = vi.spyOn(performance, 'now').mockReturnValue(0)
  const progress = new Progress(() => 0.25, undefined)
  now.mockReturnValue(1000)
  expect(progress.share()).toBe(0.25)
  now.mockRestore()
})
