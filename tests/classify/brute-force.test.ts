import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Classified, classifyRaces } from '../../src/classify/classify.js'
import { compareOutputs } from '../../src/classify/compare-outputs.js'
import type { Comparison } from '../../src/classify/enforce.js'
import { keyOf } from '../../src/classify/judge.js'
import { bugKeyOf, type Outcome, outputsOf } from '../../src/classify/trials.js'
import { Runner } from '../../src/execution/runner.js'
import { recordSchedule } from '../../src/execution/schedule.js'
import {
  assert,
  load,
  lock,
  output,
  store,
  unlock,
  when,
  whileLoop,
} from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Expression, Program, Statement } from '../../src/frontends/model/program.js'
import type { RaceAccess } from '../../src/races/index.js'
import { replay } from '../../src/strategies/replay.js'
import { times } from '../support/effort.js'
import { randomProgram } from '../support/random-program.js'
import { endOf, type Truth, truthOf } from './truth.js'

const mostInterleavings = 1500

const accessName = ({ site, thread }: RaceAccess) => `${site}@${thread}`

/** What a schedule shows on a machine of its own, by names and not by indexes. */
function replayed(program: Program, { choices, points }: Outcome): Pick<Outcome, 'bug' | 'outputs'> {
  const recording = modelMachine(program)
  recording.usePoints(points)
  const schedule = recordSchedule(recording, choices.thread, choices.value, points)
  const machine = modelMachine(program)
  const runner = new Runner(machine, { maxSteps: schedule.steps.length + 1 })
  runner.run(replay(schedule, machine))
  return { bug: runner.bug, outputs: outputsOf(machine) }
}

/** Both executions of a comparison come to what is said of them. */
function checkComparison(program: Program, truth: Truth, comparison: Comparison): void {
  const { primary, alternate, result } = comparison
  const [one, other] = [primary, alternate].map((outcome) => {
    const shown = replayed(program, outcome)
    expect(shown.bug && bugKeyOf(shown.bug)).toEqual(outcome.bug && bugKeyOf(outcome.bug))
    expect(endOf(shown)).toBe(endOf(outcome))
    expect([...truth.ends]).toContain(endOf(shown))
    return shown
  })
  const fail = [one, other].filter(({ bug }) => bug !== null).length
  const isSame = compareOutputs(one.outputs, other.outputs, 'ordered') === null
  const areSamePerThread = compareOutputs(one.outputs, other.outputs, 'per-thread') === null
  if (result === 'same') expect([fail, areSamePerThread]).toEqual([0, true])
  else if (result === 'output') expect([fail, isSame]).toEqual([0, false])
  else if (result === 'bug') expect(fail).toBeGreaterThan(0)
  else if (result === 'both-fail') expect(fail).toBe(2)
}

function checkRace(program: Program, truth: Truth, race: Classified): void {
  const { judgement, decidedBy } = race
  const { attempts, comparison } = judgement
  const comparisons = attempts.flatMap((attempt) => attempt.comparisons)
  for (const one of comparisons) checkComparison(program, truth, one)
  if (race.class === 'spec-violated') expect(comparison?.result).toBe('bug')
  else expect(comparisons.map(({ result }) => result)).not.toContain('bug')
  if (race.class === 'output-differs') expect(comparison?.result).toBe('output')
  if (race.class === 'harmless') {
    const same = attempts
      .filter(({ hold }) => hold === 'reached')
      .flatMap((attempt) => attempt.comparisons.filter(({ result }) => result === 'same'))
    expect(judgement.witnesses).toBe(new Set(same.map(keyOf)).size)
    expect(judgement.witnesses).toBeGreaterThan(0)
    expect(comparisons.map(({ result }) => result)).not.toContain('output')
  }
  if (race.class === 'single-ordering') {
    const [a, b] = [decidedBy.a, decidedBy.b].map(accessName)
    if (![a, b].some((name) => truth.repeated.has(name))) {
      const both = [`${a} < ${b}`, `${b} < ${a}`].filter((order) => truth.orders.has(order))
      expect(both).toHaveLength(1)
    }
  }
}

