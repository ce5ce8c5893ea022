import { describe, expect, test } from 'vitest'
import {
  assert,
  fetchAdd,
  labelled,
  load,
  lock,
  store,
  unlock,
  when,
  yieldNow,
} from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { raceKinds } from '../../src/races/index.js'
import { detect, pairs } from './detect.js'

/** Quicksand, figure 1; labels are its line numbers. */
const figure1: Program = {
  variables: { x: 0 },
  mutexes: { mx: 'plain' },
  threads: {
    t1: [
      lock('mx'),
      labelled('line2', load('x', 'tmp')),
      labelled('line6', store('x', ['+', 'tmp', 1])),
      unlock('mx'),
    ],
    t2: [
      labelled('line3', fetchAdd('x', 1)),
      yieldNow(),
      labelled('line5', fetchAdd('x', 1)),
      labelled('line8', load('x', 'r')),
      assert(['>=', 'r', 2]),
    ],
  },
}

const increment = (label: string): Statement[] => [
  labelled(`${label}-read`, load('x', 'r')),
  labelled(`${label}-write`, store('x', ['+', 'r', 1])),
]

/** Figure 3(a): the critical sections have nothing to do with x. */
const figure3a: Program = {
  variables: { x: 0 },
  mutexes: { mx: 'plain' },
  threads: {
    t1: [...increment('A1'), lock('mx'), unlock('mx')],
    t2: [lock('mx'), unlock('mx'), ...increment('A2')],
  },
}

/** Figure 3(b): thread 2 touches x only if thread 1 has come first. */
const figure3b: Program = {
  variables: { x: 0, y: 0 },
  mutexes: { mx: 'plain' },
  threads: {
    t1: [...increment('B1'), lock('mx'), store('y', 1), unlock('mx')],
    t2: [lock('mx'), load('y', 'tmp'), unlock('mx'), when('tmp', increment('B2'))],
  },
}

/** Both increments against each other; the reads alone do not race. */
const allOrders = (one: string, other: string, sign: string) => [
  `t1:${one}-read ${sign} t2:${other}-write`,
  `t1:${one}-write ${sign} t2:${other}-read`,
  `t1:${one}-write ${sign} t2:${other}-write`,
]

describe('figure 1', () => {
  const expected = [
    't1:line2 / t2:line3',
    't1:line2 / t2:line5',
    't1:line6 / t2:line3',
    't1:line6 / t2:line5',
    't1:line6 / t2:line8',
  ]

  test.each(raceKinds())('%s: lines 3 and 5 race with 2 and 6, line 6 with 8', (kind) => {
    expect(pairs(detect(figure1, kind))).toEqual(expected)
  })

  test.each(raceKinds())(
    '%s finds them in the coarsest state space too, where no transition ends at x',
    (kind) => {
      const table = detect(figure1, kind, { points: parsePoints('yield') })
      const sites = (text: string) => text.replace(' < ', ' / ').split(' / ').sort().join(' / ')
      expect(pairs(table).map(sites)).toEqual(expected)
    },
  )
})

describe('figure 3(a), a true potential race', () => {
  test('pure misses it in the default run', () => {
    expect(pairs(detect(figure3a, 'pure', { strategy: 'dfs', maxExecutions: 1 }))).toEqual([])
  })

  test('limited reports it in the default run', () => {
    const table = detect(figure3a, 'limited', { strategy: 'dfs', maxExecutions: 1 })
    expect(pairs(table)).toEqual(allOrders('A1', 'A2', '<'))
    expect(table.toData().every((race) => race.atOnce)).toBe(true)
  })

  test.each(raceKinds())('%s finds it when all schedules are explored, in both orders', (kind) => {
    expect(pairs(detect(figure3a, kind))).toEqual(allOrders('A1', 'A2', '/'))
  })
})

describe('figure 3(b), no race in any schedule', () => {
  test('pure reports nothing, ever', () => {
    expect(pairs(detect(figure3b, 'pure'))).toEqual([])
  })

  test('limited raises a false alarm, and only ever in one order', () => {
    expect(pairs(detect(figure3b, 'limited'))).toEqual(allOrders('B1', 'B2', '<'))
  })
})
