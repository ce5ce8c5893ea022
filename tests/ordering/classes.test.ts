import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import { Fingerprint } from '../../src/ordering/fingerprint.js'
import { depthFirst } from '../../src/strategies/depth-first.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

/** Final states by happens-before class, over all executions up to a limit; with a count of the executions. */
function classes(program: Program, limit = 50_000): { states: Map<string, Set<string>>; executions: number } {
  const machine = modelMachine(program)
  const runner = new Runner(machine, { observers: [{ footprints: true }], maxSteps: 2000 })
  const fingerprint = new Fingerprint(machine)
  const strategy = depthFirst({ machine } as Parameters<typeof depthFirst>[0])
  const states = new Map<string, Set<string>>()
  let executions = 0
  while (executions < limit && runner.run(strategy)) {
    executions++
    expect(runner.status).not.toBe('cut')
    const key = fingerprint.of(runner.trace)
    const state = `${machine.bug?.kind ?? ''} ${machine.bug?.message ?? ''}\n${machine.finalState()}`
    const seen = states.get(key)
    if (seen === undefined) states.set(key, new Set([state]))
    // A bug ends the execution at once, wherever the other threads are: only its message must agree.
    else if (machine.bug === null) seen.add(state)
  }
  return { states, executions }
}

describe('numbers of classes, by brute force', () => {
  const permutations = (n: number) => [
    undefined,
    Array.from({ length: n }, (_, i) => n - 1 - i),
    Array.from({ length: n }, (_, i) => (i + 1) % n),
  ]
  test.each<[string, (order?: readonly number[]) => Program, number, number]>([
    ['readers(3)', (order) => known.readers(3, order), 4, 8],
    ['lastzero(3)', (order) => known.lastzero(3, order), 4, 12],
    ['ainc(3)', (order) => known.ainc(3, order), 3, 6],
    ['inc(2)', (order) => known.inc(2, order), 2, 4],
    ['inc(3)', (order) => known.inc(3, order), 3, 36],
    ['mutexCounter(3)', (order) => known.mutexCounter(3, order), 3, 6],
    ['writers(4)', (order) => known.writers(4, order), 4, 24],
    ['storeBuffering', known.storeBuffering, 2, 3],
    ['figure 2', known.figure2, 2, 12],
  ])('%s', (_, make, threads, count) => {
    for (const order of permutations(threads)) expect(classes(make(order)).states.size).toBe(count)
  })

  test('exactly one total order of figure 2 fails', () => {
    const machine = modelMachine(known.figure2())
    const runner = new Runner(machine)
    const strategy = depthFirst({ machine } as Parameters<typeof depthFirst>[0])
    const failing: string[] = []
    while (runner.run(strategy)) {
      if (machine.bug === null) continue
      const { thread, length } = runner.trace
      failing.push(Array.from(thread.slice(0, length), (t) => 'AB'[t]).join(''))
    }
    expect(failing).toEqual(['BABBAABBBA'])
  })
})

describe('executions of one class', () => {
  test('end in the same state', () => {
    fc.assert(
      fc.property(randomProgram({ maxInterleavings: 1000 }), (program) => {
        for (const states of classes(program, 1000).states.values()) expect([...states]).toHaveLength(1)
      }),
      { seed: 21, numRuns: 80 },
    )
  })
})
