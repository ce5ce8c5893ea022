import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { leftBehind } from './fairness.js'
import { OptionStack, type OptionStackData } from './option-stack.js'
import type { StrategyContext } from './registry.js'

/**
 * Delay bounding (Emmi, Qadeer, Rakamarić, "Delay-Bounded Scheduling", POPL 2011, doi:10.1145/1926385.1926432): all
 * executions that differ from a fixed scheduler by at most k delays, for k = 0, 1, 2, …
 *
 * The fixed scheduler goes on with the running thread until it blocks, ends, yields or has left another one behind for
 * long, then takes the next enabled thread in index order, round robin. Running another one costs as many delays as enabled threads are passed over.
 * Alternatives of one operation cost nothing. No reduction: complete within each bound by construction.
 */
class DelayBounded implements Strategy {
  readonly name = 'delay'
  readonly footprints = false
  completedBound = -1
  /** The execution has fewer delays than the bound: it was seen under a smaller one. */
  rerun = false
  private readonly stack = new OptionStack()
  private started = false
  private bound = 0
  private limited = false
  private hasCut = false

  constructor(private readonly maxBound: number) {}

  get script() {
    return this.stack.script
  }

  begin(): boolean {
    // Known at the end: until then observers take it for a new one, which it may be.
    this.rerun = false
    if (!this.started) {
      this.started = true
      return true
    }
    const skipped = () => {
      this.limited = true
    }
    if (this.stack.advance(this.bound, skipped)) return true
    if (!this.hasCut) this.completedBound = this.limited ? this.bound : Infinity
    if (!this.limited || this.bound >= this.maxBound) return false
    this.bound++
    this.limited = false
    return true
  }

  choose(point: ChoicePoint): number {
    const { stack } = this
    stack.open(point.depth)
    const first = this.defaultOption(point)
    let delays = 0
    for (let i = 0; i < point.count; i++) {
      const option = (first + i) % point.count
      if (i > 0 && point.thread[option] !== point.thread[(option + point.count - 1) % point.count])
        /* mutant: delays */ delays++
      stack.add(point.thread[option], point.value[option], delays)
    }
    stack.enter()
    return first
  }

  end(_trace: Trace, status: Status): void {
    if (status === 'cut') this.hasCut = true
    this.rerun = this.stack.pathCost() < this.bound
  }

  untried(depth: number): number {
    return this.stack.untried(depth, this.bound)
  }

  save(): Saved {
    return {
      started: this.started,
      bound: this.bound,
      limited: this.limited,
      hasCut: this.hasCut,
      completedBound: this.completedBound,
      stack: this.stack.save(),
    }
  }

  load(saved: Saved, context: StrategyContext): this {
    this.started = saved.started as boolean
    this.bound = saved.bound as number
    this.limited = saved.limited as boolean
    this.hasCut = saved.hasCut === true
    this.completedBound = (saved.completedBound as number | null) ?? Infinity
    this.stack.load(saved.stack as OptionStackData, context.threadHere)
    return this
  }

  private defaultOption(point: ChoicePoint): number {
    const behind = leftBehind(point, null)
    if (behind >= 0) return behind
    if (point.stay >= 0 && !point.voluntary) return point.stay
    for (let i = 0; i < point.count; i++) if (point.thread[i] > point.previous) return i
    return 0
  }
}

export function delay(context: StrategyContext): Strategy {
  return new DelayBounded(context.bound ?? Infinity)
}

export function loadDelay(context: StrategyContext, saved: Saved): Strategy {
  return new DelayBounded(context.bound ?? Infinity).load(saved, context)
}
