import { resolve } from 'node:path'
import { checkSameProgram, directoryOf, readFailure } from '../jobs/failure-file.js'
import { replaySchedule } from '../jobs/replay.js'
import { bugParts } from '../jobs/report-bug.js'
import { sourceLines } from '../jobs/source-lines.js'
import { bugText } from '../reports/bug-text.js'
import { notExplained } from '../reports/explanation.js'
import { painter } from '../reports/paint.js'
import type { BugReport } from '../reports/report.js'
import { minimumWidth } from '../reports/text.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { loadProgram } from './load-program.js'

/** `faultline replay`: shows a recorded failure again. Exit code 1 if a bug shows. */
export async function runReplay(path: string, flags: { json?: true }, io: Io): Promise<number> {
  const file = readFailure(resolve(io.directory, path))
  const directory = directoryOf(file, path, io.directory)
  const { machine } = await loadProgram(file.recipe, directory, io)
  checkSameProgram(file, machine, directory)
  const shown = replaySchedule(machine, file.schedule, directory)
  const { bug, steps } = shown
  const seen = bugParts(shown)
  const explanation = file.bug.explanation ?? notExplained
  const report: BugReport | null = bug && {
    ...seen,
    kind: bug.kind,
    message: bug.message,
    explanation,
    source: sourceLines(shown.location, explanation, directory),
    minimality: file.bug.minimality ?? 'unknown',
    deterministic: file.bug.deterministic ?? false,
    execution: 1,
    count: 1,
    strategy: 'replay',
    schedule: path,
  }
  const isSame = bug?.kind === file.bug.kind
  if (flags.json) {
    const { interleaving, ...rest } = report ?? seen
    io.out(
      `${JSON.stringify({ program: file.recipe.files.join(' '), verdict: bug ? 'bug' : 'bounded', reproduced: isSame, steps, bugs: report ? [rest] : [], interleaving }, null, 2)}\n`,
    )
  } else if (report) {
    const width = Math.max(minimumWidth, io.width)
    io.out(`${bugText(report, width, painter(io.colour), true)}\n`)
    if (!isSame) io.out(`\n  Another bug than recorded: that was ${file.bug.kind}: ${file.bug.message}\n`)
  } else {
    io.out(`The bug did not show: expected ${file.bug.kind}: ${file.bug.message}\n`)
  }
  return bug ? ExitCode.bug : ExitCode.nothingFound
}
