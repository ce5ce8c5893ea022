import { expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { generate } from '../audit/generate.js'
import { mixes } from '../audit/mixes.js'
import { type Reached, reach } from '../support/brute-force.js'
import { times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { lastzero, readers } from '../support/known-programs.js'
import { failsAfterAnother, plannedAsleep } from '../transactions/programs.js'
import { type CrewOptions, reachTogether } from './crew.js'

/** Of each mix. */
const programsOfMix = times(1)
const seed = 1
const timeout = 3_600_000

function* programs(): Generator<Program> {
  for (const mix of mixes) {
    for (let i = 0; i < programsOfMix; i++) yield generate(mix, seed + i) as Program
  }
}

/** What one worker reaches; null if there is much of it, or something was cut. */
function alone(spec: string, program: Program, points = parsePoints('everywhere')): Reached | null {
  const machine = engine.modelMachine(program)
  machine.usePoints(points)
  const reached = reach(machine, engine.createStrategy(spec, { machine }), 1_500)
  return reached.exhausted && reached.cut === 0 ? reached : null
}

const sorted = (keys: Iterable<string>) => [...keys].sort()

/** All that does not depend on who explored what. */
function ends({ finalStates, bugs }: Reached) {
  return { finalStates: sorted(finalStates), bugs: sorted(bugs) }
}

function everything(reached: Reached) {
  const { executions, classes, failed } = reached
  return { ...ends(reached), executions, classes: sorted(classes.keys()), failed: sorted(failed) }
}

function compareAll(spec: string, more: Partial<CrewOptions>[]): void {
  let compared = 0
  for (const program of programs()) {
    const one = alone(spec, program)
    if (one === null) continue
    for (const options of more) {
      const many = reachTogether({ spec, program, workers: 2, seed: seed + compared, ...options })
      expect(everything(many)).toEqual(everything(one))
    }
    compared++
  }
  expect(compared).toBeGreaterThan(mixes.length / 2)
}

const specs = ['optimal', 'source', 'dpor', 'dpor:no-sleep', 'icb', 'dfs']

test.each(specs)(
  '%s: one, two and four workers reach what a single search does, in as many executions',
  (spec) => compareAll(spec, [{ workers: 1 }, { workers: 2 }, { workers: 4 }]),
  timeout,
)

test.each(specs)(
  '%s: workers that die lose nothing, and nothing counts twice',
  (spec) => compareAll(spec, [{ workers: 3, deaths: 15 }]),
  timeout,
)

test.each(specs)(
  '%s: saved and resumed with another number of workers',
  (spec) => compareAll(spec, [{ workers: 3, resumptions: 15 }]),
  timeout,
)

test.each(['sync', 'lock,unlock,atomic'])(
  'nothing is lost under the PP set %s',
  (kinds) => {
    const points = parsePoints(kinds)
    for (const program of programs()) {
      for (const spec of ['optimal', 'source']) {
        const one = alone(spec, program, points)
        if (one === null) continue
        expect(ends(reachTogether({ spec, program, points, workers: 3, seed }))).toEqual(ends(one))
      }
    }
  },
  timeout,
)

test.each([
  ['lastzero(5)', lastzero(5)],
  ['readers(7)', readers(7)],
])('optimal, four workers: each class of %s once, and none given up', (_, program) => {
  const many = reachTogether({ spec: 'optimal', program, workers: 4, seed })
  const one = alone('optimal', program)!
  expect(many.executions).toBe(one.executions)
  expect(many.classes.size).toBe(many.executions)
  expect(many.blocked).toBe(0)
})

test.each([failsAfterAnother, plannedAsleep].map((program) => [program.name, program]))(
  'optimal: planned steps may be asleep: %s',
  (_, program) => {
    const one = alone('optimal', program)!
    for (let i = 1; i <= times(10); i++) {
      const many = reachTogether({ spec: 'optimal', program, workers: 2, seed: i })
      expect({ ...everything(many), executions: 0 }).toEqual({ ...everything(one), executions: 0 })
    }
  },
)
