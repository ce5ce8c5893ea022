import { Trace } from '../../src/execution/trace.js'
import { EventLog } from '../../src/machine/events.js'
import type { Machine } from '../../src/machine/machine.js'
import { LocationTable, ThreadTable } from '../../src/machine/names.js'
import { Mode, Op } from '../../src/machine/operation.js'
import type { Random } from '../../src/random/random.js'
import type { NaiveStep } from './naive.js'

/**
 * Traces of no program at all, over locations that share bytes: a word, its two halves, the bytes in between, and
 * another word. The model front end has no such locations.
 */
export class Synthetic {
  readonly threads = new ThreadTable()
  readonly locations = new LocationTable()
  readonly events = new EventLog()

  constructor() {
    for (let t = 0; t < 3; t++) this.threads.root(t)
    const [word, low, high, middle] = ['0..8', '0..4', '4..8', '2..6', '8..16'].map((key) =>
      this.locations.intern('memory', key),
    )
    for (const part of [low, high, middle]) this.locations.addOverlap(word, part)
    this.locations.addOverlap(low, middle)
    this.locations.addOverlap(high, middle)
  }

  /** As much of a machine as fingerprints and clocks look at. */
  get machine(): Machine {
    return { threads: this.threads, locations: this.locations, events: this.events } as unknown as Machine
  }

  /** What each thread does: transitions of one or two accesses. */
  body(random: Random): NaiveStep[][] {
    const modes = [Mode.read, Mode.read, Mode.write, Mode.commute]
    return Array.from({ length: 3 }, (_, thread) =>
      Array.from({ length: 1 + random.below(3) }, () => ({
        thread,
        value: 0,
        events: Array.from({ length: 1 + random.below(2) }, () => ({
          thread,
          kind: Op.load,
          mode: modes[random.below(modes.length)],
          location: random.below(this.locations.count),
          aux: -1,
        })),
      })),
    )
  }

  /** All orders of the transitions of the threads. */
  *interleavings(bodies: readonly (readonly NaiveStep[])[]): Generator<NaiveStep[]> {
    if (bodies.every((body) => body.length === 0)) yield []
    for (const [t, body] of bodies.entries()) {
      if (body.length === 0) continue
      for (const rest of this.interleavings(bodies.with(t, body.slice(1)))) yield [body[0], ...rest]
    }
  }

  /** Writes the transitions down as an execution would. */
  trace(steps: readonly NaiveStep[]): Trace {
    const trace = new Trace(this.events)
    this.events.count = 0
    for (const { thread, value, events } of steps) {
      for (const { kind, mode, location, aux } of events) this.events.push(kind, mode, location, -1, aux)
      trace.push(thread, value)
      trace.eventEnd[trace.length - 1] = this.events.count
    }
    return trace
  }
}
