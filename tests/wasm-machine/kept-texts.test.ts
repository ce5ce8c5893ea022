import { describe, expect, it } from 'vitest'
import { isFull } from '../support/effort.js'
import { endsOf, loadCxx } from './support.js'

const cases: [number: number, what: string, ends: string[]][] = [
  [1, 'std::stoi', ['ok  12 0', 'ok  12 1', 'ok  32 0', 'ok  32 1']],
  [2, 'std::cout', ['ok 12 0 0', 'ok 12 0 1', 'ok 32 0 0', 'ok 32 0 1']],
  [3, 'where std::stoul leaves off', ['ok  3 0', 'ok  3 1', 'ok  9 0', 'ok  9 1']],
  [4, 'std::runtime_error', ['ok  49 0', 'ok  49 1', 'ok  51 0', 'ok  51 1']],
]

// Compiling streams takes as long as thirty programs in C.
describe.runIf(isFull)('the C++ library has read when it was seen to read', () => {
  it.each(cases)('%i: %s', async (number, _, ends) => {
    expect(endsOf(await loadCxx('kept', number), { strategy: 'optimal' })).toEqual(ends)
  })
})
