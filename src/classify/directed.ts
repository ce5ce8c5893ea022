import type { Runner } from '../execution/runner.js'
import type { Machine } from '../machine/machine.js'
import { Mode } from '../machine/operation.js'
import { everywhere, type PointSet } from '../machine/points.js'
import { locationsMeet } from '../ordering/dependence.js'
import { Fingerprint } from '../ordering/fingerprint.js'
import { type FindOptions, type Found, findRaces, nothingFound, type Pair } from './find.js'
import { sitesOf } from './reported.js'
import type { ReportedPlace, ReportedRace } from './reported-race.js'
import { outcomeOf } from './trials.js'

/** A race that somebody else reported, and what was seen of it. */
export interface Sought {
  /** Its place in the list. */
  readonly index: number
  readonly reported: ReportedRace
  /** Where it is in the program, and the names of its sites there. */
  readonly places: readonly [ReportedPlace, ReportedPlace]
  readonly sites: readonly [readonly string[], readonly string[]]
  /** Pairs of accesses there that detectors saw race. */
  readonly pairs: Pair[]
  /** Whether each place was executed at all. */
  readonly executed: [boolean, boolean]
  /** Two accesses there of two threads to one object, though they were not seen to race. */
  conflict: Pair | null
}

/**
 * Looks for races at given places: first with points there alone, which leads many executions through their orders, then
 * with points everywhere.
 */
export function findReported(
  machine: Machine,
  reported: readonly ReportedRace[],
  options: FindOptions,
): { found: Found; sought: Sought[] } {
  const sought = reported.map((race, index): Sought => {
    const [one, other] = race.sides.map((side) => sitesOf(machine, side))
    return {
      index,
      reported: race,
      places: [one.place, other.place],
      sites: [one.sites, other.sites],
      pairs: [],
      executed: [false, false],
      conflict: null,
    }
  })
  const fingerprint = new Fingerprint(machine)
  const onExecution = (runner: Runner) => {
    for (const one of sought) look(runner, fingerprint, one)
  }
  const sites = [...new Set(sought.flatMap((one) => one.sites.flat()))]
  const points: PointSet = {
    kinds: ['yield', 'lock', 'sync'],
    races: sites.map((site) => ({ site })),
    rules: options.points.rules,
  }
  const half = { ...options, executions: Math.ceil(options.executions / 2), onExecution }
  const there = findRaces(machine, { ...half, points }, nothingFound())
  const found = findRaces(machine, { ...half, points: { ...everywhere, rules: options.points.rules } })
  for (const one of sought) {
    const isSought = ({ a, b }: Pair) =>
      [
        [a, b],
        [b, a],
      ].some(([x, y]) => one.sites[0].includes(x.site) && one.sites[1].includes(y.site))
    one.pairs.push(...[...found.pairs.values()].filter(isSought))
    if (one.pairs.length === 0) one.pairs.push(...[...there.pairs.values()].filter(isSought))
  }
  found.executions += there.executions
  return { found, sought }
}

/** Notes whether an execution comes by the places, and has two threads use one object there. */
function look(runner: Runner, fingerprint: Fingerprint, sought: Sought): void {
  if (sought.conflict !== null) return
  const { machine, trace } = runner
  const { events } = trace
  const seen: [{ thread: number; event: number }[], { thread: number; event: number }[]] = [[], []]
  for (let d = 0; d < trace.length; d++) {
    const thread = trace.thread[d]
    for (let i = trace.eventStart(d); i < trace.eventEnd[d]; i++) {
      const name = machine.sites[events.site[i]]?.name
      const location = events.location[i]
      if (name === undefined || location < 0 || machine.locations.kinds[location] !== 'memory') continue
      for (const k of [0, 1] as const) {
        if (!sought.sites[k].includes(name)) continue
        sought.executed[k] = true
        const other = seen[1 - k].find(
          (earlier) =>
            earlier.thread !== thread &&
            locationsMeet(machine.locations, events.location[earlier.event], location),
        )
        if (other !== undefined) {
          sought.conflict = pairOf(runner, fingerprint, other, { thread, event: i })
          return
        }
        seen[k].push({ thread, event: i })
      }
    }
  }
}

function pairOf(
  runner: Runner,
  fingerprint: Fingerprint,
  first: { thread: number; event: number },
  second: { thread: number; event: number },
): Pair | null {
  const outcome = outcomeOf(runner, fingerprint)
  if (!outcome.isComplete) return null
  const { machine, trace } = runner
  const side = ({ thread, event }: typeof first) => ({
    site: machine.sites[trace.events.site[event]].name,
    thread: machine.threads.names[thread],
    write: trace.events.mode[event] !== Mode.read,
    atomic: false,
  })
  return {
    a: side(first),
    b: side(second),
    object: machine.describeLocation(trace.events.location[first.event]),
    seenBy: new Set(),
    aFirst: 1,
    bFirst: 0,
    idle: 0,
    sightings: [
      { outcome, events: [first.event, second.event], aFirst: true, isIdle: false, group: '', distance: 0 },
    ],
  }
}
