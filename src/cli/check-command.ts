import { dirname, resolve } from 'node:path'
import type { Command } from 'commander'
import { LoadError, type LoadedProgram, type Recipe } from '../frontends/front-end.js'
import { frontEndFor } from '../frontends/registry.js'
import type { Site } from '../machine/names.js'
import { type PointRule, type PointSet, parsePoints } from '../machine/points.js'
import type { RaceKind } from '../races/index.js'
import { writeJson } from '../reports/json.js'
import { writePoints } from '../reports/points.js'
import type { Report } from '../reports/report.js'
import { writeText } from '../reports/text.js'
import { checkMayMakeFolder } from '../runs/atomic-write.js'
import { auto, deepening } from '../runs/auto.js'
import { Budget, CpuBudget, MemoryLimit } from '../runs/budget.js'
import { check } from '../runs/check.js'
import { readRun, runFormat, type SavedRun } from '../runs/deepening/saved-run.js'
import { readJson } from '../runs/failure-file.js'
import { type Ignored, readSuppressions } from '../runs/ignored.js'
import { listPoints } from '../runs/list-points.js'
import { functionsAt } from '../runs/report-races.js'
import { checkFits } from '../runs/saved-fit.js'
import { checkMayWriteSearch, readSearch, type SavedSearch, writeSaved } from '../runs/saved-search.js'
import { readSource, type SavedSource, sourceFor } from '../runs/saved-source.js'
import { UserError } from '../runs/user-error.js'
import { pointsText } from '../runs/verdict.js'
import { findStrategy, strategies } from '../strategies/index.js'
import type { CheckFlags } from './check-options.js'
import { DeepeningDisplay } from './deepening-display.js'
import { ExitCode } from './exit.js'
import type { Io } from './io.js'
import { loadPriorities } from './load-priorities.js'
import { loadProgram } from './load-program.js'
import { type ProgramSettings, settingsIn, takersOf, unusedBy, writtenOptions } from './program-options.js'
import { LiveLine } from './progress.js'

/** `faultline check`: returns the exit code. */
export async function runCheck(
  files: readonly string[],
  args: readonly string[],
  given: CheckFlags,
  command: Command,
  io: Io,
): Promise<number> {
  const { saved, savedRun } = readSaved(given, io.directory)
  const flags = saved
    ? resumedFlags(given, saved, command)
    : savedRun
      ? resumedRunFlags(given, savedRun, command)
      : given
  checkCombination(flags, command)
  const { recipe, directory } = programOf(files, args, flags, command, io)
  const start = performance.now()
  const program = await loadProgram(recipe, directory, io)
  const buildSeconds = (performance.now() - start) / 1000
  if (program.warnings) io.err(program.warnings)
  const rules = [...(program.rules ?? []), ...flags.rules, ...trustRules(flags, program.machine.sites)]
  const points = saved?.points ?? parsePoints(flags.preempt, rules)
  if (flags.listPoints) {
    const listed = listPoints(program.machine, points)
    io.out(
      flags.json
        ? `${JSON.stringify({ program: recipe.files.join(' '), points: listed }, null, 2)}\n`
        : writePoints(listed, io.width),
    )
    return ExitCode.nothingFound
  }
  if (savedRun) checkFits(savedRun, program.machine, 'run')
  const report = await exploring(
    { program, recipe, directory, buildSeconds },
    flags,
    points,
    { saved, savedRun },
    io,
  )
  const warnings = (program.laterWarnings?.() ?? []).map((text) => `warning: ${text}`)
  for (const warning of [...warnings, ...idleRules(points, program.machine.sites)])
    io.err(`faultline: ${warning}\n`)
  io.out(flags.json ? writeJson(report) : writeText(report, { ...io, verbose: flags.verbose ?? false }))
  const isRaceFatal = flags.failOnRace === true && report.races.length > 0
  return report.verdict === 'bug' || isRaceFatal ? ExitCode.bug : ExitCode.nothingFound
}

