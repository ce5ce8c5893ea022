import { expect, it } from 'vitest'
import { endsOf, load } from './support.js'

it('scheduling parameters, ceilings and clocks are as the manual says', async () => {
  expect(endsOf(await load('priorities'), { strategy: 'optimal' })).toEqual(['ok '])
})

it('a thread cannot lock a mutex whose ceiling is below its priority, whoever raised that', async () => {
  const ends = [
    'exit-code: the program ends with exit code 3',
    'exit-code: the program ends with exit code 4',
  ]
  for (const strategy of ['dfs', 'optimal']) {
    expect(endsOf(await load('priorities', { args: ['2'] }), { strategy })).toEqual(ends)
  }
})
