import { expect, test } from 'vitest'
import { LocationTable } from '../machine/names.js'
import { Mode, Op } from '../machine/operation.js'
import { type History, predictMode } from './hindsight.js'

test('who came too late to detach a thread would have detached it, had the first not been there', () => {
  const locationTable = new LocationTable()
  const thread = locationTable.intern('process', 'thread 0.1')
  const history: History = {
    thread: Int32Array.of(0, 1),
    kind: Uint8Array.of(Op.claim, Op.claim),
    mode: Uint8Array.of(Mode.write, Mode.read),
    location: Int32Array.of(thread, thread),
    aux: Int32Array.of(-1, -1),
    valuesKnown: new Uint8Array(2),
    seen: new Int32Array(2),
    written: new Int32Array(2),
    operand: new Int32Array(2),
    transitionOf: Int32Array.of(0, 1),
    locationTable,
    eventStart: (transition) => transition,
    ordered: (a, b) => a === b,
  }
  expect(predictMode(history, 1, 0)).toBe(Mode.write)
})