/** A program, and what the paths of its recipe are relative to. */
interface Subject {
  readonly program: LoadedProgram
  readonly recipe: Recipe
  readonly directory: string
  readonly buildSeconds: number
}

async function exploring(
  { program, recipe, directory, buildSeconds }: Subject,
  flags: CheckFlags,
  points: PointSet,
  { saved, savedRun }: Resumed,
  io: Io,
): Promise<Report> {
  if (flags.save !== undefined) {
    checkMayMakeFolder(dirname(resolve(io.directory, flags.save)), '--save in')
    checkMayWriteSearch(resolve(io.directory, flags.save))
  }
  checkMayMakeFolder(resolve(io.directory, flags.out), '--out')
  let isInterrupted = false
  const stopListening = io.onInterrupt(() => {
    // A second Ctrl-C means now.
    if (isInterrupted) process.exit(130)
    isInterrupted = true
  })
  const priorities =
    flags.priorities === undefined ? undefined : await loadPriorities(flags.priorities, io.directory)
  const live = new LiveLine(io, flags.budget)
  const display = new DeepeningDisplay(io, flags.budget)
  const savePath = flags.save === undefined ? undefined : resolve(io.directory, flags.save)
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
      memoryLimitBytes: flags.memory,
      priorities,
      maxExecutions: flags.executions,
      maxSteps: flags.steps,
      keepGoing: flags.keepGoing ?? false,
      ignore: ignoredIn(flags, io),
      races: racesOf(flags),
      leftOutOfRaces: [...(flags.trust ?? []), ...(flags.ignoreRaces ?? [])],
      selfCheck: flags.selfCheck,
      budget: new Budget(flags.budget),
      memory: new MemoryLimit(flags.memoryLimit),
      buildSeconds,
      outFolder: directory === io.directory ? flags.out : resolve(io.directory, flags.out),
      savePath,
      saveEvery: flags.saveEvery,
      resumed: saved,
      resumedRun: savedRun,
      ...(savePath === undefined
        ? {}
        : { onSave: (run) => saveTo(savePath, flags.save!, run, sourceFor(savePath, recipe, directory)) }),
      workers: flags.workers,
      workerMemory: flags.workerMemory,
      cpu: flags.cpu === undefined ? undefined : new CpuBudget(flags.cpu),
      verify: flags.verify ?? false,
      etaFactor: flags.etaFactor,
      etaThreshold: flags.etaThreshold,
      isInterrupted: () => isInterrupted,
      onProgress: (progress) => {
        if (!flags.quiet) live.update(progress)
      },
      onDeepening: (run) => {
        live.clear()
        if (!flags.quiet) display.update(run)
      },
    })
  } catch (error) {
    if (program.isProgramError(error)) throw new LoadError(`${recipe.files[0]}: ${(error as Error).message}`)
    throw error
  } finally {
    live.clear()
    display.clear()
    stopListening()
  }
}

function ignoredIn({ ignore = [], suppressions }: CheckFlags, io: Io): Ignored[] {
  return suppressions === undefined
    ? ignore
    : [...ignore, ...readSuppressions(resolve(io.directory, suppressions))]
}

function racesOf({ races, failOnRace }: CheckFlags): RaceKind | undefined {
  if (races === 'off') return undefined
  return races ?? (failOnRace ? 'pure' : undefined)
}

/** Code that is trusted is not interrupted. */
function trustRules({ trust = [] }: CheckFlags, sites: readonly Site[]): PointRule[] {
  const functions = new Set(sites.flatMap(functionsAt))
  return trust.filter((name) => functions.has(name)).map((name) => ({ accept: false, function: name }))
}

/** The program named on the command line, or else the one that the file to resume is of. */
function programOf(
  files: readonly string[],
  args: readonly string[],
  flags: CheckFlags,
  command: Command,
  io: Io,
): Pick<Subject, 'recipe' | 'directory'> {
  if (files.length > 0)
    return { recipe: recipeOf(files, settingsIn(args, command.opts())), directory: io.directory }
  if (flags.resume === undefined) command.error("error: missing required argument 'file'")
  const given = settingsIn(args, command.opts())
  if (Object.keys(given).length > 0) {
    throw new UserError(
      `${writtenOptions(given)}: the program is built as it was when the search was saved; ` +
        'leave this out, or name the program too',
    )
  }
  return readSource(resolve(io.directory, flags.resume))
}

