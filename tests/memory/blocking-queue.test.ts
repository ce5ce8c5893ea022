import { expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { createStrategy } from '../../src/strategies/index.js'
import { faultline } from '../cli/run.js'
import { isFull } from '../support/effort.js'
import { load } from '../wasm-machine/support.js'
import { graphOf } from './graph-of.js'

interface Explored {
  readonly executions: number
  readonly stopped: number
  readonly graphs: ReadonlySet<string>
}

/** Explores tests/c/blocking-queue.c under c11. */
async function queue(first: number, looks: number, strategy = 'graphs'): Promise<Explored> {
  const machine = await load('blocking-queue', {
    args: [String(first), String(looks)],
    platform: { memoryModel: 'c11' },
  })
  const graphs = new Set<string>()
  const { executions, stoppedByAssume, firstBug, exhausted } = explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    observers: [{ footprints: true }],
    onExecution: (runner) => {
      if (runner.status !== 'blocked') graphs.add(`${graphOf(runner)} ${machine.assumptionFailed}`)
    },
  })
  expect([exhausted, firstBug]).toEqual([true, null])
  return { executions, stopped: stoppedByAssume, graphs }
}

it('a queue to which 0 is put stops one of those who take in every execution, unless they may give up', async () => {
  expect(await queue(0, 0)).toMatchObject({ executions: 0, stopped: 22 })
  // As many as GenMC finds, which ends threads at the bound that its test sets for loops.
  expect(await queue(0, 3)).toMatchObject({ executions: 18, stopped: 4 })
})

it.each([
  [0, 0],
  [0, 3],
  [1, 0],
])('its execution graphs are those that other searches find: %i, %i', async (first, looks) => {
  const byGraphs = await queue(first, looks)
  expect(byGraphs.graphs.size).toBe(byGraphs.executions + byGraphs.stopped)
  for (const strategy of isFull ? ['graphs:prefixes', 'dfs'] : ['graphs:prefixes']) {
    expect((await queue(first, looks, strategy)).graphs).toEqual(byGraphs.graphs)
  }
})

it('a program of which no execution came past its assumptions is not called verified', async () => {
  const check = async (first: string) => {
    const argv = [
      'check',
      'tests/c/blocking-queue.c',
      '--memory-model',
      'c11',
      '--strategy',
      'graphs',
      '--json',
    ]
    return JSON.parse((await faultline('.', [...argv, '--', first, '0'])).out)
  }
  const stopped = await check('0')
  expect(stopped.verdict).toBe('bounded')
  expect(stopped.caveats).toEqual([expect.stringMatching(/^assumptions stopped every execution/)])
  expect(await check('1')).toMatchObject({ verdict: 'verified', caveats: [] })
})
