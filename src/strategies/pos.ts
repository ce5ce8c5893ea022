import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import { isYielding, pendingMeet, pendingRace, yieldsPerReset } from './announced.js'
import { pickValue } from './random-walk.js'
import { type StrategyContext, StrategyError } from './registry.js'

/**
 * Partial-order sampling (Yuan, Yang, Gu, "Partial Order Aware Concurrency Sampling", CAV 2018,
 * doi:10.1007/978-3-319-96142-2_20, §4): every pending operation has a random priority, the highest enabled one runs,
 * and the operations that race with it draw new priorities (`basic-pos`, §4.1, leaves that out).
 *
 * Priorities are drawn when first needed, which has the same distribution as drawing them when the operation becomes
 * pending. Racing is judged on announced operations: a compare-exchange counts as a write. Under PP sets other than
 * `everywhere` only the first operation of a transition is announced, so the paper's bound holds for `everywhere`.
 *
 * Operations on one object that commute (two reads) do not race: the relaxation of §5, POS* in the paper's tables.
 * `pos:strict` does without it. After 1000 yields all priorities are drawn anew (§5, fairness).
 */
class PartialOrderSampling implements Strategy {
  readonly footprints = false
  readonly script = emptyScript
  /** By thread; 0 means not drawn. */
  private priority = new Float64Array(16)
  private yields = 0

  constructor(
    readonly name: string,
    private readonly random: Random,
    /** Whether two pending operations race; null: no priority is drawn anew. */
    private readonly race: Race | null,
  ) {}

  begin(): boolean {
    this.priority.fill(0)
    this.yields = 0
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
      let p = priority[t]
      if (p === 0) p = priority[t] = this.random.next() + 1
      // Only the first option of a thread can be higher than all before.
      if (p > highest) {
        highest = p
        best = i
      }
    }
    const chosen = thread[best]
    priority[chosen] = 0
    if (this.race !== null) this.resetRacing(point, chosen, this.race)
    if (isYielding(machine, chosen) && ++this.yields === yieldsPerReset) {
      this.yields = 0
      priority.fill(0)
    }
    return pickValue(point, best, this.random)
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }

  /** Only those that can run have a priority: what took that from another was done to the same object, and raced with it. */
  private resetRacing({ machine, count, thread }: ChoicePoint, chosen: number, race: Race): void {
    const { location } = machine.pending
    const place = location[chosen]
    if (place < 0 || count === 1) return
    const { priority } = this
    const isLone = machine.locations.overlaps[place] === null
    for (let i = 0; i < count; i++) {
      const t = thread[i]
      if (isLone && location[t] !== place) continue
      if (t !== chosen && race(machine, chosen, t)) priority[t] = 0
    }
  }
}

type Race = (machine: Machine, a: number, b: number) => boolean

export function pos(context: StrategyContext): Strategy {
  if (context.argument === '') return new PartialOrderSampling('pos', context.random, pendingRace)
  if (context.argument === 'strict')
    return new PartialOrderSampling('pos:strict', context.random, pendingMeet)
  throw new StrategyError(`pos takes no argument or strict, not "${context.argument}"`)
}

export function basicPos(context: StrategyContext): Strategy {
  return new PartialOrderSampling('basic-pos', context.random, null)
}
