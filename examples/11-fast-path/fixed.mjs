// expect: verified
// To look whether the lock is free, the transaction only reads it: transactions that have nothing else in common do not
// conflict, and none takes the slow path.
const critical = (own) => [
  {
    op: 'atomically',
    body: [
      { op: 'load', var: 'lock', into: 'l' },
      // biome-ignore lint/suspicious/noThenProperty: a statement
      { op: 'if', condition: 'l', then: [{ op: 'xabort' }] },
      { op: 'store', var: own, value: 1 },
    ],
    else: [{ op: 'assert', condition: 0, message: 'takes the fast path' }],
  },
]

export default {
  name: 'fast path',
  abortCodes: 'conflict',
  variables: { lock: 0, mine: 0, yours: 0 },
  threads: { left: critical('mine'), right: critical('yours') },
}
