import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { times } from '../support/effort.js'
import { endsOf, loadCase, outcomes } from './support.js'

const runs = times(12)

describe('reuse of freed memory', () => {
  it('gives the block freed last to whoever asks for as much', async () => {
    expect(endsOf(await loadCase('reuse', 1, { platform: { heap: 'reuse' } }))).toEqual(['ok '])
    expect(endsOf(await loadCase('reuse', 1))[0]).toContain('assertion')
  })

  it('depends on who was first', async () => {
    const machine = await loadCase('reuse', 2, { platform: { heap: 'reuse' } })
    for (const strategy of ['dfs', 'source', 'optimal']) {
      expect(endsOf(machine, { strategy })).toEqual(['ok other', 'ok same'])
    }
    machine.platform?.use({ heap: 'fresh' })
    expect(endsOf(machine)).toEqual(['ok other'])
  })

  it('shows an address that stands for two nodes, which fresh memory cannot', async () => {
    const machine = await loadCase('reuse', 3, { platform: { heap: 'reuse' } })
    const fresh = endsOf(machine, { strategy: 'optimal' })
    expect(fresh.some((end) => end.startsWith('assertion'))).toBe(true)
    machine.platform?.use({ heap: 'fresh' })
    expect(endsOf(machine, { strategy: 'optimal' }).some((end) => end.startsWith('assertion'))).toBe(false)
  })

  it('still shows uses between free and reuse', async () => {
    const machine = await loadCase('reuse', 4, { platform: { heap: 'reuse' } })
    const all = endsOf(machine)
    expect(all.map((end) => end.slice(0, 14)).sort()).toEqual(['ok 1', 'ok 2', 'use-after-free'])
    expect(endsOf(machine, { strategy: 'optimal' })).toEqual(all)
  })

  it('has another hash, so that schedules do not mix', async () => {
    const machine = await loadCase('reuse', 2)
    const { hash } = machine
    machine.platform?.use({ heap: 'reuse' })
    expect(machine.hash).not.toBe(hash)
    expect((await loadCase('reuse', 2, { platform: { heap: 'reuse' } })).hash).toBe(machine.hash)
    machine.platform?.use({ heap: 'fresh' })
    expect(machine.hash).toBe(hash)
  })

  it('has the same ends for reductions as for all interleavings', async () => {
    const artifact: Artifact = await build({ sources: ['tests/c/heap-scripts.c'] })
    const script = fc.string({ unit: fc.constantFrom(...'aabABcCxyzu'), minLength: 1, maxLength: 2 })
    await fc.assert(
      fc.asyncProperty(fc.tuple(script, script), async (args) => {
        const machine = await wasmMachine(artifact, { args, platform: { heap: 'reuse' } })
        for (const points of ['everywhere', 'lock,unlock,sync']) {
          machine.usePoints(parsePoints(points))
          const all = [...outcomes(machine, { strategy: 'dfs', limit: 100_000 }).ends.keys()].sort()
          for (const strategy of ['source', 'optimal']) {
            expect([...outcomes(machine, { strategy }).ends.keys()].sort(), strategy).toEqual(all)
          }
        }
      }),
      { numRuns: runs, seed: 66 },
    )
  })
})
