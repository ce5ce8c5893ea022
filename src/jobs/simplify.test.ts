import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { randomProgram } from '../../tests/support/random-program.js'
import { Runner } from '../execution/runner.js'
import { recordSchedule } from '../execution/schedule.js'
import { modelMachine } from '../frontends/model/index.js'
import type { Program } from '../frontends/model/program.js'
import { everywhere } from '../program/points.js'
import { createStrategy } from '../strategies/index.js'
import { replaySchedule } from './replay.js'
import { type FoundBug, sameBug } from './search.js'
import { simplify } from './simplify.js'

const patient = { maxExecutions: 2000, outOfTime: () => false }

/** The first failing execution of a random walk. */
function failing(program: Program, seed: number) {
  const machine = modelMachine(program)
  machine.usePoints(everywhere)
  const runner = new Runner(machine)
  const strategy = createStrategy('random', { machine, seed })
  for (let execution = 1; execution <= 100; execution++) {
    runner.run(strategy)
    const { bug, trace } = runner
    if (bug === null) continue
    const thread = trace.thread.slice(0, trace.length)
    const value = trace.value.slice(0, trace.length)
    const found: FoundBug = { bug, thread, value, preemptions: trace.preemptions, execution, count: 1 }
    return { machine, found }
  }
  return undefined
}

describe('simplify', () => {
  it('keeps the bug, never adds preemptions, and its result replays', () => {
    let failures = 0
    fc.assert(
      fc.property(randomProgram(), fc.integer({ min: 1, max: 1000 }), (program, seed) => {
        const ran = failing(program, seed)
        if (!ran) return
        failures++
        const { machine, found } = ran
        const simple = simplify(machine, found, patient)
        expect(simple.preemptions).toBeLessThanOrEqual(found.preemptions)
        const schedule = recordSchedule(machine, simple.thread, simple.value, everywhere)
        const seen = replaySchedule(machine, schedule, '.')
        expect(seen.preemptions).toBe(simple.preemptions)
        expect(sameBug(seen.bug!, found.bug)).toBe(true)
      }),
      { seed: 7, numRuns: 300 },
    )
    expect(failures).toBeGreaterThan(30)
  })

  it('finds the one preemption of a lost update among six threads', () => {
    const body = [
      { op: 'load', var: 'x', into: 'r' },
      { op: 'store', var: 'x', value: ['+', 'r', 1] },
    ] as const
    const ran = failing(
      {
        variables: { x: 0 },
        threads: Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((name) => [name, body])),
        atEnd: { all: ['==', 'x', 6] },
      },
      3,
    )!
    expect(ran.found.preemptions).toBeGreaterThan(1)
    expect(simplify(ran.machine, ran.found, patient).preemptions).toBe(1)
  })

  it('gives up when it may run no more', () => {
    const ran = failing(
      {
        variables: { x: 0 },
        threads: {
          a: [{ op: 'store', var: 'x', value: 1 }],
          b: [
            { op: 'load', var: 'x', into: 'r' },
            { op: 'assert', condition: ['==', 'r', 0] },
          ],
        },
      },
      1,
    )!
    const same = simplify(ran.machine, ran.found, { maxExecutions: 0, outOfTime: () => false })
    expect([...same.thread]).toEqual([...ran.found.thread])
  })
})
