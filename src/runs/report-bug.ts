import { asNondeterminism, NondeterminismError } from '../execution/determinism.js'
import { recordSchedule, type Schedule } from '../execution/schedule.js'
import type { Limits } from '../explain/failure.js'
import { minimise } from '../explain/minimise.js'
import { SourceText } from '../explain/source-text.js'
import type { LoadedProgram, Recipe } from '../frontends/front-end.js'
import type { Bug } from '../machine/bug.js'
import type { PointSet } from '../machine/points.js'
import type { BugReport } from '../reports/report.js'
import { Budget } from './budget.js'
import { failurePath, placeOfSite, writeFailure } from './failure-file.js'
import { explainReplayed, type Replayed, replaySchedule } from './replay.js'
import type { FoundBug } from './search.js'
import { sourceLines } from './source-lines.js'

/** Where a bug was found and where its schedule goes. */
export interface BugContext {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  /** What the paths of the recipe and of `outFolder` are relative to. */
  readonly directory: string
  /** Points of the search that found it: those its choices are made at. */
  readonly points: PointSet
  /** Where failing schedules are written. */
  readonly outFolder: string
  /** The strategy that found it. */
  readonly strategy: string
  /** Executions, of all kinds, before the search that found it. */
  readonly executionsBefore: number
  /** Of the whole run. */
  readonly budget?: Budget | undefined
}

/** Executions and seconds that go into a report at most; executions come first, so that reports rarely differ. */
const effort = {
  local: { executions: 3000, seconds: 2 },
  proof: { executions: 10_000, seconds: 2 },
  explanation: { executions: 3000, seconds: 2 },
}

/** What is left of the budget for all bugs together limits each. */
function limitsOf(
  { executions, seconds }: { executions: number; seconds: number },
  budget: Budget | undefined,
): Limits {
  const patience = new Budget(seconds)
  return { maxExecutions: executions, outOfTime: () => patience.isSpent || (budget?.isOverdue ?? false) }
}

/** Simplifies the failing schedule, writes it down and runs it once more for the report. */
export function reportBug(seen: FoundBug, context: BugContext): BugReport {
  const { program, recipe, directory, points, outFolder, strategy, executionsBefore } = context
  program.machine.usePoints(points)
  const {
    minimality,
    isDeterministic,
    failure: found,
  } = minimise(
    program.machine,
    { ...seen, switches: switchesOf(seen.thread) },
    { local: limitsOf(effort.local, context.budget), proof: limitsOf(effort.proof, context.budget) },
  )
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
  const explanation = explainReplayed(
    program.machine,
    shown,
    directory,
    limitsOf(effort.explanation, context.budget),
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
    source: sourceLines(shown, explanation, directory),
    kind: found.bug.kind,
    message: shown.bug.message,
    minimality,
    foundPreemptions: seen.preemptions,
    deterministic: isDeterministic,
    execution: executionsBefore + seen.execution,
    count: seen.count,
    strategy,
    schedule: path,
  }
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

function switchesOf(thread: Int32Array): number {
  return thread.reduce((sum, t, i) => (i > 0 && t !== thread[i - 1] ? sum + 1 : sum), 0)
}

function bugText(bug: Bug | null): string {
  return bug === null ? 'an end without a bug' : `${bug.kind} (${bug.message})`
}
