import { expect, it } from 'vitest'
import { endsOf, loadCase } from './support.js'

const files = { 'given.txt': new TextEncoder().encode('given\n') }

it.each([
  [0, 'what one thread can do, again and again', ['ok ']],
  [1, 'two threads write to a stream', [expect.stringContaining("line[0] == 'b' failed"), 'ok ']],
  [2, 'two threads make a file', [expect.stringContaining('assertion first != NULL failed'), 'ok ']],
  [3, 'two threads read from a stream', [expect.stringContaining("first == 'g' failed"), 'ok ']],
])('files, case %i: %s', async (number, _what, expected) => {
  const ends = endsOf(await loadCase('files', number, { files }), { strategy: 'optimal' })
  expect(ends).toEqual(expected)
  expect(endsOf(await loadCase('files', number, { files }), { strategy: 'dfs' })).toEqual(expected)
})
