import { describe, expect, it } from 'vitest'
import { memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { isFull, times } from '../support/effort.js'
import { enumerate } from './enumerate.js'
import { litmusTable } from './litmus-table.js'
import { parseThreads, type Threads } from './litmus-text.js'
import { randomThreads } from './random-threads.js'
import { exploreC, isScript } from './run-c.js'

const weakModels = memoryModels.slice(1)
const scripts = litmusTable
  .map(([name, text]) => ({ name, threads: parseThreads(text) }))
  .filter(({ threads }) => isScript(threads))
const hasLocks = (threads: Threads) => threads.flat().some(({ op }) => op === 'lock')

describe('C programs have the execution graphs that the axioms allow, each explored once', () => {
  it.each(weakModels)('litmus tests under %s', async (model) => {
    expect(scripts.length).toBeGreaterThan(80)
    for (const { name, threads } of isFull ? scripts : scripts.filter((_, i) => i % 8 === 0)) {
      const { graphs, outcomes, isRacy } = enumerate(threads, model)
      const explored = await exploreC(threads, model)
      expect([name, explored.isRacy]).toEqual([name, isRacy])
      if (isRacy) continue
      expect([...explored.outcomes].sort(), name).toEqual([...outcomes].sort())
      expect([name, explored.executions]).toEqual([name, graphs])
      if (!hasLocks(threads)) expect([name, explored.blocked]).toEqual([name, 0])
    }
  })

  it.each(weakModels)('random programs under %s', async (model) => {
    const random = new Random(23)
    for (let i = 0; i < times(15); i++) {
      const threads = randomThreads({ random, size: 4 + (i % 3), plain: i % 3 === 0 })
      const { graphs, outcomes, isRacy } = enumerate(threads, model)
      const explored = await exploreC(threads, model)
      const text = JSON.stringify(threads)
      expect(explored.isRacy, text).toBe(isRacy)
      if (isRacy) continue
      expect([...explored.outcomes].sort(), text).toEqual([...outcomes].sort())
      expect(explored.executions, text).toBe(graphs)
    }
  })
})

it.each(weakModels)('dfs sees the same outcomes of C programs under %s', async (model) => {
  const random = new Random(3)
  for (let i = 0; i < times(2); i++) {
    const threads = randomThreads({ random, size: 4 }).slice(0, 2)
    const { outcomes } = enumerate(threads, model)
    const explored = await exploreC(threads, model, 'dfs')
    expect([...explored.outcomes].sort(), JSON.stringify(threads)).toEqual([...outcomes].sort())
  }
})
