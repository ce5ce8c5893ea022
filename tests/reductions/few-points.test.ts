import { describe, expect, it } from 'vitest'
import {
  choose,
  fetchAdd,
  load,
  lock,
  store,
  unlock,
  when,
  yieldNow,
} from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { reach } from '../support/brute-force.js'
import { Draw } from '../support/draw.js'
import { times } from '../support/effort.js'
import { engine } from '../support/engine.js'

/**
 * Under few points a step goes on for as long as its thread meets none: what it touches depends on what it reads, and its
 * alternatives touch different things. Plans made from what a step did elsewhere lost classes here.
 */
const strategies = ['optimal', 'source', 'dpor', 'best-first'] as const

function reached(program: Program, strategy: string) {
  const machine = engine.modelMachine(program)
  machine.usePoints(parsePoints('lock,sync'))
  return reach(machine, engine.createStrategy(strategy, { machine }), 60_000, engine)
}

function expectAll(program: Program): boolean {
  const all = reached(program, 'dfs')
  if (!all.exhausted) return false
  for (const strategy of strategies) {
    const found = reached(program, strategy)
    const where = `${strategy} of ${JSON.stringify(program)}`
    expect(found.exhausted, where).toBe(true)
    expect([...found.classes.keys()].sort(), where).toEqual([...all.classes.keys()].sort())
    expect([...found.finalStates].sort(), where).toEqual([...all.finalStates].sort())
  }
  return true
}

const branch = (variable: string, value: number, then: Statement[], otherwise: Statement[]): Statement[] => [
  load(variable, 'r'),
  when(['==', 'r', value], then, otherwise),
]

/** Two or three steps for each of two to four threads, some in a lock; most read and branch, some choose. */
function randomProgram(d: Draw): Program {
  const variable = () => d.of(['x', 'y', 'z'])
  const access = (): Statement =>
    d.of([
      () => load(variable(), 'r'),
      () => store(variable(), d.below(3)),
      () => fetchAdd(variable(), 1, 'r'),
    ])()
  const some = (most: number) => Array.from({ length: d.below(most + 1) }, access)
  const branches = () => (d.below(3) > 0 ? branch(variable(), d.below(2), [access()], some(2)) : some(2))
  const chooses = () => (d.below(4) === 0 ? [choose(2, 'c'), when('c', branches(), some(1))] : branches())
  const step = () => (d.below(3) === 0 ? [lock('m'), ...chooses(), unlock('m')] : chooses())
  const count = 2 + d.below(3)
  const body = () => [
    ...step(),
    ...(d.below(5 - count) > 0 ? [yieldNow(), ...step()] : []),
    ...(d.below(3) === 0 ? [yieldNow(), ...step()] : []),
  ]
  return {
    variables: { x: 0, y: 0, z: 0 },
    mutexes: { m: 'plain' },
    threads: Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, body()])),
  }
}

describe('steps that branch on what they read', () => {
  it('three threads, one alternative each', () => {
    const program: Program = {
      variables: { x: 0, y: 0, z: 0 },
      mutexes: { m: 'plain' },
      threads: {
        t0: [
          ...branch('x', 0, [store('x', 2)], [store('y', 2)]),
          yieldNow(),
          ...branch('y', 1, [fetchAdd('z', 1, 'r')], [load('x', 'r')]),
        ],
        t1: [
          ...branch('y', 0, [fetchAdd('y', 1, 'r')], [load('z', 'r')]),
          yieldNow(),
          lock('m'),
          unlock('m'),
          yieldNow(),
          lock('m'),
          ...branch('z', 1, [store('y', 1)], []),
          unlock('m'),
        ],
        t2: [
          lock('m'),
          unlock('m'),
          yieldNow(),
          ...branch('x', 1, [store('z', 1)], [load('z', 'r'), store('y', 2)]),
        ],
      },
    }
    expect(expectAll(program)).toBe(true)
  })

  it('alternatives that touch different things', () => {
    const either = (then: Statement[], otherwise: Statement[]) => [choose(2, 'c'), when('c', then, otherwise)]
    const program: Program = {
      variables: { x: 0, y: 0 },
      threads: {
        t0: [...either([store('x', 1)], []), yieldNow(), ...either([store('x', 1)], [load('y', 'r')])],
        t1: either([store('y', 1)], [load('x', 'r')]),
        t2: [...either([], []), yieldNow(), ...either([], [load('x', 'r')])],
      },
    }
    expect(expectAll(program)).toBe(true)
  })

  it('random programs', () => {
    const draw = Draw.fromSeed(41)
    let examined = 0
    for (let i = 0; i < times(50); i++) if (expectAll(randomProgram(draw))) examined++
    expect(examined).toBeGreaterThan(times(40))
  })
})
