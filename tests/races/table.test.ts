import { describe, expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { create, join, load, lock, loop, store, unlock } from '../../src/frontends/model/build.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import { everywhere } from '../../src/machine/points.js'
import {
  isBothOrder,
  pointBefore,
  type RaceRecord,
  RaceTable,
  raceDetector,
  raceKinds,
  racePoints,
  witnessRace,
} from '../../src/races/index.js'
import { mostPairs, mostSitePairs } from '../../src/races/race-table.js'
import type { ThreadClocks } from '../../src/races/thread-clocks.js'
import { racyAccesses } from '../../src/runs/racy-accesses.js'
import { createStrategy } from '../../src/strategies/index.js'
import { detect, pairs } from './detect.js'

const counter: Program = {
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  threads: {
    a: [lock('m'), load('x', 'r'), store('x', 1), unlock('m')],
    b: [load('x', 'r'), store('x', 2)],
  },
}

function explored(program: Program, executions = Infinity) {
  const machine = modelMachine(program)
  machine.usePoints(everywhere)
  const detector = raceDetector('pure', machine)
  const runner = new Runner(machine, { observers: [detector] })
  const strategy = createStrategy('optimal', { machine })
  const versions: number[] = []
  for (let n = 0; n < executions && runner.run(strategy); n++) versions.push(detector.table.version)
  return { machine, table: detector.table, versions }
}

describe('the table of races', () => {
  test('tells what is new by its version, and what was seen at once', () => {
    const { table, versions } = explored(counter)
    expect(table.count).toBe(3)
    // Three pairs, each in two orders.
    expect(table.version).toBe(6)
    expect(versions[0]).toBe(3)
    expect(versions.every((v, i) => i === 0 || v >= versions[i - 1])).toBe(true)
    for (const race of table.toData()) {
      expect(race.atOnce).toBe(race.execution === 1)
      expect(race.aFirst + race.bFirst).toBeGreaterThanOrEqual(2)
      expect(race.aFirst + race.bFirst).toBeLessThanOrEqual(2 * table.executions)
    }
  })

  test('is plain data that another table takes in', () => {
    const { machine, table } = explored(counter)
    const records = JSON.parse(JSON.stringify(table.toData())) as RaceRecord[]
    expect(records).toEqual(table.toData())
    const other = new RaceTable(modelMachine(counter))
    other.merge(records)
    expect(other.toData()).toEqual(records)
    expect(other.version).toBe(table.version)
    const { version } = other
    other.merge(records)
    expect(other.version, 'nothing is new').toBe(version)
    expect(other.toData().map((r) => r.aFirst)).toEqual(records.map((r) => 2 * r.aFirst))
    expect(machine.sites.length).toBeGreaterThan(0)
  })

  test('merges halves of a search into what one search sees', () => {
    const whole = explored(counter).table
    const half = explored(counter, 1).table
    const merged = new RaceTable(modelMachine(counter))
    merged.merge(half.toData())
    const before = merged.version
    merged.merge(whole.toData())
    expect(merged.version).toBeGreaterThan(before)
    expect(pairs(merged)).toEqual(pairs(whole))
  })

  test('keeps sites that are not known here', () => {
    const { table } = explored(counter)
    const renamed = table.toData().map((race) => ({ ...race, a: { ...race.a, site: 'elsewhere:1' } }))
    const other = new RaceTable(modelMachine(counter))
    other.merge(renamed)
    expect(other.toData()[0].a.site).toBe('b:0')
    expect(other.toData()[0].b.site).toBe('elsewhere:1')
  })

  test('says where to preempt: before the earlier access, and before the later once both orders were seen', () => {
    const single = explored(counter, 1).table.toData()
    expect(single.some(isBothOrder)).toBe(false)
    for (const race of single) {
      const first = race.aFirst > 0 ? race.a : race.b
      expect(racePoints(race)).toEqual([pointBefore(first)])
      expect(pointBefore(first)).toEqual({ site: first.site, thread: first.thread })
    }
    for (const race of explored(counter).table.toData()) expect(racePoints(race)).toHaveLength(2)
  })

  test('leads back to the first sighting: what was done there, by whom, with which locks', () => {
    const { machine, table } = explored(counter)
    for (const race of table.toData()) {
      const witness = witnessRace(machine, race)!
      for (const [side, seen] of [
        [race.a, witness.a],
        [race.b, witness.b],
      ] as const) {
        expect(seen.operation).toBe(side.write ? 'write' : 'read')
        expect(seen.locks).toEqual(side.site.startsWith('a:') ? ['mutex m'] : [])
        expect(seen.frames.map((frame) => frame.function)).toEqual([side.site[0]])
      }
      expect(machine.points).toBe(everywhere)
    }
  })
})

describe('detectors over many executions', () => {
  test.each(['optimal', 'dfs', 'pos'])(
    '%s: going on from the last execution is as good as looking at all of it',
    (name) => {
      const program: Program = {
        variables: { x: 0, y: 0 },
        mutexes: { m: 'plain' },
        threads: {
          a: [lock('m'), store('x', 1), unlock('m'), store('y', 1)],
          b: [load('y', 'r'), lock('m'), load('x', 'r'), unlock('m')],
          c: [store('x', 2)],
        },
      }
      const machine = modelMachine(program)
      machine.usePoints(everywhere)
      const lasting = raceDetector('pure', machine)
      const sum = new RaceTable(machine)
      const each = {
        footprints: true,
        end(...execution: Parameters<NonNullable<typeof lasting.end>>) {
          const fresh = raceDetector('pure', machine)
          fresh.end!(...execution)
          sum.merge(fresh.table.toData())
        },
      }
      const runner = new Runner(machine, { observers: [lasting, each] })
      const strategy = createStrategy(name, { machine, seed: 1 })
      for (let n = 0; n < 200 && runner.run(strategy); n++);
      const said = (table: RaceTable) =>
        table.toData().map(({ a, b, aFirst, bFirst, object }) => ({ a, b, aFirst, bFirst, object }))
      expect(said(lasting.table)).toEqual(said(sum))
      expect(sum.count).toBe(3)
    },
  )

  test.each(raceKinds())('%s: numbers that start anew change nothing', (kind) => {
    const machine = modelMachine(counter)
    machine.usePoints(everywhere)
    const detector = raceDetector(kind, machine)
    const { clocks } = (detector as unknown as { order: { clocks: ThreadClocks } }).order
    const runner = new Runner(machine, { observers: [detector] })
    let restarts = 0
    for (let round = 0; round < 3; round++) {
      const strategy = createStrategy('optimal', { machine })
      while (runner.run(strategy)) {
        const before = clocks.base
        if (detector.table.executions % 4 === 0) {
          // Numbers start anew only where an execution is looked at from its beginning: other points see to that.
          machine.usePoints({ ...everywhere })
          clocks.base = 2 ** 30 - 5
        } else if (before < 1000 && detector.table.executions > 4) restarts++
      }
    }
    expect(restarts).toBeGreaterThan(0)
    const plain = detect(counter, kind)
    expect(pairs(detector.table)).toEqual(pairs(plain))
    const times = (table: RaceTable) => table.toData().map((r) => [r.aFirst, r.bFirst])
    expect(times(detector.table)).toEqual(times(plain).map(([a, b]) => [3 * a, 3 * b]))
  })

  test.each(raceKinds())('%s: more threads than there is room for at first', (kind) => {
    const names = Array.from({ length: 20 }, (_, i) => `t${i}`)
    const program: Program = {
      variables: { x: 0, y: 0 },
      threads: {
        main: [
          store('y', 1),
          ...names.map((name) => create(name)),
          ...names.map((name) => join(name)),
          load('x', 'r'),
        ],
        ...Object.fromEntries(names.map((name) => [name, [load('y', 'r'), store('x', 1)]])),
      },
    }
    const table = detect(program, kind, { strategy: 'pos', maxExecutions: 3 })
    // Each pair of children, and nothing with main.
    expect(table.count).toBe((20 * 19) / 2)
  })

  test.each(raceKinds())('%s: what one thread does alone is no race, however often', (kind) => {
    const program: Program = {
      variables: { x: 0 },
      threads: { a: [loop(50, [load('x', 'r'), store('x', 1)])] },
    }
    expect(detect(program, kind).count).toBe(0)
  })
})

describe('very many pairs', () => {
  const names = Array.from({ length: 40 }, (_, i) => `t${i}`)
  const crowd: Program = {
    variables: { x: 0 },
    threads: {
      main: names.flatMap((name) => [create(name), store('x', 1)]),
      ...Object.fromEntries(names.map((name) => [name, [load('x', 'r'), store('x', 2)]])),
    },
  }

  test('do not keep a schedule each, but every two sites have one', () => {
    const machine = modelMachine(crowd)
    machine.usePoints(everywhere)
    const runner = new Runner(machine)
    runner.run(createStrategy('dfs', { machine }))
    const table = new RaceTable(machine)
    table.begin(runner.trace, 0, 0)
    // All threads run the same code, of two sites.
    for (let later = 1; later < 40; later++) {
      for (let earlier = 0; earlier < later; earlier++) {
        table.see(table.accessOf(0, earlier), 0, 1, table.accessOf(0, later), 1, 5, 0)
        table.see(table.accessOf(1, earlier), 1, 2, table.accessOf(0, later), 0, 6, 0)
      }
    }
    const records = table.toData()
    expect(records).toHaveLength(40 * 39)
    const sighted = records.filter((race) => race.sighting !== null)
    expect(sighted.length).toBeLessThanOrEqual(256)
    expect(new Set(sighted.map(({ a, b }) => `${a.site} ${b.site}`)).size).toBe(
      new Set(records.map(({ a, b }) => `${a.site} ${b.site}`)).size,
    )
  })

  test('beyond some thousands, every access and not every pair is kept', () => {
    const count = 90
    const body = (value: number) => Array.from({ length: count }, () => store('x', value))
    const program: Program = {
      variables: { x: 0 },
      threads: { a: body(1), b: body(2), c: body(3) },
    }
    const { table } = explored(program, 1)
    const records = table.toData()
    expect(3 * count * count).toBeGreaterThan(mostSitePairs)
    expect(records.length).toBeGreaterThanOrEqual(mostPairs)
    expect(records.length).toBeLessThanOrEqual(mostSitePairs + 3 * count)
    const accesses = new Set(
      records.flatMap(({ a, b }) => [a, b].map(({ site, thread }) => `${site} ${thread}`)),
    )
    expect(accesses.size).toBe(3 * count)
    const steps = records.reduce((sum, { sighting }) => sum + (sighting?.threads.length ?? 0), 0)
    expect(steps).toBeLessThan(300_000)
    const merged = new RaceTable(modelMachine(program))
    merged.merge(records)
    merged.merge(records)
    expect(merged.count).toBe(records.length)
  })

  test('become each access once', () => {
    const { table } = explored(crowd, 1)
    const accesses = racyAccesses({ races: table.toData(), longSites: [], watched: [] })
    const keys = accesses.map(({ race }) => `${race.site}@${race.thread}`)
    expect(new Set(keys).size).toBe(keys.length)
    expect(keys.length).toBeGreaterThan(40)
  })
})
