import type { Bug } from '../machine/bug.js'
import { type Machine, THREAD_LIVE } from '../machine/machine.js'
import { kinds, Op } from '../machine/operation.js'
import { diagnoseLeftBehind } from './deadlock.js'
import { EnabledThreads } from './enabled-threads.js'
import { ChoicePoint } from './strategy.js'
import type { Trace } from './trace.js'

/** Finds at each step of an execution who can run, and in which ways. */
export class Choices {
  /** Of executions whose options are found by what changed; else null. */
  enabled: EnabledThreads | null = null
  /** The deadlock that the program would leave behind by ending. */
  leftBehind: Bug | null = null
  private readonly kept: EnabledThreads
  private readonly point: ChoicePoint

  constructor(
    private readonly machine: Machine,
    private readonly trace: Trace,
  ) {
    this.point = new ChoicePoint(machine, trace)
    this.kept = new EnabledThreads(machine)
  }

  /** An execution begins; where its strategy is asked seldom, what changed is followed. */
  begin(isAskedSeldom: boolean): void {
    this.leftBehind = null
    this.enabled = isAskedSeldom && EnabledThreads.suits(this.machine) ? this.kept : null
    this.enabled?.begin()
  }

  /** The options there are now. */
  next(): ChoicePoint {
    return this.enabled === null ? this.collect() : this.update(this.enabled)
  }

  /** The same in words. */
  describe(): string[] {
    const point = this.collect()
    return Array.from({ length: point.count }, (_, i) => describeOption(this.machine, point, i))
  }

  /** The point reached, without options. */
  clearPoint(): ChoicePoint {
    const { point, trace } = this
    point.depth = trace.length
    point.count = 0
    point.previous = trace.length === 0 ? -1 : trace.thread[trace.length - 1]
    point.stay = -1
    point.voluntary = false
    point.isLetGo = false
    point.live = 0
    return point
  }

  private update(enabled: EnabledThreads): ChoicePoint {
    const { machine } = this
    const point = this.clearPoint()
    const { previous } = point
    if (!enabled.isUpToDate) enabled.update()
    const { bits, alternatives } = enabled
    const words = (machine.threads.count + 31) >>> 5
    point.makeRoom(32 * words)
    for (let word = 0; word < words; word++) {
      for (let left = bits[word]; left !== 0; left &= left - 1) {
        const thread = (word << 5) + 31 - Math.clz32(left & -left)
        if (thread === previous) point.stay = point.count
        const ways = alternatives[thread]
        if (ways === 1) {
          point.thread[point.count] = thread
          point.value[point.count++] = 0
        } else {
          point.makeRoom(point.count + ways + 32 * words)
          for (let value = 0; value < ways; value++) point.add(thread, value)
        }
      }
    }
    point.voluntary = point.stay >= 0 && givesWay(machine, previous)
    if (point.count > 0) return point
    enabled.begin()
    return this.collect()
  }

  private collect(): ChoicePoint {
    const { machine } = this
    const point = this.clearPoint()
    if (machine.collect?.(point)) {
      if (point.stay >= 0) point.voluntary = givesWay(machine, point.previous)
      return point
    }
    point.count = 0
    point.stay = -1
    const { status, kind } = machine.pending
    const threads = machine.threads.count
    let exits = 0
    let live = 0
    for (let thread = 0; thread < threads; thread++) {
      if (status[thread] !== THREAD_LIVE) continue
      live++
      if (kind[thread] === Op.processExit) {
        exits++
        continue
      }
      const alternatives = machine.alternatives(thread)
      if (alternatives === 0) continue
      if (thread === point.previous) {
        point.stay = point.count
        point.voluntary = givesWay(machine, thread)
      }
      for (let value = 0; value < alternatives; value++) point.add(thread, value)
    }
    point.live = live
    if (point.count === 0 && exits > 0 && !this.isLeftBehind()) {
      for (let thread = 0; thread < threads; thread++) {
        if (status[thread] === THREAD_LIVE && kind[thread] === Op.processExit) point.add(thread, 0)
      }
    }
    return point
  }

  /** The program is about to end, and leaves a deadlock behind. */
  private isLeftBehind(): boolean {
    const { machine } = this
    if (machine.assumptionFailed) return false
    this.leftBehind = diagnoseLeftBehind(machine)
    return this.leftBehind !== null
  }
}

/** The thread could run now, so leaving it is not forced. */
export function canContinue(machine: Machine, thread: number): boolean {
  const { status, kind } = machine.pending
  return status[thread] === THREAD_LIVE && kind[thread] !== Op.processExit && machine.alternatives(thread) > 0
}

const isGivingWay = kinds((operation) => operation.givesWay === true)

/** A thread about to yield, or inside a timed wait, has given up the processor: leaving it costs no preemption. */
export function givesWay(machine: Machine, thread: number): boolean {
  return isGivingWay[machine.pending.kind[thread]] === 1
}

function describeOption(machine: Machine, point: ChoicePoint, option: number): string {
  const thread = point.thread[option]
  const name = machine.threads.names[thread]
  return machine.alternatives(thread) > 1
    ? `${name}=${machine.alternativeName(thread, point.value[option])}`
    : name
}
