import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere } from '../../src/machine/points.js'
import { Budget } from '../../src/runs/budget.js'
import type { RunPlan } from '../../src/runs/plan.js'
import { Run } from '../../src/runs/run.js'

const program: Program = {
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  rwlocks: ['w'],
  conditions: ['c'],
  threads: {
    a: [
      { op: 'lock', mutex: 'm' },
      { op: 'timedwait', condition: 'c', mutex: 'm', into: 'r' },
      { op: 'unlock', mutex: 'm' },
    ],
    b: [
      { op: 'rdlock', rwlock: 'w' },
      { op: 'load', var: 'x', into: 'r' },
      { op: 'rwunlock', rwlock: 'w' },
    ],
  },
}

const sampling = { strategy: 'pos', title: 'sampling', executions: 3, isExtra: true } as const

const plan: RunPlan = {
  stages: [
    { ...sampling, platform: { spurious: 1 } },
    { ...sampling, platform: { preferWriters: true } },
    { ...sampling, platform: { spurious: 1 } },
    { strategy: 'optimal', title: 'every schedule' },
  ],
  deepens: false,
  goal: { strategy: 'optimal', promise: 'all' },
}

function runOf(machine: Machine, plan: RunPlan): Run {
  return new Run(
    {
      program: { machine, scope: [], isProgramError: () => false },
      recipe: { files: ['program.json'] },
      directory: '.',
      strategy: 'optimal',
      points: everywhere,
      order: 'stay',
      seed: 1,
      selfCheck: 0,
      keepGoing: true,
    },
    { budget: new Budget(Infinity), workers: 1, plan },
  )
}

/** So many threads store the same, which makes as many classes as they have orders, and one waits for a while. */
function stores(count: number): Program {
  return {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    conditions: ['c'],
    threads: {
      a: program.threads.a,
      ...Object.fromEntries(
        Array.from({ length: count }, (_, i) => [`s${i}`, [{ op: 'store', var: 'x', value: 1 } as const]]),
      ),
    },
  }
}

test.each([
  [3, 6, 200],
  [6, 720, 50],
  [7, 5040, 200],
])('after a proof there are samples in proportion: %i threads', async (threads, classes, samples) => {
  const run = runOf(modelMachine(stores(threads)), {
    ...plan,
    stages: [
      { strategy: 'optimal', title: 'every schedule' },
      { ...sampling, executions: 200, platform: { spurious: 1 } },
    ],
  })
  await run.run()
  expect(run.searches.map(({ counters }) => counters.executions)).toEqual([classes, samples])
})

test('every search runs on the platform it is meant for, whatever came before it', async () => {
  const machine = modelMachine(program)
  const { settings: usual } = machine.platform!
  const seen: unknown[] = []
  const checkEnd = machine.checkEnd.bind(machine)
  machine.checkEnd = () => {
    const { settings } = machine.platform!
    seen.push(settings)
    return checkEnd()
  }
  const run = runOf(machine, plan)
  await run.run()
  const times = (platform: object) => Array.from({ length: 3 }, () => ({ ...usual, ...platform }))
  const samples = [{ spurious: 1 }, { preferWriters: true }, { spurious: 1 }].flatMap(times)
  expect(seen.slice(0, 9)).toEqual(samples)
  expect(seen.length).toBeGreaterThan(9)
  for (const settings of seen.slice(9)) expect(settings).toEqual(usual)
  expect(machine.platform!.settings).toEqual(usual)
})
