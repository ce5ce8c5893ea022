import { DivergenceError, Runner } from '../execution/runner.js'
import { type ChoicePoint, emptyScript, type Saved, type Strategy } from '../execution/strategy.js'
import type { Trace } from '../execution/trace.js'
import type { Frame } from '../machine/bug.js'
import type { Machine } from '../machine/machine.js'
import { operations } from '../machine/operation.js'
import { locksHeldBefore } from './lock-rules.js'
import type { RaceRecord } from './race-table.js'

/** What one side of a race was doing when it was first seen. */
export interface AccessWitness {
  /** `read`, `write`, `atomic update`, `free`. */
  readonly operation: string
  /** Innermost first; empty where the machine cannot tell. */
  readonly frames: readonly Frame[]
  /** Names of the locks held. */
  readonly locks: readonly string[]
}

export interface RaceWitness {
  readonly a: AccessWitness
  readonly b: AccessWitness
}

/**
 * Runs the first sighting of a race again, twice, to see what detection does not pay for on every access: first as it
 * was, for the locks held; then with points before both accesses, which changes nothing but that the threads stop
 * there, for the call stacks. Null where it cannot be seen again. Leaves the machine with the points it had.
 */
export function witnessRace(machine: Machine, race: RaceRecord): RaceWitness | null {
  const { sighting } = race
  if (sighting === null) return null
  const before = machine.points
  try {
    return observe(machine, race)
  } catch (error) {
    if (error instanceof DivergenceError) return null
    throw error
  } finally {
    machine.usePoints(before)
  }
}

function observe(machine: Machine, race: RaceRecord): RaceWitness | null {
  const sighting = race.sighting!
  const threads = sighting.threads.map((name) => machine.threads.byName(name))
  machine.usePoints(sighting.points)
  const recorded = new Following(machine, threads, sighting.values, null)
  const runner = new Runner(machine, { observers: [{ footprints: true }] })
  runner.run(recorded)
  const { trace } = runner
  if (trace.length < threads.length || trace.events.count <= sighting.events[1]) return null
  const sides = sighting.events.map((event) => {
    const thread = threadOf(trace, event)
    const locks = locksHeldBefore(trace, event, thread).map(
      ({ location, shared }) => machine.describeLocation(location) + (shared ? ' (for reading)' : ''),
    )
    return {
      event,
      thread,
      site: trace.events.site[event],
      locks,
      operation: operations[trace.events.kind[event]].name,
    }
  })
  const ends = Array.from(trace.eventEnd.subarray(0, threads.length))
  const races = sides.map(({ site, thread }) => ({
    site: machine.sites[site].name,
    thread: machine.threads.names[thread],
  }))
  machine.usePoints({ ...sighting.points, races: [...sighting.points.races, ...races] })
  const watched = sides.map((side) => ({ ...side, frames: [] as readonly Frame[] }))
  new Runner(machine, { observers: [{ footprints: true }] }).run(
    new Following(machine, threads, sighting.values, { ends, watched }),
  )
  const [earlier, later] = watched.map(({ operation, frames, locks }) => ({ operation, frames, locks }))
  return sighting.aFirst ? { a: earlier, b: later } : { a: later, b: earlier }
}

function threadOf(trace: Trace, event: number): number {
  let d = 0
  while (trace.eventEnd[d] <= event) d++
  return trace.thread[d]
}

interface Watched {
  readonly event: number
  readonly thread: number
  readonly site: number
  frames: readonly Frame[]
}

/**
 * Follows recorded transitions. With finer points than they were recorded with, a thread is kept going until it has done
 * the events of its transition; meanwhile, the stacks of watched accesses are taken down as threads come to them.
 */
class Following implements Strategy {
  readonly name = 'follow'
  readonly footprints = true
  readonly script = emptyScript
  private started = false
  private at = -1

  constructor(
    private readonly machine: Machine,
    private readonly threads: readonly number[],
    private readonly values: readonly number[],
    private readonly finer: { readonly ends: readonly number[]; readonly watched: Watched[] } | null,
  ) {}

  begin(): boolean {
    if (this.started) return false
    this.started = true
    return true
  }

  choose(point: ChoicePoint): number {
    const { finer, threads, values } = this
    const done = point.trace.events.count
    if (finer !== null) this.look(finer.watched, done)
    const goesOn = finer !== null && this.at >= 0 && done < finer.ends[this.at]
    if (!goesOn) this.at++
    if (this.at >= threads.length) return -1
    const value = goesOn ? 0 : values[this.at]
    for (let i = 0; i < point.count; i++) {
      if (point.thread[i] === threads[this.at] && point.value[i] === value) return i
    }
    return -1
  }

  end(): void {}

  save(): Saved {
    return {}
  }

  /** The last time that a thread stands before the access, up to the event in question, is the one. */
  private look(watched: Watched[], done: number): void {
    const { pending } = this.machine
    for (const side of watched) {
      if (done > side.event || pending.site[side.thread] !== side.site) continue
      side.frames = this.framesOf(side.thread)
    }
  }

  private framesOf(thread: number): readonly Frame[] {
    const { machine } = this
    if (machine.inspection) return machine.inspection.framesOf(thread)
    return machine.stackOf(thread).map((name) => ({ function: name }))
  }
}
