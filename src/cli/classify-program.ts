import { resolve } from 'node:path'
import { reportClassification } from '../classify/build-report.js'
import { type ClassifyOptions, classifyRaces } from '../classify/classify.js'
import type { OutputOrder } from '../classify/compare-outputs.js'
import type { RacesReport } from '../classify/report.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import { everywhere } from '../machine/points.js'
import { Budget } from '../runs/budget.js'
import type { Io } from './io.js'
import type { Source } from './recipe.js'

/** Those of the flags that `races` and `check --classify` share. */
interface ClassifyFlags {
  readonly primaries: number
  readonly alternates: number
  readonly output: OutputOrder
  readonly seed: number
  readonly steps?: number
  readonly budget: number
  readonly out: string
}

/** Part of the budget that goes into looking for races. */
const searchShare = 0.5

/** Finds races of a program and says what each does; `flags.budget` is for all of it. */
export function classifyProgram(
  { program, recipe, directory }: Source & { readonly program: LoadedProgram },
  flags: ClassifyFlags,
  what: Pick<ClassifyOptions, 'executions' | 'races' | 'ignoredObjects' | 'reported' | 'opened'>,
  io: Io,
): RacesReport {
  const budget = new Budget(flags.budget)
  const { primaries, alternates, output, seed } = flags
  const classification = classifyRaces(program.machine, {
    primaries,
    alternates,
    output,
    seed,
    maxSteps: flags.steps,
    points: { ...everywhere, rules: program.rules ?? [] },
    ...what,
    searchUntil: () => budget.elapsedSeconds >= flags.budget * searchShare,
    outOfTime: () => budget.isSpent,
    isOverdue: () => budget.isOverdue,
  })
  return reportClassification(classification, {
    program,
    recipe,
    directory,
    outFolder: directory === io.directory ? flags.out : resolve(io.directory, flags.out),
    output,
    seed,
    seconds: budget.elapsedSeconds,
    isOutOfTime: budget.isSpent,
  })
}
