import { describe, expect, test } from 'vitest'
import { outcomes } from '../wasm-machine/support.js'
import { loadRaw } from './compile.js'

describe('modules with threads of their own', () => {
  test('a counter without a lock is found wrong', async () => {
    const found = outcomes(await loadRaw('tests/c/counter.c'), { strategy: 'optimal' })
    expect(found.bugs).toMatchObject([
      {
        kind: 'assertion',
        message: expect.stringMatching(/^assertion counter == 2 failed at .*counter.c:17$/),
      },
    ])
    expect([...found.ends.keys()]).toContain('ok ')
  })

  test('a counter with a lock is right', async () => {
    const found = outcomes(await loadRaw('tests/c/mutex-counter.c'), { strategy: 'optimal' })
    expect([...found.ends.keys()]).toEqual(['ok '])
  })
})
