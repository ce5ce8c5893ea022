import { describe, expect, it } from 'vitest'
import { History } from './history.js'

describe('history', () => {
  it('keeps few moments of a long run, from its beginning to its end', () => {
    const history = new History<string>()
    for (let i = 0; i <= 100_000; i++) history.note({ seconds: i / 100, ran: i * 3, share: i / 100_000 })
    const { moments } = history
    expect(moments.length).toBeGreaterThan(90)
    expect(moments.length).toBeLessThanOrEqual(200)
    expect(moments[0].seconds).toBe(0)
    expect(moments.at(-1)!.seconds).toBeGreaterThan(980)
    const gaps = moments.slice(1).map(({ seconds }, i) => seconds - moments[i].seconds)
    expect(Math.max(...gaps)).toBeLessThan(1000 / 80)
    expect(moments.every(({ seconds, ran }) => ran === Math.round(seconds * 300))).toBe(true)
  })

  it('keeps every moment of a short one', () => {
    const history = new History<string>()
    for (let i = 0; i < 100; i++) history.note({ seconds: i, ran: i, share: null })
    expect(history.moments).toHaveLength(100)
  })

  it('joins the times of a search that goes on at once, and tells others apart', () => {
    const history = new History<string>()
    history.begin('a', 0)
    history.end('a', 1)
    history.begin('a', 1)
    history.begin('b', 1.5)
    history.end('a', 2)
    history.begin('a', 3)
    expect(history.spans).toEqual([
      { search: 'a', from: 0, to: 2 },
      { search: 'b', from: 1.5, to: undefined },
      { search: 'a', from: 3, to: undefined },
    ])
  })
})
