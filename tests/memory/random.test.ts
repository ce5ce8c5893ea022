import { describe, expect, it } from 'vitest'
import { memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { isFull, times } from '../support/effort.js'
import { enumerate } from './enumerate.js'
import { randomThreads } from './random-threads.js'
import { exploreModel } from './run-model.js'
import { bufferOutcomes } from './store-buffers.js'

const count = times(12)

describe('random programs', () => {
  it.each(memoryModels)('have the outcomes that the axioms of %s allow', (model) => {
    const random = new Random(19)
    for (let i = 0; i < count; i++) {
      const threads = randomThreads({ random, size: 4 + (i % 3) })
      const { outcomes } = enumerate(threads, model)
      const text = JSON.stringify(threads)
      expect([...exploreModel(threads, model).outcomes].sort(), text).toEqual([...outcomes].sort())
      if (model === 'tso' || model === 'pso') expect(bufferOutcomes(threads, model), text).toEqual(outcomes)
    }
  })

  it('race under c11 exactly if some execution does', () => {
    const random = new Random(4)
    let racy = 0
    for (let i = 0; i < count; i++) {
      const threads = randomThreads({ random, size: 4 + (isFull ? i % 2 : 0), plain: true })
      const answer = enumerate(threads, 'c11')
      const { isRacy, outcomes } = exploreModel(threads, 'c11')
      expect(isRacy, JSON.stringify(threads)).toBe(answer.isRacy)
      if (isRacy) racy++
      else expect([...outcomes].sort()).toEqual([...answer.outcomes].sort())
    }
    expect(racy).toBeGreaterThan(0)
    expect(racy).toBeLessThan(count)
  })
})
