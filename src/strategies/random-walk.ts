import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Random } from '../random/random.js'
import type { StrategyContext } from './registry.js'

/** At each choice point any enabled thread, all equally likely; then any of its alternatives. */
class RandomWalk implements Strategy {
  readonly name = 'random'
  readonly footprints = false
  readonly script = emptyScript

  constructor(private readonly random: Random) {}

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    return pickThreadThenValue(point, this.random)
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }
}

/** Uniform over threads first: a thread with many alternatives is no likelier than others. */
export function pickThreadThenValue(point: ChoicePoint, random: Random): number {
  const { count, thread } = point
  let threads = 0
  for (let i = 0; i < count; i++) if (i === 0 || thread[i] !== thread[i - 1]) threads++
  if (threads === count) return random.below(count)
  let skip = random.below(threads)
  let first = 0
  while (skip > 0) {
    first++
    if (thread[first] !== thread[first - 1]) skip--
  }
  return pickValue(point, first, random)
}

/** Any alternative of the thread whose first option is given. */
export function pickValue(point: ChoicePoint, first: number, random: Random): number {
  let last = first
  while (last + 1 < point.count && point.thread[last + 1] === point.thread[first]) last++
  return first + random.below(last - first + 1)
}

export function randomWalk(context: StrategyContext): Strategy {
  return new RandomWalk(context.random)
}
