import { expect, test } from 'vitest'
import { modelMachine, type Program, type Statement } from '../../src/frontends/model/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { accesses } from '../support/accesses.js'
import { bruteForce, reach } from '../support/brute-force.js'

/**
 * Programs on which `optimal` once lost classes: a reversal whose last step a planned branch does first was taken to be
 * covered by that branch, although the rest of the reversal was not planned below it.
 */

test.each([
  ['X WY XW WXY', 54],
  ['Y XX WY Xw', 12],
  ['x W W YX WY', 24],
  ['Yw Y xXW Y YXx', 240],
  ['WXY W XY WXx W', 576],
  ['W Y WwW Xy WWx', 240],
])('%s: %i classes, each once', (text, count) => {
  const machine = modelMachine(accesses(text))
  const found = reach(machine, createStrategy('optimal', { machine }))
  expect(found).toMatchObject({ executions: count, blocked: 0 })
  expect(found.classes.size).toBe(count)
  const other = reach(machine, createStrategy('source', { machine }))
  expect([...found.classes.keys()].sort()).toEqual([...other.classes.keys()].sort())
})

/**
 * And one it lost where alternatives touch different things: t2 was planned before t0, which commits, with an abort of t3
 * after it; with t0 aborting, t2 conflicts with it, and that branch was taken for all that can follow t2.
 */
test('a transaction and its abort conflict with different things', () => {
  const begin = (body: Statement[], otherwise: Statement[] = []): Statement[] => [
    { op: 'atomically', body, else: otherwise },
  ]
  const program: Program = {
    variables: { x: 0, y: 1 },
    threads: {
      t0: begin([{ op: 'store', var: 'y', value: 0 }], [{ op: 'load', var: 'x', into: 'r' }]),
      t2: begin([{ op: 'store', var: 'x', value: 0 }]),
      t3: begin(
        [{ op: 'compareExchange', var: 'x', expected: 2, desired: 1, into: 'r' }],
        [{ op: 'atomicLoad', var: 'y', into: 'r' }],
      ),
    },
  }
  const machine = modelMachine(program)
  machine.usePoints(parsePoints('yield,sync'))
  const all = bruteForce(machine)!
  const found = reach(machine, createStrategy('optimal', { machine }))
  expect([...found.classes.keys()].sort()).toEqual([...all.classes.keys()].sort())
})

test('X WY XW WXY: by brute force', () => {
  const all = bruteForce(modelMachine(accesses('X WY XW WXY')))!
  expect(all.classes.size).toBe(54)
})