/** Pairs that brute force knows to make a difference, and how many of them were said to be harmless. */
const tally = { spec: 0, output: 0, specAsHarmless: 0, outputAsHarmless: 0 }

function count(truth: Truth, race: Classified): void {
  for (const pair of race.cluster.pairs) {
    const effect = truth.effects.get([pair.a, pair.b].map(accessName).sort().join(' | '))
    if (effect === 'bug') {
      tally.spec++
      if (race.class === 'harmless') tally.specAsHarmless++
    }
    if (effect === 'output') {
      tally.output++
      if (race.class === 'harmless') tally.outputAsHarmless++
    }
  }
}

/** Short programs full of races: what is read is printed, checked, branched on and written back. */
const racy: fc.Arbitrary<Program> = fc
  .array(fc.array(fragment(), { minLength: 1, maxLength: 3 }), { minLength: 2, maxLength: 3 })
  .chain((bodies) =>
    fc.record({
      atEnd: fc.option(
        fc.constantFrom<Expression>(['<', 'x', 3], ['!=', 'x', 'y'], ['<=', ['+', 'x', 'y'], 3]),
      ),
      threads: fc.constant(Object.fromEntries(bodies.map((parts, i) => [`t${i}`, parts.flat()]))),
    }),
  )
  .map(({ atEnd, threads }) => ({
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain' },
    threads,
    ...(atEnd === null ? {} : { atEnd: { 'the end is right': atEnd } }),
  }))

function fragment(): fc.Arbitrary<Statement[]> {
  const name = fc.constantFrom('x', 'y')
  const small = fc.integer({ min: 0, max: 2 })
  const write = fc.tuple(name, small).map(([v, n]) => [store(v, n)])
  return fc.oneof(
    write,
    name.map((v) => [load(v, 'r')]),
    name.map((v) => [load(v, 'r'), store(v, ['+', 'r', 1])]),
    name.map((v) => [load(v, 'r'), output('r')]),
    fc.tuple(name, small).map(([v, n]) => [load(v, 'r'), assert(['!=', 'r', ['+', n, 1]])]),
    fc.tuple(name, write).map(([v, then]) => [load(v, 'r'), when('r', then)]),
    fc.tuple(name, name).map(([v, w]) => [load(v, 'r'), when('r', [load(w, 's'), output('s')])]),
    write.map((inside) => [lock('m'), ...inside, unlock('m')]),
    name.map((v) => [whileLoop(['!', 'r'], [load(v, 'r')])]),
  )
}

function checkAll(programs: fc.Arbitrary<Program>, numRuns: number): void {
  fc.assert(
    fc.property(programs, (program) => {
      const truth = truthOf(modelMachine(program), mostInterleavings)
      fc.pre(truth !== null)
      const { races } = classifyRaces(modelMachine(program), { executions: 60 })
      for (const race of races) {
        checkRace(program, truth!, race)
        count(truth!, race)
      }
    }),
    { seed: 18, numRuns },
  )
}

test('on random programs, all that is claimed is so', () => {
  const programs = randomProgram({
    only: [
      'memory',
      'mutex',
      'trylock',
      'condition',
      'semaphore',
      'branch',
      'loop',
      'spin',
      'output',
      'assert',
      'atomic',
    ],
    threads: { max: 3 },
    maxInterleavings: 400,
  })
  checkAll(programs, times(20))
})

test('on programs full of races, too, and few that do harm are missed', () => {
  checkAll(racy, times(40))
  // A few witnesses cannot see everything; `npm run bench -- classify` says how much more of them do.
  expect(tally.spec).toBeGreaterThan(10)
  expect(tally.output).toBeGreaterThan(10)
  expect(tally.specAsHarmless).toBeLessThanOrEqual(0.05 * tally.spec)
  expect(tally.outputAsHarmless).toBeLessThanOrEqual(0.1 * tally.output)
})
