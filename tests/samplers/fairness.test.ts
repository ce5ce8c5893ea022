import { expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { fetchAdd, load, store, whileLoop, yieldNow } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import { Random } from '../../src/random/random.js'
import { findStrategy } from '../../src/strategies/index.js'

/**
 * One thread polls a flag, counting as it goes (so that it is not a mere spin, which would be recognised); the other
 * sets it. The first draw for the setter is the lowest there is, so by priorities alone it would never run.
 */
const polling = modelMachine({
  variables: { flag: 0, polls: 0 },
  threads: {
    poller: [
      load('flag', 'f'),
      whileLoop(['==', 'f', 0], [fetchAdd('polls', 1), yieldNow(), load('flag', 'f')]),
    ],
    setter: [load('polls', 'p'), store('flag', 1)],
  },
})

/** The second value drawn, which goes to the second thread, is 0; the others are not. */
class Unlucky extends Random {
  draws = 0
  override next(): number {
    return ++this.draws === 2 ? 0 : super.next() + 1
  }
}

function run(spec: string, maxSteps: number): Runner {
  const { entry, argument } = findStrategy(spec)
  const same = (index: number) => index
  const random = new Unlucky(9)
  const strategy = entry.create({
    machine: polling,
    random,
    order: 'stay',
    argument,
    threadHere: same,
    locationHere: same,
  })
  const runner = new Runner(polling, { maxSteps })
  runner.run(strategy)
  return runner
}

test.each(['basic-pos', 'pct:1'])('%s: a poller does not starve the one it waits for', (spec) => {
  expect(run(spec, 2900).status).toBe('cut')
  expect(run(spec, 60_000).status).toBe('completed')
})

test('pos draws anew whenever the flag is looked at: no starving, no reset needed', () => {
  expect(run('pos', 2900).status).toBe('completed')
})
