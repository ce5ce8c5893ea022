import { describe, expect, it } from 'vitest'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { isFull } from '../support/effort.js'
import { type Engine, engine } from '../support/engine.js'
import { dailyOf, type Mutation, mutatedEngine } from '../support/mutated-engine.js'
import { enumerate } from './enumerate.js'
import { litmusTable } from './litmus-table.js'
import { parseThreads } from './litmus-text.js'
import { mutations } from './mutations.js'
import { randomThreads } from './random-threads.js'
import { exploreModel } from './run-model.js'

const random = new Random(7)
const corpus = [
  ...litmusTable
    .filter(([, threads]) => !threads.some((code) => code.includes('lock')))
    .map(([, text]) => parseThreads(text)),
  ...Array.from({ length: 40 }, (_, i) => randomThreads({ random, size: 4 + (i % 3), locks: false })),
]
const answers = new Map<string, ReturnType<typeof enumerate>>()

function answerOf(i: number, model: MemoryModel) {
  const key = `${i} ${model}`
  if (!answers.has(key)) answers.set(key, enumerate(corpus[i], model))
  return answers.get(key)!
}

const isOfPrefixes = ({ what }: Mutation) => what.startsWith('prefixes')

/** Whether some litmus test comes out otherwise than the axioms say. */
function isNoticed(by: Engine, strategy = 'graphs'): boolean {
  return corpus.some((threads, i) =>
    memoryModels.slice(1).some((model) => {
      const { outcomes, graphs } = answerOf(i, model)
      try {
        const explored = exploreModel(threads, model, strategy, by)
        const isSame = [...outcomes].sort().join('|') === [...explored.outcomes].sort().join('|')
        return !isSame || explored.executions !== graphs
      } catch {
        return true
      }
    }),
  )
}

describe('each axiom, broken on purpose, is noticed by the litmus tests', () => {
  const { daily, others } = dailyOf(mutations)
  it.runIf(isFull)('which the engine passes', () => {
    expect(isNoticed(engine)).toBe(false)
  })
  const notices = async (mutation: Mutation) =>
    isNoticed(await mutatedEngine(mutation), isOfPrefixes(mutation) ? 'graphs:prefixes' : 'graphs')
  it.each(daily)('$what', async (mutation) => {
    expect(await notices(mutation)).toBe(true)
  })
  it.runIf(isFull).each(others)('$what', async (mutation) => {
    expect(await notices(mutation)).toBe(true)
  })
})
