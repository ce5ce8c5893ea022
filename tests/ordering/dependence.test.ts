import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { LocationTable } from '../../src/machine/names.js'
import { Mode } from '../../src/machine/operation.js'
import { parsePoints } from '../../src/machine/points.js'
import { locationsMeet, modesConflict } from '../../src/ordering/dependence.js'
import { Random } from '../../src/random/random.js'
import { type Recording, randomly, record, recordAll } from '../contract/recording.js'
import { type Primitive, randomProgram } from '../support/random-program.js'
import {
  type Entry,
  findWrong,
  label,
  type Relation,
  type Tally,
  table,
  without,
  withoutEdge,
} from './commutation.js'
import { edges, entries, needless } from './entries.js'

/** Programs of all primitives, and of few, so that their operations meet more often. */
const families: { readonly only?: readonly Primitive[]; readonly runs: number }[] = [
  { runs: 250 },
  { only: ['memory', 'atomic', 'choose', 'create'], runs: 60 },
  { only: ['mutex', 'trylock', 'recursive', 'errorcheck', 'timed', 'misuse'], runs: 60 },
  { only: ['rwlock', 'memory', 'output'], runs: 60 },
  { only: ['condition', 'mutex', 'timed', 'spurious'], runs: 80 },
  { only: ['semaphore', 'timed', 'barrier', 'create'], runs: 60 },
  { only: ['spin', 'trylock', 'memory', 'yield', 'invariant'], runs: 80 },
]

const executionsEach = 4

function forRandomExecutions(
  seed: number,
  visit: (machine: Machine, recording: Recording, program: Program, n: number) => void,
): number {
  let executions = 0
  for (const [f, { only, runs }] of families.entries()) {
    const programs = fc.sample(randomProgram(only ? { only } : {}), { seed: seed + f, numRuns: runs })
    for (const [i, program] of programs.entries()) {
      const machine = modelMachine(program)
      const random = new Random(seed + i)
      for (let k = 0; k < executionsEach; k++) {
        visit(machine, record(machine, randomly(random), { withoutStops: true }), program, executions++)
      }
    }
  }
  return executions
}

const pointSets = ['yield', 'lock', 'unlock', 'sync', 'yield,lock,unlock,sync,atomic']

describe('independent operations', () => {
  test('can change places in random executions, and dependent ones give another class', () => {
    const tally: Tally = { independent: 0, dependent: 0, fixed: 0 }
    const executions = forRandomExecutions(11, (machine, { steps }, program) => {
      const wrong = findWrong(machine, steps, table, tally)
      if (wrong !== null) expect.fail(`${wrong}\nin ${JSON.stringify(program)}`)
    })
    expect(executions).toBeGreaterThan(2000)
    expect(tally.independent).toBeGreaterThan(5000)
    expect(tally.dependent).toBeGreaterThan(500)
    expect(tally.fixed).toBeGreaterThan(1000)
  })

  test('can change places when transitions are longer', () => {
    const tally: Tally = { independent: 0, dependent: 0, fixed: 0 }
    forRandomExecutions(23, (machine, _, program, n) => {
      if (n % executionsEach !== 0) return
      machine.usePoints(parsePoints(pointSets[(n / executionsEach) % pointSets.length]))
      const { steps } = record(machine, randomly(new Random(n)), { withoutStops: true })
      const wrong = findWrong(machine, steps, table, tally)
      if (wrong !== null) expect.fail(`${wrong}\nin ${JSON.stringify(program)}`)
    })
    expect(tally.independent).toBeGreaterThan(500)
    expect(tally.dependent).toBeGreaterThan(200)
  })
})

/** The first execution of all in which the relation is wrong. */
function firstWrong(program: Program, relation: Relation): string | null {
  const machine = modelMachine(program)
  const executions: Recording[] = []
  const complete = recordAll(machine, (recording) => executions.push(recording), { withoutStops: true })
  expect(complete).toBe(true)
  for (const { steps } of executions) {
    const wrong = findWrong(machine, steps, relation)
    if (wrong !== null) return wrong
  }
  return null
}

const keyOf = ({ object, pair }: Entry) => `${object}: ${[...pair].sort().join(', ')}`

