import { expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { outcomes } from './support.js'

/** How the first executions of a case of tests/c/endless.c end. */
async function ends(number: number, strategy: string, points = 'everywhere'): Promise<string[]> {
  const artifact = await build({ sources: ['tests/c/endless.c'] })
  const machine = await wasmMachine(artifact, { args: [String(number)] })
  machine.usePoints(parsePoints(points))
  const { ends } = outcomes(machine, { strategy, limit: 12, maxSteps: 20_000 })
  return [...ends.keys()]
}

const livelock =
  'livelock: a loop makes no progress: a round of it leaves everything as it was, and no other thread can go on'

it.each([
  [0, 'takes and gives back a lock', 'optimal', 'everywhere'],
  [0, 'takes and gives back a lock', 'optimal', 'lock,unlock,sync,atomic'],
  [1, 'has a loop in it', 'pos', 'everywhere'],
  [5, 'is left with one who waits for a signal', 'pos', 'everywhere'],
])(
  'a loop that goes round for ever is told, case %i: it %s (%s, %s)',
  async (number, _, strategy, points) => {
    expect(await ends(number, strategy, points)).toContain(livelock)
  },
)

it.each([
  [2, 'counts'],
  [3, 'counts on the heap'],
  [4, 'counts in a variable'],
])('a loop that ends is not, case %i: it %s', async (number) => {
  for (const strategy of ['optimal', 'pos']) expect(await ends(number, strategy)).toEqual(['ok '])
})

it('a loop that another one can end is not, however long that one waits', async () => {
  for (const strategy of ['optimal', 'pos', 'random']) {
    for (const end of await ends(6, strategy)) expect(['ok ', 'cut ']).toContain(end)
  }
})
