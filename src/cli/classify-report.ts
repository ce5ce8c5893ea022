import { type RaceClass, raceClasses } from '../classify/classes.js'
import { placeNamed } from '../classify/reported.js'
import type { LoadedProgram } from '../frontends/front-end.js'
import type { RaceReport, Report } from '../reports/report.js'
import type { CheckFlags } from './check-options.js'
import { classifyProgram } from './classify-program.js'
import type { Io } from './io.js'
import type { Source } from './recipe.js'

/** The report with what each of its races does, the harmful ones first. Takes as much time as exploring had, at most. */
export function withClasses(
  report: Report,
  source: Source & { readonly program: LoadedProgram },
  flags: Pick<CheckFlags, 'primaries' | 'alternates' | 'output' | 'seed' | 'steps' | 'budget' | 'out'>,
  io: Io,
): Report {
  if (report.races.length === 0) return report
  const reported = report.races.map(({ sides }) => {
    const [one, other] = sides.map((side) => ({
      stack: [placeNamed(side.location ?? '', side.function)],
      operation: side.action,
    }))
    return { sides: [one, other] as const, count: 1 }
  })
  const { races } = classifyProgram(source, flags, { reported }, io)
  const classified = report.races.map((race, i): RaceReport => {
    const known = races.find((one) => one.reported === i)
    if (known === undefined) return race
    const { class: name, why, witnesses, evidence } = known
    return { ...race, class: name, why, witnesses, evidence }
  })
  const rank = ({ class: name }: RaceReport) => raceClasses.indexOf(name as RaceClass)
  return { ...report, races: classified.sort((a, b) => rank(a) - rank(b)) }
}
