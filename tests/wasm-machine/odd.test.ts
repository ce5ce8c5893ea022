import { expect, test } from 'vitest'
import { build, operationScope, unseenCaveats, wasmMachine } from '../../src/frontends/wasm/index.js'
import { endsOf } from './support.js'

/** A main that returns nothing, threads in functions of other types, an own `drand48`, flags that do nothing here. */
test('programs that other compilers take are run', async () => {
  const artifact = await build({ sources: ['tests/c/odd.c'], flags: ['-w', '-fcommon'] })
  const machine = await wasmMachine(artifact, { args: ['x'] })
  expect(endsOf(machine)).toEqual(['ok '])
  expect(machine.warnings).toEqual([
    expect.stringMatching(/^a thread is started in without_argument, which takes no argument; /),
    expect.stringMatching(/^a thread is started in without_result, which returns nothing; /),
    expect.stringMatching(
      /^a thread is started in without_either, which takes no argument and returns nothing; /,
    ),
  ])
  // Nothing but the time is as long as that.
  expect(operationScope(artifact)).toEqual([expect.stringMatching(/^accesses of 8 bytes in one step/)])
  // What reads a clock is seen to write what it gives.
  expect(unseenCaveats(artifact)).toEqual([])
  // The file that a line marker names is not there.
  expect(new Set(machine.sites.flatMap(({ file }) => file ?? []))).toEqual(new Set(['tests/c/odd.c']))
})
