import { describe, expect, test } from 'vitest'
import { explore } from '../../execution/explore.js'
import { load, store } from '../../frontends/model/build.js'
import { modelMachine, type Program } from '../../frontends/model/index.js'
import { Random } from '../../random/random.js'
import { createStrategy } from '../index.js'
import { type BestFirstOptions, type BestFirstStrategy, bestFirst } from './best-first.js'
import type { Branch, PriorityFunction } from './branch.js'
import { parsePriorities } from './priorities.js'

interface Ran {
  readonly schedule: string
  readonly preemptions: number
  readonly live: number
}

/** All executions in order; threads by their label. */
function run(program: Program, argument: string, bound?: number, options: BestFirstOptions = {}): Ran[] {
  const machine = modelMachine(program)
  const same = (index: number) => index
  const context = { machine, argument, bound, random: new Random(1), order: 'stay' } as const
  const strategy = bestFirst({ ...context, threadHere: same, locationHere: same }, options)
  const ran: Ran[] = []
  const onExecution = ({ trace }: { trace: { thread: Int32Array; length: number; preemptions: number } }) => {
    const names = Array.from(trace.thread.subarray(0, trace.length), (t) => machine.threads.labelOf(t))
    ran.push({ schedule: names.join(''), preemptions: trace.preemptions, live: strategy.tree.live })
  }
  const result = explore({ machine, strategy, keepGoing: true, onExecution })
  expect(result.exhausted).toBe(true)
  expect(strategy.tree.live).toBe(0)
  return ran
}

const twoByTwo: Program = {
  variables: { x: 0, y: 0 },
  threads: { A: [store('x', 1), store('y', 1)], B: [store('x', 2), store('y', 2)] },
}

/** The execution tree of the paper's figure 3: two threads of two operations each. */
test('the tree of figure 3', () => {
  const ran = run(twoByTwo, 'pb', 9)
  expect(ran[0]).toEqual({ schedule: 'AABB', preemptions: 0, live: 3 })
  expect(ran.map((r) => r.schedule).toSorted()).toEqual(['AABB', 'ABAB', 'ABBA', 'BAAB', 'BABA', 'BBAA'])
  // Leaves are what is still to be run: root and its two successors, <1, B> on top of <0, B>.
  expect(ran.at(-1)!.live).toBe(0)
})

test('pb: fewest preemptions first, so smaller bounds are done on the way', () => {
  const machine = modelMachine(twoByTwo)
  const strategy = createStrategy('best-first:pb', { machine, bound: 9 })
  const done: [number, number][] = []
  explore({
    machine,
    strategy,
    keepGoing: true,
    onExecution: ({ trace }) => done.push([trace.preemptions, strategy.completedBound!]),
  })
  const preemptions = done.map(([n]) => n)
  expect(preemptions).toEqual(preemptions.toSorted((a, b) => a - b))
  for (const [n, completed] of done) expect(completed).toBe(n - 1)
  expect(strategy.completedBound).toBe(Infinity)
})

test('a function of the user that is called pb promises nothing about bounds', () => {
  const machine = modelMachine(twoByTwo)
  const pb: PriorityFunction = { name: 'pb', levels: 40_000, priority: () => 39_999 }
  const strategy = createStrategy('best-first:pb', { machine, bound: 9, options: { priorities: { pb } } })
  const claims: unknown[] = []
  explore({ machine, strategy, keepGoing: true, onExecution: () => claims.push(strategy.completedBound) })
  expect(new Set(claims)).toEqual(new Set([-1]))
  expect(strategy.completedBound).toBe(Infinity)
})

test('a bound that leaves something out says so', () => {
  const machine = modelMachine(twoByTwo)
  const strategy = createStrategy('best-first', { machine, bound: 0 })
  expect(explore({ machine, strategy, keepGoing: true }).executions).toBe(2)
  expect(strategy.completedBound).toBe(0)
})

test('dpor: what reverses a race comes before what does not', () => {
  const independent: Program = {
    variables: { x: 0, a: 0, b: 0 },
    threads: { A: [store('a', 1), store('x', 1)], B: [store('b', 1), store('x', 2)] },
  }
  const ran = run(independent, 'dpor', 9)
  expect(ran).toHaveLength(6)
  // One race: its reversal is among the first, all other orders of a and b only repeat.
  const bothOrders = ran.slice(0, 3).map((r) => r.schedule.lastIndexOf('A') < r.schedule.lastIndexOf('B'))
  expect(new Set(bothOrders)).toEqual(new Set([true, false]))
})

