import { expect, test } from 'vitest'
import { load, store } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { createStrategy } from '../../src/strategies/index.js'
import { bruteForce, reach } from '../support/brute-force.js'

/**
 * Programs on which `optimal` once lost classes: a reversal whose last step a planned branch does first was taken to be
 * covered by that branch, although the rest of the reversal was not planned below it.
 */

/** Each word is a thread, each letter an access: capitals write, small letters read. */
function program(text: string): Program {
  const bodies = text.split(' ').map((word) =>
    [...word].map((letter, i) => {
      const name = letter.toLowerCase()
      return letter === name ? load(name, 'r') : store(name, i)
    }),
  )
  return {
    variables: { w: 0, x: 0, y: 0 },
    threads: Object.fromEntries(bodies.map((body, t) => [`t${t}`, body])),
  }
}

test.each([
  ['X WY XW WXY', 54],
  ['Yw Y xXW Y YXx', 240],
  ['WXY W XY WXx W', 576],
  ['W Y WwW Xy WWx', 240],
])('%s: %i classes, each once', (text, count) => {
  const machine = modelMachine(program(text))
  const found = reach(machine, createStrategy('optimal', { machine }))
  expect(found).toMatchObject({ executions: count, blocked: 0 })
  expect(found.classes.size).toBe(count)
  const other = reach(machine, createStrategy('source', { machine }))
  expect([...found.classes.keys()].sort()).toEqual([...other.classes.keys()].sort())
})

test('X WY XW WXY: by brute force', () => {
  const all = bruteForce(modelMachine(program('X WY XW WXY')))!
  expect(all.classes.size).toBe(54)
})
