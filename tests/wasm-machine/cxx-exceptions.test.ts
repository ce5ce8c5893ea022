import { expect, it } from 'vitest'
import { endsOf, loadCxx } from './support.js'

it('a program that catches is run while it does not throw, and refused at the place where it does', async () => {
  expect(endsOf(await loadCxx('throws', 1))).toEqual(['ok '])
  const thrown = await loadCxx('throws', 2)
  expect(() => endsOf(thrown)).toThrow(/throws\.cpp:11: the program uses exceptions/)
  const byLibrary = await loadCxx('throws', 3)
  expect(() => endsOf(byLibrary)).toThrow(/throws\.cpp:26: the program uses exceptions/)
})
