import { describe, expect, test } from 'vitest'
import { createStrategy, findStrategy, StrategyError, strategies } from './index.js'

describe('the registry', () => {
  test('names each strategy once, with help and a page', () => {
    expect(new Set(strategies.map((entry) => entry.name)).size).toBe(strategies.length)
    for (const { name, summary, page } of strategies) {
      expect(name).toMatch(/^[a-z][a-z-]*$/)
      expect(summary).not.toBe('')
      expect(page).toMatch(/\.md$/)
    }
  })

  test('refuses names it does not know, and says which it does', () => {
    const create = () => findStrategy('dsf')
    expect(create).toThrow(StrategyError)
    expect(create).toThrow(/unknown strategy "dsf"; known are dfs, dpor/)
  })

  test('refuses arguments of strategies that take none', () => {
    expect(() => findStrategy('dfs:3')).toThrow('strategy "dfs" takes no argument; write just dfs')
    expect(findStrategy('dpor:no-sleep').argument).toBe('no-sleep')
  })

  test('says what is wrong with an argument', () => {
    for (const { name, argument } of strategies) {
      if (argument === undefined) continue
      expect(() => createStrategy(`${name}:nonsense`, { machine: undefined as never })).toThrow(StrategyError)
    }
  })
})
