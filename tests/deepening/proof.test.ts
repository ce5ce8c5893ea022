import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { everywhere } from '../../src/machine/points.js'
import type { Answer, Assignment } from '../../src/runs/deepening/assignment.js'
import { JobRun } from '../../src/runs/deepening/job-run.js'
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

/** A search with points everywhere that was stopped on the way, as the first look of `auto` is. */
async function begun(machine: ReturnType<typeof modelMachine>) {
  const assignment: Assignment = {
    run: 0,
    points: everywhere,
    strategy: 'optimal',
    seed: 1,
    maxSteps: 400,
    maxExecutions: begunExecutions,
    keepGoing: true,
    ignore: [],
    selfCheck: 0,
    races: 'pure',
    saved: null,
    saveEvery: Infinity,
  }
  const answers: Answer[] = []
  await new JobRun(machine, assignment, (answer) => answers.push(answer)).run()
  const ended = answers.at(-1)!
  if (ended.kind !== 'ended' || ended.saved === null) throw new Error('it was not stopped on the way')
  return { findings: ended.findings, saved: ended.saved }
}

test('a proof that was begun is gone on with, and nothing else is run', async () => {
  const machine = modelMachine(program)
  const { run, verdict } = await deepenMachine(machine, { begun: await begun(machine) })
  expect(verdict).toBe('verified')
  expect(run.counters.executions).toBe(classes)
  expect(run.board.jobs.filter((job) => job.counters.executions > 0)).toEqual([run.board.maximal])
  // Races of before and after.
  expect(run.allRaces().toData().length).toBeGreaterThan(0)
})