function recipeOf(files: readonly string[], settings: ProgramSettings): Recipe {
  const frontEnd = frontEndFor(files)
  const unused = unusedBy(frontEnd, settings)
  if (Object.keys(unused).length > 0) {
    throw new UserError(
      `${writtenOptions(unused)}: only for ${takersOf(unused)}, but ${files[0]} is a ${frontEnd.name} program`,
    )
  }
  return { files, ...settings }
}

/** Options that make no sense together are refused, not ignored. */
function checkCombination(flags: CheckFlags, command: Command): void {
  const isGiven = (name: keyof CheckFlags) => command.getOptionValueSource(name) === 'cli'
  const plan = [auto, deepening].find(({ name }) => flags.strategy.split(':')[0] === name)
  if (plan && flags.strategy !== plan.name) {
    throw new UserError(`strategy "${plan.name}" takes no argument; write just ${plan.name}`)
  }
  const isNarrow = !parsePoints(flags.preempt).kinds.includes('everywhere')
  if (plan === deepening && isNarrow) {
    throw new UserError(
      '--preempt: deepen chooses the points itself; leave the option out, or name another strategy',
    )
  }
  if (plan === auto && isNarrow) {
    for (const name of ['save', 'resume'] as const) {
      if (flags[name] !== undefined) {
        throw new UserError(
          `--${name} with --preempt needs a --strategy: ${auto.name} is several searches then, one after the other`,
        )
      }
    }
  }
  const only =
    plan === undefined
      ? (['workers', 'workerMemory', 'cpu', 'verify', 'etaFactor', 'etaThreshold'] as const)
      : []
  for (const name of only) {
    if (isGiven(name)) {
      const option = name.replace(/[A-Z]/g, (c) => `-${c.toLowerCase()}`)
      throw new UserError(
        `--${option}: for ${auto.name} and ${deepening.name} only, not for ${flags.strategy}`,
      )
    }
  }
  const entry = plan ? undefined : findStrategy(flags.strategy).entry
  if (flags.bound !== undefined && entry?.bounds === undefined) {
    const bounded = strategies.filter((s) => s.bounds !== undefined).map((s) => s.name)
    const others =
      bounded.length > 0 ? `strategies with a bound are ${bounded.join(', ')}` : 'no strategy has a bound'
    throw new UserError(`--bound: strategy ${flags.strategy} has no bound; ${others}`)
  }
  if (flags.failOnRace && flags.races === 'off') {
    throw new UserError(
      '--fail-on-race needs races to be looked for: leave --races off out, or say pure or limited',
    )
  }
  if (isGiven('order') && entry && !entry.ordered) {
    const ordered = strategies.filter((s) => s.ordered).map((s) => s.name)
    const own = entry.prioritised ? '; its order is that of its argument, as in best-first:mdpor,pb' : ''
    throw new UserError(
      `--order: strategy ${flags.strategy} does not go by it, only ${ordered.join(', ')} does${own}`,
    )
  }
  for (const name of ['memory', 'priorities'] as const) {
    if (isGiven(name) && !entry?.prioritised) {
      throw new UserError(`--${name}: only for strategy best-first, not ${flags.strategy}`)
    }
  }
}

function saveTo(path: string, shown: string, run: SavedRun, source: SavedSource): void {
  try {
    writeSaved(path, run, source)
  } catch (error) {
    throw new UserError(`--save ${shown} cannot be written: ${(error as Error).message}`)
  }
}

/** What `--resume` goes on with: one search, or a run of many. */
interface Resumed {
  readonly saved?: SavedSearch | undefined
  readonly savedRun?: SavedRun | undefined
}

