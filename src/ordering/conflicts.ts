import type { Machine } from '../machine/machine.js'
import { Mode } from '../machine/operation.js'
import type { LastTouches } from './last-touches.js'
import type { TransitionOrder } from './transition-order.js'

type Visit = (earlier: number) => void

/**
 * Every earlier transition that one conflicts with and does not follow anyway, not only the latest: a bounded search cannot
 * count on reaching the others step by step.
 */
export class Conflicts {
  constructor(
    private readonly order: TransitionOrder,
    private readonly machine: Machine,
    private readonly last: LastTouches,
  ) {}

  /**
   * Calls back for each, some more than once. By thread, transitions before those in `known` are followed anyway; its length
   * may exceed the number of threads.
   */
  each(transition: number, known: Int32Array, threads: number, visit: Visit): void {
    const { thread, eventEnd, mode, location } = this.order
    const p = thread[transition]
    const reach = (event: number) => this.visitChain(event, p, transition, known, visit)
    for (let i = this.order.eventStart(transition); i < eventEnd[transition]; i++) {
      if (mode[i] === Mode.none) continue
      this.eachAt(location[i], mode[i], p, threads, reach)
      for (const other of this.machine.locations.overlaps[location[i]] ?? []) {
        if (other < this.last.locations) this.eachAt(other, mode[i], p, threads, reach)
      }
    }
  }

  private eachAt(location: number, mode: number, p: number, threads: number, reach: Visit): void {
    const { write, read, commute, stride } = this.last
    reach(write[location])
    const base = location * stride
    for (let t = 0; t < threads; t++) {
      if (t === p) continue
      if (mode !== Mode.read) reach(read[base + t])
      if (mode !== Mode.commute) reach(commute[base + t])
    }
  }

  /** Each event happens after those it replaced, so the first one known ends the chain. */
  private visitChain(latest: number, p: number, transition: number, known: Int32Array, visit: Visit): void {
    const { thread, transitionOf } = this.order
    for (let event = latest; event > 0; event = this.last.replaced[event - 1]) {
      const e = transitionOf[event - 1]
      const q = thread[e]
      // What a step of its own replaced comes before it, by what it did there.
      if (q === p && e !== transition) return
      if (q === p) continue
      if (e < known[q]) return
      visit(e)
    }
  }
}
