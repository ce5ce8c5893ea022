import { beforeAll, describe, expect, it } from 'vitest'
import type { Strategy } from '../../src/execution/strategy.js'
import { type Artifact, build, type WasmMachine, wasmMachine } from '../../src/frontends/wasm/index.js'
import { everywhere, type PointSet } from '../../src/machine/points.js'
import { createStrategy, findStrategy } from '../../src/strategies/index.js'
import { splitting } from '../../src/strategies/splitting.js'
import { reach } from '../support/brute-force.js'

/** The cases of tests/c/long-accesses.c, and whether somebody can come between the words. */
const cases: [number: number, what: string, races: boolean][] = [
  [1, 'a structure is assigned while it is read', true],
  [2, 'the same under a lock', false],
  [3, 'two assignments of one structure', true],
  [4, 'memmove to the right, over itself', true],
  [5, 'strcmp', true],
  [6, 'memcmp', true],
  [7, 'strcpy', true],
  [8, 'strlen', true],
  [9, 'memset', true],
  [10, 'strchr and strrchr', true],
  [11, 'assignments of two structures', false],
  [12, 'strdup', true],
]

let artifact: Artifact
beforeAll(async () => {
  artifact = await build({ sources: ['tests/c/long-accesses.c'] })
})

const make = (number: number) => wasmMachine(artifact, { args: [String(number)] })

function lazily(name: string, machine: WasmMachine): Strategy {
  machine.usePoints(everywhere)
  return splitting({
    machine,
    create: () => createStrategy(name, { machine }),
    isSampler: findStrategy(name).entry.promise === 'sample',
  })
}

/** Every call is split, whether or not it needs to be. */
function allSplit({ sites }: WasmMachine): PointSet {
  const calls = sites.filter((site, i) => site.name.endsWith(':call') && sites.indexOf(site) === i)
  return { ...everywhere, races: calls.map(({ name }) => ({ site: name, words: true })) }
}

describe.each(cases)('%i: %s', (number, _, races) => {
  it('is found to be torn exactly where words can be interrupted', async () => {
    const machine = await make(number)
    machine.usePoints(allSplit(machine))
    const split = reach(machine, createStrategy('source', { machine }))
    machine.usePoints(everywhere)
    const whole = reach(machine, createStrategy('source', { machine }))
    expect(split.exhausted).toBe(true)
    for (const name of ['source', 'optimal', 'dpor']) {
      const strategy = lazily(name, machine)
      const found = reach(machine, strategy)
      expect(found.exhausted).toBe(true)
      expect(strategy.coarse).toBe(false)
      expect(ends(found)).toEqual(ends(split))
      expect(strategy.restarts! > 0).toBe(races)
      expect(machine.points.races.length > 0).toBe(races)
      // Nothing is paid for what does not race.
      if (!races) expect(found.executions).toBe(whole.executions)
    }
  })
})

describe('a structure assigned while it is read', () => {
  it.each(['dfs', 'icb', 'best-first', 'pos'])('is found to be torn by %s', async (name) => {
    const machine = await make(1)
    const found = reach(machine, lazily(name, machine), 1000)
    expect([...found.bugs].join()).toMatch('seen == more')
  })

  it.each(['dfs', 'icb', 'best-first'])('%s finds the locked twin to be right', async (name) => {
    const machine = await make(2)
    const strategy = lazily(name, machine)
    const found = reach(machine, strategy)
    expect(found).toMatchObject({ exhausted: true, bugs: new Set() })
    expect(strategy.coarse).toBe(false)
  })

  it('has the same classes with and without reduction', async () => {
    const machine = await make(1)
    machine.usePoints(allSplit(machine))
    const all = reach(machine, createStrategy('dfs', { machine }))
    expect(all.exhausted).toBe(true)
    for (const name of ['dpor', 'source', 'optimal']) {
      const reduced = reach(machine, createStrategy(name, { machine }))
      expect(new Set(reduced.classes.keys())).toEqual(new Set(all.classes.keys()))
      if (name === 'optimal') expect(reduced.executions).toBe(all.classes.size)
    }
  })
})

function ends({ finalStates, bugs }: ReturnType<typeof reach>) {
  // Which bytes were touched how is part of the state, but not what matters here.
  return { printed: new Set([...finalStates].map((state) => state.replace(/^\S+ /, ''))), bugs }
}
