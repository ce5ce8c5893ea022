import { describe, expect, test } from 'vitest'
import { isFull } from '../support/effort.js'
import type { Engine } from '../support/engine.js'
import { dailyOf, type Mutation, mutatedEngine } from '../support/mutated-engine.js'
import { detect, pairs } from './detect.js'
import { type Edge, edges } from './edges.js'
import { mutations } from './mutations.js'
import { orderCases } from './order-cases.js'

const all: readonly Edge[] = [...edges, ...orderCases]

/** Whether an engine says something else than it should of any of the programs. */
function isWrong(engine: Engine): boolean {
  return all.some(({ program, kinds, expected, how }) =>
    kinds.some((kind) => {
      try {
        return pairs(detect(program, kind, { ...how, engine })).join() !== [...expected].sort().join()
      } catch {
        return true
      }
    }),
  )
}

describe('each order by itself', () => {
  test.each(all)('$name', ({ program, kinds, expected, how }) => {
    for (const kind of kinds) expect(pairs(detect(program, kind, how)), kind).toEqual([...expected].sort())
  })
})

describe('a broken detector is noticed', () => {
  const isNoticed = async (mutation: Mutation) => {
    expect(isWrong(await mutatedEngine(mutation))).toBe(true)
  }
  const { daily, others } = dailyOf(mutations)
  test.each(daily)('$file: $what', isNoticed)
  test.runIf(isFull).each(others)('$file: $what', isNoticed)

  test('and a whole one is not', async () => {
    expect(isWrong(await mutatedEngine(null))).toBe(false)
  })
})
