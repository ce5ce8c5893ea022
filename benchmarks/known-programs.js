// Programs whose numbers of happens-before classes are known, as model programs.
const times = (n, body) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`t${i}`, body(i)]))

/**
 * Each of n threads loads x, then stores a value of its own: (n!)² classes.
 * @type {(n: number) => import('../dist/index.js').Program}
 */
export const inc = (n) => ({
  variables: { x: 0 },
  threads: times(n, (i) => [
    { op: 'atomicLoad', var: 'x', into: 'r' },
    { op: 'atomicStore', var: 'x', value: i + 1 },
  ]),
})

/**
 * One thread looks for the last zero of an array that n others fill: (n + 3)·2^(n - 2) classes.
 * @type {(n: number) => import('../dist/index.js').Program}
 */
export const lastzero = (n) => ({
  arrays: { a: Array(n + 1).fill(0) },
  threads: {
    search: [
      { op: 'set', into: 'i', value: n },
      { op: 'load', var: 'a', index: 'i', into: 'v' },
      {
        op: 'while',
        condition: ['!=', 'v', 0],
        body: [
          { op: 'set', into: 'i', value: ['-', 'i', 1] },
          { op: 'load', var: 'a', index: 'i', into: 'v' },
        ],
      },
    ],
    ...times(n, (i) => [
      { op: 'load', var: 'a', index: i, into: 'v' },
      { op: 'store', var: 'a', index: i + 1, value: ['+', 'v', 1] },
    ]),
  },
})

/**
 * One thread writes, n read: 2^n classes.
 * @type {(n: number) => import('../dist/index.js').Program}
 */
export const readers = (n) => ({
  variables: { x: 0 },
  threads: {
    writer: [{ op: 'store', var: 'x', value: 1 }],
    ...times(n, () => [{ op: 'load', var: 'x', into: 'r' }]),
  },
})

/**
 * Each of n threads adds one under a mutex: n! classes.
 * @type {(n: number) => import('../dist/index.js').Program}
 */
export const mutexCounter = (n) => ({
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  threads: times(n, () => [
    { op: 'lock', mutex: 'm' },
    { op: 'load', var: 'x', into: 'r' },
    { op: 'store', var: 'x', value: ['+', 'r', 1] },
    { op: 'unlock', mutex: 'm' },
  ]),
})
