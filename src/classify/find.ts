import { explore } from '../execution/explore.js'
import type { Runner } from '../execution/runner.js'
import type { Trace } from '../execution/trace.js'
import { sameBug } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import type { PointSet } from '../machine/points.js'
import { Fingerprint } from '../ordering/fingerprint.js'
import {
  type RaceAccess,
  type RaceKind,
  type RaceOptions,
  type RaceRecord,
  raceDetector,
} from '../races/index.js'
import { createStrategy } from '../strategies/index.js'
import { wholeSearch } from '../strategies/memory-models.js'
import { contextOf } from './context.js'
import { idleAccesses } from './idle.js'
import { bugKeyOf, type Outcome, outcomeOf } from './trials.js'

/** An execution that shows a race. */
export interface Sighting {
  readonly outcome: Outcome
  /** Indexes of the earlier and of the later access in the event log. */
  readonly events: readonly [number, number]
  /** Whether `a` was the earlier one. */
  readonly aFirst: boolean
  /** One of the accesses was made in a round of a loop that changed nothing, as if it had not been made. */
  readonly isIdle: boolean
  /** Sightings with the same are much alike. */
  readonly group: string
  /** See `Context.distance`. */
  readonly distance: number
}

/** Two accesses of two threads that race, as far as detectors can tell. */
export interface Pair {
  readonly a: RaceAccess
  readonly b: RaceAccess
  readonly object: string
  /** Who reported it. */
  readonly seenBy: Set<RaceKind>
  /** Executions that showed it, by which came first; those in which one of the accesses was idle apart. */
  aFirst: number
  bFirst: number
  idle: number
  /** Some of them. */
  readonly sightings: Sighting[]
}

export interface Found {
  readonly pairs: Map<string, Pair>
  /** Executions that failed, one for each bug. */
  readonly failures: Outcome[]
  executions: number
  /** Every schedule was run, up to the order of what is independent. */
  isComplete: boolean
}

export interface FindOptions {
  readonly kinds: readonly RaceKind[]
  readonly points: PointSet
  readonly seed: number
  /** Executions to run; half of them one by one, the rest sampled, unless there are no more. */
  readonly executions: number
  readonly maxSteps?: number | undefined
  readonly races?: RaceOptions
  readonly outOfTime: () => boolean
  readonly isOverdue?: (() => boolean) | undefined
  /** Sees each execution that ran to an end. */
  readonly onExecution?: (runner: Runner) => void
}

/** Sightings kept of a pair: those that are much alike, and all. */
const mostAlike = 2
const mostSightings = 60

export function nothingFound(): Found {
  return { pairs: new Map(), failures: [], executions: 0, isComplete: false }
}

/** Runs many executions and looks for races in each. */
export function findRaces(machine: Machine, options: FindOptions, found: Found = nothingFound()): Found {
  machine.usePoints(options.points)
  const systematic = Math.ceil(options.executions / 2)
  found.isComplete = search(machine, wholeSearch(machine), systematic, options, found)
  if (!found.isComplete) search(machine, 'pos', options.executions - systematic, options, found)
  return found
}

/** True if nothing was left out. */
function search(
  machine: Machine,
  name: string,
  maxExecutions: number,
  options: FindOptions,
  found: Found,
): boolean {
  const fingerprint = new Fingerprint(machine)
  const strategy = createStrategy(name, { machine, seed: options.seed })
  const { maxSteps } = options
  const result = explore({
    machine,
    strategy,
    keepGoing: true,
    maxExecutions,
    ...(maxSteps === undefined ? {} : { maxSteps }),
    outOfTime: options.outOfTime,
    isOverdue: options.isOverdue,
    observers: [{ footprints: true }],
    onExecution(runner) {
      if (runner.status === 'blocked' || runner.isCutForNow) return
      found.executions++
      note(runner, fingerprint, options, found)
      options.onExecution?.(runner)
    },
  })
  const wasCut = result.cut > 0 || result.isAbandoned || strategy.coarse === true
  return result.exhausted && !wasCut
}

/** Takes down what one execution shows. */
function note(runner: Runner, fingerprint: Fingerprint, options: FindOptions, found: Found): void {
  const { machine, trace } = runner
  const outcome = outcomeOf(runner, fingerprint)
  if (!outcome.isComplete) return
  if (outcome.bug !== null && !found.failures.some(({ bug }) => sameBug(bug!, outcome.bug!)))
    found.failures.push(outcome)
  const isIdle = idleAccesses(trace)
  const seen = new Set<string>()
  for (const kind of options.kinds) {
    for (const race of racesOf(kind, machine, trace, options)) {
      const key = pairKey(race.a, race.b)
      const pair = pairOf(found, key, race)
      pair.seenBy.add(kind)
      const { sighting } = race
      if (sighting === null || seen.has(key)) continue
      seen.add(key)
      const { events, aFirst } = sighting
      const idle = events.some((event) => isIdle(event))
      if (idle) pair.idle++
      else if (aFirst) pair.aFirst++
      else pair.bFirst++
      if (pair.sightings.length >= mostSightings) continue
      const { signature, distance } = contextOf(machine, trace, events)
      const group = `${aFirst} ${idle} ${outcome.bug && bugKeyOf(outcome.bug)} ${signature}`
      if (pair.sightings.filter((other) => other.group === group).length < mostAlike)
        pair.sightings.push({ outcome, events, aFirst, isIdle: idle, group, distance })
    }
  }
}

/** The races of one execution. */
function racesOf(
  kind: RaceKind,
  machine: Machine,
  trace: Trace,
  { races }: Pick<FindOptions, 'races'>,
): RaceRecord[] {
  const detector = raceDetector(kind, machine, races)
  detector.end!(trace, 'completed')
  return detector.table.toData()
}

function pairOf(found: Found, key: string, { a, b, object }: RaceRecord): Pair {
  let pair = found.pairs.get(key)
  if (pair === undefined) {
    pair = { a, b, object, seenBy: new Set(), aFirst: 0, bFirst: 0, idle: 0, sightings: [] }
    found.pairs.set(key, pair)
  }
  return pair
}

export function pairKey(a: RaceAccess, b: RaceAccess): string {
  return `${a.site}@${a.thread} ${b.site}@${b.thread}`
}
