import { expect, it } from 'vitest'
import { endsOf, load, loadCase } from './support.js'

it('processors are two, and their hints and fences are understood', async () => {
  expect(endsOf(await load('platform'), { strategy: 'optimal' })).toEqual(['ok '])
})

const LOST = expect.stringContaining('assertion plain == 2 failed')
it.each([
  [0, 'a function that asks not to be instrumented', [LOST, 'ok ']],
  [1, 'a lock by cmpxchg and xchg', ['ok ']],
  [2, 'a lock by cmpxchg and sete', ['ok ']],
  [3, 'xadd and add', ['ok ']],
  [4, 'decl and sete', ['ok ']],
])('assembly and attributes of other machines, case %i: %s', async (number, _what, expected) => {
  const ends = endsOf(await loadCase('locked-assembly', number), { strategy: 'optimal' })
  expect(ends).toEqual(expected)
})
