import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { everywhere } from '../../src/machine/points.js'
import { Budget } from '../../src/runs/budget.js'
import type { RunPlan } from '../../src/runs/plan.js'
import { Run } from '../../src/runs/run.js'
import { writers } from '../support/known-programs.js'
import { deepenMachine } from './deepen.js'

/** Each of four threads loads x and stores a value of its own: (4!)² classes. */
const program: Program = {
  variables: { x: 0 },
  threads: Object.fromEntries(
    Array.from({ length: 4 }, (_, i) => [
      `t${i}`,
      [
        { op: 'load', var: 'x', into: 'r' },
        { op: 'store', var: 'x', value: i + 1 },
      ],
    ]),
  ),
}
const classes = 576
const begunExecutions = 200

/** The first stage of `auto`, stopped on the way. */
const plan: RunPlan = {
  stages: [{ strategy: 'optimal', title: 'every schedule', executions: begunExecutions }],
  deepens: true,
  goal: { strategy: 'optimal', promise: 'all' },
}

test('a proof that was begun is gone on with, and nothing else is run', async () => {
  const { run, board, verdict } = await deepenMachine(modelMachine(program), { plan })
  expect(verdict).toBe('verified')
  expect(run.counters.executions).toBe(classes)
  expect(board.jobs.filter((job) => job.counters.executions > 0)).toEqual([board.maximal])
  expect(board.maximal.counters.executions).toBe(classes)
  // Races of before and after.
  expect(run.allRaces.length).toBeGreaterThan(0)
})

/** A run of 5040 classes, after a moment of which it could be interrupted. */
async function proveWriters(races?: string): Promise<Run> {
  const run = new Run(
    {
      program: { machine: modelMachine(writers(7)), scope: [], isProgramError: () => false },
      recipe: { files: ['program.json'] },
      directory: '.',
      strategy: 'auto',
      points: everywhere,
      order: 'stay',
      seed: 1,
      selfCheck: 0,
      races,
      keepGoing: false,
    },
    {
      budget: new Budget(Infinity),
      workers: 1,
      hasBackgrounds: false,
      plan: { ...plan, stages: [{ strategy: 'optimal', title: 'every schedule', seconds: 0.1 }] },
    },
  )
  expect(await run.run()).toBe('exhausted')
  return run
}

test('a proof that should soon be done is not interrupted, and looks for races only now and then', async () => {
  const some = await proveWriters()
  const all = await proveWriters('pure')
  for (const run of [some, all]) {
    expect(run.deepening).toBeNull()
    expect(run.counters.executions).toBe(5040)
  }
  const pairs = ({ allRaces }: Run) =>
    allRaces.map(({ a, b }) => `${a.site}@${a.thread} ${b.site}@${b.thread}`)
  expect(pairs(some).sort()).toEqual(pairs(all).sort())
  const sightings = ({ allRaces }: Run) =>
    allRaces.reduce((sum, { aFirst, bFirst }) => sum + aFirst + bFirst, 0)
  expect(sightings(some)).toBeLessThan(sightings(all))
})
