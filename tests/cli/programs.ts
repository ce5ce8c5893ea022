import { when } from '../../src/frontends/model/build.js'
import type { Program, Statement } from '../../src/frontends/model/program.js'

const increment: Statement[] = [
  { op: 'load', var: 'counter', into: 'r' },
  { op: 'store', var: 'counter', value: ['+', 'r', 1] },
]

function counter(threads: number, body: Statement[]): Program {
  const names = Array.from({ length: threads }, (_, i) => `t${i + 1}`)
  return {
    name: 'counter',
    variables: { counter: 0 },
    mutexes: { m: 'plain' },
    threads: Object.fromEntries(names.map((name) => [name, body])),
    atEnd: { 'all increments are counted': ['==', 'counter', threads] },
  }
}

/** Fails at its end; 4 classes with two threads. */
export const racyCounter = (threads = 2) => counter(threads, increment)

/** N! classes. */
export const lockedCounter = (threads = 2) =>
  counter(threads, [{ op: 'lock', mutex: 'm' }, ...increment, { op: 'unlock', mutex: 'm' }])

/** Two mutexes taken in opposite orders. */
export const deadlock: Program = {
  name: 'deadlock',
  mutexes: { a: 'plain', b: 'plain' },
  threads: {
    left: [
      { op: 'lock', mutex: 'a' },
      { op: 'lock', mutex: 'b' },
      { op: 'unlock', mutex: 'b' },
      { op: 'unlock', mutex: 'a' },
    ],
    right: [
      { op: 'lock', mutex: 'b' },
      { op: 'lock', mutex: 'a' },
      { op: 'unlock', mutex: 'a' },
      { op: 'unlock', mutex: 'b' },
    ],
  },
}

/** A wait that is not in a loop: right as long as only signals end it. */
export const unguardedWait: Program = {
  name: 'unguarded wait',
  variables: { ready: 0 },
  mutexes: { m: 'plain' },
  conditions: ['c'],
  threads: {
    waiter: [
      { op: 'lock', mutex: 'm' },
      { op: 'load', var: 'ready', into: 'r' },
      when(['!', 'r'], [{ op: 'wait', condition: 'c', mutex: 'm' }]),
      { op: 'load', var: 'ready', into: 'r' },
      { op: 'assert', condition: 'r' },
      { op: 'unlock', mutex: 'm' },
    ],
    setter: [
      { op: 'lock', mutex: 'm' },
      { op: 'store', var: 'ready', value: 1 },
      { op: 'signal', condition: 'c' },
      { op: 'unlock', mutex: 'm' },
    ],
  },
}

/** Goes on for 40 steps and more, and never fails. */
export const longLoop: Program = {
  name: 'long loop',
  variables: { x: 0 },
  threads: { a: [{ op: 'loop', count: 40, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] }] },
}

/** Far too many schedules for any test. */
export const endless: Program = {
  name: 'endless',
  variables: { x: 0 },
  threads: Object.fromEntries(
    ['a', 'b', 'c', 'd'].map((name) => [
      name,
      [{ op: 'loop', count: 20, body: [{ op: 'fetchAdd', var: 'x', value: 1 }] }],
    ]),
  ),
}

/** Two threads hand a token to and fro thirty times; then one of them fails. */
export const longFailure: Program = {
  name: 'long failure',
  semaphores: { ping: 1, pong: 0 },
  threads: {
    a: [
      {
        op: 'loop',
        count: 30,
        body: [
          { op: 'semwait', semaphore: 'ping' },
          { op: 'sempost', semaphore: 'pong' },
        ],
      },
      { op: 'assert', condition: 0, message: 'it is over' },
    ],
    b: [
      {
        op: 'loop',
        count: 30,
        body: [
          { op: 'semwait', semaphore: 'pong' },
          { op: 'sempost', semaphore: 'ping' },
        ],
      },
    ],
  },
}

/** Two different assertions, either of which can fail first. */
export const twoBugs: Program = {
  name: 'two bugs',
  variables: { x: 0, y: 0 },
  threads: {
    a: [
      { op: 'store', var: 'x', value: 1 },
      { op: 'load', var: 'y', into: 'r' },
      { op: 'assert', condition: ['==', 'r', 0], message: 'y is still 0' },
    ],
    b: [
      { op: 'store', var: 'y', value: 1 },
      { op: 'load', var: 'x', into: 'r' },
      { op: 'assert', condition: ['==', 'r', 0], message: 'x is still 0' },
    ],
  },
}

/** A generator program that runs otherwise every time it is loaded or run. */
export const nondeterministic = `
let runs = 0
export default {
  name: 'nondeterministic',
  variables: { x: 0, y: 0 },
  threads: {
    *a(t) {
      runs++
      yield t.store('x', 1)
      yield t.store(runs % 2 === 0 ? 'x' : 'y', 1)
    },
    *b(t) {
      yield t.load('x')
    },
  },
}
`
