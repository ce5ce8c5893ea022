import { type EventLog, Known } from '../machine/events.js'
import type { Machine } from '../machine/machine.js'
import { operations } from '../machine/operation.js'
import { DivergenceError } from './runner.js'
import { optionNames } from './schedule.js'
import { type ChoicePoint, emptyScript, type Saved, type Script, type Strategy } from './strategy.js'
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

  /** One that happened in another thread. */
  static saying(message: string): NondeterminismError {
    const error = new NondeterminismError(-1, '', '')
    error.message = message
    return error
  }
}

/** Columns of the event log that must come out the same. */
const columns = ['kind', 'mode', 'location', 'site', 'aux', 'known', 'seen', 'written'] as const

type RecordedEvents = Pick<EventLog, (typeof columns)[number]>

/** Numbers, not words: executions can be long. Values that are not known are left over from other ones. */
function recordEvents(events: EventLog): RecordedEvents {
  const { count } = events
  const copy = Object.fromEntries(columns.map((key) => [key, events[key].slice(0, count)]))
  return copy as unknown as RecordedEvents
}

function isSameEvent(a: RecordedEvents, b: RecordedEvents, i: number): boolean {
  const known = a.known[i]
  return (
    a.kind[i] === b.kind[i] &&
    a.mode[i] === b.mode[i] &&
    a.location[i] === b.location[i] &&
    a.site[i] === b.site[i] &&
    a.aux[i] === b.aux[i] &&
    (known & Known.seen) === (b.known[i] & Known.seen) &&
    (known & Known.written) === (b.known[i] & Known.written) &&
    ((known & Known.seen) === 0 || a.seen[i] === b.seen[i]) &&
    ((known & Known.written) === 0 || a.written[i] === b.written[i])
  )
}

/** What an execution did, kept to be compared with. */
interface Recorded {
  readonly thread: Int32Array
  readonly value: Int32Array
  readonly eventEnd: Int32Array
  readonly events: RecordedEvents
  readonly status: Status
  /** How it ended, in words. */
  readonly end: string
}

/**
 * Runs each of the first executions twice and compares everything they did: every event with the values it saw and
 * left, how the execution ended, what it printed. A strategy around a strategy: the rerun is marked `rerun` and counts
 * for nothing else.
 */
class DeterminismCheck implements Strategy {
  private remaining: number
  private rerunning = false
  private pendingCheck = false
  private recorded: Recorded | null = null
  /** Transitions of the rerun found equal so far. */
  private compared = 0

  constructor(
    readonly inner: Strategy,
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

  get maxSteps(): number | undefined {
    return this.rerunning ? undefined : this.inner.maxSteps
  }

  /** The rerun is asked for every choice, so that the first difference is found where it is. */
  get decider(): Strategy | undefined {
    return this.rerunning ? undefined : this.inner
  }

  get script(): Script {
    return this.rerunning ? emptyScript : this.inner.script
  }

  begin(): boolean {
    this.rerunning = this.pendingCheck
    if (!this.pendingCheck) return this.inner.begin()
    this.pendingCheck = false
    this.compared = 0
    return true
  }

  choose(point: ChoicePoint): number {
    if (!this.rerunning) return this.inner.choose(point)
    const { depth } = point
    this.compare(point.trace)
    const { thread, value, status } = this.recorded!
    if (depth === thread.length) {
      if (status === 'blocked' || status === 'cut') return -1
      throw new NondeterminismError(depth, 'the end of the execution', optionNames(point))
    }
    for (let i = 0; i < point.count; i++) {
      if (point.thread[i] === thread[depth] && point.value[i] === value[depth]) return i
    }
    const expected = `thread ${this.machine.threads.names[thread[depth]]} to ${this.firstOperation(depth)}`
    throw new NondeterminismError(depth, expected, optionNames(point))
  }

  end(trace: Trace, status: Status): void {
    if (this.rerunning) {
      this.compareEnd(trace, status)
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

  private record(trace: Trace, status: Status): Recorded {
    return {
      thread: trace.thread.slice(0, trace.length),
      value: trace.value.slice(0, trace.length),
      eventEnd: trace.eventEnd.slice(0, trace.length),
      events: recordEvents(trace.events),
      status,
      end: this.describeEnd(status),
    }
  }

  /** Compares the events of all transitions that have ended. */
  private compare(trace: Trace): void {
    const { eventEnd, events } = this.recorded!
    for (; this.compared < trace.length; this.compared++) {
      const d = this.compared
      const end = Math.max(eventEnd[d], trace.eventEnd[d])
      for (let i = trace.eventStart(d); i < end; i++) {
        if (i < eventEnd[d] && i < trace.eventEnd[d] && isSameEvent(events, trace.events, i)) continue
        const expected = i < eventEnd[d] ? this.describe(events, i) : 'the end of the step'
        const found = i < trace.eventEnd[d] ? this.describe(trace.events, i) : 'the end of the step'
        throw new NondeterminismError(d, expected, found)
      }
    }
  }

  private compareEnd(trace: Trace, status: Status): void {
    this.compare(trace)
    const { thread, status: expected, end } = this.recorded!
    const found = this.describeEnd(status)
    if (trace.length < thread.length)
      throw new NondeterminismError(trace.length, this.firstOperation(trace.length), found)
    // A rerun is given up where the execution was given up or cut.
    if (expected !== 'blocked' && expected !== 'cut' && end !== found)
      throw new NondeterminismError(Math.max(0, trace.length - 1), end, found)
  }

  /** What the transition began with when it was recorded. */
  private firstOperation(d: number): string {
    const { eventEnd, events } = this.recorded!
    const first = d === 0 ? 0 : eventEnd[d - 1]
    return first < events.kind.length ? this.describe(events, first) : 'go on'
  }

  private describeEnd(status: Status): string {
    const { bug, output } = this.machine
    const how = bug === null ? `the end (${status})` : `${bug.kind}: ${bug.message}`
    return output === '' ? how : `${how}, having printed ${JSON.stringify(output)}`
  }

  private describe(events: RecordedEvents, i: number): string {
    const { sites, locations } = this.machine
    const site = sites[events.site[i]]
    const location = events.location[i] >= 0 ? ` ${locations.keys[events.location[i]]}` : ''
    const mode = ['', ' (reads)', ' (writes)', ' (counts)'][events.mode[i]]
    const known = events.known[i]
    const seen = known & Known.seen ? `, finds ${events.seen[i]}` : ''
    const written = known & Known.written ? `, leaves ${events.written[i]}` : ''
    const where = site ? ` at ${site.name}` : ''
    return `${operations[events.kind[i]].name}${location}${mode} [${events.aux[i]}]${seen}${written}${where}`
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
