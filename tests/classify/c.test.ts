import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type RaceClass, worstOf } from '../../src/classify/classes.js'
import { type Classification, type ClassifyOptions, classifyRaces } from '../../src/classify/classify.js'
import { load } from '../wasm-machine/support.js'

const lines = readFileSync('tests/c/race-classes.c', 'utf8').split('\n')

/** `value: single-ordering`, by object. */
function classesOf({ races }: Classification): string[] {
  return races.map(({ cluster, class: name }) => `${cluster.pairs[0].object}: ${name}`).sort()
}

async function classify(name: string, options: ClassifyOptions = {}): Promise<Classification> {
  expect(lines.some((line) => line === `  CASE(${name})`)).toBe(true)
  return classifyRaces(await load('race-classes', { args: [name] }), { executions: 100, ...options })
}

/** What the paper says of its figures and small programs, with the notes on those that it gets wrong. */
describe('races of the paper', () => {
  test.each([
    ['figure_1', ['is_done: single-ordering', 'value: single-ordering']],
    // With the table the race does nothing; without it, the array ends between two reads.
    ['figure_6_table', ['id: harmless']],
    ['figure_6', ['id: spec-violated', 'id: spec-violated']],
    ['figure_14a', ['resource: spec-violated', 'resource: spec-violated', 'resource: spec-violated']],
    ['figure_14b', ['is_initialised: harmless']],
    ['figure_14c', ['now: output-differs']],
    ['figure_14d', ['blocks: single-ordering', 'is_ready: single-ordering']],
    ['redundant_writes', ['same: harmless']],
    ['all_values_valid', ['any: harmless']],
    ['disjoint_bits', ['bits: harmless']],
    // A lost update can be seen.
    ['disjoint_bits_seen', ['bits: spec-violated']],
    // Under sequential consistency.
    ['double_checked', ['instance: harmless', 'instance: harmless', 'made: harmless']],
    ['no_sync', ['x17: harmless', 'x17: output-differs', 'x17: output-differs', 'y17: output-differs']],
    ['no_sync_bug', ['x17: harmless', 'x17: harmless', 'x17: harmless', 'y17: harmless']],
    ['sync17', ['x17: harmless']],
  ])('%s', async (name, expected) => {
    expect(classesOf(await classify(name))).toEqual(expected)
  })
})

describe('other races', () => {
  test.each([
    ['lost_update', ['counter: spec-violated']],
    ['hang', ['stopped: spec-violated', 'turn: spec-violated', 'turn: spec-violated']],
    ['array', ['cells: harmless']],
    ['predicate', ['limit: spec-violated', 'limit: spec-violated']],
    ['no_predicate', ['limit: harmless', 'limit: harmless']],
    ['locked', []],
    ['pieces', ['now: output-differs']],
    // Who prints first is left open by more than the race.
    ['free_order', ['any: harmless']],
  ])('%s', async (name, expected) => {
    expect(classesOf(await classify(name))).toEqual(expected)
  })
})

/** Written after the classifier, which was not changed for them; the worst class of each object. */
describe('races that nobody had in mind', () => {
  test.each<[name: string, worst: Record<string, RaceClass>]>([
    ['statistics', { uses: 'harmless' }],
    ['statistics_printed', { uses: 'output-differs' }],
    ['not_made_yet', { made: 'spec-violated' }],
    ['closed_too_early', { is_closed: 'spec-violated' }],
    ['stages', { stage: 'single-ordering', first: 'single-ordering', second: 'single-ordering' }],
    ['locks_in_a_circle', { is_short_way: 'spec-violated' }],
    ['last_writer_printed', { chosen: 'output-differs' }],
    ['any_writer', { chosen: 'harmless' }],
    ['ready_too_early', { is_ready: 'spec-violated', resource: 'spec-violated' }],
    ['never_stopped', { stop: 'spec-violated', seen: 'spec-violated' }],
    ['too_long', { length: 'spec-violated' }],
    ['neighbouring_bits', { fields: 'spec-violated' }],
    ['debug_output', { level: 'output-differs' }],
  ])('%s', async (name, worst) => {
    const { races } = classifyRaces(await load('more-race-classes', { args: [name] }), { executions: 100 })
    for (const [object, expected] of Object.entries(worst)) {
      const classes = races
        .filter(({ cluster }) => cluster.pairs[0].object === object)
        .map((race) => race.class)
      expect([object, classes.length > 0 && worstOf(classes)]).toEqual([object, expected])
    }
  })
})
