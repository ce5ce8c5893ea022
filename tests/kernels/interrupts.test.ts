import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { faultline, folderWith } from '../cli/run.js'
import { isFull, times } from '../support/effort.js'
import { endsOf, endsOfRun, gap, misuses, racesOf, randomScripts } from './scripts.js'
import { type Broken, endsOfScripts } from './simulator.js'

/** Five programs of some thousand executions come before the small ones. */
const firstSeed = isFull ? 4100 : 4105
/** The first is how a thread waits for what a handler does. */
const programs = [
  ['t[y]b', '1a0'],
  ...Array.from({ length: times(8) }, (_, i) => randomScripts(firstSeed + i)),
]
/** What a simulator says of each. */
const expected = programs.map((scripts) => endsOfScripts(scripts))
/** For every day one; `dpor` takes the most executions. */
const strategies = isFull ? ['source', 'optimal', 'dpor'] : ['optimal']

describe('interrupts', () => {
  it('come wherever they are on, and nowhere else: random programs by brute force', async () => {
    for (const [i, scripts] of programs.entries()) {
      for (const strategy of strategies)
        expect(await endsOfRun(scripts, { strategy }), `${scripts.join(' ')} by ${strategy}`).toEqual(
          expected[i],
        )
    }
  })

  it.each(['t[ab]', 't[az]', ...(isFull ? ['tab'] : [])])(
    'are the same without reduction: %s',
    async (script) => {
      const scripts = [script, '1Ab0']
      expect(await endsOfRun(scripts, { strategy: 'dfs' })).toEqual(endsOfScripts(scripts))
    },
  )

  it.each<Broken>(['regions', 'handlers', 'nesting', 'blocking', 'times'])(
    'would be noticed to be wrong: %s',
    (rule) => {
      const differ = programs.filter((scripts, i) => {
        const right = expected[i]
        const wrong = endsOfScripts(scripts, rule)
        return right.size !== wrong.size || [...wrong].some((end) => !right.has(end))
      })
      expect(differ.length).toBeGreaterThan(0)
    },
  )

  it.each(['pure', 'limited'])('guard what they keep apart: %s happens-before', async (detector) => {
    expect(await racesOf(detector, ['t[a]', '1a'])).toEqual([])
    expect(await racesOf(detector, ['ta', '1a'])).toEqual(['a'])
  })
})

it('take points everywhere for a proof: two regions are explored in one order, which may hide a race', async () => {
  const argv = ['check', 'tests/c/interrupts.c', '--json', '--out', folderWith({})]
  const verdictOf = async (strategy: string) => {
    const { out } = await faultline(resolve('.'), [...argv, '--strategy', strategy, '--', 'ta[b]', '1b'])
    const { verdict, caveats } = JSON.parse(out) as { verdict: string; caveats: string[] }
    return [verdict, caveats.join()]
  }
  expect(await verdictOf('deepen')).toEqual(['bounded', expect.stringMatching(/interrupts turned off/)])
  expect(await verdictOf('optimal')).toEqual(['verified', ''])
})

describe('what must not be done without interrupts', () => {
  it.each(misuses)('%s', async (scripts, message) => {
    const bugs = [...(await endsOf(scripts.split(' ')))].filter((end) => end.startsWith('interrupt-misuse'))
    expect(bugs.join('\n')).toMatch(message)
  })
})

it('are nobody: a handler that asks for its thread is refused, not told something wrong', async () => {
  await expect(endsOf(['1i'])).rejects.toThrow(/faultline_gettid in an interrupt handler/)
  expect(await endsOf(['ti'])).toEqual(new Set(['ok 0 0 0']))
})

it('another thread comes in at the end of a region, as after an unlock', async () => {
  expect(await endsOfRun(gap.scripts, { points: gap.points })).toContain(gap.end)
  expect(await endsOfRun(gap.scripts, { points: 'lock' })).not.toContain(gap.end)
})
