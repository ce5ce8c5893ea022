const load = (name, into) => ({ op: 'load', var: name, into })
const store = (name, value) => ({ op: 'store', var: name, value })

/** Two elements change places in a transaction; where it aborts, both are locked, in that order. */
export const exchange = (one, other, first, second) => {
  const swap = [load(one, 'p'), load(other, 'q'), store(one, 'q'), store(other, 'p')]
  // biome-ignore lint/suspicious/noThenProperty: a statement
  const giveUpIfBusy = [load('busy', 'b'), { op: 'if', condition: 'b', then: [{ op: 'xabort' }] }]
  const lock = (name) => ({ op: 'lock', mutex: `lock-${name}` })
  const unlock = (name) => ({ op: 'unlock', mutex: `lock-${name}` })
  return [
    {
      op: 'atomically',
      body: [...giveUpIfBusy, ...swap],
      else: [
        lock(first),
        lock(second),
        { op: 'fetchAdd', var: 'busy', value: 1 },
        ...swap,
        { op: 'fetchAdd', var: 'busy', value: -1 },
        unlock(second),
        unlock(first),
      ],
    },
  ]
}

export const declarations = {
  variables: { a: 1, b: 2, busy: 0 },
  mutexes: { 'lock-a': 'plain', 'lock-b': 'plain' },
  atEnd: { 'both are there': ['==', ['+', 'a', 'b'], 3] },
}