describe('method and var', () => {
  const program: Program = {
    variables: { x: 0, y: 0, z: 0 },
    threads: {
      push: [store('x', 1), store('y', 1)],
      pop: [load('x', 'r'), load('y', 'r')],
      other: [store('z', 1), store('z', 2)],
    },
  }

  /** What the function says of a branch from one thread to the other, as they stand at the beginning. */
  function level(argument: string, previous: string, thread: string): number {
    const machine = modelMachine(program)
    machine.run({ value: 0, next: () => -1 })
    const [f] = parsePriorities(argument, new Random(1)).functions
    const tag = (name: string) =>
      f.tag!(
        machine,
        machine.threads.names.findIndex((_, t) => machine.threads.labelOf(t) === name),
      )
    return f.priority({ tag: tag(thread), previousTag: tag(previous) } as Branch)
  }

  test.each([
    ['method(push|pop)', [0, 1, 1]],
    ['method(pop)', [1, 2, 1]],
    ['var(x)', [0, 1, 1]],
    ['var(z|x)', [0, 0, 0]],
    ['var(y)', [2, 2, 2]],
  ])('%s: both named, one, neither', (argument, expected) => {
    const pairs = [
      ['push', 'pop'],
      ['push', 'other'],
      ['other', 'pop'],
    ]
    expect(pairs.map(([previous, thread]) => level(argument, previous, thread))).toEqual(expected)
  })

  test('the first preemption is between the methods named', () => {
    for (const [argument, others] of [
      ['method(push|other)', 'pop'],
      ['method(pop|other)', 'push'],
    ] as const) {
      const first = run(program, argument, 1).find((r) => r.preemptions === 1)!
      const threads = first.schedule.match(/push|pop|other/g)!
      const at = threads.findIndex(
        (t, i) => i > 0 && t !== threads[i - 1] && threads.includes(threads[i - 1], i),
      )
      expect([threads[at - 1], threads[at]]).not.toContain(others)
    }
  })
})

test("functions of one's own decide, and are told what they need", () => {
  const steps: number[] = []
  const latest: PriorityFunction = {
    name: 'latest',
    levels: 100,
    tag: (machine, thread) => machine.pending.kind[thread],
    priority(branch: Branch) {
      expect(branch.trace.length).toBe(4)
      expect(branch.trace.thread[branch.step]).not.toBe(branch.thread)
      expect(branch.tag).toBeGreaterThan(0)
      steps.push(branch.step)
      return 99 - branch.step
    },
  }
  const ran = run(twoByTwo, 'latest', 9, { functions: { latest } })
  expect(ran.map((r) => r.schedule)).toEqual(['AABB', 'ABBA', 'ABAB', 'BBAA', 'BAAB', 'BABA'])
  // Once per leaf, and again when a race makes one that waits more promising.
  expect(steps).toEqual([0, 1, 0, 2, 1, 2])
})

test.each([
  ['pb,foo', /no order "foo"; known are pb, dpor/],
  ['method', /write method\(push\|pop\)/],
  ['method()', /write method/],
  ['pb(x)', /without brackets/],
  ['rand,rand,rand,rand', /too many/],
])('%s is refused', (argument, message) => {
  const machine = modelMachine(twoByTwo)
  expect(() => createStrategy(`best-first:${argument}`, { machine })).toThrow(message)
})

test('a priority out of range is named', () => {
  const bad: PriorityFunction = { name: 'bad', levels: 2, priority: () => 2 }
  expect(() => run(twoByTwo, 'bad', 1, { functions: { bad } })).toThrow(
    /bad gave priority 2, expected .* 0 to 1/,
  )
})

test('the tree is reported', () => {
  const machine = modelMachine(twoByTwo)
  const strategy = createStrategy('best-first', { machine }) as BestFirstStrategy
  explore({ machine, strategy, keepGoing: true })
  expect(strategy.tree).toMatchObject({
    live: 0,
    records: 0,
    bytesPerNode: 16,
    bytesPerNodeInAll: 32,
    spilled: 0,
  })
  expect(strategy.tree.peak).toBeGreaterThan(1)
  expect(strategy.tree.peak).toBeLessThanOrEqual(strategy.tree.created)
})
