import { describe, expect, it } from 'vitest'
import {
  type GeneratorProgram,
  modelMachine,
  type Operation,
  type Operations,
} from '../../src/frontends/model/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { reach } from '../support/brute-force.js'
import { loadCase } from './support.js'

/** The programs of tests/c/sync-twins.c once more; both must have the same classes. */

type Body = (t: Operations) => Generator<Operation, void, number>

function* increment(t: Operations) {
  const value: number = yield t.load('x')
  yield t.store('x', value + 1)
}

const lockedBySemaphore: Body = function* (t) {
  yield t.semwait('s')
  yield* increment(t)
  yield t.sempost('s')
}

const post: Body = function* (t) {
  yield t.sempost('s')
}

const reader: Body = function* (t) {
  yield t.rdlock('l')
  yield t.load('x')
  yield t.rwunlock('l')
}

const tryReader: Body = function* (t) {
  if ((yield t.tryrdlock('l')) === 0) yield t.rwunlock('l')
}

const meet: Body = function* (t) {
  yield t.barrier('b')
}

const locked: Body = function* (t) {
  yield t.lock('m')
  yield* increment(t)
  yield t.unlock('m')
}

const twins: Record<number, readonly Body[]> = {
  1: [lockedBySemaphore, lockedBySemaphore, lockedBySemaphore],
  2: [
    post,
    post,
    function* (t) {
      yield t.semwait('s')
    },
    function* (t) {
      if ((yield t.semtrywait('s')) === 0) yield t.store('x', 1)
    },
  ],
  3: [
    function* (t) {
      yield t.store('x', (yield t.semtimedwait('s')) === 0 ? 1 : 0)
    },
    post,
    function* (t) {
      yield t.semvalue('s')
    },
  ],
  4: [
    reader,
    reader,
    function* (t) {
      yield t.wrlock('l')
      yield t.store('x', 1)
      yield t.rwunlock('l')
    },
  ],
  5: [
    tryReader,
    tryReader,
    function* (t) {
      if ((yield t.trywrlock('l')) === 0) yield t.rwunlock('l')
    },
  ],
  6: [meet, meet, meet],
  7: [
    function* (t) {
      yield t.store('x', 1)
      yield t.barrier('b')
      yield t.barrier('b')
      yield t.load('x')
    },
    function* (t) {
      yield t.barrier('b')
      yield t.store('x', 2)
      yield t.barrier('b')
      yield t.load('x')
    },
  ],
  8: [locked, locked, locked],
  9: [
    function* (t) {
      yield t.store('x', 1)
    },
    function* (t) {
      yield t.lock('m')
      yield t.store('x', 2)
      yield t.unlock('m')
    },
  ],
  10: [
    function* (t) {
      yield t.store('x', 1)
      yield t.sempost('s')
    },
    function* (t) {
      yield t.semwait('s')
      yield t.store('x', 2)
    },
  ],
}

describe.each(Object.keys(twins).map(Number))('twin %i', (number) => {
  it.each(['everywhere', 'lock,unlock,sync', 'lock'])(
    'has the same classes with points %s',
    async (points) => {
      const threads = Object.fromEntries(twins[number].map((body, i) => [`t${i}`, body]))
      const model = modelMachine({
        variables: { x: 0, y: 0 },
        mutexes: { m: 'plain' },
        semaphores: { s: number === 1 ? 1 : 0 },
        rwlocks: ['l'],
        barriers: { b: 2 },
        threads,
      } as unknown as GeneratorProgram)
      const program = await loadCase('sync-twins', number)
      const [expected, found] = [model, program].map((machine) => {
        machine.usePoints(parsePoints(points))
        const reached = reach(machine, createStrategy('optimal', { machine }))
        expect(reached.exhausted).toBe(true)
        return { classes: reached.classes.size, stuck: [...reached.bugs].length > 0 }
      })
      expect(found).toEqual(expected)
      const all = reach(model, createStrategy('dfs', { machine: model }))
      expect(all.exhausted).toBe(true)
      expect(expected.classes).toBe(all.classes.size)
    },
  )
})