function readSaved({ resume }: CheckFlags, directory: string): Resumed {
  if (resume === undefined) return {}
  const path = resolve(directory, resume)
  const isRun = readJson(path, 'a saved search').format === runFormat
  return isRun ? { savedRun: readRun(path) } : { saved: readSearch(path) }
}

/** The options a run was saved with. */
function resumedRunFlags(given: CheckFlags, saved: SavedRun, command: Command): CheckFlags {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  const refuse = (option: string, was: string) => {
    throw new UserError(`--${option}: the run was saved with ${was}; leave the option out to go on with it`)
  }
  if (isGiven('strategy') && given.strategy !== saved.strategy)
    refuse('strategy', `--strategy ${saved.strategy}`)
  if (isGiven('seed') && given.seed !== saved.seed) refuse('seed', `--seed ${saved.seed}`)
  if (isGiven('steps') && given.steps !== (saved.maxSteps ?? undefined)) {
    refuse('steps', saved.maxSteps === null ? 'the usual limit of steps' : `--steps ${saved.maxSteps}`)
  }
  if (isGiven('preempt') || (given.rules.length > 0 && rulesText(given.rules) !== rulesText(saved.rules))) {
    refuse(
      isGiven('preempt') ? 'preempt' : 'within',
      saved.rules.length > 0 ? rulesText(saved.rules) : 'all points',
    )
  }
  const { steps: _steps, ...rest } = given
  return {
    ...rest,
    strategy: saved.strategy,
    preempt: 'everywhere',
    rules: saved.rules,
    seed: saved.seed,
    etaFactor: given.etaFactor ?? saved.etaFactor,
    etaThreshold: given.etaThreshold ?? saved.etaThreshold,
    ...(saved.verify ? { verify: true } : {}),
    ...(saved.keepGoing ? { keepGoing: true } : {}),
    ...(saved.maxSteps === null ? {} : { steps: saved.maxSteps }),
  }
}

function rulesText(rules: PointSet['rules']): string {
  return rules.map((r) => `--${r.accept ? 'within' : 'without'} ${r.function}`).join(' ')
}

/** The options a search was saved with. Giving one of them again with another value is refused. */
function resumedFlags(given: CheckFlags, saved: SavedSearch, command: Command): CheckFlags {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli'
  const differ = (option: string, isOther: boolean, was: string) => {
    if (isOther)
      throw new UserError(
        `--${option}: the search was saved with ${was}; leave the option out to go on with it`,
      )
  }
  differ('strategy', isGiven('strategy') && given.strategy !== saved.strategy, `--strategy ${saved.strategy}`)
  differ('order', isGiven('order') && given.order !== saved.order, `--order ${saved.order}`)
  differ('seed', isGiven('seed') && given.seed !== saved.seed, `--seed ${saved.seed}`)
  differ(
    'bound',
    isGiven('bound') && given.bound !== (saved.bound ?? undefined),
    saved.bound === null ? 'no bound' : `--bound ${saved.bound}`,
  )
  differ(
    'steps',
    isGiven('steps') && given.steps !== (saved.maxSteps ?? undefined),
    saved.maxSteps === null ? 'the usual limit of steps' : `--steps ${saved.maxSteps}`,
  )
  const points = pointsText(saved.points)
  const asked = isGiven('preempt') || given.rules.length > 0
  differ(
    'preempt',
    asked && pointsText(parsePoints(given.preempt, given.rules)) !== points,
    `points ${points}`,
  )
  const races = saved.races?.detector ?? 'off'
  differ(
    'races',
    isGiven('races') && given.races !== races,
    races === 'off' ? 'no --races: what was there before would be missing' : `--races ${races}`,
  )
  const { bound: _bound, steps: _steps, ...rest } = given
  return {
    ...rest,
    strategy: saved.strategy,
    order: saved.order,
    races,
    seed: saved.seed,
    ...(saved.bound === null ? {} : { bound: saved.bound }),
    ...(saved.maxSteps === null ? {} : { steps: saved.maxSteps }),
  }
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
