import { describe, expect, it } from 'vitest'
import { build, wasmMachine } from '../../src/frontends/wasm/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'

describe('what C programs with transactions cannot do is refused by name', () => {
  it.each([
    [1, 'a transaction begins before main, which Faultline does not provide'],
    [2, 'the program uses transactions and pthread_cancel, of which Faultline provides either'],
    [
      3,
      'the program uses faultline_assume in a transaction, which Faultline does not provide; do it before or after',
    ],
  ])('%#: %s', async (which, message) => {
    const artifact = await build({ sources: ['tests/c/transaction-refusals.c'], flags: [`-DCASE=${which}`] })
    const explored = async () => {
      const machine = await wasmMachine(artifact)
      reach(machine, createStrategy('optimal', { machine }), 100)
    }
    await expect(explored()).rejects.toThrow(message)
  })
})
