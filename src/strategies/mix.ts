import type { EnabledThreads } from '../execution/enabled-threads.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import type { Random } from '../random/random.js'
import { memoryModelOf } from './memory-models.js'
import { loadPct, pct } from './pct.js'
import { loadPctwm, pctwm } from './pctwm.js'
import { pos } from './pos.js'
import { randomWalk } from './random-walk.js'
import type { StrategyContext } from './registry.js'
import { loadSurw, surw } from './surw.js'

interface Part {
  /** How often it is drawn, to begin with, against others. */
  readonly weight: number
  readonly create: (context: StrategyContext) => Strategy
  readonly load: (context: StrategyContext, saved: Saved) => Strategy
  readonly argument?: string
}

/** No one is best for every program: see docs/algorithms/mix.md. */
const parts: readonly Part[] = [
  { weight: 3, create: pos, load: pos },
  { weight: 3, create: surw, load: loadSurw },
  ...['2', '3', '4', '5'].map((argument) => ({ weight: 0.5, create: pct, load: loadPct, argument })),
  { weight: 1, create: randomWalk, load: randomWalk },
]

/** Besides, where loads may see old values. */
const weakParts: readonly Part[] = ['1', '2', '3'].map((argument) => ({
  weight: 1,
  create: pctwm,
  load: loadPctwm,
  argument,
}))

function partsFor(machine: Machine): readonly Part[] {
  return memoryModelOf(machine) === 'sc' ? parts : [...parts, ...weakParts]
}

/** What each is worth at first, and at the least: none is given up. */
const initialWorth = 1
const leastWorth = 0.1
/** How much the last execution counts against those before it. */
const freshness = 0.05
const noveltyFreshness = 0.01
/** What an execution is worth that shows a new order of all operations, or a new pair of neighbours on some object. */
const ofNewOrder = 1
const ofNewPair = 2
/** Orders and pairs kept: later ones count as known. */
const mostKept = 50_000

/**
 * Several samplers, one of them drawn for each execution: those more often whose executions lately showed something new.
 * An order is told by the sequence of threads at each object, which is a little finer than a happens-before class, and
 * costs no events.
 */
class Mix implements Strategy {
  readonly name = 'mix'
  readonly footprints = false
  readonly script = emptyScript
  private readonly worth: number[]
  private current = 0
  private readonly orders = new Set<number>()
  private readonly pairs = new Set<number>()
  private hasNewPair = false
  /** See `Strategy.novelty`. */
  novelty = 1
  /** By location, in this execution: hash of its accesses so far, and of the last one; 0 for none. */
  private history = new Int32Array(64)
  private last = new Int32Array(64)

  constructor(
    private readonly machine: Machine,
    private readonly random: Random,
    private readonly parts: readonly Part[],
    private readonly samplers: readonly Strategy[],
  ) {
    this.worth = parts.map(() => initialWorth)
  }

  begin(): boolean {
    this.current = this.draw()
    this.hasNewPair = false
    this.history.fill(0)
    this.last.fill(0)
    return this.samplers[this.current].begin()
  }

  choose(point: ChoicePoint): number {
    const option = this.samplers[this.current].choose(point)
    this.note(point.thread[option])
    return option
  }

  pickThread(enabled: EnabledThreads, machine: Machine): number {
    const thread = this.samplers[this.current].pickThread?.(enabled, machine) ?? -1
    if (thread >= 0) this.note(thread)
    return thread
  }

  arrives(thread: number): void {
    this.samplers[this.current].arrives?.(thread)
  }

  end(trace: Trace, status: Status): void {
    this.samplers[this.current].end(trace, status)
    let order = 1
    // The order of objects must not matter.
    for (let i = 0; i < this.history.length; i++)
      if (this.history[i] !== 0) order = (order + mixed(this.history[i], i)) | 0
    const gain = (keep(this.orders, order) ? ofNewOrder : 0) + (this.hasNewPair ? ofNewPair : 0)
    this.novelty += noveltyFreshness * (Math.min(1, gain) - this.novelty)
    const { worth, current } = this
    worth[current] = Math.max(leastWorth, worth[current] + freshness * (gain - worth[current]))
  }

  save(): Saved {
    return {
      random: this.random.save(),
      worth: [...this.worth],
      novelty: this.novelty,
      orders: [...this.orders],
      pairs: [...this.pairs],
      samplers: this.samplers.map((sampler) => sampler.save()),
    }
  }

  load(saved: Saved): this {
    this.worth.splice(0, Infinity, ...(saved.worth as number[]))
    this.novelty = saved.novelty as number
    for (const order of saved.orders as number[]) this.orders.add(order)
    for (const pair of saved.pairs as number[]) this.pairs.add(pair)
    return this
  }

  private draw(): number {
    const grain = 1000
    const shares = this.worth.map((worth, i) => Math.round(grain * worth * this.parts[i].weight))
    let skip = this.random.below(shares.reduce((sum, share) => sum + share, 0))
    return Math.max(
      0,
      shares.findIndex((share) => {
        skip -= share
        return skip < 0
      }),
    )
  }

  /** A thread is about to do its operation. */
  private note(thread: number): void {
    const { pending, threads } = this.machine
    const location = pending.location[thread]
    if (location < 0) return
    if (location >= this.history.length) {
      this.history = grown(this.history, 2 * location)
      this.last = grown(this.last, 2 * location)
    }
    const who = mixed(threads.hashes[thread], pending.site[thread]) | 1
    const before = this.last[location]
    if (before !== 0 && before !== who && keep(this.pairs, mixed(before, who))) this.hasNewPair = true
    this.last[location] = who
    this.history[location] = mixed(this.history[location], threads.hashes[thread]) | 1
  }
}

/** Whether that is new. */
function keep(known: Set<number>, hash: number): boolean {
  if (known.has(hash) || known.size >= mostKept) return false
  known.add(hash)
  return true
}

function mixed(a: number, b: number): number {
  let h = Math.imul(a ^ (b + 0x9e3779b9), 0x85ebca6b)
  h ^= h >>> 15
  h = Math.imul(h, 0xc2b2ae35)
  return (h ^ (h >>> 13)) | 0
}

export function mix(context: StrategyContext): Strategy {
  const all = partsFor(context.machine)
  const samplers = all.map(({ create, argument = '' }) => create({ ...context, argument }))
  return new Mix(context.machine, context.random, all, samplers)
}

export function loadMix(context: StrategyContext, saved: Saved): Strategy {
  const states = saved.samplers as Saved[]
  const all = partsFor(context.machine)
  const samplers = all.map(({ load, argument = '' }, i) => load({ ...context, argument }, states[i]))
  return new Mix(context.machine, context.random, all, samplers).load(saved)
}
