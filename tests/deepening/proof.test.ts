import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { RunPlan } from '../../src/runs/plan.js'
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
