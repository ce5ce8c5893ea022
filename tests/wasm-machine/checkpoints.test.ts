import { describe, expect, it } from 'vitest'
import { type Artifact, build } from '../../src/frontends/wasm/index.js'
import { Random } from '../../src/random/random.js'
import { isFull } from '../support/effort.js'
import { type Compared, limit, sideBySide } from './side-by-side.js'

const compare = (artifact: Artifact, compared: Compared) =>
  sideBySide(artifact, { recall: 'off', checkpoints: 'everywhere' }, compared)

/** Programs of tests/c, as other tests build them, with some of their cases. */
const programs: readonly (readonly [name: string, cases: readonly number[]])[] = [
  ['spins', isFull ? [1, 5, 8, 9, 12, 14] : [1, 9, 12]],
  ['twins', [1, 4, 6, 7]],
  ['conditions', [1, 3]],
  // The last one takes all the memory there is.
  ['heap', isFull ? [1, 3, 5, 7] : [3]],
  ['robust', [1, 2]],
  ['keys', []],
  ['io', []],
  ['time', []],
  ['annotations', isFull ? [1, 2, 3, 4, 5, 6] : [2, 3]],
]

describe('an execution that begins where it leaves the last one is the same as from the beginning', () => {
  it.each(programs)('%s', async (name, cases) => {
    const artifact = await build({ sources: [`tests/c/${name}.c`], optimize: '0' })
    for (const number of cases.length === 0 ? [0] : cases) {
      const args = Array<string>(number).fill('')
      await compare(artifact, { args })
      await compare(artifact, { args, strategy: 'dfs', points: 'lock,unlock,sync,atomic' })
    }
  })

  it('cancel', async () => {
    const artifact = await build({ sources: ['tests/c/cancel.c'] })
    for (const number of [1, 2, 5, 8]) await compare(artifact, { args: [String(number)] })
  })

  it('in programs made at random, and much is left out', async () => {
    const scripts = await build({ sources: ['tests/c/scripts.c'] })
    const blocks = await build({ sources: ['tests/c/heap-scripts.c'] })
    const random = new Random(3)
    let leftOut = 0
    for (let i = 0; i < limit / 4; i++) {
      const args = Array.from({ length: 2 + random.below(2) }, (_, id) => {
        let script = 0
        for (let k = 0; k < 3; k++) script = (script << 5) | (random.below(2) << 4) | (1 + random.below(12))
        return String((script << 2) | id)
      })
      leftOut += await compare(scripts, { args, strategy: i % 3 === 0 ? 'dfs' : 'optimal' })
      const letters = () => Array.from({ length: 4 }, () => 'abcABCxyzu'[random.below(10)]).join('')
      leftOut += await compare(blocks, { args: [letters(), letters()] })
    }
    expect(leftOut).toBeGreaterThan(limit * 10)
  })
})
