import type { EnabledThreads } from '../execution/enabled-threads.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Status, Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import type { Machine } from '../machine/machine.js'
import { isEverywhere } from '../machine/points.js'
import type { Random } from '../random/random.js'
import { EventsThatMatter } from './events-that-matter.js'
import { pickValue } from './random-walk.js'
import type { StrategyContext } from './registry.js'

/** Executions that draw at every operation: so many at first, and every so many-th from then on. */
const firstOverAll = 4
const overAllEvery = 16
/** Operations that run on without a draw before there is one in any case: a thread may wait in a loop for another. */
const mostUndrawn = 1000

interface Kind {
  create(context: StrategyContext): Strategy
  load(context: StrategyContext, saved: Saved): Strategy
}

/**
 * A sampler over the operations that matter to other threads: a thread whose next operation does not runs on, and the
 * sampler draws only where each thread that can run is about to do one that does. Samplers would otherwise spend their
 * draws on what makes no difference: while a thread creates ten others step by step, the first are done before the last
 * is there.
 *
 * Running on reverses nothing: an operation that no other thread's conflicts with can as well come at once. Which do
 * conflict is learnt (`EventsThatMatter`), so it may be found late that one does; therefore some executions draw at
 * every operation, by a sampler of their own, since what one learns of lengths is of no use to the other. What counts
 * does not change during an execution.
 *
 * With points elsewhere, or where a transition does more than it announces, all operations count.
 */
class Sampler implements Strategy {
  readonly script = emptyScript
  /** The execution under way, or the last one, draws at every operation. */
  isOverAll = true
  /** Executions over the operations that matter since their set grew. */
  settled = 0
  private executions = 0
  private overAllSoFar = 0
  private learns = false
  private undrawn = 0
  /** By transition of the execution: 1 if there was a draw. */
  private drawn = new Uint8Array(256)
  /** By thread: whether its pending operation matters: 1 no, 2 yes, 0 not looked at. */
  private state = new Uint8Array(16)
  /** Threads whose pending operation does not matter, whether or not they can run, where they are told to `runsOn`. */
  private readonly aside: number[] = []
  /** The depth at which none of these could run, or -1. */
  private settledAt = -1

  constructor(
    private readonly machine: Machine,
    private readonly random: Random,
    private readonly matter: EventsThatMatter,
    private readonly overAll: Strategy,
    private readonly overSome: Strategy,
  ) {}

  get name(): string {
    return this.overAll.name
  }

  get footprints(): boolean {
    return this.learns
  }

  get novelty(): number | undefined {
    return this.overSome.novelty
  }

  /** The one that draws in the execution under way. */
  get current(): Strategy {
    return this.isOverAll ? this.overAll : this.overSome
  }

  /** Executions that drew at the same operations: those over the ones that matter as they are now, if there were any. */
  get comparable(): number {
    return this.settled > 0 ? this.settled : this.overAllSoFar
  }

  begin(): boolean {
    const { machine, executions } = this
    const isSelective = isEverywhere(machine.points) && !machine.isCompound
    this.isOverAll = !isSelective || executions < firstOverAll || executions % overAllEvery === 0
    this.learns = isSelective && (this.isOverAll || this.matter.hasUnknown)
    this.undrawn = 0
    this.state.fill(0)
    this.aside.length = 0
    this.settledAt = -1
    return this.current.begin()
  }

  goesOn(thread: number, depth: number): boolean {
    if (this.isOverAll || this.undrawn >= mostUndrawn) return false
    this.reserve(depth)
    if (this.matters(thread)) return false
    this.undrawn++
    this.drawn[depth] = 0
    this.state[thread] = 0
    return true
  }

  runsOn(enabled: EnabledThreads, depth: number): number {
    if (this.isOverAll) return -1
    this.reserve(depth)
    const { arrivals, arrived, bits, alternatives } = enabled
    for (let i = 0; i < arrived; i++) {
      const thread = arrivals[i]
      this.overSome.arrives?.(thread)
      this.state[thread] = 0
      if (!this.matters(thread) && !this.aside.includes(thread)) this.aside.push(thread)
    }
    if (this.undrawn >= mostUndrawn) return -1
    let first = -1
    for (const thread of this.aside) {
      const isEnabled = ((bits[thread >>> 5] >>> (thread & 31)) & 1) === 1
      if (isEnabled && (first < 0 || thread < first)) first = thread
    }
    if (first < 0) return this.pickAmong(enabled, depth)
    if (alternatives[first] !== 1) return -1
    this.undrawn++
    this.drawn[depth] = 0
    this.leaves(first)
    return first
  }

