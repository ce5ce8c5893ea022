import type { EnabledThreads } from '../execution/enabled-threads.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import { grown } from '../machine/growing.js'
import { type Machine, THREAD_ABSENT, THREAD_LIVE } from '../machine/machine.js'
import type { ThreadTable } from '../machine/names.js'
import type { Random } from '../random/random.js'
import { pickThreadThenValue, pickValue } from './random-walk.js'
import { type StrategyContext, StrategyError } from './registry.js'

/**
 * Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, "Selectively Uniform Concurrency Testing", ASPLOS
 * 2025).
 *
 * A thread runs with probability proportional to the operations it has left: where threads do not wait for each other,
 * every interleaving is then equally likely. How many operations a thread has is learnt: the most it had in an
 * execution so far; a thread beyond that counts as having one left. Threads not created yet count for the one that
 * will create them. The first execution, when nothing is known, is a random walk.
 *
 * With `object` only the operations on one object matter, another one drawn for each execution: the thread whose
 * operation on it comes next is drawn by the operations on it that are left, the others wait before theirs, and
 * everything else runs as in a random walk. The orders of that object's operations are then equally likely.
 */
class SelectivelyUniform implements Strategy {
  readonly footprints = false
  readonly script = emptyScript
  /** Per location (row) and thread: the most operations in one execution. Row 0 counts all of a thread's operations. */
  private learnt = new Int32Array(0)
  /** The same for the execution under way. */
  private done = new Int32Array(0)
  private rows = 0
  private stride = 0
  /** By thread: its parent, or -1. */
  private parent = new Int32Array(0)
  private parents = 0
  /** By thread, scratch: operations left, with those of threads it has yet to create. */
  private weight = new Float64Array(16)
  /** Row that matters in this execution: 0 for all operations, -1 when nothing is known. */
  private row = -1
  /** Selective: the thread whose operation on the object comes next, or -1. */
  private intended = -1
  private executions = 0
  /**
   * By thread, in the execution under way, as far as it has begun: the same, kept up to date; and what the thread had when it
   * began, with all that it may create.
   */
  private standing = new Int32Array(0)
  private whole = new Int32Array(0)
  private hasBegun = new Uint8Array(0)

  constructor(
    readonly name: string,
    private readonly random: Random,
    private readonly selective: boolean,
  ) {}

  begin(): boolean {
    this.done.fill(0)
    this.row = this.executions === 0 ? -1 : this.selective ? this.drawRow() : 0
    this.intended = -1
    this.addUp()
    return true
  }

  choose(point: ChoicePoint): number {
    const { machine, thread } = point
    this.reserve(machine)
    const first =
      this.row < 0
        ? pickThreadThenValue(point, this.random)
        : this.selective
          ? this.chooseSelective(point)
          : this.drawOption(point)
    const chosen = thread[first]
    const location = machine.pending.location[chosen]
    this.does(chosen)
    if (this.selective && location >= 0) {
      this.done[(location + 1) * this.stride + chosen]++
      if (location + 1 === this.row) this.intended = -1
    }
    return this.row < 0 ? first : pickValue(point, first, this.random)
  }

