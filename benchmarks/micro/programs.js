// The micro-benchmark of Yuan, Yang, Gu (CAV 2018, §6.1): 4 threads × 4 events over 4 objects; and a smaller one.
import { Random } from '../../dist/index.js'

/** How often each object is accessed; as many threads as objects, and as many events per thread. */
export const sizes = {
  full: { uniform: [4, 4, 4, 4], skewed: [2, 2, 6, 6] },
  small: { uniform: [3, 3, 3], skewed: [2, 2, 5] },
}

/**
 * A random program: `object[e]` and `isRead[e]` of event e, where n events in a row belong to one thread. With reads,
 * half of the events are.
 */
export function generate(uses, withReads, seed) {
  const random = new Random(seed)
  const object = shuffle(
    uses.flatMap((times, o) => Array(times).fill(o)),
    random,
  )
  const isRead = shuffle(
    object.map((_, e) => withReads && e < Math.floor(object.length / 2)),
    random,
  )
  return { n: uses.length, object, isRead }
}

function shuffle(items, random) {
  for (let i = items.length - 1; i > 0; i--) {
    const j = random.below(i + 1)
    ;[items[i], items[j]] = [items[j], items[i]]
  }
  return items
}

/**
 * As a program of the model front end.
 * @returns {import('../../dist/index.js').Program}
 */
export function toModel({ n, object, isRead }) {
  const names = ['w', 'x', 'y', 'z'].slice(0, n)
  /** @returns {import('../../dist/index.js').Statement} */
  const statement = (e) =>
    isRead[e]
      ? { op: 'load', var: names[object[e]], into: 'r' }
      : { op: 'store', var: names[object[e]], value: e }
  return {
    name: 'micro',
    variables: Object.fromEntries(names.map((name) => [name, 0])),
    threads: Object.fromEntries(
      names.map((_, t) => [`t${t}`, Array.from({ length: n }, (_, i) => statement(t * n + i))]),
    ),
  }
}

/**
 * All partial orders of the program, event by event: their number, the least probability of one under a random walk
 * (exact), and the largest number of preemptions that one needs in its best order.
 *
 * A prefix of an execution is told by what each thread has done and, per object, the sequence of threads that accessed
 * it, where neighbouring reads are sorted: two prefixes have the same description exactly when they are equivalent.
 */
export function analyse({ n, object, isRead }) {
  const first = offsets(n, object)
  const zeros = Array(n).fill(0)
  const start = { probability: 1, at: zeros, slots: new Uint8Array(n * n), length: zeros, preemptions: null }
  let level = new Map([[0, start]])
  for (let step = 0; step < n * n; step++) {
    const next = new Map()
    for (const state of level.values()) {
      const enabled = state.at.filter((done) => done < n).length
      for (let t = 0; t < n; t++) {
        if (state.at[t] === n) continue
        const e = t * n + state.at[t]
        const slots = append(state, first, e, t, { n, object, isRead })
        const at = state.at.with(t, state.at[t] + 1)
        const key = keyOf(n, at, slots)
        let reached = next.get(key)
        if (!reached) {
          const length = state.length.with(object[e], state.length[object[e]] + 1)
          reached = { probability: 0, at, slots, length, preemptions: Array(n).fill(Infinity) }
          next.set(key, reached)
        }
        reached.probability += state.probability / enabled
        reached.preemptions[t] = Math.min(reached.preemptions[t], preemptionsBefore(n, state, t))
      }
    }
    level = next
  }
  let least = 1
  let preemptions = 0
  for (const state of level.values()) {
    least = Math.min(least, state.probability)
    preemptions = Math.max(preemptions, Math.min(...state.preemptions))
  }
  return { classes: level.size, leastOfRandomWalk: least, preemptions }
}

function preemptionsBefore(n, { preemptions, at }, thread) {
  if (preemptions === null) return 0
  let fewest = Infinity
  for (let last = 0; last < n; last++) {
    const switches = last !== thread && at[last] < n ? 1 : 0
    fewest = Math.min(fewest, preemptions[last] + switches)
  }
  return fewest
}

/** Where each object's slots begin. */
function offsets(n, object) {
  const first = [0]
  for (let o = 0; o < n; o++) first.push(first[o] + object.filter((other) => other === o).length)
  return first
}

function append({ slots, length }, first, e, thread, program) {
  const o = program.object[e]
  const longer = slots.slice()
  let slot = first[o] + length[o]
  if (program.isRead[e]) {
    while (slot > first[o] && longer[slot - 1] > thread && isReadIn(longer, first[o], slot - 1, o, program)) {
      longer[slot] = longer[slot - 1]
      slot--
    }
  }
  longer[slot] = thread
  return longer
}

/** Whether the access in a slot of object o is a read: it is its thread's access to o of that number. */
function isReadIn(slots, from, slot, o, { n, object, isRead }) {
  const thread = slots[slot]
  let number = 0
  for (let s = from; s < slot; s++) if (slots[s] === thread) number++
  for (let e = thread * n; ; e++) if (object[e] === o && number-- === 0) return isRead[e]
}

function keyOf(n, at, slots) {
  let key = 0
  for (const done of at) key = key * (n + 1) + done
  for (const thread of slots) key = key * n + thread
  return key
}