  /** All operations that can be done matter: the sampler draws, without a list of options if it can. */
  private pickAmong(enabled: EnabledThreads, depth: number): number {
    this.settledAt = depth
    const { overSome } = this
    if (overSome.pickThread === undefined || enabled.several > 0) return -1
    const thread = overSome.pickThread(enabled, this.machine)
    if (thread < 0) return -1
    this.undrawn = 0
    this.drawn[depth] = 1
    this.leaves(thread)
    return thread
  }

  choose(point: ChoicePoint): number {
    if (this.isOverAll) return this.overAll.choose(point)
    const { depth } = point
    this.reserve(depth)
    const onward = depth === this.settledAt ? -1 : this.firstOnward(point)
    this.drawn[depth] = onward < 0 ? 1 : 0
    const option = onward < 0 ? this.overSome.choose(point) : pickValue(point, onward, this.random)
    this.undrawn = onward < 0 ? 0 : this.undrawn + 1
    this.leaves(point.thread[option])
    return option
  }

  end(trace: Trace, status: Status): void {
    this.current.end(trace, status)
    this.executions++
    if (this.isOverAll) this.overAllSoFar++
    else this.settled++
    if (!this.learns) return
    const { version } = this.matter
    this.matter.learn(trace)
    if (this.matter.version > version) this.settled = 0
  }

  /** Whether there was a draw at that transition of the last execution. */
  drewAt(transition: number): boolean {
    return this.isOverAll || this.drawn[transition] === 1
  }

  save(): Saved {
    return {
      random: this.random.save(),
      executions: this.executions,
      overAllSoFar: this.overAllSoFar,
      settled: this.settled,
      matter: this.matter.save(),
      overAll: this.overAll.save(),
      overSome: this.overSome.save(),
    }
  }

  load(saved: Saved): this {
    this.executions = saved.executions as number
    this.overAllSoFar = saved.overAllSoFar as number
    this.settled = saved.settled as number
    return this
  }

  private reserve(depth: number): void {
    const { count } = this.machine.threads
    if (depth >= this.drawn.length) this.drawn = grown(this.drawn, 2 * depth)
    if (count > this.state.length) this.state = grown(this.state, 2 * count)
  }

  /** A thread is about to do its operation. */
  private leaves(thread: number): void {
    this.state[thread] = 0
    const at = this.aside.length === 0 ? -1 : this.aside.indexOf(thread)
    if (at >= 0) this.aside.splice(at, 1)
  }

  /** First option of a thread whose operation does not matter, or -1; of several, the one that ran last. */
  private firstOnward({ count, thread, stay, previous }: ChoicePoint): number {
    if (this.undrawn >= mostUndrawn) return -1
    if (stay >= 0 && !this.matters(previous)) return stay
    for (let i = 0; i < count; i++) {
      if (thread[i] !== thread[i - 1] && !this.matters(thread[i])) return i
    }
    return -1
  }

  private matters(thread: number): boolean {
    const { state } = this
    if (state[thread] === 0) state[thread] = this.matter.includes(thread) ? 2 : 1
    return state[thread] === 2
  }
}

export type { Sampler }

/** Makes and reads back a sampler that draws only where it matters, from one that draws everywhere. */
export function selective({ create, load }: Kind): Kind {
  return {
    create: (context) => {
      const { machine, random } = context
      return new Sampler(machine, random, new EventsThatMatter(machine), create(context), create(context))
    },
    load: (context, saved) => {
      const { machine, random } = context
      const matter = new EventsThatMatter(machine).load(saved.matter as Saved, context)
      const [overAll, overSome] = [saved.overAll, saved.overSome].map((inner) =>
        load(context, inner as Saved),
      )
      return new Sampler(machine, random, matter, overAll, overSome).load(saved)
    },
  }
}

/** The sampler of a strategy, if it is one of ours. */
export function asSampler(strategy: Strategy): Sampler | undefined {
  return strategy instanceof Sampler ? strategy : undefined
}
