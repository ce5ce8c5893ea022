import { expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { defaultMaxSteps } from '../../src/execution/runner.js'
import { build, type WasmMachineOptions, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { stepwise } from '../../src/strategies/stepwise.js'

/** Explores a case of tests/c/storing-loops.c. */
async function search(
  number: number,
  strategy: string,
  points = 'everywhere',
  maxSteps = defaultMaxSteps,
  options: WasmMachineOptions = {},
  maxExecutions = 2000,
) {
  const artifact = await build({ sources: ['tests/c/storing-loops.c'] })
  const machine = await wasmMachine(artifact, { ...options, args: [String(number)] })
  machine.usePoints(parsePoints(points))
  return explore({
    machine,
    strategy: stepwise({ create: () => createStrategy(strategy, { machine }), maxSteps }),
    maxSteps,
    maxExecutions,
  })
}

const cases: [number: number, what: string][] = [
  [0, 'counts its rounds'],
  [1, 'counts where others can see it'],
  [2, 'counts how often a mutex was taken'],
  [3, 'looks here and there by turns'],
  [4, 'walks round a ring'],
  [5, 'counts back-offs'],
  [6, 'gives a lock back when another one is taken'],
  [7, 'takes its flag down while the other is up'],
  [8, 'keeps a copy of what it reads'],
]

it.each(cases)('optimal finds the bug behind a loop that stores, case %i: it %s', async (number) => {
  const { firstBug, cut } = await search(number, 'optimal')
  expect(firstBug?.bug.kind).toBe('assertion')
  expect(cut).toBe(0)
})

it.each(['dpor', 'source', 'icb', 'best-first', 'delay'])('so does %s', async (strategy) => {
  for (const number of [1, 7]) expect((await search(number, strategy)).firstBug?.bug.kind).toBe('assertion')
})

it('so do few steps', async () => {
  const { firstBug } = await search(1, 'dpor', 'everywhere', 50)
  expect(firstBug?.bug.kind).toBe('assertion')
})

it('a loop that keeps a copy of what it reads waits until that changes', async () => {
  for (const strategy of ['optimal', 'dpor', 'source']) {
    expect(await search(9, strategy)).toMatchObject({ exhausted: true, cut: 0, failures: 0 })
  }
})

it('a loop without any point in it lets others run', async () => {
  const { firstBug, executions } = await search(1, 'optimal', 'yield', defaultMaxSteps, {}, 5)
  expect(firstBug).toBeNull()
  expect(executions).toBeGreaterThan(0)
})

it('where a long loop pauses does not depend on whether others could run', async () => {
  const artifact = await build({ sources: ['tests/c/storing-loops.c'] })
  const machine = await wasmMachine(artifact, { args: ['12'] })
  machine.usePoints(parsePoints('lock'))
  const counts: number[] = []
  explore({
    machine,
    strategy: createStrategy('dfs', { machine }),
    onExecution: ({ trace }) => {
      counts.push(trace.thread.subarray(0, trace.length).filter((thread) => thread === 1).length)
    },
  })
  expect(counts.length).toBeGreaterThan(2)
  expect(new Set(counts).size).toBe(1)
})

it('threads that give way to each other for ever are a livelock', async () => {
  const { firstBug } = await search(10, 'optimal')
  expect(firstBug?.bug.kind).toBe('livelock')
  expect(firstBug?.bug.message).toMatch(
    /gives_way \(0\.1\) spins on wants\+4; gives_way \(0\.2\) spins on wants; main/,
  )
})

it('a loop without end is no livelock while another thread could run: the execution is cut', async () => {
  const { firstBug, cut, cutEarly } = await search(11, 'dfs', 'yield', 100, { maxLoopVisits: 20_000 }, 3)
  expect(firstBug).toBeNull()
  expect(cut).toBeGreaterThan(0)
  expect(cutEarly).toBe(cut)
})
