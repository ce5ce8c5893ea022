import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { treeOf } from '../../src/strategies/best-first/best-first.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { isFull } from '../support/effort.js'
import { load, loadCase } from './support.js'

type Labelled = [label: string, make: () => ReturnType<typeof load>]

/** Small enough for all interleavings. What a reduction misses was not in the events of some transition. */
const programs: Labelled[] = [
  ['counter', () => load('counter')],
  ['mutex-counter', () => load('mutex-counter')],
  ['deadlock', () => load('deadlock')],
  ['store-buffering', () => load('store-buffering')],
  ['lost signal', () => loadCase('conditions', 2)],
  ['timed wait', () => loadCase('conditions', 6)],
  ['once', () => load('once')],
  ['never joined', () => loadCase('threads', 6)],
  ['use after free', () => loadCase('heap', 3)],
  ['freed lock', () => loadCase('heap', 11)],
  ['trylock', () => loadCase('twins', 3)],
  ['flag', () => loadCase('twins', 4)],
  ['compare-exchange', () => loadCase('twins', 6)],
  ['two flags', () => loadCase('twins', 8)],
  ['mutex set up again', () => loadCase('set-up-again', 1)],
  ['spin lock set up again', () => loadCase('set-up-again', 2)],
]
/** As much work as half of the others together. */
const larger: Labelled[] = [['spin lock', () => loadCase('twins', 5)]]

/** Of best-first searches; the programs have functions and variables by these names. */
const orders = [
  '',
  'pb',
  'dpor',
  'ss',
  'rand',
  'mdpor,pb',
  'method(main),rand',
  'var(x|counter|m),pb',
  'no-sleep',
]

const pointSets = ['everywhere', 'lock,unlock,sync,atomic', 'yield', 'lock', 'unlock']

it('what a thread does later may depend on who went before: its sleeping stands for nothing then', async () => {
  const machine = await load('late-object')
  machine.usePoints(parsePoints('lock'))
  const all = reach(machine, createStrategy('dfs', { machine }))
  for (const name of ['dpor', 'source', 'optimal']) {
    const reduced = reach(machine, createStrategy(name, { machine }))
    expect({ name, classes: [...reduced.classes.keys()].sort() }).toEqual({
      name,
      classes: [...all.classes.keys()].sort(),
    })
  }
})

const isReduced = (_: string, make: Labelled[1]) => {
  const isSame = async (points: string) => {
    const machine = await make()
    machine.usePoints(parsePoints(points))
    const all = reach(machine, createStrategy('dfs', { machine }))
    expect(all.exhausted).toBe(true)
    for (const name of ['dpor', 'source', 'optimal']) {
      const reduced = reach(machine, createStrategy(name, { machine }))
      expect(reduced.exhausted).toBe(true)
      expect(new Set(reduced.classes.keys())).toEqual(new Set(all.classes.keys()))
      expect(reduced.finalStates).toEqual(all.finalStates)
      expect(reduced.bugs).toEqual(all.bugs)
      if (name === 'optimal' && points === 'everywhere') expect(reduced.executions).toBe(all.classes.size)
    }
  }
  const title = 'reaches the same with and without reduction, points %s'
  it.each(pointSets.slice(0, 3))(title, isSame)
  it.runIf(isFull).each(pointSets.slice(3))(title, isSame)

  const isSearched = async (someOrders: readonly string[]) => {
    const machine = await make()
    const all = reach(machine, createStrategy('dfs', { machine }))
    for (const order of someOrders) {
      const spec = order === '' ? 'best-first' : `best-first:${order}`
      const strategy = createStrategy(spec, { machine })
      const found = reach(machine, strategy)
      expect(found.exhausted).toBe(true)
      expect(new Set(found.classes.keys())).toEqual(new Set(all.classes.keys()))
      expect(found.finalStates).toEqual(all.finalStates)
      expect(found.bugs).toEqual(all.bugs)
      expect(treeOf(strategy)).toMatchObject({ live: 0, records: 0 })
      for (const bound of [0, 1]) {
        const within = [...all.preemptions].filter(([, least]) => least <= bound).map(([key]) => key)
        const bounded = reach(machine, createStrategy(spec, { machine, bound }))
        expect(new Set(bounded.classes.keys())).toEqual(new Set(within))
      }
    }
  }
  it('is searched best first, with and without a bound', () => isSearched(orders.slice(0, 2)))
  it.runIf(isFull)('and in any other order', () => isSearched(orders.slice(2)))
}

describe.each(programs)('%s', isReduced)
describe.runIf(isFull).each(larger)('%s', isReduced)
