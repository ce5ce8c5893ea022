import { Runner } from '../execution/runner.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Machine } from '../program/machine.js'
import { type FoundBug, sameBug } from './search.js'

/** The choices of an execution. */
interface Choices {
  readonly thread: ArrayLike<number>
  readonly value: ArrayLike<number>
}

/** A stretch of choices of one thread. */
interface Stretch {
  readonly thread: number
  readonly values: readonly number[]
}

export interface SimplifyLimits {
  readonly maxExecutions: number
  readonly outOfTime: () => boolean
}

/**
 * Fewer preemptions for a failing schedule. Samplers switch threads at every turn; most of that has nothing to do
 * with the bug. For each stretch of a thread that goes on later, the two are tried as one, at the place of either;
 * what still shows the bug with fewer preemptions (or as many and fewer switches) is kept. The result is a local
 * minimum: often, not always, the fewest possible.
 */
export function simplify(machine: Machine, found: FoundBug, limits: SimplifyLimits): FoundBug {
  const runner = new Runner(machine, { maxSteps: 2 * found.thread.length + 1000 })
  let best: Choices = found
  let { preemptions } = found
  let switches = stretchesOf(best).length
  let left = limits.maxExecutions
  for (let improved = true; improved && preemptions > 0; ) {
    improved = false
    for (const candidate of candidates(stretchesOf(best))) {
      if (left-- <= 0 || limits.outOfTime()) return { ...found, ...copy(best), preemptions }
      runner.run(new Guide(candidate))
      const { bug, trace } = runner
      if (bug === null || !sameBug(bug, found.bug)) continue
      if (trace.preemptions > preemptions) continue
      if (trace.preemptions === preemptions && trace.switches + 1 >= switches) continue
      best = { thread: trace.thread.slice(0, trace.length), value: trace.value.slice(0, trace.length) }
      preemptions = trace.preemptions
      switches = trace.switches + 1
      improved = true
      break
    }
  }
  return { ...found, ...copy(best), preemptions }
}

function copy({ thread, value }: Choices): { thread: Int32Array; value: Int32Array } {
  return { thread: Int32Array.from(thread), value: Int32Array.from(value) }
}

function stretchesOf({ thread, value }: Choices): Stretch[] {
  const stretches: { thread: number; values: number[] }[] = []
  for (let i = 0; i < thread.length; i++) {
    if (i === 0 || thread[i] !== thread[i - 1]) stretches.push({ thread: thread[i], values: [] })
    stretches.at(-1)!.values.push(value[i])
  }
  return stretches
}

/**
 * Each pair of consecutive stretches of a thread joined: the later one earlier, then the earlier one later. The last
 * stretch of a thread is left out: it then runs only if nothing else can.
 */
function* candidates(stretches: readonly Stretch[]): Generator<Stretch[]> {
  for (let i = 0; i < stretches.length; i++) {
    const { thread } = stretches[i]
    const next = stretches.findIndex((s, j) => j > i && s.thread === thread)
    if (next < 0) {
      yield stretches.filter((_, j) => j !== i)
      continue
    }
    const joined = { thread, values: [...stretches[i].values, ...stretches[next].values] }
    yield stretches.flatMap((s, j) => (j === i ? [joined] : j === next ? [] : [s]))
    yield stretches.flatMap((s, j) => (j === next ? [joined] : j === i ? [] : [s]))
  }
}

/** Follows a wish list of stretches as far as it goes: a thread that cannot run is passed over and comes later. */
class Guide implements Strategy {
  readonly name = 'guide'
  readonly footprints = false
  readonly script = emptyScript
  private readonly queue: { thread: number; values: number[] }[]

  constructor(stretches: readonly Stretch[]) {
    this.queue = stretches.map((s) => ({ thread: s.thread, values: [...s.values] }))
  }

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    for (let i = 0; i < this.queue.length; i++) {
      const { thread, values } = this.queue[i]
      const first = optionOf(point, thread)
      if (first < 0) continue
      const value = values.shift()!
      if (values.length === 0) this.queue.splice(i, 1)
      const wished = first + value
      return wished < point.count && point.thread[wished] === thread ? wished : first
    }
    return Math.max(point.stay, 0)
  }

  end(): void {}

  save(): Saved {
    return {}
  }
}

function optionOf(point: ChoicePoint, thread: number): number {
  for (let i = 0; i < point.count; i++) if (point.thread[i] === thread) return i
  return -1
}
