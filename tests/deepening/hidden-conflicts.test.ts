import { describe, expect, it } from 'vitest'
import { load, lock, output, store, trylock, unlock } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { bruteForce } from '../support/brute-force.js'
import { engine } from '../support/engine.js'
import { deepen } from './deepen.js'

/** Conflicts that no race detector reports, yet that split what would be one step of the maximal set. */
const programs: Record<string, Program> = {
  'writes to different variables that one invariant reads': {
    variables: { x: 0, y: 0 },
    threads: { a: [store('x', 1), store('x', 0)], b: [store('y', 1), store('y', 0)] },
    invariants: { 'not both': ['<', ['+', 'x', 'y'], 2] },
  },
  'a try that finds the lock held': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: { a: [lock('m'), unlock('m')], b: [trylock('m', 'got'), store('x', 'got')] },
  },
  'a try that finds a value guarded by the lock': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: {
      a: [lock('m'), store('x', 1), store('x', 2), unlock('m')],
      b: [trylock('m', 'got'), load('x', 'r')],
    },
  },
  'outputs that are compared': {
    variables: {},
    compareOutputs: true,
    threads: { a: [output(1), output(2)], b: [output(3)] },
  },
}

describe('deepening sees', () => {
  it.each(Object.entries(programs))('%s', async (_, program) => {
    const all = bruteForce(engine.modelMachine(program))
    const found = await deepen(program)
    expect(found.isWhole).toBe(true)
    expect([...found.finalStates].sort()).toEqual([...all!.finalStates].sort())
    expect(found.bugs.size > 0).toBe(all!.bugs.size > 0)
  })
})
