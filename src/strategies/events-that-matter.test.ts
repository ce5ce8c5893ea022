import { expect, test } from 'vitest'
import { Runner } from '../execution/runner.js'
import { emptyScript, type Strategy } from '../execution/strategy.js'
import { choose, store, when } from '../frontends/model/build.js'
import { modelMachine } from '../frontends/model/index.js'
import { EventsThatMatter } from './events-that-matter.js'

const machine = modelMachine({
  variables: { x: 0, y: 0 },
  threads: {
    a: [choose(2, 'r'), when(['==', 'r', 0], [store('x', 1)], [store('y', 1)])],
    b: [store('x', 2)],
  },
})

/** Runs thread a with that choice, then b; tells whether each operation mattered. */
function run(matter: EventsThatMatter, choice: number, learns: boolean): string {
  let told = ''
  const strategy: Strategy = {
    name: 'test',
    footprints: true,
    script: emptyScript,
    begin: () => true,
    choose: (point) => {
      told += matter.includes(point.thread[0]) ? 'matters ' : 'not '
      return point.count > 2 ? choice : 0
    },
    end: (trace) => {
      if (learns) matter.learn(trace)
    },
    save: () => ({}),
  }
  new Runner(machine).run(strategy)
  return told.trim()
}

test('what was never seen matters, until somebody looks; what does not come up then is taken to be unordered', () => {
  const matter = new EventsThatMatter(machine)
  expect(run(matter, 1, true)).toBe('not matters matters')
  expect(run(matter, 1, true)).toBe('not not not')
  expect(matter.version).toBe(0)
  // Now a writes x, as b does, while nobody looks.
  expect(run(matter, 0, false)).toBe('not matters not')
  expect(matter.hasUnknown).toBe(true)
  expect(run(matter, 1, true)).toBe('not not not')
  expect(matter.hasUnknown).toBe(false)
  expect(matter.version).toBe(1)
  expect(run(matter, 0, false)).toBe('not matters matters')
})

test('is written out and read back', () => {
  const matter = new EventsThatMatter(machine)
  run(matter, 0, true)
  run(matter, 1, false)
  const same = (index: number) => index
  const saved = JSON.parse(JSON.stringify(matter.save()))
  const back = new EventsThatMatter(machine).load(saved, { threadHere: same, locationHere: same } as never)
  expect(back.save()).toEqual(matter.save())
  expect(back.hasUnknown).toBe(true)
  expect(run(back, 0, false)).toBe('not matters matters')
})
