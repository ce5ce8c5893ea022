import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
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
