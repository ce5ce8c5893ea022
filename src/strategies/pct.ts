import type { EnabledThreads } from '../execution/enabled-threads.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import { isYielding, yieldsPerReset } from './announced.js'
import { pickValue } from './random-walk.js'
import { type StrategyContext, StrategyError } from './registry.js'

/**
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, "A Randomized Scheduler with
 * Probabilistic Guarantees of Finding Bugs", ASPLOS 2010, doi:10.1145/1736020.1736040).
 *
 * Threads have random priorities, the highest enabled one runs. At d - 1 steps drawn from 1 … k the thread that would
 * run falls below all others; what it falls to is the number of the change point, not the time at which it comes, so a
 * thread that fell later may well be above one that fell earlier. k is given, or the longest execution so far; the
 * first execution, when nothing is known, has no change points.
 *
 * Change points are drawn with replacement (Yuan, Yang, Gu, CAV 2018, §2, reckon so), unless `distinct`. Several at one
 * step make as many threads fall. Deviation: after 1000 yields all priorities are drawn anew, see `yieldsPerReset`.
 */
class Pct implements Strategy {
  readonly footprints = false
  readonly script = emptyScript
  /**
   * By thread; 0 means not drawn. Those drawn are `depth` and more; change point i gives the value i + 1, which is less.
   */
  private priority = new Float64Array(16)
  /** The step (from 0) of each change point, -1 for none. */
  private readonly change: Int32Array
  /** Steps of the execution under way at which there was a choice to make, and of the longest so far. */
  private steps = 0
  private longest = 0
  private yields = 0

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly options: PctOptions,
  ) {
    this.change = new Int32Array(options.depth - 1)
  }

  begin(): boolean {
    this.priority.fill(0)
    this.yields = 0
    this.steps = 0
    const { length = this.longest, distinct } = this.options
    for (let i = 0; i < this.change.length; i++) {
      const steps = distinct ? length - i : length
      this.change[i] = steps <= 0 ? -1 : distinct ? this.stepNotIn(i, steps) : this.random.below(steps)
    }
    return true
  }

  choose(point: ChoicePoint): number {
    const { count, thread, machine } = point
    const step = this.steps++
    if (machine.threads.count > this.priority.length)
      this.priority = grown(this.priority, machine.threads.count * 2)
    const { priority, change } = this
    for (let i = 0; i < count; i++) {
      if (priority[thread[i]] === 0) priority[thread[i]] = this.random.next() + this.options.depth
    }
    let best = this.highest(point)
    for (let i = 0; i < change.length; i++) {
      if (change[i] !== step) continue
      priority[thread[best]] = i + 1
      best = this.highest(point)
    }
    this.noteYield(machine, thread[best])
    return pickValue(point, best, this.random)
  }

  pickThread({ bits }: EnabledThreads, machine: Machine): number {
    if (machine.threads.count > this.priority.length)
      this.priority = grown(this.priority, machine.threads.count * 2)
    const { priority, change } = this
    let best = this.highestOf(bits)
    if (best < 0) return -1
    const step = this.steps++
    for (let i = 0; i < change.length; i++) {
      if (change[i] !== step) continue
      priority[best] = i + 1
      best = this.highestOf(bits)
    }
    this.noteYield(machine, best)
    return best
  }

  end(): void {
    if (this.steps > this.longest) this.longest = this.steps
  }

  save(): Saved {
    return { random: this.random.save(), longest: this.longest }
  }

  load(saved: Saved): this {
    this.longest = saved.longest as number
    return this
  }

  /** Of the threads with a bit; those that have no priority draw one. */
  private highestOf(bits: Uint32Array): number {
    const { priority } = this
    let best = -1
    let highest = -1
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const t = (word << 5) + 31 - Math.clz32(left & -left)
        if (priority[t] === 0) priority[t] = this.random.next() + this.options.depth
        if (priority[t] <= highest) continue
        highest = priority[t]
        best = t
      }
    }
    return best
  }

  private noteYield(machine: Machine, thread: number): void {
    if (!isYielding(machine, thread) || ++this.yields < yieldsPerReset) return
    this.yields = 0
    this.priority.fill(0)
  }

  private highest({ count, thread }: ChoicePoint): number {
    const { priority } = this
    let best = 0
    for (let i = 1; i < count; i++) if (priority[thread[i]] > priority[thread[best]]) best = i
    return best
  }

  /** Any step that is none of the first `taken` change points; `steps` are left. */
  private stepNotIn(taken: number, steps: number): number {
    const earlier = this.change.slice(0, taken).sort()
    let step = this.random.below(steps)
    for (const other of earlier) if (other <= step) step++
    return step
  }
}

interface PctOptions {
  /** d: how many ordering constraints a bug may need; one more than the number of change points. */
  readonly depth: number
  /** k, when given. */
  readonly length?: number
  readonly distinct: boolean
}

const defaultDepth = 3

function make(context: StrategyContext): Pct {
  const wrong = () =>
    new StrategyError(
      `pct takes a depth, then perhaps a length and "distinct", as in pct:3 or pct:3,100; not "${context.argument}"`,
    )
  const [depthText = '', ...rest] = context.argument.split(',').map((word) => word.trim())
  const number = (text: string) => {
    if (!/^[1-9][0-9]{0,8}$/.test(text)) throw wrong()
    return Number(text)
  }
  const depth = context.argument === '' ? defaultDepth : number(depthText)
  if (depth > 1000) throw wrong()
  const distinct = rest.at(-1) === 'distinct'
  if (distinct) rest.pop()
  if (rest.length > 1) throw wrong()
  const options = { depth, distinct, ...(rest.length === 1 ? { length: number(rest[0]) } : {}) }
  return new Pct(context.argument === '' ? 'pct' : `pct:${context.argument}`, context.random, options)
}

export function pct(context: StrategyContext): Strategy {
  return make(context)
}

export function loadPct(context: StrategyContext, saved: Saved): Strategy {
  return make(context).load(saved)
}
