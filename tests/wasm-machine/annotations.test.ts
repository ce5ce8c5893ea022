import { describe, expect, it } from 'vitest'
import { UnsupportedError } from '../../src/frontends/wasm/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { drive, eventsOf } from '../support/drive.js'
import { endsOf, load, loadCase, outcomes } from './support.js'

const strategies = ['dfs', 'dpor', 'source', 'optimal']

describe('choices', () => {
  it('are all made', async () => {
    const { ends, executions } = outcomes(await loadCase('verifier', 1))
    expect([...ends.keys()].sort()).toEqual(['ok 00', 'ok 01', 'ok 10', 'ok 11', 'ok 20', 'ok 21'])
    expect(executions).toBe(6)
  })

  it('are offered by number and logged', async () => {
    const machine = await loadCase('verifier', 1)
    machine.usePoints(parsePoints('yield'))
    const { stopped, alternatives } = drive(machine, '0')
    expect(stopped.main).toBe('choose')
    expect(alternatives.main).toBe(3)
    drive(machine, '0 0=2 0=1')
    expect(machine.output).toBe('21')
    expect(eventsOf(machine).filter((event) => event.startsWith('choose'))).toEqual([
      'choose, 2',
      'choose, 1',
    ])
  })

  it('among nothing are a bug', async () => {
    expect(endsOf(await loadCase('verifier', 2))).toEqual(['trap: a choice among 0 values'])
  })

  it('of any integer are over the values the program states', async () => {
    expect(endsOf(await loadCase('verifier', 3))).toEqual(['ok -1', 'ok 0', 'ok 1'])
    const machine = await loadCase('verifier', 4, { define: ['ANY_VALUE'] })
    expect(() => outcomes(machine)).toThrow(UnsupportedError)
    expect(() => outcomes(machine)).toThrow(/__VERIFIER_nondet_uint without faultline_nondet_min/)
  })
})

describe('assumptions', () => {
  it.each(strategies)('that do not hold end an execution, and that is no deadlock: %s', async (strategy) => {
    const machine = await loadCase('verifier', 5)
    const { ends, statuses } = outcomes(machine, { strategy })
    expect([...ends.keys()]).toEqual(['ok '])
    expect(statuses.has('stuck')).toBe(false)
  })

  it.each(strategies)('leave everything as it was before them: %s', async (strategy) => {
    expect(endsOf(await loadCase('verifier', 6), { strategy })).toEqual(['ok 0\n', 'ok 1\n'])
  })
})

describe('atomic sections', () => {
  it.each(strategies)('are done at once: %s', async (strategy) => {
    const machine = await loadCase('verifier', 7)
    expect(endsOf(machine, { strategy })).toEqual(['ok 00', 'ok 11'])
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine, { strategy })).toEqual(['ok 00', 'ok 11'])
  })

  it('are not taken for copies that could be interrupted', async () => {
    const machine = await loadCase('verifier', 7)
    const strategy = createStrategy('optimal', { machine })
    expect(reach(machine, strategy).exhausted).toBe(true)
    expect(strategy.longRaces).toEqual(new Set())
  })

  it('are left only to wait', async () => {
    expect(endsOf(await loadCase('verifier', 8))).toEqual(['ok '])
  })

  it.each(strategies)('that wake another are done before it goes on: %s', async (strategy) => {
    expect(endsOf(await loadCase('verifier', 13), { strategy })).toEqual(['ok 2'])
  })

  it('with choices are refused', async () => {
    const machine = await loadCase('verifier', 11)
    expect(() => outcomes(machine)).toThrow(/choose with several outcomes in an atomic section/)
  })

  it('must have begun', async () => {
    const message = 'main ends an atomic section that it did not begin'
    expect(endsOf(await loadCase('verifier', 9))).toEqual([`lock-misuse: ${message}`])
  })
})

describe('what test authors call', () => {
  it('fails the test', async () => {
    expect(endsOf(await loadCase('verifier', 10))).toEqual(['assertion: the program reaches an error'])
  })

  it('makes a point, whatever the points are', async () => {
    const machine = await loadCase('verifier', 12)
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)).toEqual(['ok 1', 'ok 2'])
  })
})

describe('attributes', () => {
  it('are accepted, and do what can be seen', async () => {
    const machine = await load('attributes')
    machine.usePoints(parsePoints('yield'))
    expect(endsOf(machine)).toEqual(['ok '])
  })
})
