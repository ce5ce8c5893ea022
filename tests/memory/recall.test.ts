import { expect, it } from 'vitest'
import { memoryModels } from '../../src/machine/platform.js'
import { Random } from '../../src/random/random.js'
import { isFull, times } from '../support/effort.js'
import { entries } from '../wasm-machine/side-by-side.js'
import { randomThreads } from './random-threads.js'
import { scriptsOf } from './run-c.js'

const weakModels = memoryModels.slice(1)

it.each(weakModels)('random programs under %s are the same from memory as run', async (memoryModel) => {
  const random = new Random(41)
  let [few, many, kept] = [0, 0, 0]
  for (let i = 0; i < times(10); i++) {
    const threads = randomThreads({ random, size: 4 + (i % 4), plain: i % 3 === 0 })
    const [entered, all, left] = await entries('tests/c/weak-scripts.c', i % 4 === 0 ? [] : ['SILENT'], {
      ...{ args: scriptsOf(threads), platform: { memoryModel }, maxExecutions: isFull ? 400 : 60 },
      strategy: i % 5 === 4 ? 'dfs' : 'graphs',
      asks: i % 3 === 0 ? 7 : 1e9,
    })
    few += entered
    many += all
    kept += left
  }
  expect(few).toBeLessThan(many * 0.9)
  expect(kept).toBeGreaterThan(0)
})

// Under tso and pso programs that free memory are refused.
const cases = [1, 2, 3, 4, 5, 6, 7, 8, 9].flatMap((number) =>
  weakModels.filter((model) => number !== 3 || model === 'c11').map((model) => [number, model] as const),
)

it.each(cases)('case %i under %s is the same from memory as run', async (number, memoryModel) => {
  const options = { platform: { memoryModel }, strategy: 'graphs', maxExecutions: isFull ? 4000 : 100 }
  const [few, many] = await entries('tests/c/weak-recall.c', [`CASE=${number}`], options)
  // A frame that is used again holds what no operation has left there, and how often a mutex was locked only the program
  // knows: it is run each time.
  if (number !== 5 && number !== 8) expect(few).toBeLessThan(many)
})

it.each(weakModels)('a loop that changes nothing unless others do, under %s', async (memoryModel) => {
  const options = { platform: { memoryModel }, strategy: 'random', maxExecutions: 100 }
  const [few, many] = await entries('tests/c/copied-flag.c', [], options)
  expect(few).toBeLessThan(many)
})
