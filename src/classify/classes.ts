/** What a race does, the harmful ones first: the order of reports. */
export const raceClasses = [
  'spec-violated',
  'output-differs',
  'unknown',
  'harmless',
  'single-ordering',
] as const

export type RaceClass = (typeof raceClasses)[number]

/** The class of several pairs of accesses that are one race: what the worst of them does. */
export function worstOf(classes: readonly RaceClass[]): RaceClass {
  return raceClasses.find((name) => classes.includes(name)) ?? 'unknown'
}
