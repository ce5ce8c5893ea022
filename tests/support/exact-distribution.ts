import { Runner } from '../../src/execution/runner.js'
import type { Strategy } from '../../src/execution/strategy.js'
import type { Machine } from '../../src/machine/machine.js'
import { Random } from '../../src/random/random.js'
import { asSampler } from '../../src/strategies/sampler.js'

/**
 * A source of randomness that goes through all it can give, one execution at a time. `below(n)` has n outcomes. Of
 * `next()`, used for priorities, only the rank among the values still in use can matter: a value in the middle of each
 * gap between them is one outcome. How likely it is depends on all values drawn before, as far as their order is
 * known: a value that lost a comparison is more likely to be small. Of n independent draws all orders are equally
 * likely, so probabilities are ratios of numbers of linear extensions of what is known.
 */
class EveryOutcome extends Random {
  probability = 1
  /** Values of `next()` that are still in use. */
  inUse: () => readonly number[] = () => []
  private readonly path: { outcome: number; probabilities: readonly number[] }[] = []
  private depth = 0
  /** The values drawn in this execution, and for each a mask of those known to be smaller. */
  private readonly drawn: number[] = []
  private readonly smaller: number[] = []

  constructor() {
    super(1)
  }

  override below(n: number): number {
    if (n <= 1) return 0
    return this.branch(() => Array(n).fill(1 / n))
  }

  override next(): number {
    if (this.drawn.length === mostDraws) throw new TooManyDraws()
    const edges = [...this.inUse()].sort((a, b) => a - b)
    // A value no longer in use may come again: the one in use is the latest.
    const elements = edges.map((value) => this.drawn.lastIndexOf(value))
    const gap = this.branch(() => {
      const ways = Array.from({ length: edges.length + 1 }, (_, g) =>
        linearExtensions(this.withValue(elements, g)),
      )
      const all = ways.reduce((sum, n) => sum + n, 0)
      return ways.map((n) => n / all)
    })
    this.smaller.splice(0, Infinity, ...this.withValue(elements, gap))
    const value = ((edges[gap - 1] ?? 0) + (edges[gap] ?? 2 ** 32)) / 2
    this.drawn.push(value)
    return value
  }

  restart(): void {
    this.depth = 0
    this.probability = 1
    this.drawn.length = 0
    this.smaller.length = 0
  }

  /** Goes on to the next combination of outcomes; false when all have been seen. */
  advance(): boolean {
    this.path.length = this.depth
    for (let last = this.path.pop(); last; last = this.path.pop()) {
      if (last.outcome + 1 === last.probabilities.length) continue
      this.path.push({ ...last, outcome: last.outcome + 1 })
      return true
    }
    return false
  }

  private branch(probabilities: () => readonly number[]): number {
    if (this.depth === this.path.length) this.path.push({ outcome: 0, probabilities: probabilities() })
    const { outcome, probabilities: chances } = this.path[this.depth++]
    this.probability *= chances[outcome]
    return outcome
  }

  /** What is known about the order when one more value lies in that gap between the elements. */
  private withValue(elements: readonly number[], gap: number): number[] {
    const own = this.smaller.length
    const below = gap === 0 ? 0 : this.smaller[elements[gap - 1]] | (1 << elements[gap - 1])
    const larger = gap === elements.length ? -1 : elements[gap]
    const known = this.smaller.map((mask, i) =>
      larger >= 0 && (i === larger || (mask >> larger) & 1) ? mask | below | (1 << own) : mask,
    )
    return [...known, below]
  }
}

/** Counting linear extensions takes time and memory that grow with two to the power of the values drawn. */
const mostDraws = 16

class TooManyDraws extends Error {}

/** Number of total orders that agree with a partial order, given as masks of the smaller elements. */
function linearExtensions(smaller: readonly number[]): number {
  const counts = new Map<number, number>([[0, 1]])
  const count = (set: number): number => {
    const known = counts.get(set)
    if (known !== undefined) return known
    let notMaximal = 0
    for (let i = 0; i < smaller.length; i++) if ((set >> i) & 1) notMaximal |= smaller[i]
    let sum = 0
    for (let i = 0; i < smaller.length; i++) {
      if ((set >> i) & 1 && !((notMaximal >> i) & 1)) sum += count(set & ~(1 << i))
    }
    counts.set(set, sum)
    return sum
  }
  return count(2 ** smaller.length - 1)
}

export interface ExactOptions {
  readonly machine: Machine
  /** A strategy at its beginning; asked for once per combination of outcomes. */
  readonly create: (random: Random) => Strategy
  /** What to tell executions apart by. */
  readonly key: (runner: Runner) => string
  /** Give up past so many combinations. */
  readonly limit?: number
}

/** The probability of each outcome of the sampler's next execution, or null where there is too much of it. */
export function exactDistribution(options: ExactOptions): Map<string, number> | null {
  try {
    return addUp(options)
  } catch (error) {
    if (error instanceof TooManyDraws) return null
    throw error
  }
}

function addUp({ machine, create, key, limit = 200_000 }: ExactOptions): Map<string, number> | null {
  const random = new EveryOutcome()
  const runner = new Runner(machine, { observers: [{ footprints: true }] })
  const distribution = new Map<string, number>()
  for (let n = 0; n < limit; n++) {
    random.restart()
    const strategy = create(random)
    random.inUse = () => prioritiesOf(strategy)
    runner.run(strategy)
    const text = key(runner)
    distribution.set(text, (distribution.get(text) ?? 0) + random.probability)
    if (!random.advance()) return distribution
  }
  return null
}

/** As drawn; strategies keep them in a private field, with an offset. */
function prioritiesOf(strategy: Strategy): number[] {
  const { priority, options } = (asSampler(strategy)?.current ?? strategy) as unknown as {
    priority?: Float64Array
    options?: { depth: number }
  }
  const offset = options?.depth ?? 1
  return [...(priority ?? [])].filter((p) => p >= offset).map((p) => p - offset)
}