describe('somebody can tell if the table lacks', () => {
  test.each(entries.map((entry) => [entry.object, ...entry.pair, entry] as const))(
    '%s: %s with %s',
    (_, __, ___, entry) => {
      expect(firstWrong(entry.program, table)).toBeNull()
      expect(firstWrong(entry.program, without(entry))).not.toBeNull()
    },
  )

  test.each(edges)('the order that $edge makes', ({ edge, program }) => {
    expect(firstWrong(program, table)).toBeNull()
    expect(firstWrong(program, withoutEdge(edge))).not.toBeNull()
  })

  test('anything that random programs run into, but for a few entries that nobody needs', () => {
    const listed = new Set([...entries, ...needless].map(keyOf))
    const missing = new Set<string>()
    const relaxed: Relation = {
      ...table,
      dependent: (machine, a, b) => needless.every((entry) => without(entry).dependent(machine, a, b)),
    }
    const needlessKeys = new Set(needless.map(keyOf))
    let relaxedPairs = 0
    forRandomExecutions(37, (machine, { steps }, program) => {
      let relaxes = false
      for (let i = 0; i + 1 < steps.length; i++) {
        if (steps[i].thread === steps[i + 1].thread) continue
        for (const a of steps[i].events) {
          for (const b of steps[i + 1].events) {
            if (a.location < 0 || a.location !== b.location || !modesConflict(a.mode, b.mode)) continue
            const key = keyOf({ object: machine.locations.kinds[a.location], pair: [label(a), label(b)] })
            if (!listed.has(key)) missing.add(key)
            relaxes ||= needlessKeys.has(key)
          }
        }
      }
      if (!relaxes) return
      relaxedPairs++
      const wrong = findWrong(machine, steps, relaxed)
      if (wrong !== null) expect.fail(`needed after all: ${wrong}\nin ${JSON.stringify(program)}`)
    })
    expect([...missing]).toEqual([])
    expect(relaxedPairs).toBeGreaterThan(20)
  })

  test('any two modes of any kind of object', () => {
    const modes = new Map<string, Set<number>>()
    forRandomExecutions(41, (machine, { steps }) => {
      for (const { events } of steps) {
        for (const { location, mode } of events) {
          if (location < 0) continue
          const kind = machine.locations.kinds[location]
          modes.set(kind, (modes.get(kind) ?? new Set()).add(mode))
        }
      }
    })
    const names = Object.entries(Mode)
    const nameOf = (mode: number) => names.find(([, m]) => m === mode)![0]
    const needed = new Set<string>()
    for (const [kind, used] of modes) {
      for (const a of used) {
        for (const b of used) {
          if (modesConflict(a, b)) needed.add(`${kind}: ${[nameOf(a), nameOf(b)].sort().join(', ')}`)
        }
      }
    }
    const shown = new Set(
      entries.map(({ object, pair }) => {
        const modesOf = pair.map((name) => name.slice(name.lastIndexOf(' ') + 1))
        return `${object}: ${modesOf.sort().join(', ')}`
      }),
    )
    expect([...needed].filter((entry) => !shown.has(entry))).toEqual([])
    expect([...modes.keys()].sort()).toEqual(
      ['memory', 'mutex', 'rwlock', 'condition', 'semaphore', 'barrier', 'output', 'invariant'].sort(),
    )
  })
})

describe('the table', () => {
  test('is symmetric, and nothing conflicts with what touches nothing', () => {
    for (const a of Object.values(Mode)) {
      for (const b of Object.values(Mode)) expect(modesConflict(a, b)).toBe(modesConflict(b, a))
      expect(modesConflict(a, Mode.none)).toBe(false)
    }
  })

  test('leaves reads with reads and commuting changes with their own kind independent', () => {
    expect(modesConflict(Mode.read, Mode.read)).toBe(false)
    expect(modesConflict(Mode.commute, Mode.commute)).toBe(false)
  })

  test('knows locations that share bytes', () => {
    const locations = new LocationTable()
    const [word, half, other] = ['0..4', '2..4', '4..8'].map((key) => locations.intern('memory', key))
    expect(locationsMeet(locations, word, half)).toBe(false)
    locations.addOverlap(word, half)
    expect(locationsMeet(locations, word, half)).toBe(true)
    expect(locationsMeet(locations, half, word)).toBe(true)
    expect(locationsMeet(locations, word, other)).toBe(false)
    expect(locationsMeet(locations, -1, word)).toBe(false)
  })
})
