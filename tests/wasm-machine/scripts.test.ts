import { beforeAll, describe, expect, it } from 'vitest'
import {
  type GeneratorProgram,
  modelMachine,
  type Operation,
  type Operations,
} from '../../src/frontends/model/index.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import { createStrategy } from '../../src/strategies/index.js'
import { type Reached, reach } from '../support/brute-force.js'
import { times } from '../support/effort.js'

/** One operation of a script: what, and on which of two objects. */
type Step = readonly [code: number, object: number]

const CODES = 12

/** The model twin of tests/c/scripts.c. */
function twinOf(scripts: readonly (readonly Step[])[]): Machine {
  const body = (steps: readonly Step[], id: number) =>
    function* (t: Operations): Generator<Operation, void, number> {
      for (const [code, k] of steps) {
        const [x, a, m, c] = [`x${k}`, `a${k}`, `m${k}`, `c${k}`]
        switch (code) {
          case 1:
            yield t.load(x)
            break
          case 2:
            yield t.store(x, id)
            break
          case 3:
            yield t.fetchAdd(a, 1)
            break
          case 4:
            yield t.compareExchange(a, 0, id + 1)
            break
          case 5:
            yield t.lock(m)
            yield t.store(x, (yield t.load(x)) + 1)
            yield t.unlock(m)
            break
          case 6:
            if ((yield t.trylock(m)) === 0) {
              yield t.store(x, id)
              yield t.unlock(m)
            }
            break
          case 7:
          case 8:
          case 9:
            yield t.lock(m)
            yield code === 7 ? t.signal(c) : code === 8 ? t.timedwait(c, m) : t.wait(c, m)
            yield t.unlock(m)
            break
          case 10:
            yield t.broadcast(c)
            break
          case 11:
            yield t.yield()
            break
          case 12:
            yield t.exchange(a, id + 1)
        }
      }
    }
  return modelMachine({
    variables: { x0: 0, x1: 0, a0: 0, a1: 0 },
    mutexes: { m0: 'plain', m1: 'plain' },
    conditions: ['c0', 'c1'],
    threads: Object.fromEntries(scripts.map((steps, i) => [`t${i}`, body(steps, i)])),
  } as GeneratorProgram)
}

/** As tests/c/scripts.c reads it. */
function encode(steps: readonly Step[], id: number): string {
  const script = steps.reduceRight((word, [code, object]) => (word << 5) | (object << 4) | code, 0)
  return String((script << 2) | id)
}

function randomScripts(random: Random): Step[][] {
  const threads = 2 + random.below(2)
  return Array.from({ length: threads }, () =>
    Array.from(
      { length: 1 + random.below(threads === 2 ? 3 : 2) },
      (): Step => [1 + random.below(CODES), random.below(2)],
    ),
  )
}

const summary = (reached: Reached) => ({
  classes: reached.classes.size,
  deadlocks: reached.bugs.size > 0,
  exhausted: reached.exhausted,
})

describe('random scripts', () => {
  let artifact: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/scripts.c'] })
  })

  it.each([1, 2, 3, 4])('have the same classes as their model twins, seed %i', async (seed) => {
    const random = new Random(seed)
    for (let i = 0; i < times(10); i++) {
      const scripts = randomScripts(random)
      const args = scripts.map(encode)
      const [program, model] = [await wasmMachine(artifact, { args }), twinOf(scripts)]
      for (const points of ['everywhere', 'lock,unlock,sync,atomic']) {
        for (const machine of [program, model]) machine.usePoints(parsePoints(points))
        const expected = summary(reach(model, createStrategy('source', { machine: model }), 20_000))
        if (!expected.exhausted) continue
        const found = summary(reach(program, createStrategy('optimal', { machine: program }), 20_000))
        expect({ scripts, points, ...found }).toEqual({ scripts, points, ...expected })
      }
    }
  })
})
