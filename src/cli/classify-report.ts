import { resolve } from 'node:path'
import { reportClassification } from '../classify/build-report.js'
import { type RaceClass, raceClasses } from '../classify/classes.js'
import { classifyRaces } from '../classify/classify.js'
import { placeNamed } from '../classify/reported.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import { everywhere } from '../machine/points.js'
import type { RaceReport, Report } from '../reports/report.js'
import { Budget } from '../runs/budget.js'
import type { CheckFlags } from './check-options.js'
import type { Io } from './io.js'
import type { Source } from './recipe.js'

/** The report with what each of its races does, the harmful ones first. Takes as much time as exploring had, at most. */
export function withClasses(
  report: Report,
  { program, recipe, directory }: Source & { readonly program: LoadedProgram },
  flags: Pick<CheckFlags, 'primaries' | 'alternates' | 'output' | 'seed' | 'steps' | 'budget' | 'out'>,
  io: Io,
): Report {
  if (report.races.length === 0) return report
  const budget = new Budget(flags.budget)
  const reported = report.races.map(({ sides }) => {
    const [one, other] = sides.map((side) => ({
      stack: [placeNamed(side.location ?? '', side.function)],
      operation: side.action,
    }))
    return { sides: [one, other] as const, count: 1 }
  })
  const classification = classifyRaces(program.machine, {
    ...flags,
    maxSteps: flags.steps,
    points: { ...everywhere, rules: program.rules ?? [] },
    reported,
    searchUntil: () => budget.elapsedSeconds >= flags.budget / 2,
    outOfTime: () => budget.isSpent,
    isOverdue: () => budget.isOverdue,
  })
  const { races } = reportClassification(classification, {
    program,
    recipe,
    directory,
    outFolder: directory === io.directory ? flags.out : resolve(io.directory, flags.out),
    output: flags.output,
    seed: flags.seed,
    seconds: budget.elapsedSeconds,
    isOutOfTime: budget.isSpent,
  })
  const classified = report.races.map((race, i): RaceReport => {
    const known = races.find((one) => one.reported === i)
    if (known === undefined) return race
    const { class: name, why, witnesses, evidence } = known
    return { ...race, class: name, why, witnesses, evidence }
  })
  const rank = ({ class: name }: RaceReport) => raceClasses.indexOf(name as RaceClass)
  return { ...report, races: classified.sort((a, b) => rank(a) - rank(b)) }
}
