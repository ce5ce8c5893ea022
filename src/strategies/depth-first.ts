import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import type { Random } from '../random/random.js'
import { defaultOption } from './fairness.js'
import { OptionStack, type OptionStackData } from './option-stack.js'
import type { StrategyContext } from './registry.js'

/** Which option comes first: go on with the same thread, leave it, or any. */
export type Order = 'stay' | 'preempt' | 'random'

/** Every execution, one after the other, without reduction. */
class DepthFirst implements Strategy {
  readonly name = 'dfs'
  readonly footprints = false
  private readonly stack = new OptionStack()
  private started = false

  constructor(
    private readonly order: Order,
    private readonly random: Random,
  ) {}

  get script() {
    return this.stack.script
  }

  begin(): boolean {
    if (this.started) return this.stack.advance(0, () => {})
    this.started = true
    return true
  }

  choose(point: ChoicePoint): number {
    const lead = this.leadingOption(point)
    this.stack.open(point.depth)
    // A rotation: all options once, the leading one first.
    for (let i = 0; i < point.count; i++) {
      const option = (lead + i) % point.count
      this.stack.add(point.thread[option], point.value[option], 0)
    }
    this.stack.enter()
    return lead
  }

  end(): void {}

  untried(depth: number): number {
    return this.stack.untried(depth, 0)
  }

  save(): Saved {
    return { started: this.started, random: this.random.save(), stack: this.stack.save() }
  }

  load(saved: Saved, context: StrategyContext): this {
    this.started = saved.started as boolean
    this.stack.load(saved.stack as OptionStackData, context.threadHere)
    return this
  }

  private leadingOption(point: ChoicePoint): number {
    if (this.order === 'random') return this.random.below(point.count)
    if (this.order === 'stay') return defaultOption(point, null)
    if (point.stay < 0) return 0
    return (point.stay + 1) % point.count
  }
}

export function depthFirst(context: StrategyContext): Strategy {
  return new DepthFirst(context.order, context.random)
}

export function loadDepthFirst(context: StrategyContext, saved: Saved): Strategy {
  return new DepthFirst(context.order, context.random).load(saved, context)
}
