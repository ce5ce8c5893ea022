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

test.runIf(isFull)('programs that format text are compiled so at once, and all they do is seen', async () => {
  const steps: string[] = []
  const artifact = await build({
    sources: ['tests/cpp/formatted.cpp'],
    cache: { read: async () => undefined, write: async () => {} },
    onProgress: (step) => steps.push(step),
  })
  expect(steps).toEqual(['compiling', 'linking', 'instrumenting'])
  expect(unseenCaveats(artifact)).toEqual([])
  const { ends } = outcomes(await wasmMachine(artifact), { strategy: 'optimal' })
  expect([...ends.keys()]).toEqual(['ok whole\n'])
})
