import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'
import { type RaceClass, worstOf } from '../../src/classify/classes.js'
import { classifyRaces } from '../../src/classify/classify.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'

type Known = Record<string, [name: string, program: Program, expected: Record<string, RaceClass>][]>

const { known } = (await import(pathToFileURL('benchmarks/race-classes.js').href)) as { known: Known }

describe.each(Object.entries(known))('%s', (_, programs) => {
  test.each(programs)('%s', (_name, program, expected) => {
    const { races } = classifyRaces(modelMachine(program), { executions: 100 })
    const classes = (object: string) =>
      races.filter(({ cluster }) => cluster.pairs[0].object === object).map((race) => race.class)
    const found = Object.fromEntries(
      Object.keys(expected).map((object) => [object, worstOf(classes(object))]),
    )
    expect(found).toEqual(expected)
  })
})

test('there are ten of each, and ten mixed ones', () => {
  expect(Object.values(known).map((programs) => programs.length)).toEqual([10, 10, 10, 10, 10])
})
