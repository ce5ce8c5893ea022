import { Random } from '../../src/random/random.js'

/** Draws from a seed: the same seed, the same program. */
export class Draw {
  private readonly random: Random

  constructor(seed: number) {
    this.random = new Random(seed)
  }

  below(n: number): number {
    return this.random.below(n)
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  weighted<T>(items: readonly (readonly [weight: number, item: T])[]): T {
    let at = this.below(items.reduce((sum, [weight]) => sum + weight, 0))
    for (const [weight, item] of items) if ((at -= weight) < 0) return item
    throw new RangeError('nothing to draw from')
  }
}
