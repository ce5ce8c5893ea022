import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { Random } from '../../src/random/random.js'
import { type BestFirstStrategy, bestFirst } from '../../src/strategies/best-first/best-first.js'
import { memorySpill } from '../../src/strategies/best-first/spill.js'
import { isFull, times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { inc, lastzero } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { schedules as resumed } from '../support/resumed.js'
import { orders } from './check.js'

interface Plan {
  readonly order: string
  readonly bound?: number | undefined
  readonly seed?: number
}

function schedules({ order, bound, seed = 1 }: Plan, program: Program, interval = Infinity): string[] {
  return resumed({
    spec: order === '' ? 'best-first' : `best-first:${order}`,
    program,
    bound,
    seed,
    interval,
    onExhausted(strategy) {
      expect((strategy as BestFirstStrategy).tree).toMatchObject({ live: 0, records: 0 })
    },
  })
}

const plans: Plan[] = orders.flatMap((order) => [{ order }, { order, bound: 1 }])

test.each(plans)(
  '%o: saved and resumed at every tenth execution, the same executions and none twice',
  (plan) => {
    for (const program of [inc(3), lastzero(4)]) {
      const whole = schedules(plan, program)
      expect(schedules(plan, program, 10)).toEqual(whole)
      expect(new Set(whole).size).toBe(whole.length)
      expect(schedules(plan, program)).toEqual(whole)
    }
  },
)

test.each(plans)('%o: the same on random programs, resumed after every execution', (plan) => {
  const property = fc.property(randomProgram({ maxInterleavings: 100 }), (program) => {
    expect(schedules(plan, program, 1)).toEqual(schedules(plan, program))
  })
  fc.assert(property, { seed: 5, numRuns: isFull ? times(25) : 15 })
})

test('another seed, another random order', () => {
  const [one, two] = [1, 2].map((seed) => schedules({ order: 'rand', bound: 2, seed }, inc(3)))
  expect(two).not.toEqual(one)
  expect(two.toSorted()).toEqual(one.toSorted())
})

test('a search whose fringe is partly on disk is saved whole', () => {
  const program = inc(4)
  const same = (index: number) => index
  const machine = engine.modelMachine(program)
  const context = {
    machine,
    order: 'stay',
    argument: 'pb',
    bound: 2,
    threadHere: same,
    locationHere: same,
  } as const
  const spill = memorySpill()
  const strategy = bestFirst({ ...context, random: new Random(1) }, { memoryLimitBytes: 64 * 32, spill })
  engine.explore({ machine, strategy, keepGoing: true, maxExecutions: 60 })
  expect(spill.written).toBeGreaterThan(0)
  const loaded = engine.loadStrategy('best-first:pb', JSON.parse(JSON.stringify(strategy.save())), context)
  const rest = engine.explore({ machine, strategy: loaded, keepGoing: true })
  const plain = engine.createStrategy('best-first:pb', { machine, bound: 2 })
  expect(60 + rest.executions).toBe(engine.explore({ machine, strategy: plain, keepGoing: true }).executions)
})
