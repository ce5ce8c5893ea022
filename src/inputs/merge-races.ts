import { raceClasses } from '../classify/classes.js'
import type { ClassifiedRace, RacesReport } from '../classify/report.js'

/** What was found out with one input. */
export interface WithInput {
  readonly report: RacesReport
  readonly input: Readonly<Record<string, string>>
}

/**
 * One report of several inputs (multi-path analysis: Portend+, algorithm 2). A race is what it does for the input for which it does
 * worst; witnesses and primaries are those of all inputs together.
 */
export function mergeRaces(
  found: readonly WithInput[],
  how: Pick<RacesReport, 'seconds' | 'isOutOfTime' | 'hasMoreInputs'>,
): RacesReport {
  const byRace = new Map<string, { race: ClassifiedRace; input: WithInput['input'] }[]>()
  for (const { report, input } of found) {
    for (const race of report.races) {
      const key = keyOf(race)
      byRace.set(key, [...(byRace.get(key) ?? []), { race, input }])
    }
  }
  const races = [...byRace.values()].map(merged).sort((a, b) => rank(a) - rank(b))
  const sum = (of: (report: RacesReport) => number) =>
    found.reduce((total, { report }) => total + of(report), 0)
  const [{ report: first }] = found
  return {
    ...first,
    executions: sum(({ executions }) => executions),
    trials: sum(({ trials }) => trials),
    isComplete: false,
    ...how,
    counts: Object.fromEntries(
      raceClasses.map((name) => [name, races.filter((race) => race.class === name).length]),
    ) as RacesReport['counts'],
    races,
    bugs: bugsOf(found, races),
    inputs: found.length,
  }
}

/** The same places and the same object. */
function keyOf({ object, sides }: ClassifiedRace): string {
  return [object, ...sides.map(({ location, action }) => `${location} ${action}`).sort()].join('\n')
}

function rank(race: ClassifiedRace): number {
  return raceClasses.indexOf(race.class)
}

function merged(seen: readonly { race: ClassifiedRace; input: WithInput['input'] }[]): ClassifiedRace {
  const [worst] = [...seen].sort((a, b) => rank(a.race) - rank(b.race))
  const sum = (of: (race: ClassifiedRace) => number) => seen.reduce((total, { race }) => total + of(race), 0)
  return {
    ...worst.race,
    witnesses: sum(({ witnesses }) => witnesses),
    primaries: sum(({ primaries }) => primaries),
    bothFail: sum(({ bothFail }) => bothFail),
    inconclusive: sum(({ inconclusive }) => inconclusive),
    input: worst.input,
    inputs: seen.length,
  }
}

/** Bugs of all inputs, each once; which races lead to them is known by the place of races among all. */
function bugsOf(found: readonly WithInput[], races: readonly ClassifiedRace[]): RacesReport['bugs'] {
  const keys = races.map(keyOf)
  const bugs = new Map<string, RacesReport['bugs'][number]>()
  for (const { report, input } of found) {
    for (const bug of report.bugs) {
      const key = `${bug.kind} ${bug.location} ${bug.location === null ? bug.message : ''}`
      const own = bug.races.map((index) => keys.indexOf(keyOf(report.races[index])))
      const known = bugs.get(key)
      bugs.set(
        key,
        known ? { ...known, races: [...new Set([...known.races, ...own])] } : { ...bug, races: own, input },
      )
    }
  }
  return [...bugs.values()]
}
