import { createHash } from 'node:crypto'
import type { Machine } from '../machine/machine.js'
import { operations } from '../machine/operation.js'
import { everywhere, formatPoints, type PointSet } from '../machine/points.js'
import { DivergenceError, Runner } from './runner.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from './strategy.js'

/** One step of a schedule: which thread, which alternative where there are several, and what it was about to do. */
export interface ScheduleStep {
  readonly thread: string
  readonly value?: string
  readonly operation: string
  readonly site?: string
}

/** The choices going into an execution, by name: plain JSON, replayable in another process. */
export interface Schedule {
  readonly format: 'faultline-schedule/1'
  readonly program: string
  readonly hash: string
  readonly points: PointSet
  readonly steps: readonly ScheduleStep[]
}

/** A schedule that cannot be used here; the message says what is wrong and what would be right. */
export class ScheduleError extends Error {
  override readonly name = 'ScheduleError'
}

/** Follows fixed choices, by index, and names them as it goes. */
class Recorder implements Strategy {
  readonly name = 'record'
  readonly footprints = false
  readonly script = emptyScript
  readonly steps: ScheduleStep[] = []
  usedUp: Error | null = null

  constructor(
    private readonly thread: ArrayLike<number>,
    private readonly value: ArrayLike<number>,
  ) {}

  begin(): boolean {
    return true
  }

  choose(point: ChoicePoint): number {
    const { machine, depth } = point
    for (let i = 0; i < point.count; i++) {
      if (point.thread[i] !== this.thread[depth] || point.value[i] !== this.value[depth]) continue
      this.steps.push(describeStep(machine, point, i))
      return i
    }
    if (depth < this.thread.length) {
      const expected = `thread ${machine.threads.names[this.thread[depth]]} to be able to run`
      throw new DivergenceError(depth, expected, optionNames(point))
    }
    this.usedUp = new DivergenceError(depth, 'the program to end', optionNames(point))
    return -1
  }

  end(): void {}

  save(): Saved {
    return {}
  }
}

/** Runs the choices once more and writes them down by name. */
export function recordSchedule(
  machine: Machine,
  thread: ArrayLike<number>,
  value: ArrayLike<number>,
  points: PointSet = everywhere,
): Schedule {
  const recorder = new Recorder(thread, value)
  new Runner(machine, { maxSteps: thread.length + 1 }).run(recorder)
  return {
    format: 'faultline-schedule/1',
    program: machine.name,
    hash: machine.hash,
    points,
    steps: recorder.steps,
  }
}

/** Checks data read from a file. */
export function parseSchedule(data: unknown): Schedule {
  const wrong = (what: string) => new ScheduleError(`this is not a schedule: ${what}`)
  if (typeof data !== 'object' || data === null) throw wrong('expected a JSON object')
  const schedule = data as Partial<Schedule>
  if (schedule.format !== 'faultline-schedule/1') {
    throw wrong(
      `"format" is ${JSON.stringify(schedule.format) ?? 'missing'}, expected "faultline-schedule/1"`,
    )
  }
  for (const key of ['program', 'hash'] as const) {
    if (typeof schedule[key] !== 'string') throw wrong(`"${key}" must be a string`)
  }
  const { points } = schedule
  if (![points?.kinds, points?.races, points?.rules].every(Array.isArray)) {
    throw wrong('"points" must be a PP set: lists of kinds, races and rules')
  }
  if (!Array.isArray(schedule.steps)) throw wrong('"steps" must be an array; the file may be truncated')
  schedule.steps.forEach((step, i) => {
    if (typeof step?.thread !== 'string' || typeof step.operation !== 'string') {
      throw wrong(`step ${i} needs "thread" and "operation"`)
    }
  })
  return schedule as Schedule
}

/** Refuses a schedule recorded on another program. */
export function checkScheduleFits(schedule: Schedule, machine: Machine): void {
  if (schedule.hash === machine.hash) return
  throw new ScheduleError(
    `the schedule was recorded on ${schedule.program} (${schedule.hash.slice(0, 12)}), but this is ` +
      `${machine.name} (${machine.hash.slice(0, 12)}): the program, its flags or the tool changed since. ` +
      'Run the check again to record a new schedule.',
  )
}

export function describeStep(machine: Machine, point: ChoicePoint, option: number): ScheduleStep {
  const thread = point.thread[option]
  const site = machine.sites[machine.pending.site[thread]]
  return {
    thread: machine.threads.names[thread],
    ...(machine.alternatives(thread) > 1
      ? { value: machine.alternativeName(thread, point.value[option]) }
      : {}),
    operation: operations[machine.pending.kind[thread]].name,
    ...(site ? { site: site.name } : {}),
  }
}

export function stepText(step: ScheduleStep): string {
  const value = step.value === undefined ? '' : ` (${step.value})`
  return `thread ${step.thread} to ${step.operation}${value}${step.site ? ` at ${step.site}` : ''}`
}

export function optionNames(point: ChoicePoint): string {
  const { machine } = point
  const names = Array.from({ length: point.count }, (_, i) => stepText(describeStep(machine, point, i)))
  return names.join(', or ')
}

/** Short digest of a schedule, for file names. */
export function scheduleDigest(schedule: Schedule): string {
  const text = schedule.steps.map((s) => `${s.thread}=${s.value ?? ''}`).join(' ')
  return createHash('sha256')
    .update(`${schedule.hash} ${formatPoints(schedule.points)} ${text}`)
    .digest('hex')
    .slice(0, 10)
}
