import { describe, expect, test } from 'vitest'
import { OptionStack } from './option-stack.js'

/** Three options at each depth, which cost 0, 1 and 2. */
function open(stack: OptionStack, d: number): void {
  stack.open(d)
  for (let i = 0; i < 3; i++) stack.add(i, 10 + i, i)
  stack.enter()
}

/** All paths of a length, as a search would go through them: fills up what `advance` leaves open. */
function pathsWithin(limit: number, depth: number): { paths: string[]; skipped: number } {
  const stack = new OptionStack()
  const paths: string[] = []
  let skipped = 0
  do {
    for (let d = stack.depth; d < depth; d++) open(stack, d)
    stack.script.length = depth
    paths.push([...stack.script.thread.subarray(0, depth)].join(''))
  } while (stack.advance(limit, () => skipped++))
  return { paths, skipped }
}

describe('an option stack', () => {
  test('goes through every path once, the deepest option first', () => {
    const { paths, skipped } = pathsWithin(100, 3)
    expect(paths).toHaveLength(27)
    expect(paths).toEqual([...paths].sort())
    expect(new Set(paths).size).toBe(27)
    expect(skipped).toBe(0)
  })

  test('leaves out what costs too much, and says so', () => {
    const { paths, skipped } = pathsWithin(2, 3)
    const cheap = pathsWithin(100, 3).paths.filter((p) => [...p].reduce((sum, c) => sum + Number(c), 0) <= 2)
    expect(paths).toEqual(cheap)
    expect(skipped).toBeGreaterThan(0)
  })

  test('adds up what its path costs', () => {
    const stack = new OptionStack()
    expect(stack.pathCost()).toBe(0)
    open(stack, 0)
    open(stack, 1)
    stack.advance(9, () => {})
    expect(stack.pathCost()).toBe(1)
    stack.advance(9, () => {})
    expect(stack.pathCost()).toBe(2)
    stack.advance(9, () => {})
    expect([stack.depth, stack.pathCost()]).toEqual([1, 1])
  })

  test('grows', () => {
    const stack = new OptionStack()
    for (let d = 0; d < 1000; d++) open(stack, d)
    stack.advance(9, () => {})
    expect(stack.script.length).toBe(1000)
    expect(stack.script.thread[999]).toBe(1)
    expect([...stack.script.thread.subarray(0, 999)].every((t) => t === 0)).toBe(true)
    expect(stack.script.value[500]).toBe(10)
  })

  test('goes on exactly after being saved, with threads that have other numbers', () => {
    const stack = new OptionStack()
    for (let d = 0; d < 70; d++) open(stack, d)
    for (let i = 0; i < 7; i++) stack.advance(99, () => {})
    const copy = new OptionStack()
    copy.load(JSON.parse(JSON.stringify(stack.save())), (thread) => thread + 5)
    expect(copy.depth).toBe(stack.depth)
    expect(copy.pathCost()).toBe(stack.pathCost())
    for (let i = 0; i < 20; i++) {
      expect(copy.advance(99, () => {})).toBe(stack.advance(99, () => {}))
      const path = (s: OptionStack) => [...s.script.thread.subarray(0, s.script.length)]
      expect(path(copy)).toEqual(path(stack).map((t) => t + 5))
    }
  })

  test('has nothing left when every option has been taken', () => {
    const stack = new OptionStack()
    stack.open(0)
    stack.add(0, 0, 0)
    stack.enter()
    expect(stack.advance(0, () => {})).toBe(false)
    expect(stack.script.length).toBe(0)
    expect(stack.advance(0, () => {})).toBe(false)
  })
})
