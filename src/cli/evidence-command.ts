import { dirname, join, resolve } from 'node:path'
import { compareText, evidenceText } from '../classify/write-evidence.js'
import { SourceText } from '../explain/source-text.js'
import { type EvidenceFile, readEvidence } from '../files/evidence.js'
import { directoryOf, whatChanged } from '../files/failure.js'
import { UserError } from '../files/user-error.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import { type Replayed, replaySchedule } from '../reports/build/replay.js'
import { painter } from '../reports/write/paint.js'
import { minimumWidth } from '../reports/write/text.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { loadProgram } from './load-program.js'
import type { ReplayFlags } from './replay-command.js'
import { walkThrough } from './step-walk.js'

/** `faultline replay` of one of the two schedules that show what a race does; with `--compare` both, side by side. */
export async function replayEvidence(path: string, flags: ReplayFlags, io: Io): Promise<number> {
  if (flags.rebuild || flags.recipe || flags.replayAsTest)
    throw new UserError(
      `${path}: --rebuild, --recipe and --replay-as-test are for failures that "check" wrote`,
    )
  const file = readEvidence(resolve(io.directory, path))
  const directory = directoryOf(file, path, io.directory)
  const program = await loadProgram(file.recipe, directory, io)
  const shown = show(file, path, program, directory)
  const options = { width: Math.max(minimumWidth, io.width), paint: painter(io.colour) }
  if (flags.compare) {
    const otherPath = join(dirname(path), file.other)
    const other = readEvidence(resolve(io.directory, otherPath))
    const otherShown = show(other, otherPath, program, directory)
    const pair = [
      { file, shown },
      { file: other, shown: otherShown },
    ] as const
    io.out(
      flags.json
        ? `${JSON.stringify({ executions: pair.map((one) => jsonOf(one.file, one.shown)) }, null, 2)}\n`
        : compareText(pair, options),
    )
    return shown.bug || otherShown.bug ? ExitCode.bug : ExitCode.nothingFound
  }
  if (flags.step) await walkThrough(shown.walk, new SourceText(directory), io)
  else
    io.out(
      flags.json ? `${JSON.stringify(jsonOf(file, shown), null, 2)}\n` : evidenceText(file, shown, options),
    )
  return shown.bug ? ExitCode.bug : ExitCode.nothingFound
}

/** Runs the schedule; what it shows must be what was recorded. */
function show(file: EvidenceFile, path: string, { machine }: LoadedProgram, directory: string): Replayed {
  if (file.schedule.hash !== machine.hash) {
    throw new UserError(
      `${path}: the schedule does not fit the program any more: ${whatChanged(file, directory)} since it was recorded. ` +
        `Run "faultline races ${file.recipe.files.join(' ')}" again.`,
    )
  }
  const shown = replaySchedule(machine, file.schedule, directory)
  const [expected, found] = [file.shows.bug?.kind, shown.bug?.kind].map((kind) => kind ?? 'no bug')
  if (expected !== found) {
    throw new UserError(
      `${path}: the program is the one recorded, but the schedule shows ${found} where it should show ${expected}: ` +
        'the file was edited or is damaged.',
    )
  }
  return shown
}

function jsonOf({ race, recipe }: EvidenceFile, { bug, output, interleaving, steps, preemptions }: Replayed) {
  return {
    program: recipe.files.join(' '),
    reproduced: true,
    race,
    bug: bug && { kind: bug.kind, message: bug.message },
    output,
    steps,
    preemptions,
    interleaving,
  }
}
