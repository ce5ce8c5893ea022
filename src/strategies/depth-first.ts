import type { ChoicePoint, Saved, Strategy } from '../execution/strategy.js'
import type { Random } from '../random/random.js'
import { defaultOption } from './fairness.js'
import type { OptionOrder } from './option-order.js'
import { OptionStack, type OptionStackData } from './option-stack.js'
import {
  type Divisible,
  type HandedPoint,
  type PartReport,
  type PartStart,
  shareUpTo,
} from './parallel/part.js'
import type { PlainStep } from './reduction/above-root.js'
import type { SavedBranch } from './reduction/wakeup-tree.js'
import type { StrategyContext } from './registry.js'

/** Every execution, one after the other, without reduction. */
class DepthFirst implements Strategy, Divisible {
  readonly name = 'dfs'
  readonly footprints = false
  private readonly stack = new OptionStack()
  private started = false
  /** The step before the root has been made and told of. */
  private isOpened = true

  constructor(
    private readonly order: OptionOrder,
    private readonly random: Random,
  ) {}

  get root(): number {
    return this.stack.root
  }

  get script() {
    return this.stack.script
  }

  begin(): boolean {
    if (this.started) return this.stack.advance(0, () => {})
    this.started = true
    this.stack.script.length = this.stack.depth
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

  /** From the beginning of a part of a search. */
  open({ thread, value }: PartStart, { threadHere }: StrategyContext): this {
    thread.forEach((t, d) => {
      this.stack.open(d)
      this.stack.add(threadHere(t), value[d], 0)
      this.stack.enter()
    })
    this.stack.root = thread.length
    this.isOpened = false
    return this
  }

  report(isAsked: boolean): PartReport {
    const { stack } = this
    const isFirst = !this.isOpened && this.started
    if (isFirst) this.isOpened = true
    const opened = isFirst ? { step: this.stepAt(stack.root - 1), races: [] } : undefined
    const end = isAsked ? shareUpTo(this, stack.root, stack.depth) : -1
    return { plans: [], ...(opened ? { opened } : {}), ...(end < 0 ? {} : { handed: this.handOver(end) }) }
  }

  private stepAt(d: number): PlainStep {
    const { thread, value } = this.stack.script
    return [thread[d], value[d], 1, []]
  }

  private handOver(end: number): HandedPoint[] {
    const { stack } = this
    const from = stack.root
    stack.root = end
    return Array.from({ length: end - from }, (_, i) => {
      const branches: SavedBranch[] = []
      stack.eachUntried(from + i, (t, v) => branches.push([0, t, v, 1, []]))
      const step = this.stepAt(from + i)
      return { alternatives: [], sleepers: [], step, isLeaf: true, races: [], branches }
    })
  }

  save(): Saved {
    return {
      root: this.stack.root,
      isOpened: this.isOpened,
      started: this.started,
      random: this.random.save(),
      stack: this.stack.save(),
    }
  }

  load(saved: Saved, context: StrategyContext): this {
    this.started = saved.started as boolean
    this.stack.root = (saved.root as number | undefined) ?? 0
    this.isOpened = (saved.isOpened as boolean | undefined) ?? true
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

export function openDepthFirst(context: StrategyContext, start: PartStart): Strategy & Divisible {
  return new DepthFirst(context.order, context.random).open(start, context)
}

export function loadDepthFirst(context: StrategyContext, saved: Saved): Strategy {
  return new DepthFirst(context.order, context.random).load(saved, context)
}
