import { describe, expect, it } from 'vitest'
import { type MemoryModel, memoryModels } from '../../src/machine/platform.js'
import { isFull } from '../support/effort.js'
import { enumerate } from './enumerate.js'
import { litmusTable } from './litmus-table.js'
import { parseThreads } from './litmus-text.js'
import { exploreModel } from './run-model.js'
import { bufferOutcomes } from './store-buffers.js'

const includes = (outcomes: ReadonlySet<string>, asked: string) =>
  [...outcomes].some((outcome) => asked.split(' ').every((part) => outcome.split(' ').includes(part)))

describe('litmus tests', () => {
  it('are at least 60, each by its own name', () => {
    expect(new Set(litmusTable.map(([name]) => name)).size).toBeGreaterThanOrEqual(60)
  })

  it.each(litmusTable)('%s', (_, text, asked, allowed) => {
    const threads = parseThreads(text)
    const by = (answer: (model: MemoryModel) => ReadonlySet<string>) =>
      memoryModels.map((model) => (includes(answer(model), asked) ? '+' : '-')).join('')
    expect(by((model) => enumerate(threads, model).outcomes)).toBe(allowed)
    const hasLocks = text.some((code) => code.includes('lock'))
    const strategy = (model: MemoryModel) => (model === 'sc' ? 'optimal' : hasLocks ? 'dfs' : 'graphs')
    expect(by((model) => exploreModel(threads, model, strategy(model)).outcomes)).toBe(allowed)
    if (isFull) expect(by((model) => exploreModel(threads, model, 'dfs').outcomes)).toBe(allowed)
    for (const model of ['tso', 'pso'] as const) {
      expect(bufferOutcomes(threads, model)).toEqual(new Set(enumerate(threads, model).outcomes))
    }
  })
})
