import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchange, fetchAdd } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { onceWrong, swaps } from '../audit/once-wrong.js'
import { accesses } from '../support/accesses.js'
import type { Reached } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'
import type { Engine } from '../support/engine.js'
import { Corpus, dailyOf, mutatedEngine } from '../support/mutated-engine.js'
import { randomProgram } from '../support/random-program.js'
import { compare, compareDelays, truth } from './check.js'
import { mutations } from './mutations.js'

/** Found by hand: what random programs rarely show. */
const rare = ['Y XX WY Xw', 'X WY XW WXY'].map(accesses)
/** A step that fails wherever it is tried, beside updates that turn out to change nothing. */
const failingLeaf: Program = {
  variables: { x: 0, y: 0 },
  invariants: { holds: ['!=', ['+', 'x', 'y'], 1] },
  threads: { a: [exchange('y', 0, 'r')], b: [fetchAdd('y', 1, 'r')], c: [exchange('x', 0, 'r')] },
}
/** The faults they showed are among the mutations. */
const wrongOnce = [...Object.values(onceWrong), swaps(3), failingLeaf]
/** The programs the mutants are shown, small enough to be brute-forced quickly, with the truth about each. */
const corpus = new Corpus(
  () => [
    ...rare,
    ...wrongOnce,
    ...fc.sample(randomProgram({ maxInterleavings: 1500 }), { seed: 77, numRuns: 1500 }),
  ],
  (program) => truth(program, undefined, 2_000),
)

function wrong(spec: string, program: Program, all: Reached, engine: Engine): string | null {
  try {
    return spec === 'delay'
      ? compareDelays(program, all, engine)
      : compare(spec, program, all, undefined, engine)
  } catch (error) {
    return String(error)
  }
}

describe('a broken reduction is noticed', () => {
  const isNoticed = async (mutation: (typeof mutations)[number]) => {
    const engine = await mutatedEngine(mutation)
    const noticed = corpus.some(({ program, all }) => wrong(mutation.spec, program, all, engine) !== null)
    expect(noticed).toBe(true)
  }
  const { daily, others } = dailyOf(mutations)
  test.each(daily)('$what', isNoticed)
  test.runIf(isFull).each(others)('$what', isNoticed)

  test('and the harness does not cry wolf', async () => {
    const same = await mutatedEngine(null)
    for (const spec of ['dpor', 'source', 'optimal', 'icb', 'delay']) {
      for (const { program, all } of corpus.first(times(25)))
        expect(wrong(spec, program, all, same)).toBeNull()
    }
  })
})
