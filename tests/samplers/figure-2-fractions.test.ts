import { describe, expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import type { Recording } from '../contract/recording.js'
import { times } from '../support/effort.js'
import { exactDistribution } from '../support/exact-distribution.js'
import { figure2 } from '../support/known-programs.js'
import { type Distribution, grouped, priorities, randomWalk } from './definition.js'
import { add, isLess, type Rational, rational, text, toNumber, zero } from './rational.js'

/**
 * The example of Yuan, Yang, Gu (CAV 2018, figure 2): probabilities from the definitions of the samplers, in exact
 * fractions, and the strategies against these.
 */

const machine = modelMachine(figure2())
const fingerprint = new Fingerprint(machine)

const definitions: Readonly<Record<string, Distribution>> = {
  random: randomWalk(machine),
  pos: priorities(machine, { reassign: true }),
  'basic-pos': priorities(machine, { reassign: false }),
}

const sum = (all: Iterable<Rational>) => [...all].reduce(add, zero)

describe.each([
  { name: 'random', failing: rational(1, 128), least: rational(3, 512) },
  { name: 'pos', failing: rational(1, 48), least: rational(5, 288) },
  { name: 'basic-pos', failing: rational(1, 120), least: rational(1, 120) },
])('$name', ({ name, failing, least }) => {
  const definition = definitions[name]

  test(`fails with probability ${text(failing)}`, () => {
    const ends = grouped(machine, definition, ({ end }) => end)
    expect(text(ends.get('failed')!)).toBe(text(failing))
    expect(text(sum(ends.values()))).toBe('1/1')
  })

  test(`reaches the least likely of the twelve partial orders with probability ${text(least)}`, () => {
    const classes = grouped(machine, definition, classOf)
    expect(classes.size).toBe(12)
    const [smallest] = [...classes.values()].sort((a, b) => (isLess(a, b) ? -1 : 1))
    expect(text(smallest)).toBe(text(least))
  })

  test('draws every schedule with the probability of its definition', () => {
    const { entry } = findStrategy(name)
    const same = (index: number) => index
    const context = { machine, order: 'stay', argument: '', threadHere: same, locationHere: same } as const
    const found = exactDistribution({
      machine,
      create: (random) => entry.create({ ...context, random }),
      key: scheduleOf,
    })!
    expect([...found.keys()].sort()).toEqual([...definition.keys()].sort())
    for (const [schedule, probability] of definition) {
      expect(found.get(schedule)).toBeCloseTo(toNumber(probability), 13)
    }
  })

  test('draws every partial order about as often as expected', () => {
    const samples = times(30_000)
    const counts = sample(name, samples)
    expect([...counts.keys()].filter((schedule) => !definition.has(schedule))).toEqual([])
    const drawn = grouped(
      machine,
      new Map([...counts].map(([schedule, count]) => [schedule, rational(count)])),
      classOf,
    )
    for (const [key, probability] of grouped(machine, definition, classOf)) {
      const p = toNumber(probability)
      // Four standard deviations either way: 1 in 16 000 for one class.
      const margin = 4 * Math.sqrt(samples * p * (1 - p))
      expect(Math.abs(toNumber(drawn.get(key) ?? zero) - samples * p)).toBeLessThan(margin)
    }
  })
})

function classOf({ trace, end }: Recording): string {
  return fingerprint.of(trace, end === 'failed' ? 'failed' : 'completed')
}

/** How often each schedule is drawn. */
function sample(name: string, samples: number): Map<string, number> {
  const runner = new Runner(machine)
  const strategy = createStrategy(name, { machine, seed: 2018 })
  const { trace } = runner
  /** By the bits of the schedule, after a leading one. */
  const counts = new Int32Array(1 << 11)
  for (let i = 0; i < samples; i++) {
    runner.run(strategy)
    let bits = 1
    for (let d = 0; d < trace.length; d++) bits = (bits << 1) | trace.thread[d]
    counts[bits]++
  }
  const schedules = [...counts.keys()].filter((bits) => counts[bits] > 0)
  return new Map(schedules.map((bits) => [[...bits.toString(2).slice(1)].join(' '), counts[bits]]))
}

function scheduleOf({ trace }: Runner): string {
  return trace.thread.subarray(0, trace.length).join(' ')
}
