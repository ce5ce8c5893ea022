import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import { grown } from '../machine/growing.js'
import { Op } from '../machine/operation.js'
import type { Random } from '../random/random.js'
import { isYielding, yieldsPerReset } from './announced.js'
import { memoryModelOf } from './memory-models.js'
import { loadPct, pct } from './pct.js'
import { pickValue } from './random-walk.js'
import { type StrategyContext, StrategyError } from './registry.js'

const reads = new Set<number>([Op.load, Op.atomicLoad, Op.atomicUpdate])
const writes = new Set<number>([Op.store, Op.atomicStore])

/**
 * Probabilistic concurrency testing for weak memory (Gao, Chakraborty, Kulahcioglu Ozkan, "Probabilistic Concurrency
 * Testing for Weak Memory Programs", ASPLOS 2023, doi:10.1145/3575693.3575729).
 *
 * Threads have random priorities, the highest that can run does. Loads and updates see what their thread knows already,
 * however old, but for d of them, drawn from 1 … k: the thread that comes to one of these falls below all others, and when
 * its turn comes at last it sees one of the h newest writes. So an execution has d communications, where a bug needs d.
 * k is the most loads and updates of an execution so far. Stores go to the end of modification order.
 *
 * Deviations: updates see the newest write; after 1000 yields all priorities are drawn anew, see `yieldsPerReset`.
 */
class Pctwm implements Strategy {
  readonly footprints = false
  readonly script = emptyScript
  /** By thread; 0 means not drawn. Those drawn are more than `depth`; communication i gives the value i + 1. */
  private priority = new Float64Array(16)
  /** By thread: its pending operation was counted; 2: it is one of those that see something new. */
  private state = new Uint8Array(16)
  /** Which loads and updates, in the order in which threads come to them, see something new. */
  private readonly sinks: Int32Array
  private count = 0
  private most = 0
  private yields = 0

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly options: PctwmOptions,
  ) {
    this.sinks = new Int32Array(options.depth)
  }

  begin(): boolean {
    this.priority.fill(0)
    this.state.fill(0)
    this.count = 0
    this.yields = 0
    for (let i = 0; i < this.sinks.length; i++)
      this.sinks[i] = this.most === 0 ? -1 : this.random.below(this.most)
    return true
  }

  choose(point: ChoicePoint): number {
    const { count, thread, machine } = point
    const { threads, pending } = machine
    if (threads.count > this.priority.length) {
      this.priority = grown(this.priority, 2 * threads.count)
      this.state = grown(this.state, 2 * threads.count)
    }
    const { priority, state, options } = this
    for (let i = 0; i < count; i++) {
      if (priority[thread[i]] === 0) priority[thread[i]] = this.random.next() + options.depth + 1
    }
    let best = this.highest(point)
    while (state[thread[best]] === 0 && reads.has(pending.kind[thread[best]])) {
      const sink = this.sinks.indexOf(this.count++)
      state[thread[best]] = sink < 0 ? 1 : 2
      if (sink >= 0) priority[thread[best]] = sink + 1
      best = this.highest(point)
    }
    const chosen = thread[best]
    const isSink = state[chosen] === 2
    state[chosen] = 0
    if (isYielding(machine, chosen) && ++this.yields === yieldsPerReset) {
      this.yields = 0
      priority.fill(0)
    }
    return this.option(point, best, pending.kind[chosen], isSink)
  }

  /** Which of the options of a thread, the first of which is given: what it sees comes newest first. */
  private option(point: ChoicePoint, first: number, kind: number, isSink: boolean): number {
    if (writes.has(kind)) return first
    if (!reads.has(kind)) return pickValue(point, first, this.random)
    let last = first
    while (last + 1 < point.count && point.thread[last + 1] === point.thread[first]) last++
    if (isSink) return first + this.random.below(Math.min(this.options.history, last - first + 1))
    return kind === Op.atomicUpdate ? first : last
  }

  private highest({ count, thread }: ChoicePoint): number {
    const { priority } = this
    let best = 0
    for (let i = 1; i < count; i++) if (priority[thread[i]] > priority[thread[best]]) best = i
    return best
  }

  end(): void {
    if (this.count > this.most) this.most = this.count
  }

  save(): Saved {
    return { random: this.random.save(), most: this.most }
  }

  load(saved: Saved): this {
    this.most = saved.most as number
    return this
  }
}

interface PctwmOptions {
  /** d: how many communications a bug needs. */
  readonly depth: number
  /** h: how many of the newest writes such a load may see. */
  readonly history: number
}

const defaults: PctwmOptions = { depth: 2, history: 2 }

function make({ argument, random }: StrategyContext): Pctwm {
  if (argument === '') return new Pctwm('pctwm', random, defaults)
  const [, depth, , history] = /^(\d{1,3})(,([1-9]\d{0,2}))?$/.exec(argument) ?? []
  if (depth === undefined) {
    throw new StrategyError(
      `pctwm takes a number of communications, then perhaps how far back they may see, as in pctwm:2 or pctwm:2,3; not "${argument}"`,
    )
  }
  const options = { depth: Number(depth), history: Number(history ?? defaults.history) }
  return new Pctwm(`pctwm:${argument}`, random, options)
}

export function pctwm(context: StrategyContext): Strategy {
  const strategy = make(context)
  return isStrong(context) ? pct(plain(context)) : strategy
}

export function loadPctwm(context: StrategyContext, saved: Saved): Strategy {
  return isStrong(context) ? loadPct(plain(context), saved) : make(context).load(saved)
}

/** Where loads have no choice, changes at loads alone would miss a lost update: it is `pct` then. */
function isStrong({ machine }: StrategyContext): boolean {
  return memoryModelOf(machine) === 'sc'
}

function plain(context: StrategyContext): StrategyContext {
  return { ...context, argument: '' }
}
