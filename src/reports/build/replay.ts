import { Runner } from '../../execution/runner.js'
import type { Schedule } from '../../execution/schedule.js'
import { explain } from '../../explain/explain.js'
import { type Choices, type Failure, failureOf, type Limits, stretchesOf } from '../../explain/failure.js'
import { GuidedSchedule } from '../../explain/guided-schedule.js'
import { nameObjects } from '../../explain/object-names.js'
import { type Recording, RecordingObserver } from '../../explain/recording.js'
import { refine } from '../../explain/refine.js'
import { SourceText } from '../../explain/source-text.js'
import type { Explanation } from '../../files/explanation.js'
import type { Bug } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import { finest, type PointSet } from '../../machine/points.js'
import { replay } from '../../strategies/replay.js'
import type { BugReport, Passing, Walk, WalkStep } from '../report.js'
import { explanationOf } from './explanation.js'
import { interleavingOf } from './interleaving.js'
import { locationText, shownPlace } from './place.js'
import { stacksOf } from './stacks.js'
import { walkOf } from './walk.js'

/** What one run of a schedule showed. */
export type Replayed = Pick<
  BugReport,
  | 'location'
  | 'function'
  | 'thread'
  | 'threadLabel'
  | 'preemptions'
  | 'output'
  | 'interleaving'
  | 'waits'
  | 'stacks'
  | 'walk'
> & {
  readonly bug: Bug | null
  /** Transitions done; fewer than the schedule has if the program ended early. */
  readonly steps: number
  /** The execution as it was watched, with a point before every operation where that could be had. */
  readonly recording: Recording
  /** The choices of that execution, if it failed, and the points they are made at. */
  readonly failure: Failure | null
  readonly points: PointSet
}

/** Runs a schedule once. Throws a `DivergenceError` if the program does something else than recorded. */
export function replaySchedule(machine: Machine, schedule: Schedule, directory: string): Replayed {
  return keepingStacks(machine, () => runSchedule(machine, schedule, directory))
}

function keepingStacks<T>(machine: Machine, run: () => T): T {
  if (machine.inspection) machine.inspection.keepsStacks = true
  try {
    return run()
  } finally {
    if (machine.inspection) machine.inspection.keepsStacks = false
  }
}

function runSchedule(machine: Machine, schedule: Schedule, directory: string): Replayed {
  const sources = new SourceText(directory)
  const observer = new RecordingObserver(machine, sources)
  const runner = new Runner(machine, { observers: [observer], maxSteps: schedule.steps.length + 1 })
  runner.run(replay(schedule, machine))
  const { trace } = runner
  const bug = runner.bug && nameObjects(runner.bug, machine, sources)
  const steps = trace.length
  const { preemptions } = trace
  const failure = bug && failureOf(runner)
  const fine = failure && recordFinely(machine, failure, sources)
  const recording = fine?.recording ?? observer.result(bug)
  machine.usePoints(schedule.points)
  const site = bug && bug.site >= 0 ? machine.sites[bug.site] : undefined
  const stacks = stacksOf(machine, recording)
  return {
    bug,
    steps,
    ...shownPlace(site, stacks),
    thread: bug && bug.thread >= 0 ? machine.threads.names[bug.thread] : null,
    threadLabel: bug && bug.thread >= 0 ? machine.threads.labelOf(bug.thread) : null,
    preemptions,
    output: recording.output,
    interleaving: interleavingOf(machine, recording),
    walk: walkOf(machine, recording),
    waits: (bug?.waits ?? []).map((wait) => ({
      thread: machine.threads.labelOf(wait.thread),
      waitsFor: wait.object,
      location: machine.sites[wait.site] ? locationText(machine.sites[wait.site]) : null,
    })),
    stacks,
    recording,
    failure: fine?.failure ?? failure,
    points: fine ? finest(schedule.points) : schedule.points,
  }
}

/** The failing execution with a point before every operation; null if it had them already, or cannot be had so. */
function recordFinely(machine: Machine, failure: Failure, sources: SourceText) {
  const fine = refine(machine, failure)
  if (fine === null || fine === failure) return null
  const observer = new RecordingObserver(machine, sources)
  const runner = new Runner(machine, { observers: [observer], maxSteps: fine.thread.length + 1 })
  runner.run(new GuidedSchedule(stretchesOf(fine), true))
  const bug = runner.bug && nameObjects(runner.bug, machine, sources)
  return { failure: fine, recording: observer.result(bug) }
}

/**
 * Finds out why a replayed failure fails, and says so, with an execution next to it that passes. Runs the program again
 * and again, within the limits.
 */
export function explainReplayed(
  machine: Machine,
  { failure, recording, points, walk }: Replayed,
  directory: string,
  limits: Limits,
): { explanation: Explanation; passing: Passing | null } {
  if (failure === null) throw new Error('only a failure can be explained')
  const before = machine.points
  machine.usePoints(points)
  try {
    const sources = new SourceText(directory)
    const explained = explain(machine, failure, recording, sources, limits)
    return {
      explanation: explanationOf(explained, (thread) => machine.threads.labelOf(thread)),
      passing: explained.passing && passingOf(machine, explained.passing, walk, sources),
    }
  } finally {
    machine.usePoints(before)
  }
}

/** The execution that passes, watched like the failing one; null if it does not pass again. */
function passingOf(machine: Machine, choices: Choices, failing: Walk, sources: SourceText): Passing | null {
  return keepingStacks(machine, () => {
    const observer = new RecordingObserver(machine, sources)
    const runner = new Runner(machine, { observers: [observer], maxSteps: choices.thread.length + 1 })
    runner.run(new GuidedSchedule(stretchesOf(choices), true))
    if (runner.bug !== null || runner.status !== 'completed') return null
    const walk = walkOf(machine, observer.result(null))
    const isSame = (a: WalkStep, b: WalkStep | undefined) =>
      b !== undefined &&
      walk.threads[a.thread] === failing.threads[b.thread] &&
      (['operation', 'object', 'location', 'value'] as const).every((key) => a[key] === b[key])
    const differs = walk.steps.findIndex((step, i) => !isSame(step, failing.steps[i]))
    return { walk, common: differs < 0 ? walk.steps.length : differs, output: machine.output }
  })
}
