import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import { type HeapMode, heapModes } from '../../src/machine/platform.js'
import { type RaceKind, raceDetector, raceKinds } from '../../src/races/index.js'
import { createStrategy } from '../../src/strategies/index.js'
import { load } from '../wasm-machine/support.js'

/** In the order of `cases` in tests/c/races.c. */
const cases = [
  'figure 5',
  'figure 6',
  'release, acquire',
  'relaxed, acquire',
  'release, relaxed',
  'fences',
  'failing, acquire',
  'failing, relaxed',
  'passed on',
  'ranges',
  'memset',
  'plain and atomic',
  'free',
  'once',
] as const

interface Options {
  readonly heap?: HeapMode
  readonly strategy?: string
  readonly maxExecutions?: number
}

const racing = (name: (typeof cases)[number], kind: RaceKind, options: Options = {}) =>
  racingIn('races', cases.indexOf(name), kind, options)

/** Pairs of functions that race, each once. */
async function racingIn(
  program: string,
  number: number,
  kind: RaceKind,
  options: Options = {},
): Promise<string[]> {
  const { heap = 'fresh', strategy = 'optimal', maxExecutions = 100_000 } = options
  const machine = await load(program, { args: [String(number)], platform: { heap } })
  const detector = raceDetector(kind, machine)
  explore({
    machine,
    strategy: createStrategy(strategy, { machine }),
    observers: [detector],
    keepGoing: true,
    maxExecutions,
  })
  const functions = new Map(machine.sites.map((site) => [site.name, site.function]))
  const pairs = detector.table.toData().map(({ a, b }) =>
    [a, b]
      .map(({ site }) => functions.get(site))
      .sort()
      .join(' / '),
  )
  return [...new Set(pairs)].sort()
}

describe('figures 5 and 6, with freed memory reused at once', () => {
  const firstThreadFirst = { heap: 'reuse', strategy: 'dfs', maxExecutions: 1 } as const

  test.each(raceKinds())('%s: memory given out again is not what it was (figure 5)', async (kind) => {
    expect(await racing('figure 5', kind, firstThreadFirst)).toEqual([])
    expect(await racing('figure 5', kind, { heap: 'reuse' })).toEqual([])
  })

  test('limited: the same rule hides the race of figure 6 in the run in which memory was given out again', async () => {
    expect(await racing('figure 6', 'limited', firstThreadFirst)).toEqual([])
  })

  test.each(raceKinds())('%s: yet another schedule of figure 6 shows it', async (kind) => {
    expect(await racing('figure 6', kind, { heap: 'reuse' })).toEqual([
      'allocate_and_write_published / publish_write_free',
    ])
  })

  test.each(raceKinds())('%s: and so does one where memory is never given out again', async (kind) => {
    expect(await racing('figure 6', kind, { heap: heapModes[0] })).toEqual([
      'allocate_and_write_published / publish_write_free',
    ])
  })
})

describe('C11 orders as compiled', () => {
  test.each<[(typeof cases)[number], string[]]>([
    ['release, acquire', []],
    ['relaxed, acquire', ['receive / send_relaxed']],
    ['release, relaxed', ['receive_relaxed / send']],
    ['fences', []],
    ['failing, acquire', []],
    ['failing, relaxed', ['receive_failing_relaxed / send']],
    ['passed on', []],
  ])('%s: %j', async (name, expected) => {
    expect(await racing(name, 'pure')).toEqual(expected)
  })

  test('limited sees no order in atomics', async () => {
    expect(await racing('release, acquire', 'limited')).toEqual(['receive / send'])
  })
})

describe('ranges', () => {
  test.each(raceKinds())(
    '%s: accesses of other sizes that share bytes race, neighbours do not',
    async (kind) => {
      expect(await racing('ranges', kind)).toEqual(['write_second_byte / write_whole'])
    },
  )

  test.each(raceKinds())('%s: what the library does for a thread counts', async (kind) => {
    expect(await racing('memset', kind)).toEqual(['clear_all / write_last_byte'])
  })

  test.each(raceKinds())('%s: an atomic races with a plain access to a part of it', async (kind) => {
    expect(await racing('plain and atomic', kind)).toEqual(['read_atomically / write_second_byte'])
  })

  test.each(raceKinds())('%s: freeing is a write to the whole block', async (kind) => {
    expect(await racing('free', kind)).toEqual(['just_free / just_read'])
  })
})

test.each(raceKinds())('%s: what runs once is ordered before all that wait for it', async (kind) => {
  expect(await racing('once', kind)).toEqual([])
})

describe('atomic sections', () => {
  test.each(raceKinds())('%s: do not race with each other', async (kind) => {
    expect(await racingIn('race-sections', 0, kind)).toEqual([])
  })

  test.each(raceKinds())('%s: race with what is in none', async (kind) => {
    expect(await racingIn('race-sections', 1, kind)).toEqual(['add_in_section / add_outside'])
  })

  test('order what was done before one and after another that sees what it wrote', async () => {
    expect(await racingIn('race-sections', 2, 'pure')).toEqual([])
    expect(await racingIn('race-sections', 3, 'pure')).toEqual(['hand_on / take_at_once'])
  })
})
