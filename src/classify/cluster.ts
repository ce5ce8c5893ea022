import type { Machine } from '../machine/machine.js'
import { type RaceRecord, witnessRace } from '../races/index.js'
import type { Sought } from './directed.js'
import type { Pair, Sighting } from './find.js'

/** Pairs of accesses that are one race to people. */
export interface Cluster {
  readonly pairs: readonly Pair[]
  /** Of one that was looked for because somebody else reported it. */
  readonly sought?: Sought
}

/** Transitions that are run again to see call stacks; beyond, places alone tell races apart. */
const mostSteps = 200_000

/**
 * Pairs at the same two places, reached by the same calls, on objects of one kind are one race: however many threads
 * there are, and elements of an array.
 */
export function clusterPairs(machine: Machine, pairs: readonly Pair[]): Cluster[] {
  const clusters = new Map<string, Pair[]>()
  let left = mostSteps
  for (const pair of pairs) {
    left -= pair.sightings[0]?.outcome.choices.thread.length ?? 0
    const witness = left > 0 ? witnessRace(machine, recordOf(machine, pair)) : null
    const sides = [
      `${placeOf(machine, pair.a.site)} ${stackKey(witness?.a.frames)}`,
      `${placeOf(machine, pair.b.site)} ${stackKey(witness?.b.frames)}`,
    ].sort()
    const key = [objectKind(pair.object), ...sides].join('\n')
    const known = clusters.get(key)
    if (known === undefined) clusters.set(key, [pair])
    else known.push(pair)
  }
  return [...clusters.values()].map((members) => ({ pairs: members }))
}

/** `counter.c:12`, or the name of the place. */
export function placeOf(machine: Machine, name: string): string {
  const site = machine.sites.find((other) => other.name === name)
  return site?.file !== undefined && site.line !== undefined ? `${site.file}:${site.line}` : name
}

function stackKey(frames: readonly { readonly function: string; readonly line?: number }[] = []): string {
  // The innermost line is the place itself.
  return frames
    .map((frame, i) => (i === 0 ? frame.function : `${frame.function}:${frame.line ?? ''}`))
    .join('<')
}

/** The name of an object without its numbers: `cells[…]` for `cells[3]`, `byte … of block … of thread …`. */
export function objectKind(object: string): string {
  const [name] = object.split(',')
  return name.replace(/(?<!\w)\d+(?:\.\d+)*/g, '…')
}

/** The pair as detectors tell of it. */
export function recordOf(machine: Machine, pair: Pair): RaceRecord {
  const sighting = pair.sightings.find(({ isIdle }) => !isIdle) ?? pair.sightings[0]
  const { a, b, object, aFirst, bFirst } = pair
  return {
    ...{ a, b, object, aFirst, bFirst },
    execution: 1,
    atOnce: false,
    sighting: sighting === undefined ? null : sightingRecord(machine, sighting),
  }
}

function sightingRecord({ threads }: Machine, { outcome, events, aFirst }: Sighting) {
  const { thread, value } = outcome.choices
  return {
    points: outcome.points,
    threads: Array.from(thread, (t) => threads.names[t]),
    values: Array.from(value),
    events,
    aFirst,
  }
}
