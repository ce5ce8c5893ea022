import { SourceText } from '../../explain/source-text.js'
import type { Machine } from '../../machine/machine.js'
import type { Site } from '../../machine/names.js'
import { type AccessWitness, type RaceAccess, type RaceRecord, witnessRace } from '../../races/index.js'
import type { RaceReport, RaceSideReport } from '../report.js'

/** Transitions of sightings run again for a report: beyond that, stacks and locks are left out. */
const mostSteps = 100_000

export interface RaceReportOptions {
  /** Run the first sightings again. */
  readonly looksAgain: boolean
  /** Functions and variables whose races are left out. */
  readonly leftOut?: readonly string[] | undefined
}

/** Whether an access of the pair is in one of these functions, or its object is, or is a part of, one of these. */
function isLeftOut(race: RaceRecord, sites: ReadonlyMap<string, Site>, names: readonly string[]): boolean {
  if (names.length === 0) return false
  const functions = [race.a, race.b].flatMap(({ site }) => functionsAt(sites.get(site)))
  return names.some(
    (name) =>
      functions.includes(name) ||
      race.object === name ||
      ['+', '[', '.'].some((part) => race.object.startsWith(name + part)),
  )
}

/** The function a place is in, and those that it was inlined into. */
export function functionsAt(site: Site | undefined): string[] {
  return site === undefined ? [] : [site.function, ...(site.inlined ?? []).map((frame) => frame.function)]
}

/** One access of one pair, the way it came in the group's order. */
interface Side {
  readonly access: RaceAccess
  readonly site: Site | undefined
  readonly place: string
}

interface Group {
  readonly sides: readonly [Side, Side]
  readonly records: { readonly race: RaceRecord; readonly swapped: boolean }[]
}

/**
 * Races for people: pairs of accesses on the same two lines, to the same object, are one entry; `x++` alone makes three
 * pairs with another. With `looksAgain` the first sighting of each is run again, to find out stacks and locks.
 */
export function reportRaces(
  records: readonly RaceRecord[],
  machine: Machine,
  directory: string,
  options: RaceReportOptions,
): RaceReport[] {
  const sites = new Map(machine.sites.map((site) => [site.name, site]))
  const sources = new SourceText(directory)
  const groups = new Map<string, Group>()
  for (const race of records) {
    if (isLeftOut(race, sites, options.leftOut ?? [])) continue
    const a = sideOf(race.a, sites)
    const b = sideOf(race.b, sites)
    // The side that came first, in all that was seen or the first time, is named first.
    const isSwapped = race.aFirst === 0 || (race.bFirst > 0 && race.sighting?.aFirst === false)
    const sides: [Side, Side] = isSwapped ? [b, a] : [a, b]
    const keys = sides.map((side) => side.place)
    const known = [keys, keys.toReversed()].map((k) => groups.get([race.object, ...k].join('\n')))
    const group = known[0] ?? known[1]
    if (group === undefined) {
      groups.set([race.object, ...keys].join('\n'), { sides, records: [{ race, swapped: isSwapped }] })
    } else {
      group.records.push({ race, swapped: isSwapped !== (known[0] === undefined) })
    }
  }
  let steps = options.looksAgain ? mostSteps : 0
  return [...groups.values()].map((group) => {
    const seen = group.records.findIndex(({ race }) => race.sighting !== null)
    if (seen > 0) group.records.unshift(...group.records.splice(seen, 1))
    steps -= group.records[0].race.sighting?.threads.length ?? 0
    return reportOf(group, machine, sources, steps >= 0)
  })
}

function sideOf(access: RaceAccess, sites: ReadonlyMap<string, Site>): Side {
  const site = sites.get(access.site)
  return { access, site, place: placeOf(site) ?? access.site }
}

function placeOf(site: Site | undefined): string | null {
  return site?.file === undefined || site.line === undefined ? null : `${site.file}:${site.line}`
}

