import { beforeAll, describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { sideBySide } from './side-by-side.js'

/** Programs of tests/c/once-wrong.c: too long for brute force, so what is known about them is written here. */

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/once-wrong.c'] })
})

const strategies = ['optimal', 'source', 'dpor', 'best-first', 'best-first:mdpor,pb']

const load = (number: number) =>
  wasmMachine(artifact, { args: [String(number)], checkpoints: 'everywhere', recall: 'everywhere' })

async function explored(number: number, spec: string) {
  const machine = await load(number)
  return reach(machine, createStrategy(spec, { machine }), 200_000)
}

describe.each([
  [1, 'two readers meet inside their read sections'],
  [2, 'a writer still waits when the program ends'],
  [3, 'a lock is waited for where only sleepers are left'],
])('%i: %s', (number) => {
  test.each(strategies)('%s finds the assertion', async (spec) => {
    const { bugs, exhausted } = await explored(number, spec)
    expect(exhausted).toBe(true)
    expect(new Set([...bugs].map((text) => text.split(' ')[0]))).toEqual(new Set(['assertion']))
  })

  test.each([
    ['icb', 2],
    ['delay', 4],
  ])('%s finds it within %i', async (spec, bound) => {
    const machine = await load(number)
    const strategy = createStrategy(spec, { machine, bound })
    expect(explore({ machine, strategy, maxSteps: 400 }).firstBug?.bug.kind).toBe('assertion')
  })
})

test.each([
  [4, 'main returns while threads that conflict go on'],
  [5, 'updates that often change nothing'],
])('%i: %s: all strategies reach the same classes', async (number) => {
  const optimal = await explored(number, 'optimal')
  expect(optimal.exhausted).toBe(true)
  for (const spec of ['source', 'dpor']) {
    const other = await explored(number, spec)
    expect(other.exhausted).toBe(true)
    expect([...other.classes.keys()].sort()).toEqual([...optimal.classes.keys()].sort())
    expect(other.finalStates).toEqual(optimal.finalStates)
  }
})

test('4: optimal explores each class once', async () => {
  const { executions, classes } = await explored(4, 'optimal')
  expect(executions).toBe(classes.size)
})

test.each(['optimal', 'dfs'])(
  '6: how large a block is depends on another thread: %s finds it',
  async (spec) => {
    const machine = await load(6)
    const { firstBug } = explore({
      machine,
      strategy: createStrategy(spec, { machine }),
      maxExecutions: 1000,
    })
    expect(firstBug?.bug.kind).toBe('heap-overflow')
  },
)

test.each([6, 7])(
  '%i: how large a block is depends on another thread: from memory as run',
  async (number) => {
    const recalling = { checkpoints: 'everywhere', recall: 'everywhere' } as const
    const args = [String(number)]
    for (const strategy of ['optimal', 'random'])
      await sideBySide(artifact, recalling, { args, strategy, maxExecutions: 60 })
  },
)
