import { expect, test } from 'vitest'
import { build, unseenCaveats, wasmMachine } from '../../src/frontends/wasm/index.js'
import { isFull } from '../support/effort.js'
import { outcomes } from './support.js'

/** Programs whose functions would get too large are compiled with the library's functions kept apart. */
const ways = [[], ['FAULTLINE_LIBRARY_CALLS']]

test.runIf(isFull)('what library functions access is seen, inlined or kept apart', async () => {
  const artifacts = await Promise.all(
    ways.map((define) => build({ sources: ['tests/cpp/shared.cpp'], define })),
  )
  for (const artifact of artifacts) expect(unseenCaveats(artifact)).toEqual([])
  for (const [number, executions] of [
    [0, 3],
    [1, 4],
    [2, 2],
    [3, 2],
    [4, 2],
    [5, 2],
  ]) {
    const found = []
    for (const artifact of artifacts) {
      const machine = await wasmMachine(artifact, { args: [String(number)] })
      found.push(outcomes(machine, { strategy: 'optimal' }))
    }
    expect(found[0].executions).toBe(executions)
    expect(found[1]).toEqual(found[0])
  }
})