function reportOf(
  { sides, records }: Group,
  machine: Machine,
  sources: SourceText,
  looksAgain: boolean,
): RaceReport {
  const [{ race: first, swapped }] = records
  const witness = looksAgain ? witnessRace(machine, first) : null
  const witnesses = swapped ? [witness?.b, witness?.a] : [witness?.a, witness?.b]
  const accesses = [0, 1].map((k) =>
    records.map(({ race, swapped: isOther }) => ((k === 0) === isOther ? race.b : race.a)),
  )
  const described = sides.map((side, k) => describeSide(side, accesses[k], witnesses[k], machine, sources))
  const seen = [0, 1].map((k) =>
    records.reduce(
      (most, { race, swapped: isOther }) => Math.max(most, (k === 0) === isOther ? race.bFirst : race.aFirst),
      0,
    ),
  )
  const bothOrders = seen[0] > 0 && seen[1] > 0
  const object = nameOf(first.object, sides, sources)
  return {
    object,
    message: messageOf(object, described, bothOrders),
    sides: [described[0], described[1]],
    bothOrders,
    seen: [seen[0], seen[1]],
    execution: records.reduce((first, { race }) => Math.min(first, race.execution), Infinity),
    inFirstExecution: records.some(({ race }) => race.atOnce),
    pairs: records.map(({ race }) => [accessName(race.a), accessName(race.b)]),
  }
}

/** What lies on the heap is called what the source calls it, if both places call it the same. */
function nameOf(object: string, sides: readonly Side[], sources: SourceText): string {
  if (!/^byte \d+ of block /.test(object)) return object
  const [a, b] = sides.map(({ site: { file, line, column } = {} as Partial<Site> }) =>
    file && line && column ? sources.expression(file, line, column) : undefined,
  )
  return a !== undefined && a === b ? `${a} (${object})` : object
}

function accessName({ site, thread }: RaceAccess): string {
  return `${site}@${thread}`
}

function describeSide(
  { site, access }: Side,
  accesses: readonly RaceAccess[],
  witness: AccessWitness | undefined,
  machine: Machine,
  sources: SourceText,
): RaceSideReport {
  const location = placeOf(site)
  const names = [...new Set(accesses.map((a) => a.thread))]
  const frames = witness?.frames ?? []
  const own = frames.filter((frame) => !frame.isLibrary)
  return {
    location: location ?? site?.name ?? access.site,
    function: site?.function ?? null,
    source:
      site?.file === undefined || site.line === undefined
        ? null
        : (sources.line(site.file, site.line)?.trim() ?? null),
    threads: names.map((name) => machine.threads.labelOf(machine.threads.byName(name))),
    action: actionOf(accesses, witness),
    locks: witness?.locks ?? null,
    stack: (own.length > 0 ? own : frames).map((frame) => ({
      function: frame.function,
      location: frame.file && frame.line ? `${frame.file}:${frame.line}` : null,
    })),
  }
}

function actionOf(accesses: readonly RaceAccess[], witness: AccessWitness | undefined): string {
  if (witness?.operation === 'free') return 'frees'
  const reads = accesses.some((a) => !a.write)
  const writes = accesses.some((a) => a.write)
  const verb = reads && writes ? 'reads and writes' : writes ? 'writes' : 'reads'
  return accesses.every((a) => a.atomic) ? `atomically ${verb}` : verb
}

function messageOf(object: string, sides: readonly RaceSideReport[], bothOrders: boolean): string {
  const locks = sides.map((side) => side.locks)
  const why = locks.some((held) => held === null)
    ? 'nothing makes one wait for the other'
    : locks.every((held) => held!.length === 0)
      ? 'neither holds a lock, and nothing else makes one wait for the other'
      : locks.some((held) => held!.length === 0)
        ? 'only one of them holds a lock, so that nothing makes one wait for the other'
        : 'they hold different locks, so that nothing makes one wait for the other'
  const order = bothOrders
    ? 'either came first in some schedule'
    : 'so far the first always came first, so that something not seen here may keep them apart'
  return `two threads can use ${object} at the same time: ${why}; ${order}`
}
