import { describe, expect, test } from 'vitest'
import { assert, create, load, lock, signal, store, unlock, wait } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { parsePoints } from '../../src/machine/points.js'
import { compare, truth } from './check.js'

/**
 * A transition of several operations that lets another thread go on and then fails. That thread could not run at the
 * point before it, and what it waits to do never happens; but it could have come first.
 */
const programs: Record<string, Program> = {
  'releases a lock, then fails': {
    variables: { x: 0, y: 0 },
    mutexes: { m: 'plain', n: 'plain' },
    threads: {
      a: [lock('m'), lock('n'), unlock('n'), unlock('m'), store('x', 2)],
      b: [lock('m'), lock('n'), unlock('n'), unlock('m'), load('x', 'r'), assert(['!=', 'r', 0], 'b first')],
    },
    invariants: { small: ['<', 'x', 2] },
  },
  'releases a lock, finds that it has, then fails': {
    variables: { x: 0 },
    mutexes: { m: 'plain', e: 'errorcheck' },
    threads: {
      a: [lock('e'), lock('e', 'k'), unlock('e'), unlock('e', 'q'), store('x', 2)],
      b: [lock('e'), lock('e', 'k'), unlock('e'), unlock('e', 'q'), unlock('m')],
    },
    invariants: { small: ['<', 'x', 2] },
  },
  'starts a thread that wants a lock, then fails': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    threads: {
      a: [lock('m'), unlock('m'), create('c'), assert(['==', 0, 1], 'a fails')],
      b: [lock('m'), store('x', 1), unlock('m'), load('x', 'r'), assert(['==', 'r', 0], 'b fails')],
      c: [lock('m'), store('x', 3), unlock('m')],
    },
    roots: ['a', 'b'],
  },
  'wakes a thread, then fails': {
    variables: { x: 0 },
    mutexes: { m: 'plain' },
    conditions: ['c'],
    threads: {
      w: [lock('m'), wait('c', 'm'), unlock('m')],
      a: [lock('m'), signal('c'), unlock('m'), load('x', 'r'), assert(['==', 'r', 1], 'a fails')],
      b: [lock('m'), store('x', 1), unlock('m'), assert(['==', 0, 1], 'b fails')],
    },
  },
}

describe.each(Object.entries(programs))('%s', (_, program) => {
  test.each(['yield', 'lock', 'unlock', 'sync', 'lock,sync', 'everywhere'])('points %s', (kinds) => {
    const points = parsePoints(kinds)
    const all = truth(program, points)!
    for (const spec of [
      'dpor',
      'dpor:no-sleep',
      'source',
      'optimal',
      'icb',
      'best-first',
      'best-first:rand',
    ]) {
      expect(compare(spec, program, all, points)).toBeNull()
    }
  })
})
