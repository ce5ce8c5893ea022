import type { EnabledThreads } from '../execution/enabled-threads.js'
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

  pickThread({ bits }: EnabledThreads): number {
    let count = 0
    for (let word = 0; word < bits.length; word++) count += bitCount(bits[word])
    if (count === 0) return -1
    let skip = this.random.below(count)
    let word = 0
    for (let more = bitCount(bits[0]); skip >= more; more = bitCount(bits[++word])) skip -= more
    let left = bits[word]
    while (skip-- > 0) left &= left - 1
    return (word << 5) + 31 - Math.clz32(left & -left)
  }

  end(): void {}

  save(): Saved {
    return { random: this.random.save() }
  }
}

/** How many bits of a word are set. */
function bitCount(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555)
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333)
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
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
