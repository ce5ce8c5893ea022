import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { bruteForce, reach } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'
import { outcomes } from './support.js'

const CODES = 8
/** Enough for what so few other operations can be told apart by. */
const ROUNDS = 4

/** As tests/c/timed-scripts.c reads it. */
function encode(codes: readonly number[], id: number): string {
  return String((codes.reduceRight((word, code) => (word << 4) | code, 0) << 2) | id)
}

/** One thread loops; others may end that. (Threads that loop keep each other awake: such programs are cut.) */
function randomScripts(random: Random): number[][] {
  const threads = 2 + random.below(2)
  return Array.from({ length: threads }, (_, id) =>
    id === 0
      ? [1 + random.below(2)]
      : Array.from({ length: 1 + random.below(threads === 2 ? 3 : 1) }, () => 3 + random.below(CODES - 2)),
  )
}

const LIMIT = isFull ? 3000 : 1000

/** How executions that came to an end ended; null when there are too many. */
function endsOf(machine: WasmMachine): string[] | null {
  const { executions, ends } = outcomes(machine, { strategy: 'optimal', limit: LIMIT })
  return executions < LIMIT ? [...ends.keys()].filter((end) => end.includes('end ')).sort() : null
}

const runs = isFull ? times(8) : 5

describe('random scripts with loops around waits that time out', () => {
  let artifact: Artifact
  let bounded: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/timed-scripts.c'] })
    bounded = await build({ sources: ['tests/c/timed-scripts.c'], define: [`ROUNDS=${ROUNDS}`] })
  })

  it('have the same classes for reductions, and the same ends as with so many rounds', async () => {
    const random = new Random(5)
    let compared = 0
    for (let i = 0; i < runs; i++) {
      const scripts = randomScripts(random)
      const args = scripts.map(encode)
      const machine = await wasmMachine(artifact, { args, checkpoints: 'everywhere', recall: 'everywhere' })
      for (const points of ['lock,unlock,sync,atomic', 'lock']) {
        machine.usePoints(parsePoints(points))
        const all = bruteForce(machine, LIMIT)
        if (all === null) continue
        compared++
        for (const strategy of ['dpor', 'source', 'optimal']) {
          const found = reach(machine, createStrategy(strategy, { machine }))
          expect({ scripts, points, strategy, classes: [...found.classes.keys()].sort() }).toEqual({
            scripts,
            points,
            strategy,
            classes: [...all.classes.keys()].sort(),
          })
        }
      }
      machine.usePoints(parsePoints('lock,unlock,sync,atomic'))
      const other = await wasmMachine(bounded, { args })
      other.usePoints(parsePoints('lock,unlock,sync,atomic'))
      const ends = endsOf(other)
      if (ends !== null) expect({ scripts, ends: endsOf(machine) }).toEqual({ scripts, ends })
    }
    expect(compared).toBeGreaterThan(runs / 8)
  })
})
