import { expect, it } from 'vitest'
import { noCounters } from '../runs/counters.js'
import { newRecord } from '../runs/search-record.js'
import { type Displayed, inputLines, progressLines, RunDisplay } from './display.js'
import type { Io } from './io.js'

const search = newRecord({
  id: 1,
  title: 'every schedule',
  strategy: 'optimal',
  points: { kinds: [], races: [], rules: [] },
})
const run = {
  seconds: 10,
  counters: { ...noCounters, executions: 1234567 },
  bugs: [],
  running: [{ worker: 'this thread', search }],
  deepening: null,
} as unknown as Displayed

it('says what is tried, how far, how fast, and how long still', () => {
  expect(progressLines(run, 60)).toEqual([
    'every schedule (optimal): 1 234 567 executions, 50 s of budget, 123 457 per second',
  ])
  expect(progressLines({ ...run, bugs: [{}, {}] as never }, Infinity)).toEqual([
    'every schedule (optimal): 1 234 567 executions, 2 bugs, 123 457 per second',
  ])
})

it('says how the exploration of inputs is going', () => {
  const counts = {
    paths: 12,
    queries: 1300,
    unknown: 2,
    cutValues: 0,
    unordered: 0,
    spun: 0,
    waysTaken: 7,
    ways: 8,
  }
  const progress = { seconds: 10, executions: 4321, inputs: 9, waiting: 3, counts, solverSeconds: 4.2 }
  expect(inputLines(progress, 60)).toEqual([
    'inputs: 9 explored, 3 waiting, 12 paths, 1 300 queries (2 given up) in 4 s, 7 of 8 ways at branches, 4 321 executions, 50 s of budget',
  ])
  const shown: string[] = []
  const io = { isLive: false, err: (text: string) => shown.push(text) } as unknown as Io
  const display = new RunDisplay(io, 60)
  display.updateInputs({ ...progress, seconds: 1.9 })
  expect(shown).toEqual([])
  display.updateInputs(progress)
  display.updateInputs({ ...progress, seconds: 11 })
  expect(shown).toHaveLength(1)
})

it('says how much is done and how long it takes, as an estimate', () => {
  const outlook = { executions: 1e7, share: 0.1239, secondsLeft: 2400, seen: 1234567 }
  const withOutlook = (more: object) => ({
    ...run,
    running: [{ worker: 'this thread', search: { ...search, outlook: { ...outlook, ...more } } }],
  })
  expect(progressLines(withOutlook({}), Infinity)).toEqual([
    'every schedule (optimal): 1 234 567 executions, est. 12 % done, 40 min to go, 123 457 per second',
  ])
  expect(progressLines(withOutlook({ share: 0.001, bound: 3 }), Infinity)).toEqual([
    'every schedule (optimal): 1 234 567 executions, est. less than 1 % of bound 3 done, 40 min to go, 123 457 per second',
  ])
})

it.each([true, false])('keeps quiet at first, and nearly always unless at a terminal (%s)', (isLive) => {
  const written: string[] = []
  const io = { isLive, width: 40, err: (text: string) => written.push(text) } as unknown as Io
  const display = new RunDisplay(io, 60)
  display.update({ ...run, seconds: 1.9 })
  expect(written).toEqual([])
  display.update({ ...run, seconds: 2.1 })
  display.update({ ...run, seconds: 2.2 })
  display.clear()
  expect(written).toHaveLength(isLive ? 2 : 0)
  for (const text of written) expect(text.replace('\r\x1b[J', '').length).toBeLessThan(40)
  display.update({ ...run, seconds: 10.1 })
  expect(written).toHaveLength(isLive ? 3 : 1)
})
