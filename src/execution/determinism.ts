import type { Machine } from '../program/machine.js'
import { operations } from '../program/operation.js'
import { DivergenceError } from './runner.js'
import type { ChoicePoint, Saved, Script, Strategy } from './strategy.js'
import type { Status, Trace } from './trace.js'

/** The program did something else when run again under the same schedule: no verdict on it can be trusted. */
export class NondeterminismError extends Error {
  override readonly name = 'NondeterminismError'
  constructor(
    readonly step: number,
    readonly expected: string,
    readonly found: string,
  ) {
    super(
      `the program is not deterministic: run again under the same schedule, step ${step} was ${found} instead of ` +
        `${expected}. Look there for time, randomness, addresses or input the schedule does not control.`,
    )
  }
}

/**
 * Runs each of the first executions twice and compares everything they did. A strategy around a strategy: the rerun
 * is marked `rerun` and counts for nothing else.
 */
class DeterminismCheck implements Strategy {
  private remaining: number
  private rerunning = false
  private pendingCheck = false
  private recorded: {
    thread: Int32Array
    value: Int32Array
    events: string[]
    eventEnd: Int32Array
    status: Status
  } | null = null

  constructor(
    private readonly inner: Strategy,
    private readonly machine: Machine,
    executions: number,
  ) {
    this.remaining = executions
  }

  get name(): string {
    return this.inner.name
  }

  get footprints(): boolean {
    return this.inner.footprints || this.rerunning || this.remaining > 0
  }

  /** The last execution is still to be run again: the next one will do that. */
  get owesRerun(): boolean {
    return this.pendingCheck
  }

  get rerun(): boolean {
    return this.rerunning || (this.inner.rerun ?? false)
  }

  get script(): Script {
    const r = this.recorded
    return this.rerunning && r
      ? { thread: r.thread, value: r.value, length: r.thread.length }
      : this.inner.script
  }

  begin(): boolean {
    if (this.pendingCheck) {
      this.pendingCheck = false
      this.rerunning = true
      return true
    }
    this.rerunning = false
    return this.inner.begin()
  }

  choose(point: ChoicePoint): number {
    if (!this.rerunning) return this.inner.choose(point)
    const { status } = this.recorded!
    if (status === 'blocked' || status === 'cut') return -1
    throw new NondeterminismError(point.depth, 'the end of the execution', 'more to do')
  }

  end(trace: Trace, status: Status): void {
    if (this.rerunning) {
      this.compare(trace)
      return
    }
    if (this.remaining > 0) {
      this.remaining--
      this.recorded = this.record(trace, status)
      this.pendingCheck = true
    }
    this.inner.end(trace, status)
  }

  save(): Saved {
    return this.inner.save()
  }

  private record(trace: Trace, status: Status) {
    return {
      thread: trace.thread.slice(0, trace.length),
      value: trace.value.slice(0, trace.length),
      eventEnd: trace.eventEnd.slice(0, trace.length),
      events: Array.from({ length: trace.events.count }, (_, i) => this.describe(trace, i)),
      status,
    }
  }

  private compare(trace: Trace): void {
    const recorded = this.recorded!
    for (let d = 0; d < recorded.thread.length; d++) {
      const start = d === 0 ? 0 : recorded.eventEnd[d - 1]
      const end = Math.max(recorded.eventEnd[d], d < trace.length ? trace.eventEnd[d] : 0)
      for (let i = start; i < end; i++) {
        const expected = i < recorded.eventEnd[d] ? recorded.events[i] : 'the end of the step'
        const found =
          d < trace.length && i < trace.eventEnd[d] ? this.describe(trace, i) : 'the end of the step'
        if (expected !== found) throw new NondeterminismError(d, expected, found)
      }
    }
  }

  private describe(trace: Trace, i: number): string {
    const { events } = trace
    const { sites, locations } = this.machine
    const site = sites[events.site[i]]
    const location = events.location[i] >= 0 ? ` ${locations.keys[events.location[i]]}` : ''
    const mode = ['', ' (reads)', ' (writes)', ' (counts)'][events.mode[i]]
    return `${operations[events.kind[i]].name}${location}${mode} [${events.aux[i]}]${site ? ` at ${site.name}` : ''}`
  }
}

/** Wraps a strategy so that its first executions are each run twice and compared. */
export function checkDeterminism(
  inner: Strategy,
  machine: Machine,
  executions: number,
): Strategy & { readonly owesRerun?: boolean } {
  return executions > 0 ? new DeterminismCheck(inner, machine, executions) : inner
}

/** A divergence during a rerun is nondeterminism too: same words for both. */
export function asNondeterminism(error: unknown): unknown {
  return error instanceof DivergenceError
    ? new NondeterminismError(error.step, error.expected, error.found)
    : error
}
