import { expect, test } from 'vitest'
import { modelMachine } from '../../src/frontends/model/index.js'
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

test('X WY XW WXY: by brute force', () => {
  const all = bruteForce(modelMachine(accesses('X WY XW WXY')))!
  expect(all.classes.size).toBe(54)
})
