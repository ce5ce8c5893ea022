import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { locationsMeet, modesConflict } from '../ordering/dependence.js'
import { grown } from '../program/growing.js'
import { THREAD_LIVE } from '../program/machine.js'
import { announcedMode } from '../program/operation.js'
import type { Random } from '../random/random.js'
import { pickValue } from './random-walk.js'
import type { StrategyContext } from './registry.js'

/**
 * Partial-order sampling (Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018,
 * doi:10.1007/978-3-319-96142-2_20, §4): every pending operation has a random priority, the highest enabled one runs,
 * and the operations that race with it draw new priorities (`basic-pos`, §4.1, leaves that out).
 *
 * Priorities are drawn when first needed, which has the same distribution as drawing them when the operation becomes
 * pending. Racing is judged on announced operations: a compare-exchange counts as a write. Under PP sets other than
 * `everywhere` only the first operation of a transition is announced, so the paper's bound holds for `everywhere`.
 */
class PartialOrderSampling implements Strategy {
  readonly footprints = false
  readonly script = emptyScript
  /** By thread; 0 means not drawn. */
  private priority = new Float64Array(16)

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly reassign: boolean,
  ) {}

  begin(): boolean {
    this.priority.fill(0)
    return true
  }

  choose(point: ChoicePoint): number {
    const { count, thread, machine } = point
    if (machine.threads.count > this.priority.length)
      this.priority = grown(this.priority, machine.threads.count * 2)
    const { priority } = this
    let best = -1
    let highest = -1
    for (let i = 0; i < count; i++) {
      const t = thread[i]
      if (i > 0 && t === thread[i - 1]) continue
      let p = priority[t]
      if (p === 0) p = priority[t] = this.random.next() + 1
      if (p > highest) {
        highest = p
        best = i
      }
    }
    const chosen = thread[best]
    priority[chosen] = 0
    if (this.reassign) this.resetRacing(point, chosen)
    return pickValue(point, best, this.random)
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }

  private resetRacing(point: ChoicePoint, chosen: number): void {
    const { pending, threads, locations } = point.machine
    const location = pending.location[chosen]
    if (location < 0) return
    const mode = announcedMode[pending.kind[chosen]]
    for (let t = 0; t < threads.count; t++) {
      if (this.priority[t] === 0 || t === chosen || pending.status[t] !== THREAD_LIVE) continue
      if (
        modesConflict(mode, announcedMode[pending.kind[t]]) &&
        locationsMeet(locations, location, pending.location[t])
      ) {
        this.priority[t] = 0
      }
    }
  }
}

export function pos(context: StrategyContext): Strategy {
  return new PartialOrderSampling('pos', context.random, true)
}

export function basicPos(context: StrategyContext): Strategy {
  return new PartialOrderSampling('basic-pos', context.random, false)
}
