import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { times } from '../../tests/support/effort.js'
import { randomProgram } from '../../tests/support/random-program.js'
import { Runner } from '../execution/runner.js'
import { recordSchedule } from '../execution/schedule.js'
import { modelMachine } from '../frontends/model/index.js'
import type { Program } from '../frontends/model/program.js'
import { sameBug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { everywhere } from '../machine/points.js'
import { replaySchedule } from '../reports/build/replay.js'
import { createStrategy } from '../strategies/index.js'
import { type Failure, failureOf, stretchesOf } from './failure.js'
import { GuidedSchedule } from './guided-schedule.js'
import { minimise } from './minimise.js'

const patient = { maxExecutions: 5000, outOfTime: () => false }
const limits = { local: patient, proof: patient }
const none = { maxExecutions: 0, outOfTime: () => false }

const runs = times(120)

/** The first failing execution of a random walk. */
function failing(program: Program, seed: number) {
  const machine = modelMachine(program)
  machine.usePoints(everywhere)
  const runner = new Runner(machine)
  const strategy = createStrategy('random', { machine, seed })
  for (let execution = 1; execution <= 100; execution++) {
    runner.run(strategy)
    if (runner.bug !== null) return { machine, found: failureOf(runner) }
  }
  return undefined
}

/** Fewest preemptions of all interleavings that show the bug, or undefined if there are too many of them. */
function fewestOfAll(machine: Machine, { bug }: Failure): number | undefined {
  const runner = new Runner(machine)
  const all = createStrategy('dfs', { machine, seed: 1 })
  let fewest = Infinity
  for (let n = 0; n < 3000; n++) {
    if (!runner.run(all)) return fewest
    if (runner.bug !== null && sameBug(runner.bug, bug)) {
      fewest = Math.min(fewest, runner.trace.preemptions)
    }
  }
  return undefined
}

describe('minimise', () => {
  it('keeps the bug, never adds preemptions, replays, and proves no more than is so', () => {
    let failures = 0
    let checked = 0
    fc.assert(
      fc.property(randomProgram(), fc.integer({ min: 1, max: 1000 }), (program, seed) => {
        const ran = failing(program, seed)
        if (!ran) return
        failures++
        const { machine, found } = ran
        const { failure, minimality } = minimise(machine, found, limits)
        expect(failure.preemptions).toBeLessThanOrEqual(found.preemptions)
        const schedule = recordSchedule(machine, failure.thread, failure.value, everywhere)
        const seen = replaySchedule(machine, schedule, '.')
        expect(seen.preemptions).toBe(failure.preemptions)
        expect(sameBug(seen.bug!, found.bug)).toBe(true)
        if (minimality !== 'proven') return
        const fewest = fewestOfAll(machine, found)
        if (fewest === undefined) return
        checked++
        expect(failure.preemptions).toBe(fewest)
      }),
      { seed: 7, numRuns: runs },
    )
    expect(failures).toBeGreaterThan(runs / 10)
    expect(checked).toBeGreaterThan(runs / 20)
  })

  it('without time for a proof, none of the preemptions can be taken away by itself', () => {
    fc.assert(
      fc.property(randomProgram(), fc.integer({ min: 1, max: 1000 }), (program, seed) => {
        const ran = failing(program, seed)
        if (!ran) return
        const { machine, found } = ran
        const { failure, minimality } = minimise(machine, found, { local: patient, proof: none })
        expect(minimality).toBe(failure.preemptions === 0 ? 'proven' : 'local')
        const stretches = stretchesOf(failure)
        const runner = new Runner(machine)
        stretches.forEach((stretch, i) => {
          const next = stretches.findIndex((s, j) => j > i && s.thread === stretch.thread)
          if (next < 0) return
          const longer = { ...stretch, values: [...stretch.values, ...stretches[next].values] }
          runner.run(
            new GuidedSchedule(stretches.flatMap((s, j) => (j === i ? [longer] : j === next ? [] : [s]))),
          )
          const isSame = runner.bug !== null && sameBug(runner.bug, failure.bug)
          expect(isSame && runner.trace.preemptions < failure.preemptions).toBe(false)
        })
      }),
      { seed: 8, numRuns: runs / 2 },
    )
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
    const { failure, minimality, isDeterministic } = minimise(ran.machine, ran.found, limits)
    expect([failure.preemptions, minimality, isDeterministic]).toEqual([1, 'proven', false])
  })

  it('calls a bug of the default schedule deterministic, and shows it there', () => {
    const program: Program = {
      variables: { x: 0, y: 0 },
      threads: {
        a: [
          { op: 'store', var: 'x', value: 1 },
          { op: 'store', var: 'y', value: 1 },
        ],
        b: [
          { op: 'load', var: 'y', into: 'y' },
          { op: 'load', var: 'x', into: 'x' },
          { op: 'assert', condition: ['==', 'x', 0], message: 'never' },
        ],
      },
    }
    const ran = failing(program, 5)!
    const { failure, isDeterministic } = minimise(ran.machine, ran.found, limits)
    expect([failure.preemptions, failure.switches, isDeterministic]).toEqual([0, 1, true])
  })

  it('gives back what it was given when it may run nothing', () => {
    const program: Program = {
      variables: { x: 0 },
      threads: {
        a: [{ op: 'store', var: 'x', value: 1 }],
        b: [
          { op: 'load', var: 'x', into: 'r' },
          { op: 'assert', condition: ['==', 'r', 1] },
        ],
      },
    }
    const ran = failing(program, 1)!
    const { failure } = minimise(ran.machine, ran.found, { local: none, proof: none })
    expect([...failure.thread]).toEqual([...ran.found.thread])
  })
})
