import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { everywhere } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { times } from '../support/effort.js'

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/updates.c'] })
})

/** The cases of tests/c/updates.c, with so many threads; those of which all values are told have nothing redundant. */
const cases: [number: number, threads: number, isExact: boolean][] = [
  [1, 2, true],
  [1, 3, true],
  [2, 3, true],
  [2, 4, true],
  [3, 3, true],
  [3, 4, true],
  [4, 3, true],
  [5, 3, true],
  [6, 3, true],
  [7, 3, false],
  [8, 3, true],
]

describe('atomic updates', () => {
  it.each(cases)('case %i with %i threads: one execution per class: %s', async (number, threads, isExact) => {
    const machine = await wasmMachine(artifact, { args: [String(number), String(threads)] })
    machine.usePoints(everywhere)
    const source = reach(machine, createStrategy('source', { machine }))
    const optimal = reach(machine, createStrategy('optimal', { machine }))
    expect(source.exhausted && optimal.exhausted).toBe(true)
    expect(new Set(optimal.classes.keys())).toEqual(new Set(source.classes.keys()))
    expect(optimal.finalStates).toEqual(source.finalStates)
    expect(optimal.executions).toBe(optimal.classes.size)
    if (isExact) expect(optimal.blocked).toBe(0)
  })
})

const script = fc.string({ unit: fc.constantFrom(...'abcdefghijkl'), minLength: 1, maxLength: 2 })

it('random updates: one execution per class, and all of them', async () => {
  const runs = times(10)
  await fc.assert(
    fc.asyncProperty(fc.array(script, { minLength: 2, maxLength: 3 }), async (scripts) => {
      const machine = await wasmMachine(artifact, { args: ['0', String(scripts.length), ...scripts] })
      machine.usePoints(everywhere)
      const all = reach(machine, createStrategy('source', { machine }))
      const optimal = reach(machine, createStrategy('optimal', { machine }))
      expect(all.exhausted && optimal.exhausted).toBe(true)
      expect(new Set(optimal.classes.keys())).toEqual(new Set(all.classes.keys()))
      expect(optimal.finalStates).toEqual(all.finalStates)
      expect([optimal.executions, optimal.blocked]).toEqual([optimal.classes.size, 0])
    }),
    { seed: 1, numRuns: runs },
  )
})
