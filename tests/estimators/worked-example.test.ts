import { describe, expect, test } from 'vitest'
import type { Estimator, Leaf } from '../../src/estimators/estimator.js'
import { recursive } from '../../src/estimators/recursive.js'
import { weightedBacktrack } from '../../src/estimators/weighted-backtrack.js'

/**
 * The example of Blum, "Practical Concurrency Testing", §3.4.3: two threads that each read x, add one and write x, searched by DPOR without sleep
 * sets in six branches, A B C and K L M. Every conflicting pair of an execution is marked (not only the latest conflict
 * of each transition, as our `dpor` does), so the tree is written out here: a branch is where it leaves the one before,
 * and where branches not begun are known after it. Six transitions each; every transition takes a second, and the
 * Blum goes on from a checkpoint at the fork.
 */
const branches = [
  { name: 'A', fork: -1, untried: { 0: 1, 2: 1 } },
  { name: 'B', fork: 2, untried: { 0: 1, 4: 1 } },
  { name: 'C', fork: 4, untried: { 0: 1 } },
  { name: 'K', fork: 0, untried: { 2: 1 } },
  { name: 'L', fork: 2, untried: { 4: 1 } },
  { name: 'M', fork: 4, untried: {} },
] as const

function leafOf({ fork, untried }: (typeof branches)[number]): Leaf {
  const known: Readonly<Record<number, number>> = untried
  return { depth: 6, root: 0, fork, cost: 6 - Math.max(fork, 0), untried: (depth) => known[depth] ?? 0 }
}

function run(estimator: Estimator, count: number = branches.length) {
  return branches.slice(0, count).map((branch) => {
    estimator.add(leafOf(branch))
    return estimator.estimate()
  })
}

describe('weighted backtrack', () => {
  test('sizes after each branch', () => {
    const sizes = run(weightedBacktrack()).map(({ size }) => Number(size.toFixed(2)))
    expect(sizes).toEqual([4, 5.33, 6, 5.33, 5.71, 6])
  })

  test('shares after each branch', () => {
    expect(run(weightedBacktrack()).map(({ share }) => share)).toEqual([1 / 4, 3 / 8, 1 / 2, 3 / 4, 7 / 8, 1])
  })

  test('time from the share: exact at the end', () => {
    const costs = run(weightedBacktrack()).map(({ cost }) => Number(cost.toFixed(2)))
    expect(costs).toEqual([24, 26.67, 24, 24, 25.14, 24])
  })
})

describe('recursive', () => {
  test('seconds after each branch, going on from checkpoints', () => {
    expect(run(recursive({ charge: 'transitions' })).map(({ cost }) => cost)).toEqual([
      20, 24, 24, 22, 24, 24,
    ])
  })

  test('seconds if every execution starts from the beginning: 36 at the end', () => {
    const estimator = recursive()
    for (const branch of branches) estimator.add({ ...leafOf(branch), cost: 6 })
    expect(estimator.estimate()).toEqual({ size: 6, share: 1, cost: 36, spent: 36 })
  })

  test('size after each branch', () => {
    expect(run(recursive()).map(({ size }) => size)).toEqual([4, 6, 6, 5, 6, 6])
  })
})

describe.each([
  ['weighted backtrack', weightedBacktrack],
  ['recursive', recursive],
])('%s', (_, make) => {
  test('with sleep sets the last two branches are not there: exact after K', () => {
    const estimator = make()
    run(estimator, 3)
    estimator.add({ ...leafOf(branches[3]), untried: () => 0 })
    expect(estimator.estimate()).toMatchObject({ size: 4, share: 1 })
  })

  test('goes on exactly after being saved and read back', () => {
    for (let cut = 0; cut < branches.length; cut++) {
      const straight = make()
      const before = make()
      const after = make()
      run(straight)
      run(before, cut)
      after.load(JSON.parse(JSON.stringify(before.save())))
      expect(after.estimate()).toEqual(before.estimate())
      for (const branch of branches.slice(cut)) after.add(leafOf(branch))
      expect(after.estimate()).toEqual(straight.estimate())
    }
  })

  test('a program without choices is one execution', () => {
    const estimator = make()
    expect(estimator.estimate().share).toBe(0)
    estimator.add({ depth: 0, root: 0, fork: -1, cost: 1, untried: () => 0 })
    expect(estimator.estimate()).toEqual({ size: 1, share: 1, cost: 1, spent: 1 })
  })

  test('a uniform tree is known after its first leaf', () => {
    const estimator = make()
    estimator.add({ depth: 200, root: 0, fork: -1, cost: 200, untried: () => 2 })
    expect(estimator.estimate().size / 3 ** 200).toBeCloseTo(1, 10)
    expect(estimator.estimate().cost / (200 * 3 ** 200)).toBeCloseTo(1, 10)
  })
})
