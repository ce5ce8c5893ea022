import { expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { memoryModels } from '../../src/machine/platform.js'
import { createStrategy, loadStrategy } from '../../src/strategies/index.js'

const store = (name: string): Statement => ({ op: 'atomicStore', var: name, value: 1, order: 'relaxed' })
const load = (name: string): Statement => ({
  op: 'atomicLoad',
  var: name,
  into: `r${name}`,
  order: 'relaxed',
})
const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

/** The flag is seen, and none of eight messages before it. */
const missed: Program = {
  variables: Object.fromEntries([...names, 'flag'].map((name) => [name, 0])),
  threads: {
    writer: [...names.map(store), store('flag')],
    reader: [load('flag'), ...names.map(load)],
  },
  atEnd: {
    'some message came with the flag': [
      '||',
      ['!', ['reg', 'reader', 'rflag']],
      names.map((name) => ['reg', 'reader', `r${name}`] as unknown).reduce((all, one) => ['||', all, one]),
    ],
  },
} as Program

function failures(strategy: string, program: Program, executions: number): number {
  const machine = modelMachine(program)
  machine.platform!.use({ memoryModel: 'c11' })
  return explore({
    machine,
    strategy: createStrategy(strategy, { machine, seed: 3 }),
    keepGoing: true,
    maxExecutions: executions,
  }).failures
}

it('finds what needs one communication and old values otherwise, which a random walk hardly ever does', () => {
  expect(failures('pctwm:1', missed, 300)).toBeGreaterThan(10)
  expect(failures('random', missed, 300)).toBeLessThan(3)
})

it.each(memoryModels)('draws every outcome of store buffering that %s allows', (memoryModel) => {
  const machine = modelMachine({
    variables: { x: 0, y: 0 },
    threads: { a: [store('x'), load('y')], b: [store('y'), load('x')] },
  })
  machine.platform!.use({ memoryModel })
  const outcomes = new Set<string>()
  explore({
    machine,
    strategy: createStrategy('pctwm', { machine }),
    maxExecutions: 300,
    onExecution: () => outcomes.add(machine.finalState()),
  })
  expect(outcomes.size).toBe(memoryModel === 'sc' ? 3 : 4)
})

it('goes on where it was saved', () => {
  const same = (index: number) => index
  const schedules = (split: number) => {
    const machine = modelMachine(missed)
    machine.platform!.use({ memoryModel: 'c11' })
    let strategy = createStrategy('pctwm:2,3', { machine, seed: 5 })
    const all: string[] = []
    const draw = (maxExecutions: number) =>
      explore({
        machine,
        strategy,
        keepGoing: true,
        maxExecutions,
        onExecution: ({ trace }) =>
          all.push([...trace.thread.slice(0, trace.length), ...trace.value.slice(0, trace.length)].join()),
      })
    draw(split)
    const saved = JSON.parse(JSON.stringify(strategy.save()))
    strategy = loadStrategy('pctwm:2,3', saved, {
      machine,
      order: 'stay',
      threadHere: same,
      locationHere: same,
    })
    draw(40 - split)
    return all
  }
  expect(schedules(7)).toEqual(schedules(25))
})
