// expect: bug invariant
// A transaction counts; where it aborts, a lock is taken instead. The lock keeps out other locks, but no transaction.
const add = [
  { op: 'load', var: 'count', into: 'r' },
  { op: 'store', var: 'count', value: ['+', 'r', 1] },
]
const increment = [
  { op: 'atomically', body: add, else: [{ op: 'lock', mutex: 'm' }, ...add, { op: 'unlock', mutex: 'm' }] },
]

export default {
  name: 'transactional counter',
  variables: { count: 0 },
  mutexes: { m: 'plain' },
  threads: { left: increment, right: increment },
  atEnd: { 'nothing is lost': ['==', 'count', 2] },
}
