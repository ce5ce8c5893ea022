import { Runner } from '../../execution/runner.js'
import { type Failure, failureOf } from '../../explain/failure.js'
import { SourceText } from '../../explain/source-text.js'
import { type FailureFile, placeOfSite } from '../../files/failure.js'
import type { Bug } from '../../machine/bug.js'
import type { Machine } from '../../machine/machine.js'
import { everywhere, type PointSet } from '../../machine/points.js'
import { Budget } from '../../runs/budget.js'
import { createStrategy } from '../../strategies/index.js'
import { boundedSearch } from '../../strategies/memory-models.js'
import { FittedSchedule } from './fit-schedule.js'
import { locationText } from './place.js'

/** What became of a recorded bug in the program as it is now. */
export type Fate =
  /** It shows at the same place. */
  | 'same'
  /** The same failure shows, in a line with another number, or another text. */
  | 'moved'
  /** Something else fails. */
  | 'other'
  /** Nothing fails under this schedule, nor under the others that were tried. */
  | 'gone'
  /** Nothing fails, but nothing of the schedule fits, and not all others with as few preemptions were tried. */
  | 'unclear'

export interface Rebuilt {
  readonly fate: Fate
  /** The bug that shows now, if any. */
  readonly found: Failure | null
  readonly location: string | null
  readonly points: PointSet
  /** Turns of the schedule, and how many of them ended where they did when it was recorded. */
  readonly turns: number
  readonly fitted: number
  /** Places where threads were stopped, and how many of them were found again. */
  readonly stops: number
  readonly met: number
  /** The bug shows under the recorded schedule, as far as it fits; otherwise another one had to be found. */
  readonly bySchedule: boolean
  /** Other executions tried. */
  readonly tried: number
  /** Every schedule with at most that many preemptions was tried; -1 if not even those without. */
  readonly triedBound: number
}

const searchExecutions = 5000
const searchSeconds = 3

/**
 * Tries a recorded failure on a program that has changed: the schedule as far as it fits, then all schedules with no
 * more preemptions, within limits.
 */
export function tryOnChanged(file: FailureFile, machine: Machine, directory: string): Rebuilt {
  const points = pointsFor(file.schedule.points, machine)
  machine.usePoints(points)
  const runner = new Runner(machine, { maxSteps: 10 * file.schedule.steps.length + 10_000 })
  const result = { points, turns: 0, fitted: 0, tried: 0, triedBound: -1, stops: 0, met: 0 }
  let other: Failure | null = null
  for (const likeness of ['line', 'function'] as const) {
    const schedule = new FittedSchedule(file, machine, directory, likeness)
    runner.run(schedule)
    if (schedule.met >= result.met) Object.assign(result, { stops: schedule.stops, met: schedule.met })
    if (schedule.fitted >= result.fitted)
      Object.assign(result, { turns: schedule.turns, fitted: schedule.fitted })
    if (runner.bug === null) continue
    if (runner.bug.kind === file.bug.kind) return verdict(failureOf(runner), true)
    other ??= failureOf(runner)
  }
  let isWhole = true
  const patience = new Budget(searchSeconds)
  const search = createStrategy(boundedSearch(machine), { machine, seed: 1, bound: file.bug.preemptions })
  while (result.tried < searchExecutions && !patience.isSpent) {
    if (!runner.run(search)) break
    result.tried++
    if (runner.status === 'cut') isWhole = false
    if (runner.bug === null) continue
    if (runner.bug.kind === file.bug.kind) return verdict(failureOf(runner), false)
    other ??= failureOf(runner)
  }
  if (isWhole) result.triedBound = Math.min(search.completedBound ?? -1, file.bug.preemptions)
  return verdict(other, other !== null && result.tried === 0)

  function verdict(found: Failure | null, bySchedule: boolean): Rebuilt {
    const site = found && found.bug.site >= 0 ? machine.sites[found.bug.site] : undefined
    const location = site ? locationText(site) : null
    const isTried = result.met > 0 || result.stops === 0 || result.triedBound >= file.bug.preemptions
    const fate =
      found === null ? (isTried ? 'gone' : 'unclear') : fateOf(file, found.bug, location, machine, directory)
    return { ...result, fate, found, location, bySchedule }
  }
}

function fateOf(
  file: FailureFile,
  bug: Bug,
  location: string | null,
  machine: Machine,
  directory: string,
): Fate {
  if (bug.kind !== file.bug.kind) return 'other'
  if (location !== file.bug.location) return 'moved'
  const site = machine.sites[bug.site]
  const text = site ? placeOfSite(site, new SourceText(directory)).text : null
  return text === (file.bug.place?.text ?? null) ? 'same' : 'moved'
}

/** The recorded points if the program still has their sites; otherwise every operation is one. */
function pointsFor(points: PointSet, machine: Machine): PointSet {
  const names = new Set(machine.sites.map((site) => site.name))
  return points.races.every((race) => names.has(race.site)) ? points : everywhere
}
