import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { THREAD_LIVE } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import { pendingRace } from './announced.js'
import { pickThreadThenValue, pickValue } from './random-walk.js'
import type { StrategyContext } from './registry.js'

/**
 * Random partial-order sampling (Sen, "Effective Random Testing of Concurrent Programs", ASE 2007,
 * doi:10.1145/1321631.1321679).
 *
 * Works in batches of operations that do not race with each other. One operation that may be scheduled is drawn, and
 * each other one that is independent of all drawn so far joins with probability 1/2. Once the batch has run, those may
 * be scheduled that are new, newly enabled, or race with something in the batch; the rest could as well have been in
 * it, so taking them up now would mostly repeat an order that another batch gives. If none is left, any enabled one.
 */
class Rapos implements Strategy {
  readonly name = 'rapos'
  readonly footprints = false
  readonly script = emptyScript
  /** Threads of the batch, in the order drawn; those from `at` on have yet to run. */
  private batch = new Int32Array(16)
  private size = 0
  private at = 0
  /** By thread: it was passed over, and nothing that races with its operation has run since. */
  private passedOver = new Uint8Array(16)

  constructor(private readonly random: Random) {}

  begin(): boolean {
    this.size = 0
    this.at = 0
    this.passedOver.fill(0)
    return true
  }

  choose(point: ChoicePoint): number {
    const { machine } = point
    if (machine.threads.count > this.passedOver.length) {
      this.passedOver = grown(this.passedOver, machine.threads.count * 2)
      this.batch = grown(this.batch, machine.threads.count * 2)
    }
    let option = this.nextOfBatch(point)
    if (option < 0) {
      this.drawBatch(point)
      option = this.nextOfBatch(point)
    }
    this.wake(machine, point.thread[option])
    return pickValue(point, option, this.random)
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }

  /** First option of the next thread of the batch that can run, or -1. */
  private nextOfBatch(point: ChoicePoint): number {
    while (this.at < this.size) {
      const thread = this.batch[this.at++]
      for (let i = 0; i < point.count; i++) if (point.thread[i] === thread) return i
    }
    return -1
  }

  private drawBatch(point: ChoicePoint): void {
    const { count, thread, machine } = point
    const { passedOver, batch } = this
    let schedulable = 0
    for (let i = 0; i < count; i++) {
      if ((i === 0 || thread[i] !== thread[i - 1]) && passedOver[thread[i]] === 0) schedulable++
    }
    this.at = 0
    this.size = 1
    if (schedulable === 0) {
      batch[0] = thread[pickThreadThenValue(point, this.random)]
    } else {
      let skip = this.random.below(schedulable)
      for (let i = 0; i < count; i++) {
        if ((i > 0 && thread[i] === thread[i - 1]) || passedOver[thread[i]] === 1) continue
        if (skip-- === 0) batch[0] = thread[i]
      }
      for (let i = 0; i < count; i++) {
        if ((i > 0 && thread[i] === thread[i - 1]) || passedOver[thread[i]] === 1) continue
        if (this.fitsBatch(machine, thread[i]) && this.random.below(2) === 0) batch[this.size++] = thread[i]
      }
    }
    for (let i = 0; i < count; i++) passedOver[thread[i]] = 1
    for (let i = 0; i < this.size; i++) passedOver[batch[i]] = 0
  }

  private fitsBatch(machine: Machine, thread: number): boolean {
    for (let i = 0; i < this.size; i++) {
      if (this.batch[i] === thread || pendingRace(machine, this.batch[i], thread)) return false
    }
    return true
  }

  /** Operations that race with the one about to run may be scheduled again. */
  private wake(machine: Machine, chosen: number): void {
    const { passedOver } = this
    for (let t = 0; t < machine.threads.count; t++) {
      if (passedOver[t] === 0 || machine.pending.status[t] !== THREAD_LIVE) continue
      if (pendingRace(machine, chosen, t)) passedOver[t] = 0
    }
  }
}

export function rapos(context: StrategyContext): Strategy {
  return new Rapos(context.random)
}
