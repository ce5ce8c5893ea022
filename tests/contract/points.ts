import { Changes } from '../../src/machine/events.js'
import type { Machine } from '../../src/machine/machine.js'
import { THREAD_LIVE } from '../../src/machine/machine.js'
import { Mode, Op, operations } from '../../src/machine/operation.js'
import { everywhere, formatPoints, hasKind, type PointSet, parsePoints } from '../../src/machine/points.js'
import { Random } from '../../src/random/random.js'
import type { Settings } from './machine.js'
import { type RecordedEvent, type RecordedStep, randomly, record } from './recording.js'

/**
 * Runs a program under small PP sets and then, operation by operation, with every point on. Each transition of the
 * small set must be a run of transitions of one thread, must not go past a point of the set, and must not end but at
 * one.
 */
export function checkPoints(machine: Machine, settings: Settings): void {
  const random = new Random(settings.seed)
  for (const text of ['yield', 'lock', 'unlock', 'sync', 'atomic', 'yield,lock,unlock,sync,atomic']) {
    const points = parsePoints(text)
    for (let i = 0; i < Math.ceil(settings.executions / 3); i++) {
      machine.usePoints(points)
      const { steps, end } = record(machine, randomly(random), { ...settings, withoutStops: true })
      if (end === 'left') continue
      machine.usePoints(everywhere)
      new Rerun(machine, points, steps, end === 'failed').run()
    }
  }
}

class Rerun {
  /** The transition of the small set under way, and the events of it that have been done again. */
  private at = 0
  private done: RecordedEvent[] = []
  private begun = false

  constructor(
    private readonly machine: Machine,
    private readonly points: PointSet,
    private readonly steps: readonly RecordedStep[],
    /** The last transition failed, perhaps in an operation that is not in its events. */
    private readonly failed: boolean,
  ) {}

  run(): void {
    const { steps, machine } = this
    const choose = () => {
      const step = steps[this.at]
      if (step === undefined) return null
      const value = this.begun ? 0 : this.valueOf(step)
      this.begun = true
      return { thread: step.thread, value }
    }
    const onStop = (_: unknown, again: readonly RecordedStep[]) => {
      const last = again.at(-1)
      if (last !== undefined) this.take(last.events)
    }
    const { steps: fine } = record(machine, choose, { onStop, withoutStops: true })
    // The last transition of an execution that failed or ended has no stop after it.
    if (this.at < steps.length) this.take(fine.at(-1)!.events)
    if (this.at < steps.length) this.fail('is shorter with every point on')
  }

  private valueOf({ thread, alternative }: RecordedStep): number {
    const { machine } = this
    for (let value = 0; value < machine.alternatives(thread); value++) {
      if (machine.alternativeName(thread, value) === alternative) return value
    }
    return this.fail('cannot be begun with every point on')
  }

  private take(events: readonly RecordedEvent[]): void {
    const { steps, machine } = this
    const step = steps[this.at]
    this.done.push(...events)
    const expected = step.events.filter((e) => e.kind !== Op.probe)
    for (const [i, event] of this.done.entries()) {
      if (i >= expected.length) this.fail('ends in the middle of what every point separates')
      if (!agree(event, expected[i])) this.fail(`did ${expected[i].text}, with every point on ${event.text}`)
    }
    const goesOn = machine.bug === null && machine.pending.status[step.thread] === THREAD_LIVE
    const fails = this.failed && this.at === steps.length - 1
    const isComplete = fails ? machine.bug !== null : this.done.length === expected.length
    if (isComplete) {
      if (goesOn) this.checkStop()
      this.at++
      this.done = []
      this.begun = false
    } else if (goesOn && (this.isHeldUp() || this.mustStop())) this.fail('goes on past a point')
  }

  /** A transition ended here: there must be a reason, and a `probe` if that is only the state of the object. */
  private checkStop(): void {
    const { machine, steps } = this
    const { thread, events } = steps[this.at]
    const { kind, location } = machine.pending
    const probed = events.at(-1)?.kind === Op.probe
    if (this.mustStop()) {
      if (probed) this.fail('ends with a probe though it would have ended anyway')
      return
    }
    if (this.mayStop()) return
    if (!this.isHeldUp()) this.fail('ends though nothing makes it')
    if (!probed && location[thread] >= 0 && kind[thread] !== Op.reacquire) this.fail('ends without a probe')
  }

  /** The pending operation cannot be done now, or can be done in several ways. */
  private isHeldUp(): boolean {
    return this.machine.alternatives(this.steps[this.at].thread) !== 1
  }

  /** Whether the thread has to stop before its pending operation under the small set, whatever the state is. */
  private mustStop(): boolean {
    const { machine, points, steps } = this
    const { thread } = steps[this.at]
    const kind = machine.pending.kind[thread]
    const { point } = operations[kind]
    if (kind === Op.join || kind === Op.condReturn) return true
    if (kind === Op.condWait && (machine.platform?.settings.spurious ?? 0) > 0) return true
    // Output that nobody compares touches nothing.
    const isSilent = kind === Op.output && machine.pending.location[thread] < 0
    if (isSilent) return this.hasToStop()
    if (point !== 'unlock' && hasKind(points, point)) return true
    return this.hasToStop()
  }

  /** Whether what the thread did last makes it stop, whatever comes next. */
  private hasToStop(): boolean {
    const { points, done } = this
    const last = lastOperation(done)
    if (last !== undefined) {
      if (last.kind === Op.create || last.kind === Op.semPost) return true
      if (hasKind(points, 'unlock') && operations[last.kind].point === 'unlock' && last.mode !== Mode.read)
        return true
    }
    if (done.some((e) => e.kind === Op.wake)) return true
    return done.filter((e) => e.kind === Op.barrierArrive).length === 2
  }

  private mayStop(): boolean {
    const { machine, steps, done } = this
    const { thread } = steps[this.at]
    // It picked a thread whose wait could have ended by itself, so no wake is logged.
    const last = lastOperation(done)
    if (last?.kind === Op.condSignal || last?.kind === Op.condBroadcast) return true
    // A spinner stops at the end of an idle iteration even if something has changed meanwhile.
    if (machine.alternatives(thread) === 0 && machine.waitOf(thread).spinning) return true
    const next = steps.slice(this.at + 1).find((s) => s.thread === thread)
    return next?.events[0]?.kind === Op.resume
  }

  private fail(what: string): never {
    const { name, pending } = this.steps[this.at]
    const begins = `${name} from ${operations[pending.kind].name} on`
    throw new Error(`points ${formatPoints(this.points)}: transition ${this.at}, ${begins}, ${what}`)
  }
}

/** Values need not be told at all points, but what is told must be the same. */
function agree(a: RecordedEvent, b: RecordedEvent): boolean {
  if (a.what !== b.what) return false
  const areEqual = a.told.every((value, i) => value === '' || b.told[i] === '' || value === b.told[i])
  const isUntold = a.kind === Op.atomicUpdate && Math.min(a.aux, b.aux) === Changes.unknown
  return areEqual && (a.found === b.found || isUntold)
}

function lastOperation(events: readonly RecordedEvent[]): RecordedEvent | undefined {
  return events.filter((e) => operations[e.kind].point !== 'none').at(-1)
}
