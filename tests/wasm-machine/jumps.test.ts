import { expect, it } from 'vitest'
import { endsOf, loadCase } from './support.js'

it.each([
  ['come back to where they were prepared', 1, ['ok ']],
  ['leave functions in the middle of what other threads see', 2, ['ok 1\n', 'ok 2\n']],
  ['keep locks', 3, ['ok 2\n']],
  [
    'cannot go to a function that has returned',
    4,
    ['uncaught: longjmp goes to a function that has returned'],
  ],
])('long jumps %s', async (_, number, ends) => {
  expect(endsOf(await loadCase('jumps', number))).toEqual(ends)
})
