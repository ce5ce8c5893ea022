// expect: verified
// Peterson's lock for two threads, as a model: generator functions that yield their operations.
const lock = function* (t, me, other) {
  yield t.atomicStore(`wants${me}`, 1)
  yield t.atomicStore('turn', other)
  yield* t.spinWhile(function* () {
    return (yield t.atomicLoad(`wants${other}`)) === 1 && (yield t.atomicLoad('turn')) === other
  })
}

const enter = function* (t, me, other) {
  yield* lock(t, me, other)
  const inside = yield t.fetchAdd('inside', 1)
  t.assert(inside === 0, 'nobody else is inside')
  yield t.fetchAdd('inside', -1)
  yield t.atomicStore(`wants${me}`, 0)
}

export default {
  name: "Peterson's lock",
  variables: { wants0: 0, wants1: 0, turn: 0, inside: 0 },
  threads: {
    *left(t) {
      yield* enter(t, 0, 1)
    },
    *right(t) {
      yield* enter(t, 1, 0)
    },
  },
}
