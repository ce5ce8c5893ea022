import { asNondeterminism, NondeterminismError } from '../../execution/determinism.js'
import { Runner } from '../../execution/runner.js'
import { recordSchedule, type Schedule } from '../../execution/schedule.js'
import { type Failure, failureOf, type Limits } from '../../explain/failure.js'
import { minimise } from '../../explain/minimise.js'
import { SourceText } from '../../explain/source-text.js'
import { failurePath, placeOfSite, writeFailure } from '../../files/failure.js'
import type { LoadedProgram, Recipe } from '../../frontends/front-end.js'
import type { InputSettings } from '../../frontends/program-input.js'
import type { Bug } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import type { PointSet } from '../../machine/points.js'
import { Budget } from '../../runs/budget.js'
import type { RunSettings } from '../../runs/plan.js'
import { switchPlatform } from '../../runs/platforms.js'
import type { RunBug } from '../../runs/run-bug.js'
import { pointsText } from '../../runs/verdict.js'
import type { FoundBug } from '../../runs/workers/messages.js'
import { replay } from '../../strategies/replay.js'
import type { BugReport } from '../report.js'
import { explainReplayed, type Replayed, replaySchedule } from './replay.js'
import { sourceLines } from './source-lines.js'

export interface BugReportOptions {
  /** Where failing schedules are written. */
  readonly outFolder: string
  /** Of the whole run. */
  readonly budget?: Budget | undefined
}

/** A failure, and what is said of how it was found. */
export interface FailureFound {
  readonly failure: Failure
  /** The points that its choices are made at. */
  readonly points: PointSet
  readonly strategy: string
  readonly execution: number
  readonly count: number
}

/** Executions and seconds that go into a report at most; executions come first, so that reports rarely differ. */
const effort = {
  local: { executions: 3000, seconds: 2 },
  proof: { executions: 10_000, seconds: 2 },
  explanation: { executions: 3000, seconds: 2 },
}

/** How long an explanation may take by itself. */
export function explanationLimits(): Limits {
  return limitsOf(effort.explanation, undefined)
}

/** What is left of the budget for all bugs together limits each. */
function limitsOf(
  { executions, seconds }: { executions: number; seconds: number },
  budget: Budget | undefined,
): Limits {
  const patience = new Budget(seconds)
  return { maxExecutions: executions, outOfTime: () => patience.isSpent || (budget?.isOverdue ?? false) }
}

/** Runs the schedule of a bug on the machine here, then simplifies, writes and explains it. */
export function reportBug(bug: RunBug, settings: RunSettings, options: BugReportOptions): BugReport {
  const { program, directory } = settings
  const recipe = { ...settings.recipe, ...bug.platform }
  const { schedule } = bug.found
  const goBack = switchPlatform(program.machine, bug.platform)
  try {
    const failure = failHere(program.machine, bug.found)
    const { points } = schedule
    const { outFolder, budget } = options
    const report = reportFailure(
      { ...bug, failure, points },
      { program, recipe, directory, outFolder, budget },
    )
    return bug.isOfJob
      ? { ...report, points: pointsText(points), neededRacePoint: points.races.length > 0 }
      : report
  } finally {
    goBack()
  }
}

function failHere(machine: Machine, { schedule, kind, message }: FoundBug): Failure {
  machine.usePoints(schedule.points)
  const runner = new Runner(machine, { maxSteps: schedule.steps.length + 1 })
  try {
    runner.run(replay(schedule, machine))
  } catch (error) {
    throw asNondeterminism(error)
  }
  if (runner.bug?.kind !== kind) {
    throw new NondeterminismError(runner.trace.length, `${kind} (${message})`, bugText(runner.bug))
  }
  return failureOf(runner)
}

/** What is needed to make the program again, and where its files are. */
interface Subject extends BugReportOptions {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  /** What the paths of the recipe and of `outFolder` are relative to. */
  readonly directory: string
}

/** Simplifies a failing schedule, writes it down and runs it once more for the report. */
export function reportFailure(
  { failure: seen, points, strategy, execution, count }: FailureFound,
  { program, recipe, directory, outFolder, budget }: Subject,
): BugReport {
  program.machine.usePoints(points)
  const {
    minimality,
    isDeterministic,
    failure: found,
  } = minimise(program.machine, seen, {
    local: limitsOf(effort.local, budget),
    proof: limitsOf(effort.proof, budget),
  })
  let schedule: Schedule
  let shown: Replayed
  try {
    schedule = recordSchedule(program.machine, found.thread, found.value, points)
    shown = replaySchedule(program.machine, schedule, directory)
  } catch (error) {
    throw asNondeterminism(error)
  }
  if (shown.bug?.kind !== found.bug.kind) {
    throw new NondeterminismError(shown.steps, bugText(found.bug), bugText(shown.bug))
  }
  const { explanation, passing } = explainReplayed(
    program.machine,
    shown,
    directory,
    limitsOf(effort.explanation, budget),
  )
  const path = failurePath(outFolder, recipe.files[0], found.bug.kind, schedule)
  const site = program.machine.sites[found.bug.site]
  writeFailure(
    path,
    program.machine,
    {
      recipe,
      schedule,
      bug: {
        kind: found.bug.kind,
        message: shown.bug.message,
        location: shown.location,
        place: site ? placeOfSite(site, new SourceText(directory)) : null,
        preemptions: found.preemptions,
        minimality,
        foundPreemptions: seen.preemptions,
        deterministic: isDeterministic,
        explanation,
      },
    },
    directory,
  )
  return {
    ...bugParts(shown),
    explanation,
    passing,
    source: sourceLines(shown, explanation, directory),
    kind: found.bug.kind,
    message: shown.bug.message,
    minimality,
    foundPreemptions: seen.preemptions,
    deterministic: isDeterministic,
    execution,
    count,
    strategy,
    schedule: path,
    ...inputOf(recipe),
  }
}

/** The inputs of a program that was given some, and its arguments. */
export function inputOf(recipe: Recipe): Pick<BugReport, 'input' | 'args' | 'environment'> {
  const { input, args = [], environment } = recipe as Recipe & InputSettings
  return input === undefined ? {} : { input, args, ...(environment ? { environment } : {}) }
}

/** What a replay showed, as far as it belongs into the report. */
export function bugParts(shown: Replayed) {
  const {
    bug: _bug,
    steps: _steps,
    recording: _recording,
    failure: _failure,
    points: _points,
    ...parts
  } = shown
  return parts
}

function bugText(bug: Bug | null): string {
  return bug === null ? 'an end without a bug' : `${bug.kind} (${bug.message})`
}
