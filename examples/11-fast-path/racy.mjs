// expect: bug assertion
// A transactional lock looks whether it is free by exchanging 0 for 0. That is a write all the same: transactions that
// have nothing else in common conflict, and take the slow path.
const critical = (own) => [
  {
    op: 'atomically',
    body: [
      { op: 'compareExchange', var: 'lock', expected: 0, desired: 0, into: 'l' },
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
