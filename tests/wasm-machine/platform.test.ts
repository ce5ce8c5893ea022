import { expect, it } from 'vitest'
import { endsOf, load } from './support.js'

it('processors are two, and their hints and fences are understood', async () => {
  expect(endsOf(await load('platform'), { strategy: 'optimal' })).toEqual(['ok '])
})
