import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Runner } from '../../src/execution/runner.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/machine/machine.js'
import { everywhere, type PointSet, parsePoints } from '../../src/machine/points.js'
import { type RaceKind, type RaceRecord, raceDetector, raceKinds } from '../../src/races/index.js'
import { times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { type Primitive, randomProgram } from '../support/random-program.js'
import { conflict, type LogEvent, logOf, naiveRaces } from './naive.js'

const kinds = raceKinds() as ('pure' | 'limited')[]

const runs = times(12)
/** Generous: only the number of programs decides how long this takes. */
const timeout = 3_600_000
const mostExecutions = 400

/** All interleavings, up to a limit; `visit` sees each when it has ended. False when there are more. */
function interleave(machine: Machine, visit: (runner: Runner) => void, limit: number): boolean {
  const { explore, createStrategy } = engine
  const strategy = createStrategy('dfs', { machine })
  const observers = [{ footprints: true }]
  return explore({ machine, strategy, observers, keepGoing: true, maxExecutions: limit, onExecution: visit })
    .exhausted
}

/** A pair of accesses whatever its order, by names. */
function pairName(machine: Machine, a: LogEvent, b: LogEvent): string {
  const side = (e: LogEvent) => `${machine.sites[e.site].name}@${machine.threads.names[e.thread]}`
  return [side(a), side(b)].sort().join(' | ')
}

const recordName = ({ a, b }: RaceRecord) =>
  [a, b]
    .map((s) => `${s.site}@${s.thread}`)
    .sort()
    .join(' | ')

/** What a detector says of one execution, without any memory of others. */
function inExecution(kind: RaceKind, runner: Runner): RaceRecord[] {
  const detector = raceDetector(kind, runner.machine)
  detector.end!(runner.trace, runner.status)
  return detector.table.toData()
}

/** Pairs that were done one right after the other in this execution. */
function adjacentPairs(machine: Machine, { trace }: Runner): string[] {
  const log = logOf(trace)
  const found: string[] = []
  for (let d = 1; d < trace.length; d++) {
    if (trace.thread[d] === trace.thread[d - 1]) continue
    const before = log.slice(trace.eventStart(d - 1), trace.eventEnd[d - 1])
    const after = log.slice(trace.eventStart(d), trace.eventEnd[d])
    for (const a of before) for (const b of after) if (conflict(a, b)) found.push(pairName(machine, a, b))
  }
  return found
}

function machineOf(program: Program, points: PointSet = everywhere): Machine {
  const machine = modelMachine(program)
  machine.usePoints(points)
  return machine
}

describe('detectors against the definition, execution by execution', () => {
  const check = (program: Program, points: PointSet) => {
    const machine = machineOf(program, points)
    const lasting = kinds.map((kind) => ({
      kind,
      detector: raceDetector(kind, machine),
      seen: new Map(),
    }))
    interleave(
      machine,
      (runner) => {
        for (const { kind, detector, seen } of lasting) {
          const log = logOf(runner.trace)
          const expected = new Set(
            naiveRaces(runner.trace, machine, kind).map(
              ({ earlier, later }) =>
                `${pairName(machine, log[earlier], log[later])} ${machine.threads.names[log[earlier].thread]} first`,
            ),
          )
          // One detector for all executions must say of each what one that saw nothing else would.
          detector.end!(runner.trace, runner.status)
          const found = new Set<string>()
          for (const race of detector.table.toData()) {
            const [a, b] = [race.a, race.b]
            for (const [times, first] of [
              [race.aFirst, a],
              [race.bFirst, b],
            ] as const) {
              const name = `${recordName(race)} ${first.thread} first`
              if (times > (seen.get(name) ?? 0)) found.add(name)
              seen.set(name, times)
            }
          }
          expect(found, kind).toEqual(expected)
        }
      },
      60,
    )
  }

  test('where every access is a point', () => {
    fc.assert(
      fc.property(randomProgram({ without: ['output', 'invariant'] }), (program) =>
        check(program, everywhere),
      ),
      { seed: 1, numRuns: runs },
    )
  })

  test('where transitions are long', () => {
    const points = fc.constantFrom('yield', 'yield,lock', 'yield,unlock', 'yield,lock,unlock,sync,atomic')
    fc.assert(
      fc.property(randomProgram({ without: ['output', 'invariant'] }), points, (program, text) =>
        check(program, parsePoints(text)),
      ),
      { seed: 2, numRuns: runs },
    )
  })
})

/**
 * Of the races with the earliest second access, the one with the latest first access: up to there the execution can be
 * rearranged at will. The second access has seen what the first one did and might otherwise be another.
 */
function firstRaces(races: readonly RaceRecord[]): RaceRecord[] {
  const later = Math.min(...races.map((race) => race.sighting!.events[1]))
  const candidates = races.filter((race) => race.sighting!.events[1] === later)
  const earlier = Math.max(...candidates.map((race) => race.sighting!.events[0]))
  return candidates.filter((race) => race.sighting!.events[0] === earlier)
}

/** All that the claims below are about, for one program; null when it has too many interleavings. */
function everything(program: Program, limit = mostExecutions) {
  const machine = machineOf(program)
  const adjacent = new Set<string>()
  const reported = { pure: new Map<string, number>(), limited: new Map<string, number>() }
  const first: string[] = []
  const lost: string[] = []
  const complete = interleave(
    machine,
    (runner) => {
      for (const pair of adjacentPairs(machine, runner)) adjacent.add(pair)
      const [pure, limited] = kinds.map((kind) => inExecution(kind, runner))
      const names = { pure: pure.map(recordName), limited: limited.map(recordName) }
      for (const kind of kinds) {
        for (const name of names[kind]) reported[kind].set(name, (reported[kind].get(name) ?? 0) + 1)
      }
      lost.push(...names.pure.filter((name) => !names.limited.includes(name)))
      first.push(...firstRaces(pure).map(recordName))
    },
    limit,
  )
  return complete ? { adjacent, reported, first, lost } : null
}

describe('detectors against all interleavings', () => {
  /** Primitives that let a thread act by what another did, other than by blocking. */
  const communicating: Primitive[] = [
    'trylock',
    'errorcheck',
    'branch',
    'spin',
    'assert',
    'misuse',
    'timed',
    'spurious',
    'atomic',
  ]
  const silent: Primitive[] = ['output', 'invariant']

  test(
    'the first race that pure reports is real, all real ones are reported, limited misses none of them',
    () => {
      let programs = 0
      let racy = 0
      let falseAlarms = 0
      let alarms = 0
      fc.assert(
        fc.property(randomProgram({ without: silent, maxInterleavings: 300 }), (program) => {
          const result = everything(program)
          if (result === null) return
          programs++
          const { adjacent, reported, first, lost } = result
          for (const name of first) expect(adjacent, 'first race of pure').toContain(name)
          for (const name of adjacent) {
            expect([...reported.pure.keys()], 'pure').toContain(name)
            expect([...reported.limited.keys()], 'limited').toContain(name)
            expect(reported.limited.get(name)!).toBeGreaterThanOrEqual(reported.pure.get(name)!)
          }
          expect(lost, 'pure reports it and limited does not').toEqual([])
          if (adjacent.size === 0) expect([...reported.pure.keys()], 'a program without races').toEqual([])
          else racy++
          alarms += reported.limited.size
          falseAlarms += [...reported.limited.keys()].filter((name) => !adjacent.has(name)).length
        }),
        { seed: 9, numRuns: runs * 4 },
      )
      console.log(
        `${programs} programs, ${racy} with races; limited: ${alarms} pairs, ${falseAlarms} false alarms`,
      )
      expect(racy).toBeGreaterThan(programs / 4)
      expect(falseAlarms).toBeGreaterThan(0)
    },
    timeout,
  )

  test(
    'limited raises no false alarm where threads do not act on what others did',
    () => {
      fc.assert(
        fc.property(
          randomProgram({
            without: [...silent, ...communicating, 'recursive', 'loop'],
            maxInterleavings: 300,
          }),
          (program) => {
            // Waiting in a loop until something is set is acting on it.
            if (/"(while|if)"/.test(JSON.stringify(program))) return
            const result = everything(program)
            if (result === null) return
            for (const name of result.reported.limited.keys()) expect(result.adjacent).toContain(name)
          },
        ),
        { seed: 4, numRuns: runs * 2 },
      )
    },
    timeout,
  )
})
