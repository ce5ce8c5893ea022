import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { bruteForce, type Reached, reach } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'

/** One operation of a script of tests/c/cancel-scripts.c, and which of the two others it means. */
type Step = readonly [code: number, other: number]

const CODES = 15
const CANCEL = 1

function encode(steps: readonly Step[], id: number): string {
  const script = steps.reduceRight((word, [code, other]) => (word << 5) | (other << 4) | code, 0)
  return String((script << 2) | id)
}

/** At least one of them cancels. */
function randomScripts(random: Random): Step[][] {
  const threads = 2 + random.below(2)
  const scripts = Array.from({ length: threads }, () =>
    Array.from(
      { length: 1 + random.below(threads === 2 ? 3 : 2) },
      (): Step => [1 + random.below(CODES), random.below(2)],
    ),
  )
  const who = random.below(threads)
  scripts[who][random.below(scripts[who].length)] = [CANCEL, random.below(2)]
  return scripts
}

const summary = (reached: Reached) => ({
  classes: [...reached.classes.keys()].sort(),
  finalStates: [...reached.finalStates].sort(),
  bugs: [...reached.bugs].sort(),
})

const runs = isFull ? times(6) : 3

describe('random scripts with cancellation', () => {
  let artifact: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/cancel-scripts.c'] })
  })

  it.each([1])('have the same ends for reductions as for all interleavings, seed %i', async (seed) => {
    const random = new Random(seed)
    let compared = 0
    for (let i = 0; i < runs; i++) {
      const scripts = randomScripts(random)
      const machine = await wasmMachine(artifact, {
        args: scripts.map(encode),
        checkpoints: 'everywhere',
        recall: 'everywhere',
      })
      for (const points of ['everywhere', 'lock,unlock,sync', 'lock']) {
        machine.usePoints(parsePoints(points))
        const all = bruteForce(machine, isFull ? 2000 : 1000)
        if (all === null) continue
        compared++
        for (const strategy of ['dpor', 'source', 'optimal']) {
          const found = reach(machine, createStrategy(strategy, { machine }))
          expect({ scripts, points, strategy, ...summary(found) }).toEqual({
            scripts,
            points,
            strategy,
            ...summary(all),
          })
        }
      }
    }
    expect(compared).toBeGreaterThan(runs / 4)
  })
})
