import { describe, expect, it } from 'vitest'
import { endsOf, loadCase } from './support.js'

const strategies = ['dfs', 'optimal', 'source']

describe('named semaphores', () => {
  it('return what the manual says', async () => {
    expect(endsOf(await loadCase('named-semaphores', 0))).toEqual(['ok '])
  })

  it.each(strategies)('are one for all who open them, in any order: %s', async (strategy) => {
    expect(endsOf(await loadCase('named-semaphores', 1), { strategy })).toEqual(['ok '])
    expect(endsOf(await loadCase('named-semaphores', 2), { strategy })).toEqual([
      'ok 4 permits',
      'ok none, errno is ENOENT',
    ])
    expect(endsOf(await loadCase('named-semaphores', 3), { strategy })).toEqual(['ok 0', 'ok 1'])
  })

  it('are called by their names', async () => {
    const [end] = endsOf(await loadCase('named-semaphores', 4))
    expect(end).toBe('deadlock: the wake-up never comes: main waits for semaphore /gate')
  })
})
