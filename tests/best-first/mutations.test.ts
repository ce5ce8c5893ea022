import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { truth } from '../reductions/check.js'
import type { Reached } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'
import type { Engine } from '../support/engine.js'
import { Corpus, dailyOf, mutatedEngine } from '../support/mutated-engine.js'
import { randomProgram } from '../support/random-program.js'
import { compareBounded, compareReduced } from './check.js'
import { mutations } from './mutations.js'

const corpus = new Corpus(
  () => fc.sample(randomProgram({ maxInterleavings: 600 }), { seed: 78, numRuns: 2000 }),
  (program) => truth(program, undefined, 800),
)

function isWrong(
  order: string,
  bound: number | undefined,
  { program, all }: { readonly program: Program; readonly all: Reached },
  engine: Engine,
) {
  try {
    return (
      (bound === undefined
        ? compareReduced(order, program, all, engine)
        : compareBounded(order, program, all, bound, engine)) !== null
    )
  } catch {
    return true
  }
}

describe('a broken search is noticed', () => {
  const isNoticed = async (mutation: (typeof mutations)[number]) => {
    const engine = await mutatedEngine(mutation)
    expect(corpus.some((entry) => isWrong(mutation.order, mutation.bound, entry, engine))).toBe(true)
  }
  const { daily, others } = dailyOf(mutations)
  test.each(daily)('$what', isNoticed)
  test.runIf(isFull).each(others)('$what', isNoticed)

  test('and the harness does not cry wolf', async () => {
    const same = await mutatedEngine(null)
    for (const { order, bound } of mutations) {
      for (const entry of corpus.first(times(10))) expect(isWrong(order, bound, entry, same)).toBe(false)
    }
  })
})
