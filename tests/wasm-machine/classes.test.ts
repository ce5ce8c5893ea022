import { describe, expect, it } from 'vitest'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { isFull } from '../support/effort.js'
import { load } from './support.js'

/** Known numbers of classes, with every access a preemption point: one execution of the optimal reduction each. */
const known: [name: string, define: string[], classes: number][] = [
  ['readers', ['N=4'], 16],
  ['readers', ['N=4', 'WRITER_LAST'], 16],
  ['lastzero', ['N=5'], 64],
  ['ainc', ['N=4'], 24],
  ['inc', ['N=3'], 36],
  ['mutex-counter', ['N=3'], 6],
  ['store-buffering', [], 3],
]

/** The same programs with fewer threads: for the full run. */
const smaller: typeof known = [
  ['readers', ['N=2'], 4],
  ['lastzero', ['N=3'], 12],
  ['ainc', ['N=3'], 6],
  ['inc', ['N=2'], 4],
  ['mutex-counter', ['N=2'], 2],
]

describe('classes of C programs', () => {
  it.each(isFull ? [...known, ...smaller] : known)('%s %j has %i', async (name, define, classes) => {
    const machine = await load(name, { define })
    const reached = reach(machine, createStrategy('optimal', { machine }))
    expect(reached.exhausted).toBe(true)
    expect(reached.bugs).toEqual(new Set())
    expect(reached.classes.size).toBe(classes)
    expect(reached.executions).toBe(classes)
    expect(reached.blocked).toBe(0)
  })
})
