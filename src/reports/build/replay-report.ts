import type { FailureFile } from '../../files/failure.js'
import type { LoadedProgram } from '../../frontends/front-end.js'
import type { PointSet } from '../../machine/points.js'
import { noCounters, pickCounters } from '../../runs/counters.js'
import { wholeScope } from '../../runs/platforms.js'
import { pointsText } from '../../runs/verdict.js'
import type { BugReport, Passing, Report } from '../report.js'
import { bugParts, explanationLimits, inputOf } from './bug.js'
import { notExplained } from './explanation.js'
import { explainReplayed, type Replayed } from './replay.js'
import { sourceFiles } from './source-files.js'
import { sourceLines } from './source-lines.js'

/** A recorded bug that has shown again. */
export function replayedBug(file: FailureFile, path: string, shown: Replayed, directory: string): BugReport {
  const explanation = file.bug.explanation ?? notExplained
  return {
    ...bugParts(shown),
    explanation,
    passing: null,
    source: sourceLines(shown, explanation, directory),
    kind: shown.bug!.kind,
    message: shown.bug!.message,
    minimality: file.bug.minimality ?? 'unknown',
    foundPreemptions: file.bug.foundPreemptions ?? shown.preemptions,
    deterministic: file.bug.deterministic ?? false,
    execution: 1,
    count: 1,
    strategy: 'replay',
    schedule: path,
    ...inputOf(file.recipe),
  }
}

/** Failure files do not hold an execution that passes: it is looked for again. */
export function passingAgain({ machine }: LoadedProgram, shown: Replayed, directory: string): Passing | null {
  return explainReplayed(machine, shown, directory, explanationLimits()).passing
}

/** What a replay showed, for writers of reports. */
export interface ReplayShown {
  readonly bug: BugReport | null
  /** What is known if no bug shows. */
  readonly guarantee: string | null
  readonly points: PointSet
  readonly executions: number
  readonly steps: number
  readonly seconds: number
}

/** A replay as a run of its own. */
export function reportReplay(
  { recipe }: FailureFile,
  program: LoadedProgram,
  directory: string,
  { bug, guarantee, points, executions, steps, seconds }: ReplayShown,
): Report {
  const bugs = bug ? [bug] : []
  return {
    program: recipe.files.join(' '),
    verdict: bug ? 'bug' : 'bounded',
    guarantee: bug ? null : guarantee,
    scope: wholeScope(program, []),
    caveats: program.caveats ?? [],
    strategy: 'replay',
    points: pointsText(points),
    seed: 0,
    keepGoing: false,
    ...pickCounters(noCounters),
    executions,
    steps,
    seconds,
    phases: [],
    statistics: {},
    outlook: null,
    problems: [],
    bugs,
    raceDetector: null,
    races: [],
    files: sourceFiles({ bugs, races: [] }, directory),
  }
}
