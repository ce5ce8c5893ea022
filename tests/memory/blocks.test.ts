import { expect, it } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'

const relaxed = 'memory_order_relaxed'

it.each([
  ['with release and acquire', [], false],
  ['by a relaxed store', [`WRITER=${relaxed}`], true],
  ['to a relaxed load', [`READER=${relaxed}`], true],
  ['by a relaxed store, another word being set', [`WRITER=${relaxed}`, 'FILLED'], true],
] as const)('a block is handed on %s', async (_, define, isRace) => {
  const artifact = await build({ sources: ['tests/c/weak-blocks.c'], define: [...define] })
  const machine = await wasmMachine(artifact, { platform: { memoryModel: 'c11' } })
  const bugs: string[] = []
  explore({
    machine,
    strategy: createStrategy('graphs', { machine }),
    onExecution: ({ bug }) => {
      if (bug !== null) bugs.push(`${bug.kind}: ${bug.message}`)
    },
  })
  if (!isRace) expect(bugs).toEqual([])
  else
    expect(bugs).toEqual([
      expect.stringMatching(/^data-race: reads byte 0 of block 1 .* wrote at .*:17, .*relaxed/),
    ])
})
