import { expect, test } from 'vitest'
import { everywhere } from '../../machine/points.js'
import type { SearchPlan } from '../search.js'
import type { SavedSearch } from '../search-state.js'
import { type Stream, Streams } from './streams.js'

const plan: SearchPlan = {
  points: everywhere,
  strategy: 'pos',
  order: 'stay',
  seed: 7,
  maxExecutions: 1000,
  keepGoing: true,
  selfCheck: 0,
}

const saved = (executions: number) => ({ counters: { executions }, state: {} }) as unknown as SavedSearch

test('deals out as many samples as are asked for, whoever is lost on the way', () => {
  const streams = new Streams(plan, null)
  const atWork: { stream: Stream; asked: number }[] = []
  let drawn = 0
  for (let turn = 0; !streams.isDone; turn++) {
    expect(turn).toBeLessThan(1000)
    if (atWork.length < 3) {
      const next = streams.take(3)
      if (next) atWork.push({ stream: next.stream, asked: next.plan.maxExecutions! })
    }
    if (atWork.length === 3 || turn % 2 === 1) {
      const { stream, asked } = atWork.shift()!
      // Every fifth worker dies, and what it had drawn by then counts only in part.
      const counts = turn % 5 === 0 ? Math.floor(asked / 3) : asked
      streams.leave(stream, counts)
      drawn += counts
    }
  }
  expect(drawn).toBe(1000)
})

test('streams have seeds of their own, the first that of the plan', () => {
  const streams = new Streams(plan, null)
  const seeds = Array.from({ length: 5 }, () => streams.take(5)!.plan.seed)
  expect(seeds[0]).toBe(7)
  expect(new Set(seeds).size).toBe(5)
})

test('go on where they were saved, with fewer and with more workers', () => {
  const before = new Streams(plan, saved(3))
  const taken = [before.take(2)!, before.take(2)!]
  expect(taken.map(({ stream }) => stream.saved)).toEqual([saved(3), null])
  for (const [i, { stream }] of taken.entries()) {
    stream.saved = saved(10 + i)
    before.leave(stream, stream.asked!)
  }
  const after = new Streams({ ...plan, maxExecutions: undefined }, {
    state: JSON.parse(JSON.stringify(before.save())),
  } as unknown as SavedSearch)
  const again = [after.take(3)!, after.take(3)!, after.take(3)!]
  expect(again.map(({ stream }) => stream.saved)).toEqual([saved(10), saved(11), null])
  expect(again.map(({ stream }) => stream.seed).slice(0, 2)).toEqual(taken.map(({ stream }) => stream.seed))
  expect(again[2].plan.maxExecutions).toBeUndefined()
})
