import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { RacesReport } from '../classify/report.js'
import { readReportedRaces } from '../classify/reported.js'
import { racesReportText } from '../classify/write-text.js'
import { checkMayMakeFolder } from '../files/atomic-write.js'
import { LoadError, type LoadedProgram, type Recipe } from '../frontends/front-end.js'
import { classifyInputs } from '../inputs/classify-inputs.js'
import type { Site } from '../machine/names.js'
import { functionsAt } from '../reports/build/races.js'
import { painter } from '../reports/write/paint.js'
import { minimumWidth } from '../reports/write/text.js'
import { classifyProgram } from './classify-program.js'
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
  try {
    const ignored = new Set(flags.ignoreRaces ?? [])
    const what = {
      executions: flags.executions,
      races: { ignores: (site: Site) => functionsAt(site).some((name) => ignored.has(name)) },
      ignoredObjects: [...ignored],
      reported,
      opened: flags.whatIf !== undefined,
    }
    const classify = (own: LoadedProgram, ownRecipe: Recipe, seconds: number) =>
      classifyProgram({ program: own, recipe: ownRecipe, directory }, { ...flags, budget: seconds }, what, io)
    const report = program.inputs
      ? await classifyInputs({ program, recipe, directory }, program.inputs, flags.budget, classify)
      : classify(program, recipe, flags.budget)
    for (const warning of program.laterWarnings?.() ?? []) io.err(`faultline: warning: ${warning}\n`)
    printRaces(report, flags.json === true, io)
    return codeOf(report, flags)
  } catch (error) {
    if (program.isProgramError(error)) throw new LoadError(`${recipe.files[0]}: ${(error as Error).message}`)
    throw error
  }
}

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
