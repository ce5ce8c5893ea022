import { describe, expect, it, test } from 'vitest'
import {
  breakablePackage,
  isRuntime,
  markersInRuntime,
  runtimeFilesWithMarkers,
} from '../support/breakable-package.js'
import { isFull } from '../support/effort.js'
import { changesOf, type Mutation } from '../support/mutated-engine.js'
import { mutations } from './mutations.js'
import { endsOf, endsOfRun, gap, misuses, racesOf, randomScripts, type Tools } from './scripts.js'
import { endsOfScripts } from './simulator.js'

test('rules of the runtime find their places, and no marker is without one', () => {
  const marked = runtimeFilesWithMarkers().flatMap((file) =>
    [...markersInRuntime(file).keys()].map((at) => `${file}: ${at}`),
  )
  const used = mutations.flatMap(changesOf).filter(isRuntime)
  expect(new Set(used.map(({ file, at }) => `${file}: ${at}`))).toEqual(new Set(marked))
})

/** Small ones, with what a simulator says of each. */
const programs = [
  ['t[y]b', '1a0'],
  ['t[a]', 't[A]'],
  ['ta', '1aA'],
  ['t[[a]b]', '1B'],
  ['t[z]', 't0', '2a'],
]
  .concat([4106, 4108].map(randomScripts))
  .map((scripts) => ({ scripts, expected: endsOfScripts(scripts) }))

/** Cases of `tests/c/bare-threads.c` and how they may end. */
const cases: readonly (readonly [number, RegExp, number])[] = [
  [1, /^ok $/, 1],
  [2, /^ok $|(?:dead|live)lock: .*the wake-up of thread 2/, 2],
  [3, /^ok (?:-1|0)$/, 2],
  [7, /^ok |^use-after-free/, 2],
]

const same = (a: ReadonlySet<string>, b: ReadonlySet<string>) =>
  a.size === b.size && [...a].every((item) => b.has(item))

const parts = [
  'frontends/wasm/index.ts',
  'execution/explore.ts',
  'strategies/index.ts',
  'machine/points.ts',
  'cli/main.ts',
]

/** The first check that something is wrong with, or null. */
async function wrong(tools: Tools) {
  for (const [scripts, message] of misuses) {
    const ends = await endsOf(scripts.split(' '), {}, tools)
    if (![...ends].some((end) => end.startsWith('interrupt-misuse') && message.test(end))) return scripts
  }
  for (const [number, ends, count] of cases) {
    const seen = await endsOf(Array(number).fill(''), { program: 'bare-threads' }, tools)
    if (seen.size !== count || [...seen].some((end) => !ends.test(end))) return `case ${number}`
  }
  if (!(await endsOfRun(gap.scripts, { points: gap.points }, tools)).has(gap.end)) return 'gap'
  for (const { scripts, expected } of programs)
    if (!same(await endsOfRun(scripts, {}, tools), expected)) return scripts.join(' ')
  return (await racesOf('pure', ['t[a]', '1a'], tools)).length > 0 ? 'races' : null
}

describe.runIf(isFull)('a broken rule of interrupts or of sleep is noticed', () => {
  const broken = breakablePackage(mutations)

  const faultOf = async (mutation: Mutation | null) => {
    broken.break(mutation)
    const loaded = await Promise.all(parts.map((part) => broken.module<object>(part)))
    const tools = Object.assign({ environment: broken.environment }, ...loaded) as Tools
    try {
      return await wrong(tools)
    } catch (error) {
      return String(error)
    } finally {
      broken.break(null)
    }
  }

  it.each([...mutations])('$what', async (mutation) => {
    expect(await faultOf(mutation)).not.toBeNull()
  })

  it('and nothing is cried of where nothing is broken', async () => {
    expect(await faultOf(null)).toBeNull()
  })
})
