import { describe, expect, test } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import { reach } from '../support/brute-force.js'
import { isFull } from '../support/effort.js'
import { engine } from '../support/engine.js'
import {
  ainc,
  inc,
  lastzero,
  mutexCounter,
  readers,
  storeBuffering,
  writers,
} from '../support/known-programs.js'

function explored(program: Program, spec: string, bound?: number) {
  const machine = engine.modelMachine(program)
  return reach(machine, engine.createStrategy(spec, { machine, bound }), 400_000)
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1))
const lastzeroCount = (n: number) => (n + 3) * 2 ** (n - 2)

/** Usual order, reversed, and rotated by one. */
function orders(threads: number): (readonly number[] | undefined)[] {
  const usual = Array.from({ length: threads }, (_, i) => i)
  return [undefined, usual.toReversed(), [...usual.slice(1), 0]]
}

const counts: [string, (order?: readonly number[]) => Program, number, number][] = [
  ...[2, 6, 8].map((n) => [`readers(${n})`, (o) => readers(n, o), n + 1, 2 ** n] as (typeof counts)[0]),
  ...[2, 5, 8].map(
    (n) => [`lastzero(${n})`, (o) => lastzero(n, o), n + 1, lastzeroCount(n)] as (typeof counts)[0],
  ),
  ...[3, 5].map((n) => [`ainc(${n})`, (o) => ainc(n, o), n, factorial(n)] as (typeof counts)[0]),
  ...[2, 3, 4].map((n) => [`inc(${n})`, (o) => inc(n, o), n, factorial(n) ** 2] as (typeof counts)[0]),
  ...[2, 3, 5].map(
    (n) => [`mutex counter(${n})`, (o) => mutexCounter(n, o), n, factorial(n)] as (typeof counts)[0],
  ),
  ...[3, 5].map((n) => [`writers(${n})`, (o) => writers(n, o), n, factorial(n)] as (typeof counts)[0]),
  ['store buffering', (o) => storeBuffering(o), 2, 3],
]

describe.each(counts)('%s', (_name, program, threads, count) => {
  test('optimal explores each class once, whatever the order of threads', () => {
    for (const order of orders(threads)) {
      const result = explored(program(order), 'optimal')
      expect([result.executions, result.blocked, result.classes.size]).toEqual([count, 0, count])
    }
  })
  // Context bounding does not avoid visiting a class in many of its orders: small counts only.
  test.each(['dpor', 'source', ...(count < 64 || (isFull && count === 64) ? ['icb'] : [])])(
    '%s finds every class',
    (spec) => {
      expect(explored(program(), spec).classes.size).toBe(count)
    },
  )
})

test('larger counts', () => {
  for (const [program, count] of [
    [readers(13), 8192],
    [lastzero(10), 3328],
    [ainc(7), 5040],
  ] as const) {
    const result = explored(program, 'optimal')
    expect([result.executions, result.blocked]).toEqual([count, 0])
  }
})

test('a thread that touches nothing shared does not change the count', () => {
  const idle = { ...inc(3), threads: { ...inc(3).threads, idle: [{ op: 'yield' as const }] } }
  const { roots: _, ...program } = idle
  expect(explored(program, 'optimal').executions).toBe(36)
})

/** Cumulative classes with at most 0, 1, 2, … preemptions. */
test.each([
  [2, [2, 4]],
  [3, [6, 24, 36]],
  [4, [24, 168, 432, 576]],
])('preemption bounds of inc(%i)', (n, cumulative) => {
  cumulative.forEach((count, bound) => {
    for (const order of orders(n)) expect(explored(inc(n, order), 'icb', bound).classes.size).toBe(count)
  })
})

/** Blum, "Practical Concurrency Testing", §3.4.2: two threads read, add, write x; the addition is a step of its own that touches nothing. */
test('the example of Blum: 20 interleavings, 6 with DPOR, 4 with sleep sets', () => {
  const body = [
    { op: 'load', var: 'x', into: 'r' },
    { op: 'point' },
    { op: 'store', var: 'x', value: ['+', 'r', 1] },
  ] as const
  const program: Program = { variables: { x: 0 }, threads: { a: body, b: body } }
  expect(explored(program, 'dfs').executions).toBe(20)
  expect(explored(program, 'dpor:no-sleep').executions).toBe(6)
  const slept = explored(program, 'dpor')
  expect(slept.executions).toBe(4)
})
