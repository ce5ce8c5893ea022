import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { EDGE_FROM, EDGE_TO, edgeOf, Mode, Op } from '../machine/operation.js'

/**
 * A canonical fingerprint of an execution's happens-before class: equal for two executions exactly when they order
 * all dependent operations alike and took the same values at choices (up to a 64-bit collision).
 *
 * Each event's hash mixes what it is, the hash of its thread's past, and the hashes of what it depends on; where
 * several independent events are depended on, their hashes are added, so that their order does not count. The
 * fingerprint is the sum over all events. Names enter by their canonical hash, so fingerprints of different processes
 * compare. Works on operations, not transitions: the same behaviour under two PP sets has one fingerprint.
 */
export class Fingerprint {
  /** Two 32-bit lanes; `text` joins them. */
  low = 0
  high = 0
  private threads = new Int32Array(16)
  /** Per location and lane: last write, sum of reads since, sum of commuting changes since. */
  private records = new Int32Array(64 * 6)
  private touched = new Int32Array(64)
  private touchedCount = 0

  constructor(private readonly machine: Machine) {}

  get text(): string {
    return (this.high >>> 0).toString(16).padStart(8, '0') + (this.low >>> 0).toString(16).padStart(8, '0')
  }

  /** Computes the fingerprint of an execution; a failure in its last transition is an event of its own. */
  of(trace: Trace, status: Status = 'completed'): string {
    this.compute(trace, status)
    return this.text
  }

  compute(trace: Trace, status: Status = 'completed'): void {
    const { machine } = this
    const { events } = trace
    const threadCount = machine.threads.count
    const { anyOverlap, overlaps, hashes } = machine.locations
    if (threadCount * 2 > this.threads.length) this.threads = grown(this.threads, threadCount * 4)
    if (machine.locations.count * 6 > this.records.length) {
      this.records = grown(this.records, machine.locations.count * 12)
    }
    const { threads, records } = this
    for (let t = 0; t < threadCount; t++) {
      threads[2 * t] = machine.threads.hashes[t]
      threads[2 * t + 1] = mix(machine.threads.hashes[t], 0x5bd1e995)
    }
    for (let i = 0; i < this.touchedCount; i++) records.fill(0, this.touched[i] * 6, this.touched[i] * 6 + 6)
    this.touchedCount = 0
    let low = 0
    let high = 0
    let i = 0
    for (let d = 0; d < trace.length; d++) {
      const p = trace.thread[d]
      let a = threads[2 * p]
      let b = threads[2 * p + 1]
      if (trace.value[d] > 0) {
        a = mix(a, trace.value[d])
        b = mix(b, trace.value[d])
      }
      for (; i < trace.eventEnd[d]; i++) {
        const kind = events.kind[i]
        if (kind === Op.probe) continue // belongs to the PP set, not to the behaviour
        const mode = events.mode[i]
        const location = events.location[i]
        a = mix(a, kind + 11)
        b = mix(b, kind + 13)
        const edge = edgeOf[kind]
        if (edge === EDGE_FROM) {
          a = mix(a, threads[2 * events.aux[i]])
          b = mix(b, threads[2 * events.aux[i] + 1])
        }
        if (mode !== Mode.none) {
          a = mix(a, hashes[location] + mode)
          b = mix(b, hashes[location] - mode)
          a = this.depend(a, location, mode, 0)
          b = this.depend(b, location, mode, 1)
          if (anyOverlap && overlaps[location] !== null) {
            // Only what this execution did counts: which overlaps are known depends on the executions before.
            let sumA = 0
            let sumB = 0
            let meets = false
            for (const other of overlaps[location]) {
              if (!this.hasConflict(other, mode)) continue
              meets = true
              sumA = (sumA + this.depend(hashes[other], other, mode, 0)) | 0
              sumB = (sumB + this.depend(hashes[other], other, mode, 1)) | 0
            }
            if (meets) {
              a = mix(a, sumA)
              b = mix(b, sumB)
            }
          }
          this.record(location, mode, a, b)
        }
        low = (low + mix(a, 0x27d4eb2f)) | 0
        high = (high + mix(b, 0x165667b1)) | 0
        if (edge === EDGE_TO && events.aux[i] >= 0) {
          const target = events.aux[i]
          a = mix(a, machine.threads.hashes[target])
          threads[2 * target] = mix(threads[2 * target], a)
          threads[2 * target + 1] = mix(threads[2 * target + 1], b)
        }
      }
      threads[2 * p] = a
      threads[2 * p + 1] = b
    }
    if (status === 'failed') {
      const failed = trace.thread[trace.length - 1]
      low = (low + mix(threads[2 * failed], 0x2545f491)) | 0
      high = (high + mix(threads[2 * failed + 1], 0x2545f491)) | 0
    }
    this.low = low
    this.high = high
  }

  /** Mixes in what an access of this mode depends on at the location. */
  private depend(hash: number, location: number, mode: number, lane: number): number {
    const at = location * 6 + lane
    const { records } = this
    let h = mix(hash, records[at])
    if (mode !== Mode.read) h = mix(h, records[at + 2])
    if (mode !== Mode.commute) h = mix(h, records[at + 4])
    return h
  }

  /** Whether something was done at the location that an access of this mode depends on. */
  private hasConflict(location: number, mode: number): boolean {
    const at = location * 6
    const { records } = this
    let touched = records[at] | records[at + 1]
    if (mode !== Mode.read) touched |= records[at + 2] | records[at + 3]
    if (mode !== Mode.commute) touched |= records[at + 4] | records[at + 5]
    return touched !== 0
  }

  private record(location: number, mode: number, a: number, b: number): void {
    const at = location * 6
    const { records } = this
    if (
      (records[at] |
        records[at + 1] |
        records[at + 2] |
        records[at + 3] |
        records[at + 4] |
        records[at + 5]) ===
      0
    ) {
      if (this.touchedCount === this.touched.length) this.touched = grown(this.touched, this.touchedCount * 2)
      this.touched[this.touchedCount++] = location
    }
    if (mode === Mode.write) {
      records[at] = a
      records[at + 1] = b
      records[at + 2] = records[at + 3] = records[at + 4] = records[at + 5] = 0
    } else {
      const sum = mode === Mode.read ? at + 2 : at + 4
      records[sum] = (records[sum] + a) | 0
      records[sum + 1] = (records[sum + 1] + b) | 0
    }
  }
}

function mix(h: number, x: number): number {
  let k = Math.imul(x, 0xcc9e2d51)
  k = (k << 15) | (k >>> 17)
  h ^= Math.imul(k, 0x1b873593)
  h = (h << 13) | (h >>> 19)
  h = (Math.imul(h, 5) + 0xe6546b64) | 0
  h ^= h >>> 16
  return Math.imul(h, 0x85ebca6b) ^ (h >>> 13)
}
