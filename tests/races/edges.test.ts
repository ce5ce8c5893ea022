import { describe, expect, test } from 'vitest'
import { type Engine, mutatedEngine } from '../support/engine.js'
import { detect, pairs } from './detect.js'
import { type Edge, edges } from './edges.js'
import { mutations } from './mutations.js'
import { orderCases } from './order-cases.js'

const all: readonly Edge[] = [...edges, ...orderCases]

/** The names of the programs on which this engine says something else than it should. */
function wrong(engine?: Engine): string[] {
  return all
    .filter(({ program, kinds, expected, how }) =>
      kinds.some((kind) => {
        try {
          const found = pairs(detect(program, kind, { ...how, ...(engine ? { engine } : {}) }))
          return found.join() !== [...expected].sort().join()
        } catch {
          return true
        }
      }),
    )
    .map(({ name }) => name)
}

describe('each order by itself', () => {
  test.each(all)('$name', ({ program, kinds, expected, how }) => {
    for (const kind of kinds) expect(pairs(detect(program, kind, how)), kind).toEqual([...expected].sort())
  })
})

describe('a broken detector is noticed', () => {
  test.each(mutations)('$file: $what', async (mutation) => {
    expect(wrong(await mutatedEngine(mutation))).not.toEqual([])
  })

  test('and a whole one is not', async () => {
    const same = { what: 'nothing', file: 'races/pure-order.ts', from: 'class', to: 'class' }
    expect(wrong(await mutatedEngine(same))).toEqual([])
  })
})
