import { dirname, relative, resolve } from 'node:path'
import { SourceText } from '../explain/source-text.js'
import { checkSameProgram, directoryOf, type FailureFile, readFailure } from '../files/failure.js'
import { UserError } from '../files/user-error.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import { bugParts, reportFailure } from '../reports/build/bug.js'
import { notExplained } from '../reports/build/explanation.js'
import { type Rebuilt, tryOnChanged } from '../reports/build/rebuild.js'
import { type Replayed, replaySchedule } from '../reports/build/replay.js'
import { sourceLines } from '../reports/build/source-lines.js'
import type { BugReport } from '../reports/report.js'
import { bugText } from '../reports/write/bug-text.js'
import { writeReplayJson } from '../reports/write/json.js'
import { painter } from '../reports/write/paint.js'
import { rebuiltText } from '../reports/write/rebuilt.js'
import { minimumWidth, replayText } from '../reports/write/text.js'
import { indented, wrap } from '../reports/write/wrap.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { loadProgram } from './load-program.js'
import { walkThrough } from './step-walk.js'

export interface ReplayFlags {
  json?: true
  /** Try the schedule although the program has changed. */
  rebuild?: true
  /** Walk through the execution. */
  step?: true
}

/** `faultline replay`: shows a recorded failure again. Exit code 1 if a bug shows. */
export async function runReplay(path: string, flags: ReplayFlags, io: Io): Promise<number> {
  if (flags.json && flags.step)
    throw new UserError('--step is for people, --json for programs: give one of them')
  const file = readFailure(resolve(io.directory, path))
  const directory = directoryOf(file, path, io.directory)
  const program = await loadProgram(file.recipe, directory, io)
  const { machine } = program
  if (flags.rebuild && file.schedule.hash !== machine.hash) {
    return runRebuilt(file, path, program, directory, flags, io)
  }
  checkSameProgram(file, path, machine, directory)
  const shown = replaySchedule(machine, file.schedule, directory)
  if (shown.bug?.kind !== file.bug.kind) {
    throw new UserError(
      `${path}: the program is the one recorded, but the schedule shows ${shown.bug?.kind ?? 'no bug'} where it should show ` +
        `${file.bug.kind}: the file was edited or is damaged. Run "faultline check ${file.recipe.files.join(' ')}" again.`,
    )
  }
  if (flags.step) {
    await walkThrough(shown.walk, new SourceText(directory), io)
    return ExitCode.bug
  }
  const report = reportOf(file, path, shown, directory)
  if (flags.json) io.out(writeReplayJson(file, { reproduced: true, steps: shown.steps, bugs: [report] }))
  else io.out(`${bugText(report, Math.max(minimumWidth, io.width), painter(io.colour), true)}\n`)
  return ExitCode.bug
}

function reportOf(file: FailureFile, path: string, shown: Replayed, directory: string): BugReport {
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
  }
}

/** The program has changed: is the bug still there? What shows is recorded anew, beside the old file. */
async function runRebuilt(
  file: FailureFile,
  path: string,
  program: LoadedProgram,
  directory: string,
  flags: ReplayFlags,
  io: Io,
): Promise<number> {
  const rebuilt = tryOnChanged(file, program.machine, directory)
  const fate = rebuiltText(rebuilt, file.bug)
  const report = rebuilt.found && recordAgain(rebuilt, file, path, program, directory, io)
  if (flags.json) {
    const { fate: status, fitted, turns, tried } = rebuilt
    const bugs = report ? [report] : []
    const reproduced = status === 'same' || status === 'moved'
    io.out(
      writeReplayJson(file, {
        reproduced,
        rebuilt: { fate: status, text: fate, fitted, turns, tried },
        bugs,
      }),
    )
  } else {
    const width = Math.max(minimumWidth, io.width)
    io.out(`${wrap(fate, width).join('\n')}\n`)
    if (report) {
      io.out(`\n${bugText(report, width, painter(io.colour))}\n\n${replayText(report, io.command)}\n`)
      if (flags.step) {
        const { schedule } = readFailure(resolve(io.directory, report.schedule))
        const { walk } = replaySchedule(program.machine, schedule, directory)
        await walkThrough(walk, new SourceText(directory), io)
      }
    } else io.out(wrapCheck(file, io, width))
  }
  return report ? ExitCode.bug : ExitCode.nothingFound
}

function recordAgain(
  { found, points }: Rebuilt,
  { recipe }: FailureFile,
  path: string,
  program: LoadedProgram,
  directory: string,
  io: Io,
): BugReport {
  const folder = dirname(resolve(io.directory, path))
  const report = reportFailure(
    { failure: found!, points, strategy: 'replay', execution: 1, count: 1 },
    { program, recipe, directory, outFolder: folder },
  )
  return { ...report, schedule: relative(io.directory, resolve(directory, report.schedule)) }
}

function wrapCheck({ recipe }: FailureFile, io: Io, width: number): string {
  return `${wrap(`${io.command} check ${recipe.files.join(' ')}`, width - 2)
    .map(indented(2))
    .join('\n')}\n`
}
