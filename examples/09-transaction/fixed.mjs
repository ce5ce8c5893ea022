// expect: verified
// The transaction looks whether somebody has the lock: if so, or if somebody takes it before the commit, it aborts.
const add = [
  { op: 'load', var: 'count', into: 'r' },
  { op: 'store', var: 'count', value: ['+', 'r', 1] },
]
const increment = [
  {
    op: 'atomically',
    body: [
      { op: 'load', var: 'locked', into: 'l' },
      // biome-ignore lint/suspicious/noThenProperty: a statement
      { op: 'if', condition: 'l', then: [{ op: 'xabort', code: 255 }] },
      ...add,
    ],
    else: [
      { op: 'lock', mutex: 'm' },
      { op: 'store', var: 'locked', value: 1 },
      ...add,
      { op: 'store', var: 'locked', value: 0 },
      { op: 'unlock', mutex: 'm' },
    ],
  },
]

export default {
  name: 'transactional counter',
  variables: { count: 0, locked: 0 },
  mutexes: { m: 'plain' },
  threads: { left: increment, right: increment, third: increment },
  atEnd: { 'nothing is lost': ['==', 'count', 3] },
}
