import { dirname, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import { SourceText } from '../explain/source-text.js'
import { checkSameProgram, directoryOf, type FailureFile, readFailure } from '../files/failure.js'
import { isRegressionTest } from '../files/regression-test.js'
import { UserError } from '../files/user-error.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import { reportFailure } from '../reports/build/bug.js'
import { type Rebuilt, tryOnChanged } from '../reports/build/rebuild.js'
import { replaySchedule } from '../reports/build/replay.js'
import { passingAgain, type ReplayShown, replayedBug, reportReplay } from '../reports/build/replay-report.js'
import type { BugReport } from '../reports/report.js'
import { bugText } from '../reports/write/bug-text.js'
import { writeReplayJson } from '../reports/write/json.js'
import { painter } from '../reports/write/paint.js'
import { rebuiltText } from '../reports/write/rebuilt.js'
import { recipeText } from '../reports/write/recipe.js'
import { minimumWidth, replayText } from '../reports/write/text.js'
import { indented, wrap } from '../reports/write/wrap.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { loadProgram } from './load-program.js'
import { checkTestFile, writeTest } from './regression-test.js'
import { checkReportFiles, wantsReportFiles, writeReportFiles } from './report-files.js'
import { walkThrough } from './step-walk.js'

export interface ReplayFlags {
  json?: true
  /** Try the schedule although the program has changed. */
  rebuild?: true
  /** Walk through the execution. */
  step?: true
  /** Say how to follow the schedule in a debugger. */
  recipe?: true
  /** Show both executions of a race. */
  compare?: true
  /** Where to export a test to. */
  replayAsTest?: string
}

/** A recorded failure and the program it is tried on. */
interface Subject {
  readonly file: FailureFile
  /** As the user wrote it. */
  readonly path: string
  readonly program: LoadedProgram
  readonly directory: string
}

/** `faultline replay`: shows a recorded failure again. Exit code 1 if a bug shows. */
export async function runReplay(path: string, flags: ReplayFlags, command: Command, io: Io): Promise<number> {
  checkCombination(flags)
  if (flags.compare)
    throw new UserError(`${path}: --compare is for the evidence that "faultline races" writes`)
  checkReportFiles(command, io)
  checkTestFile(flags.replayAsTest, io)
  const file = readFailure(resolve(io.directory, path))
  const directory = directoryOf(file, path, io.directory)
  const program = await loadProgram(file.recipe, directory, io)
  const subject = { file, path, program, directory }
  const start = performance.now()
  const isChanged = flags.rebuild === true && file.schedule.hash !== program.machine.hash
  const shown = isChanged
    ? await showRebuilt(subject, flags, io)
    : await showAgain(subject, flags, wantsReportFiles(command), io)
  const seconds = (performance.now() - start) / 1000
  const isTestWritten = writeTest(flags.replayAsTest, shown.bug?.schedule, io)
  const report = reportReplay(file, program, directory, { ...shown, seconds })
  const areWritten = writeReportFiles(report, command, io) && isTestWritten
  if (shown.bug) return ExitCode.bug
  return areWritten ? ExitCode.nothingFound : ExitCode.wrongUse
}

/** What is printed is one thing. */
function checkCombination({ json, step, recipe }: ReplayFlags): void {
  const people = step ? '--step' : recipe ? '--recipe' : undefined
  if (json && people) throw new UserError(`${people} is for people, --json for programs: give one of them`)
  if (step && recipe) throw new UserError('--step and --recipe: give one of them')
}

type Shown = Omit<ReplayShown, 'seconds'>

/** The program is the one recorded. */
async function showAgain(
  { file, path, program, directory }: Subject,
  flags: ReplayFlags,
  isForFiles: boolean,
  io: Io,
): Promise<Shown> {
  const { machine } = program
  checkSameProgram(file, path, machine, directory)
  const shown = replaySchedule(machine, file.schedule, directory)
  if (shown.bug?.kind !== file.bug.kind) {
    throw new UserError(
      `${path}: the program is the one recorded, but the schedule shows ${shown.bug?.kind ?? 'no bug'} where it should show ` +
        `${file.bug.kind}: the file was edited or is damaged. Run "faultline check ${file.recipe.files.join(' ')}" again.`,
    )
  }
  const bug = replayedBug(file, path, shown, directory)
  const width = Math.max(minimumWidth, io.width)
  if (flags.step) await walkThrough(shown.walk, new SourceText(directory), io)
  else if (flags.recipe) io.out(recipeText(bug, width, io.command))
  else if (flags.json) io.out(writeReplayJson(file, { reproduced: true, steps: shown.steps, bugs: [bug] }))
  else io.out(`${bugText(bug, width, painter(io.colour), true)}\n`)
  const passing = isForFiles ? passingAgain(program, shown, directory) : null
  return {
    bug: { ...bug, passing },
    guarantee: null,
    points: file.schedule.points,
    executions: 1,
    steps: shown.steps,
  }
}

/** The program has changed: is the bug still there? What shows is recorded anew, beside the old file. */
async function showRebuilt(subject: Subject, flags: ReplayFlags, io: Io): Promise<Shown> {
  const { file, program, directory } = subject
  const rebuilt = tryOnChanged(file, program.machine, directory)
  const fate = rebuiltText(rebuilt, file.bug)
  if (rebuilt.fate === 'unclear') throw new UserError(fate)
  const bug = rebuilt.found && recordAgain(rebuilt, subject, io)
  if (flags.json) {
    const { fate: status, fitted, turns, tried } = rebuilt
    const reproduced = status === 'same' || status === 'moved'
    io.out(
      writeReplayJson(file, {
        reproduced,
        rebuilt: { fate: status, text: fate, fitted, turns, tried },
        bugs: bug ? [bug] : [],
      }),
    )
  } else {
    const width = Math.max(minimumWidth, io.width)
    io.out(`${wrap(fate, width).join('\n')}\n`)
    if (bug === null) io.out(wrapCheck(file, io, width))
    else if (flags.recipe) io.out(`\n${recipeText(bug, width, io.command)}`)
    else {
      io.out(`\n${bugText(bug, width, painter(io.colour))}\n\n${replayText(bug, io.command)}\n`)
      if (flags.step) await walkThrough(bug.walk, new SourceText(directory), io)
    }
  }
  const steps = bug?.walk.steps.length ?? 0
  return {
    bug,
    guarantee: fate.replace(/\.$/, ''),
    points: rebuilt.points,
    executions: rebuilt.tried + 1,
    steps,
  }
}

function recordAgain(
  { found, points }: Rebuilt,
  { file: { recipe }, path, program, directory }: Subject,
  io: Io,
): BugReport {
  const old = resolve(io.directory, path)
  // Folders of tests are kept clean.
  const outFolder = isRegressionTest(old) ? join(directory, '.faultline') : dirname(old)
  const report = reportFailure(
    { failure: found!, points, strategy: 'replay', execution: 1, count: 1 },
    { program, recipe, directory, outFolder },
  )
  return { ...report, schedule: relative(io.directory, resolve(directory, report.schedule)) }
}

function wrapCheck({ recipe }: FailureFile, io: Io, width: number): string {
  return `${wrap(`${io.command} check ${recipe.files.join(' ')}`, width - 2)
    .map(indented(2))
    .join('\n')}\n`
}
