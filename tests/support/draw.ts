import { Random } from '../../src/random/random.js'
import { type Fragment, usualInner } from './fragments.js'

/** Where what is random about a program comes from. */
export class Draw {
  /** `inner`: what may stand inside sections; `leavesOpen`: whether sections may be left without giving back what was taken. */
  constructor(
    private readonly next: (below: number) => number,
    readonly inner: readonly Fragment[] = usualInner,
    readonly leavesOpen = true,
  ) {}

  /** The same seed, the same program. */
  static fromSeed(seed: number): Draw {
    const random = new Random(seed)
    return new Draw((n) => random.below(n))
  }

  /** One number after the other decides, and then nought: the smaller they are, the simpler is what comes of them. */
  static fromNumbers(numbers: readonly number[], inner: readonly Fragment[], leavesOpen: boolean): Draw {
    let at = 0
    return new Draw((n) => (numbers[at++] ?? 0) % n, inner, leavesOpen)
  }

  below(n: number): number {
    return this.next(n)
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
