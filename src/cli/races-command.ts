import { resolve } from 'node:path'
import type { Command } from 'commander'
import { reportClassification } from '../classify/build-report.js'
import { classifyRaces } from '../classify/classify.js'
import type { RacesReport } from '../classify/report.js'
import { readReportedRaces } from '../classify/reported.js'
import { racesReportText } from '../classify/write-text.js'
import { checkMayMakeFolder } from '../files/atomic-write.js'
import { LoadError } from '../frontends/front-end.js'
import { everywhere } from '../machine/points.js'
import { functionsAt } from '../reports/build/races.js'
import { painter } from '../reports/write/paint.js'
import { minimumWidth } from '../reports/write/text.js'
import { Budget } from '../runs/budget.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { completeSource, loadProgram } from './load-program.js'
import type { RacesFlags } from './races-options.js'
import { programOf } from './recipe.js'

/** `faultline races`: finds races and says what each does. */
export async function runRaces(
  files: readonly string[],
  args: readonly string[],
  flags: RacesFlags,
  command: Command,
  io: Io,
): Promise<number> {
  const named = programOf(files, args, {}, command, undefined, io)
  const { recipe, directory } = await completeSource(named, io)
  checkMayMakeFolder(resolve(io.directory, flags.out), '--out')
  const reported =
    flags.racesFrom === undefined ? undefined : readReportedRaces(resolve(io.directory, flags.racesFrom))
  const program = await loadProgram(recipe, directory, io)
  if (program.warnings) io.err(program.warnings)
  const { machine } = program
  const budget = new Budget(flags.budget)
  const points = { ...everywhere, rules: program.rules ?? [] }
  try {
    const ignored = new Set(flags.ignoreRaces ?? [])
    const classification = classifyRaces(machine, {
      ...flags,
      maxSteps: flags.steps,
      points,
      races: { ignores: (site) => functionsAt(site).some((name) => ignored.has(name)) },
      ignoredObjects: [...ignored],
      reported,
      opened: flags.whatIf !== undefined,
      searchUntil: () => budget.elapsedSeconds >= flags.budget * searchShare,
      outOfTime: () => budget.isSpent,
      isOverdue: () => budget.isOverdue,
    })
    const report = reportClassification(classification, {
      program,
      recipe,
      directory,
      outFolder: directory === io.directory ? flags.out : resolve(io.directory, flags.out),
      output: flags.output,
      seed: flags.seed,
      seconds: budget.elapsedSeconds,
      isOutOfTime: budget.isSpent,
    })
    for (const warning of program.laterWarnings?.() ?? []) io.err(`faultline: warning: ${warning}\n`)
    printRaces(report, flags.json === true, io)
    return codeOf(report, flags)
  } catch (error) {
    if (program.isProgramError(error)) throw new LoadError(`${recipe.files[0]}: ${(error as Error).message}`)
    throw error
  }
}

/** Part of the budget that goes into looking for races. */
const searchShare = 0.5

function printRaces(report: RacesReport, isJson: boolean, io: Io): void {
  if (isJson) io.out(`${JSON.stringify(report, null, 2)}\n`)
  else {
    const width = Math.max(minimumWidth, io.width)
    io.out(racesReportText(report, { width, paint: painter(io.colour), command: io.command }))
  }
}

function codeOf({ bugs, races }: RacesReport, { failOn }: RacesFlags): number {
  const fails = bugs.length > 0 || races.some((race) => failOn.includes(race.class))
  return fails ? ExitCode.bug : ExitCode.nothingFound
}
