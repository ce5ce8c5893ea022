import { expect, test } from 'vitest'
import { outcomes } from '../wasm-machine/support.js'
import { loadRaw } from './compile.js'

/** The module that has debug information; others have names only. What a lock does: `agreement.test.ts`. */
test('in a module with threads of its own, a counter without a lock is found wrong', async () => {
  const found = outcomes(await loadRaw('tests/c/counter.c'), { strategy: 'optimal' })
  expect(found.bugs).toMatchObject([
    {
      kind: 'assertion',
      message: expect.stringMatching(/^assertion counter == 2 failed at .*counter.c:17$/),
    },
  ])
  expect([...found.ends.keys()]).toContain('ok ')
})
