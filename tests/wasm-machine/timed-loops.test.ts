import { beforeAll, describe, expect, it } from 'vitest'
import { type Artifact, build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { outcomes } from './support.js'

describe('loops around waits that time out', () => {
  let artifact: Artifact
  let bounded: Artifact
  beforeAll(async () => {
    artifact = await build({ sources: ['tests/c/timed-loops.c'] })
    bounded = await build({ sources: ['tests/c/timed-loops.c'], define: ['ROUNDS=4'] })
  })

  const points = 'lock,unlock,sync,atomic'
  const endsOf = async (program: Artifact, number: number, strategy: string) => {
    const machine = await wasmMachine(program, {
      args: [String(number)],
      checkpoints: 'everywhere',
      recall: 'everywhere',
    })
    machine.usePoints(parsePoints(points))
    const { ends, statuses } = outcomes(machine, { strategy })
    return { ends: [...ends.keys()].sort(), statuses }
  }

  it.each([1, 2, 4, 5, 6, 7])('end as those of so many rounds do, case %i', async (number) => {
    // There are too many interleavings of case 4 for `dfs`.
    const all = await endsOf(artifact, number, number === 4 ? 'dpor' : 'dfs')
    expect(all.statuses).toEqual(new Set(['completed']))
    for (const strategy of ['dpor', 'source', 'optimal']) {
      const reduced = await endsOf(artifact, number, strategy)
      expect({ strategy, ends: reduced.ends }).toEqual({ strategy, ends: all.ends })
    }
    // Those that ran out of rounds print nothing for the thread that waits.
    const some = await endsOf(bounded, number, 'optimal')
    expect(all.ends).toEqual(some.ends.filter((end) => end.includes('done')))
  })

  it('a signal can be lost more than once', async () => {
    for (const strategy of ['dfs', 'optimal']) {
      const { ends, statuses } = await endsOf(artifact, 3, strategy)
      expect(ends).toEqual([expect.stringContaining('livelock'), 'ok done '])
      expect(statuses.has('cut')).toBe(false)
    }
  })

  it('that nobody can end are a livelock', async () => {
    const { ends } = await endsOf(artifact, 8, 'optimal')
    for (const end of ends) expect(end).toMatch(/^livelock: .*wait \(0\.1\) spins on .*ready/)
  })
})
