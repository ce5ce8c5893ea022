import type { EnabledThreads } from '../execution/enabled-threads.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { announcedMode, Mode } from '../machine/operation.js'
import { locationsMeet, modesConflict } from '../ordering/dependence.js'
import type { Random } from '../random/random.js'
import { bothWatched, isYielding, yieldsPerReset } from './announced.js'
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
  /** Scratch: threads that can run. */
  private present = new Int32Array(16)
  private yields = 0

  constructor(
    readonly name: string,
    private readonly random: Random,
    /** Which operations on one object race (`table`); null: no priority is drawn anew. */
    private readonly races: Uint8Array | null,
  ) {}

  begin(): boolean {
    this.priority.fill(0)
    this.yields = 0
    return true
  }

  choose(point: ChoicePoint): number {
    const { count, thread, machine } = point
    this.reserve(machine)
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
    this.runs(machine, thread, count, thread[best])
    return pickValue(point, best, this.random)
  }

  pickThread({ bits }: EnabledThreads, machine: Machine): number {
    this.reserve(machine)
    const { priority, present } = this
    let count = 0
    let chosen = -1
    let highest = -1
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const t = (word << 5) + 31 - Math.clz32(left & -left)
        present[count++] = t
        let p = priority[t]
        if (p === 0) p = priority[t] = this.random.next() + 1
        if (p <= highest) continue
        highest = p
        chosen = t
      }
    }
    if (chosen >= 0) this.runs(machine, present, count, chosen)
    return chosen
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }

  private reserve({ threads }: Machine): void {
    if (threads.count <= this.priority.length) return
    this.priority = grown(this.priority, threads.count * 2)
    this.present = grown(this.present, threads.count * 2)
  }

  /** A thread is about to do its operation, of those that can run. */
  private runs(machine: Machine, threads: Int32Array, count: number, chosen: number): void {
    this.priority[chosen] = 0
    if (this.races !== null && count > 1) this.resetRacing(machine, threads, count, chosen, this.races)
    if (isYielding(machine, chosen) && ++this.yields === yieldsPerReset) {
      this.yields = 0
      this.priority.fill(0)
    }
  }

  /** Only those that can run have a priority: what took that from another was done to the same object, and raced with it. */
  private resetRacing(
    machine: Machine,
    threads: Int32Array,
    count: number,
    chosen: number,
    races: Uint8Array,
  ): void {
    const { pending, locations } = machine
    const { kind, location } = pending
    const place = location[chosen]
    if (place < 0) return
    const { priority } = this
    const row = announcedMode[kind[chosen]] << 2
    const isLone = locations.overlaps[place] === null && locations.watchers[place] === null
    for (let i = 0; i < count; i++) {
      const t = threads[i]
      if (location[t] === place || (!isLone && locationsMeet(locations, place, location[t]))) {
        if (races[row | announcedMode[kind[t]]] === 1) priority[t] = 0
      } else if (!isLone && bothWatched(machine, chosen, t)) priority[t] = 0
    }
  }
}

/** By the modes of two operations on one object, as four times the one and the other: 1 if they race. */
function table(race: (a: number, b: number) => boolean): Uint8Array {
  return Uint8Array.from({ length: 16 }, (_, i) => (race(i >> 2, i & 3) ? 1 : 0))
}

const conflicting = table(modesConflict)
const meeting = table((a, b) => a !== Mode.none && b !== Mode.none)

export function pos(context: StrategyContext): Strategy {
  if (context.argument === '') return new PartialOrderSampling('pos', context.random, conflicting)
  if (context.argument === 'strict') return new PartialOrderSampling('pos:strict', context.random, meeting)
  throw new StrategyError(`pos takes no argument or strict, not "${context.argument}"`)
}

export function basicPos(context: StrategyContext): Strategy {
  return new PartialOrderSampling('basic-pos', context.random, null)
}
