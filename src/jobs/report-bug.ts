import { asNondeterminism, NondeterminismError } from '../execution/determinism.js'
import { recordSchedule, type Schedule } from '../execution/schedule.js'
import type { LoadedProgram, Recipe } from '../frontends/registry.js'
import type { Bug } from '../program/bug.js'
import type { PointSet } from '../program/points.js'
import type { BugReport } from '../reports/report.js'
import { Budget } from './budget.js'
import { failurePath, writeFailure } from './failure-file.js'
import { type Replayed, replaySchedule } from './replay.js'
import type { FoundBug } from './search.js'
import { simplify } from './simplify.js'

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
}

const simplifyExecutions = 2000
const simplifySeconds = 1

/** Simplifies the failing schedule, writes it down and runs it once more for the report. */
export function reportBug(seen: FoundBug, context: BugContext): BugReport {
  const { program, recipe, directory, points, outFolder, strategy, executionsBefore } = context
  program.machine.usePoints(points)
  const patience = new Budget(simplifySeconds)
  const found = simplify(program.machine, seen, {
    maxExecutions: simplifyExecutions,
    outOfTime: () => patience.isSpent,
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
  const path = failurePath(outFolder, recipe.files[0], found.bug.kind, schedule)
  writeFailure(
    path,
    {
      recipe,
      schedule,
      bug: {
        kind: found.bug.kind,
        message: found.bug.message,
        location: shown.location,
        preemptions: found.preemptions,
      },
    },
    directory,
  )
  const { bug: _bug, steps: _steps, ...rest } = shown
  return {
    ...rest,
    kind: found.bug.kind,
    message: found.bug.message,
    execution: executionsBefore + found.execution,
    count: found.count,
    strategy,
    schedule: path,
  }
}

function bugText(bug: Bug | null): string {
  return bug === null ? 'an end without a bug' : `${bug.kind} (${bug.message})`
}
