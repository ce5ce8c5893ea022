import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { times } from '../../tests/support/effort.js'
import { randomProgram } from '../../tests/support/random-program.js'
import { explore } from '../execution/explore.js'
import { modelMachine } from '../frontends/model/index.js'
import type { Program } from '../frontends/model/program.js'
import { parsePoints } from '../machine/points.js'
import { HappensBefore } from '../ordering/happens-before.js'
import { createStrategy } from '../strategies/index.js'
import { SleepSets } from '../strategies/reduction/sleep-sets.js'
import { DeepCheck } from './deep-check.js'

/** Searches a program, checking each execution so many times. */
function search(program: Program, name: string, points = 'everywhere', checks = 1): void {
  const machine = modelMachine(program)
  machine.usePoints(parsePoints(points))
  const strategy = createStrategy(name, { machine })
  const deepCheck = new DeepCheck(machine, name, strategy)
  explore({
    machine,
    strategy,
    keepGoing: true,
    maxExecutions: 60,
    maxSteps: 200,
    observers: [{ footprints: true }],
    onExecution: (runner) => {
      for (let i = 0; i < checks; i++) deepCheck.check(runner)
    },
  })
}

const store = (value: number) => ({ op: 'store', var: 'x', value }) as const
const stores: Program = { variables: { x: 0 }, threads: { a: [store(1)], b: [store(2), store(3)] } }

describe('a deep check', () => {
  afterEach(() => vi.restoreAllMocks())

  it.each(['optimal', 'source', 'dpor', 'icb', 'dfs', 'pos'])('finds nothing wrong with %s', (name) => {
    const programs = fc.sample(randomProgram({ maxInterleavings: 300 }), { seed: 9, numRuns: times(40) })
    for (const program of programs) {
      search(program, name)
      search(program, name, 'lock,sync')
    }
  })

  it('notices that a class comes up again', () => {
    expect(() => search(stores, 'optimal', 'everywhere', 2)).toThrow(
      /^optimal, execution 2: it is of the class of execution 1$/,
    )
    expect(() => search(stores, 'source', 'everywhere', 2)).not.toThrow()
  })

  it('notices clocks that order too little, and too much', () => {
    const ordered = vi.spyOn(HappensBefore.prototype, 'ordered')
    ordered.mockReturnValue(false)
    expect(() => search(stores, 'source')).toThrow(/are ordered, the clocks say otherwise$/)
    ordered.mockReturnValue(true)
    expect(() => search({ ...stores, threads: { ...stores.threads, c: [] } }, 'source')).not.toThrow()
    const apart: Program = {
      variables: { x: 0, y: 0 },
      threads: { a: [store(1)], b: [{ ...store(1), var: 'y' }] },
    }
    expect(() => search(apart, 'source')).toThrow(/are not ordered, the clocks say otherwise$/)
  })

  const reads: Program = {
    variables: { x: 0, y: 0 },
    threads: {
      a: [store(1)],
      b: [
        { op: 'load', var: 'y', into: 'r' },
        { op: 'load', var: 'x', into: 'r' },
      ],
      c: [{ op: 'load', var: 'x', into: 'r' }],
    },
  }

  it('notices that what sleeps is done', () => {
    vi.spyOn(SleepSets.prototype, 'has').mockReturnValue(false)
    expect(() => search(reads, 'source')).toThrow(/step \d+ was done though it slept$/)
  })

  it('notices a race that is none', () => {
    const { add } = HappensBefore.prototype
    vi.spyOn(HappensBefore.prototype, 'add').mockImplementation(function (this: HappensBefore, trace) {
      add.call(this, trace)
      if (this.depth > 1) this.races[this.raceCount++] = this.depth - 2
    })
    const alone: Program = { variables: { x: 0 }, threads: { a: [store(1), store(2)] } }
    expect(() => search(alone, 'dfs')).toThrow(/are taken for a race$/)
  })
})