  pickThread({ bits }: EnabledThreads): number {
    const { standing } = this
    if (this.row !== 0) return -1
    let total = 0
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const t = (word << 5) + 31 - Math.clz32(left & -left)
        if (t >= standing.length) return -1
        total += Math.max(1, standing[t])
      }
    }
    if (total === 0) return -1
    let skip = this.random.below(total)
    for (let word = 0; word < bits.length; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const t = (word << 5) + 31 - Math.clz32(left & -left)
        skip -= Math.max(1, standing[t])
        if (skip >= 0) continue
        this.does(t)
        return t
      }
    }
    return -1
  }

  /** A thread that was created takes its own from the one that created it. */
  arrives(thread: number): void {
    const { standing, whole, hasBegun, parent } = this
    if (thread >= standing.length || hasBegun[thread] === 1) return
    hasBegun[thread] = 1
    standing[thread] += whole[thread]
    if (parent[thread] >= 0) standing[parent[thread]] -= whole[thread]
  }

  /** A thread is about to do its operation. */
  private does(thread: number): void {
    const { standing, learnt, done } = this
    if (thread < standing.length && learnt[thread] > done[thread]) standing[thread]--
    done[thread]++
  }

  /** What each thread has to do, with those it creates. */
  private addUp(): void {
    if (this.row !== 0) return
    const { learnt, parent, stride, parents } = this
    if (stride > this.standing.length) {
      this.standing = new Int32Array(stride)
      this.whole = new Int32Array(stride)
      this.hasBegun = new Uint8Array(stride)
    }
    this.standing.fill(0)
    this.hasBegun.fill(0)
    this.whole.fill(0)
    for (let t = 0; t < parents; t++) {
      for (let heir = t; heir >= 0; heir = parent[heir]) this.whole[heir] += learnt[t]
    }
  }

  end(_trace: Trace): void {
    const { done, learnt } = this
    for (let i = 0; i < done.length; i++) if (done[i] > learnt[i]) learnt[i] = done[i]
    this.executions++
  }

  save(): Saved {
    const learnt: number[][] = []
    for (let i = 0; i < this.learnt.length; i++) {
      if (this.learnt[i] > 0) learnt.push([Math.floor(i / this.stride) - 1, i % this.stride, this.learnt[i]])
    }
    return { random: this.random.save(), executions: this.executions, learnt }
  }

  load(saved: Saved, { machine, threadHere, locationHere }: StrategyContext): this {
    this.executions = saved.executions as number
    this.reserve(machine)
    for (const [location, thread, count] of saved.learnt as number[][]) {
      const row = location < 0 ? 0 : locationHere(location) + 1
      this.learnt[row * this.stride + threadHere(thread)] = count
    }
    return this
  }

  /** An object that more than one thread used, or -1. */
  private drawRow(): number {
    let shared = 0
    for (let row = 1; row < this.rows; row++) if (this.isShared(row)) shared++
    let skip = this.random.below(shared)
    for (let row = 1; row < this.rows; row++) if (this.isShared(row) && skip-- === 0) return row
    return -1
  }

  private isShared(row: number): boolean {
    let users = 0
    for (let t = 0; t < this.stride; t++) if (this.learnt[row * this.stride + t] > 0) users++
    return users > 1
  }

  private chooseSelective(point: ChoicePoint): number {
    const { count, thread, machine } = point
    if (this.intended < 0) this.intended = this.drawIntended(machine)
    let candidates = 0
    for (let i = 0; i < count; i++) if (this.isCandidate(point, i)) candidates++
    if (candidates === 0) {
      // Everybody waits before an operation on the object, and the one whose turn it is waits for something else.
      const option = this.drawOption(point)
      this.intended = thread[option]
      return option
    }
    let skip = this.random.below(candidates)
    for (let i = 0; i < count; i++) if (this.isCandidate(point, i) && skip-- === 0) return i
    return 0
  }

  private isCandidate({ thread, machine }: ChoicePoint, option: number): boolean {
    const t = thread[option]
    if (option > 0 && thread[option - 1] === t) return false
    return t === this.intended || machine.pending.location[t] + 1 !== this.row
  }

  /** An option drawn by the weights of the enabled threads. */
  private drawOption({ count, thread, machine }: ChoicePoint): number {
    this.weigh(machine)
    const { weight } = this
    let total = 0
    for (let i = 0; i < count; i++) {
      if (i > 0 && thread[i - 1] === thread[i]) continue
      if (weight[thread[i]] < 1) weight[thread[i]] = 1
      total += weight[thread[i]]
    }
    let skip = this.random.below(total)
    for (let i = 0; i < count; i++) {
      if (i > 0 && thread[i - 1] === thread[i]) continue
      skip -= weight[thread[i]]
      if (skip < 0) return i
    }
    return 0
  }

  private drawIntended(machine: Machine): number {
    this.weigh(machine)
    let total = 0
    for (let t = 0; t < machine.threads.count; t++) total += this.weight[t]
    let skip = this.random.below(total)
    for (let t = 0; t < machine.threads.count; t++) {
      skip -= this.weight[t]
      if (skip < 0) return t
    }
    return -1
  }

  private weigh({ threads, pending }: Machine): void {
    const { weight, learnt, done, parent } = this
    const row = this.row * this.stride
    for (let t = 0; t < threads.count; t++) weight[t] = 0
    for (let t = 0; t < threads.count; t++) {
      const left = learnt[row + t] - done[row + t]
      if (left <= 0) continue
      let heir = t
      while (heir >= 0 && pending.status[heir] === THREAD_ABSENT) heir = parent[heir]
      if (heir >= 0 && pending.status[heir] === THREAD_LIVE) weight[heir] += left
    }
  }

  private reserve(machine: Machine): void {
    const { threads } = machine
    const rows = this.selective ? machine.locations.count + 1 : 1
    if (threads.count > this.stride || rows > this.rows) {
      const stride = threads.count > this.stride ? Math.max(8, threads.count * 2) : this.stride
      const capacity = rows > this.rows ? rows * (this.selective ? 2 : 1) : this.rows
      const wider = (old: Int32Array) => {
        const fresh = new Int32Array(stride * capacity)
        for (let r = 0; r < this.rows; r++)
          fresh.set(old.subarray(r * this.stride, (r + 1) * this.stride), r * stride)
        return fresh
      }
      this.learnt = wider(this.learnt)
      this.done = wider(this.done)
      this.stride = stride
      this.rows = capacity
      if (stride > this.weight.length) this.weight = new Float64Array(stride)
    }
    if (threads.count > this.parents) this.findParents(threads)
  }

  private findParents(threads: ThreadTable): void {
    if (threads.count > this.parent.length) this.parent = grown(this.parent, threads.count * 2)
    for (let t = this.parents; t < threads.count; t++) {
      const name = threads.names[t]
      const dot = name.lastIndexOf('.')
      this.parent[t] = dot < 0 ? -1 : threads.byName(name.slice(0, dot))
    }
    this.parents = threads.count
  }
}

function make(context: StrategyContext): SelectivelyUniform {
  if (context.argument === '') return new SelectivelyUniform('surw', context.random, false)
  if (context.argument === 'object') return new SelectivelyUniform('surw:object', context.random, true)
  throw new StrategyError(`surw takes no argument or object, not "${context.argument}"`)
}

export function surw(context: StrategyContext): Strategy {
  return make(context)
}

export function loadSurw(context: StrategyContext, saved: Saved): Strategy {
  return make(context).load(saved, context)
}
