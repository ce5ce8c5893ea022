import { writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { check } from '../check.js'
import { checkMayMakeFolder } from '../files/atomic-write.js'
import {
  checkFits,
  checkMayWriteRun,
  readSavedRun,
  type SavedRun,
  writeSavedRun,
} from '../files/saved-run.js'
import { UserError } from '../files/user-error.js'
import { LoadError, type LoadedProgram } from '../frontends/front-end.js'
import type { Site } from '../machine/names.js'
import { type PointRule, type PointSet, parsePoints } from '../machine/points.js'
import type { RaceKind } from '../races/index.js'
import { listPoints } from '../reports/build/list-points.js'
import { functionsAt } from '../reports/build/races.js'
import type { Report } from '../reports/report.js'
import { githubAnnotations } from '../reports/write/github.js'
import { type ReportWriter, reportWriters } from '../reports/write/index.js'
import { writePoints } from '../reports/write/points.js'
import { Budget, CpuBudget, MemoryLimit } from '../runs/budget.js'
import { type Ignored, readSuppressions } from '../runs/ignored.js'
import { compositeStrategies } from '../runs/plan.js'
import { optionName, strategies } from '../strategies/index.js'
import type { StrategyOptions } from '../strategies/registry.js'
import { checkCombination } from './applicability.js'
import type { CheckFlags } from './check-options.js'
import { withClasses } from './classify-report.js'
import { RunDisplay } from './display.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { completeSource, loadProgram } from './load-program.js'
import { programOf, type Source } from './recipe.js'
import { checkTestFile, writeTest } from './regression-test.js'
import { checkReportFiles, wantsReportFiles, writeReportFiles } from './report-files.js'
import { resumedFlags } from './resume.js'

/** `faultline check`: returns the exit code. */
export async function runCheck(
  files: readonly string[],
  args: readonly string[],
  given: CheckFlags,
  command: Command,
  io: Io,
): Promise<number> {
  const saved = given.resume === undefined ? undefined : readSavedRun(resolve(io.directory, given.resume))
  const flags = saved ? resumedFlags(given, saved, command) : given
  checkCombination(flags, command)
  checkReportFiles(command, io)
  checkTestFile(flags.replayAsTest, io)
  const named = programOf(files, args, flags, command, saved, io)
  const start = performance.now()
  const source = await completeSource(named, io)
  const program = await loadProgram(source.recipe, source.directory, io)
  const buildSeconds = (performance.now() - start) / 1000
  if (program.warnings) io.err(program.warnings)
  const rules = [...(program.rules ?? []), ...flags.rules, ...trustRules(flags, program.machine.sites)]
  const points = saved?.asked.points ?? parsePoints(flags.preempt, rules)
  if (flags.listPoints) {
    const listed = listPoints(program.machine, points)
    const name = source.recipe.files.join(' ')
    io.out(
      command.opts().json
        ? `${JSON.stringify({ program: name, points: listed }, null, 2)}\n`
        : writePoints(listed, io.width),
    )
    return ExitCode.nothingFound
  }
  if (saved) checkFits(saved, program.machine)
  const explored = await exploring({ ...source, program, buildSeconds }, flags, points, saved, command, io)
  const report = flags.classify ? withClasses(explored, { ...source, program }, flags, io) : explored
  const warnings = (program.laterWarnings?.() ?? []).map((text) => `warning: ${text}`)
  for (const warning of [...warnings, ...idleRules(points, program.machine.sites)])
    io.err(`faultline: ${warning}\n`)
  printReport(report, flags, command, io)
  const isTestWritten = writeTest(flags.replayAsTest, report.bugs.at(0)?.schedule, io)
  const areWritten = writeReportFiles(report, command, io) && isTestWritten
  const isOfClass = report.races.some((race) => flags.failOn.some((name) => name === race.class))
  const isRaceFatal = isOfClass || (flags.failOnRace === true && report.races.length > 0)
  if (report.verdict === 'bug' || isRaceFatal) return ExitCode.bug
  return areWritten ? ExitCode.nothingFound : ExitCode.wrongUse
}

/** Prints the report in the format asked for. */
function printReport(report: Report, flags: CheckFlags, command: Command, io: Io): void {
  const isAsked = ({ option }: ReportWriter) => option && command.opts()[optionName(option)] === true
  const writer = reportWriters.find(isAsked) ?? reportWriters[0]
  io.out(writer.write(report, { ...io, verbose: flags.verbose ?? false }))
  // GitHub looks at both streams; what is printed for programs stays whole.
  if (io.environment?.GITHUB_ACTIONS === 'true') {
    const print = writer === reportWriters[0] ? io.out : io.err
    print(githubAnnotations(report))
  }
}

/** A program, and what the paths of its recipe are relative to. */
interface Subject extends Source {
  readonly program: LoadedProgram
  readonly buildSeconds: number
}

async function exploring(
  { program, recipe, directory, buildSeconds }: Subject,
  flags: CheckFlags,
  points: PointSet,
  resumed: SavedRun | undefined,
  command: Command,
  io: Io,
): Promise<Report> {
  const savePath = flags.save === undefined ? undefined : resolve(io.directory, flags.save)
  if (savePath !== undefined) {
    checkMayMakeFolder(dirname(savePath), '--save in')
    checkMayWriteRun(savePath)
  }
  checkMayMakeFolder(resolve(io.directory, flags.out), '--out')
  let isInterrupted = false
  const stopListening = io.onInterrupt(() => {
    // A second Ctrl-C means now.
    if (isInterrupted) process.exit(130)
    isInterrupted = true
  })
  const display = new RunDisplay(io, flags.budget)
  try {
    return await check({
      program,
      recipe,
      directory,
      strategy: flags.strategy,
      points,
      order: flags.order,
      bound: flags.bound,
      seed: flags.seed,
      options: strategyOptions(command, io),
      maxExecutions: flags.executions,
      maxSteps: flags.steps,
      keepGoing: flags.keepGoing ?? false,
      ignore: ignoredIn(flags, io),
      races: racesOf(flags),
      leftOutOfRaces: [...(flags.trust ?? []), ...(flags.ignoreRaces ?? [])],
      selfCheck: flags.selfCheck === 'deep' ? Infinity : flags.selfCheck,
      isCheckedDeeply: flags.selfCheck === 'deep',
      debugFile: debugFileOf(flags, io),
      budget: new Budget(flags.budget),
      memory: new MemoryLimit(flags.memoryLimit),
      buildSeconds,
      wantsSketch: wantsReportFiles(command),
      outFolder: directory === io.directory ? flags.out : resolve(io.directory, flags.out),
      saveEvery: flags.saveEvery,
      onSave:
        savePath === undefined ? undefined : (run) => saveTo(savePath, flags.save!, run, recipe, directory),
      resumed,
      workers: workersFor(flags, command),
      workerMemory: flags.workerMemory,
      cpu: flags.cpu === undefined ? undefined : new CpuBudget(flags.cpu),
      verify: flags.verify ?? false,
      etaFactor: flags.etaFactor,
      etaThreshold: flags.etaThreshold,
      isInterrupted: () => isInterrupted,
      onProgress: (run) => {
        if (!flags.quiet) display.update(run)
      },
      onInputs: (progress) => {
        if (!flags.quiet) display.updateInputs(progress)
      },
    })
  } catch (error) {
    if (program.isProgramError(error)) throw new LoadError(`${recipe.files[0]}: ${(error as Error).message}`)
    throw error
  } finally {
    display.clear()
    stopListening()
  }
}

/** Begins the file anew: searches append to it. */
function debugFileOf({ debug }: CheckFlags, io: Io): string | undefined {
  if (debug === undefined) return undefined
  const path = resolve(io.directory, debug)
  try {
    writeFileSync(path, '')
  } catch (error) {
    throw new UserError(`--debug ${debug} cannot be written: ${(error as Error).message}`)
  }
  return path
}

/** A plain strategy has one, whose executions come in the same order every time, unless more are asked for. */
function workersFor({ strategy, workers }: CheckFlags, command: Command): number {
  const isGiven = command.getOptionValueSource('workers') === 'cli'
  return isGiven || compositeStrategies.some(({ name }) => name === strategy) ? workers : 1
}

/** Options that only one strategy has, as far as they are given. */
function strategyOptions(command: Command, io: Io): StrategyOptions {
  const given: Record<string, unknown> = command.opts()
  const options: Record<string, unknown> = {}
  for (const option of strategies.flatMap((entry) => entry.options ?? [])) {
    const name = optionName(option)
    const value = given[name]
    if (value !== undefined) options[name] = option.isPath ? resolve(io.directory, value as string) : value
  }
  return options
}

function saveTo(
  path: string,
  shown: string,
  run: SavedRun,
  recipe: Source['recipe'],
  directory: string,
): void {
  try {
    writeSavedRun(path, run, recipe, directory)
  } catch (error) {
    throw new UserError(`--save ${shown} cannot be written: ${(error as Error).message}`)
  }
}

function ignoredIn({ ignore = [], suppressions }: CheckFlags, io: Io): Ignored[] {
  return suppressions === undefined
    ? ignore
    : [...ignore, ...readSuppressions(resolve(io.directory, suppressions))]
}

function racesOf({ races, failOnRace, classify }: CheckFlags): RaceKind | undefined {
  if (races === 'off') return undefined
  return races ?? (failOnRace || classify ? 'pure' : undefined)
}

/** Code that is trusted is not interrupted. */
function trustRules({ trust = [] }: CheckFlags, sites: readonly Site[]): PointRule[] {
  const functions = new Set(sites.flatMap(functionsAt))
  return trust.filter((name) => functions.has(name)).map((name) => ({ accept: false, function: name }))
}

/** Rules that name no function of the program are most likely misspelt. */
function idleRules({ rules }: PointSet, sites: readonly Site[]): string[] {
  const functions = new Set(sites.flatMap(functionsAt))
  return rules
    .filter((rule) => !functions.has(rule.function))
    .map((rule) => {
      const option = rule.accept ? '--within' : '--without'
      return `warning: ${option} ${rule.function}: no function of that name was seen; known are ${[...functions].join(', ')}`
    })
}
