import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Random } from '../../src/random/random.js'
import { faultline, folderWith } from '../cli/run.js'
import { isFull, times } from '../support/effort.js'
import { load, outcomes } from '../wasm-machine/support.js'
import { type Broken, endsOfScripts } from './simulator.js'

/** Scripts of `tests/c/interrupts.c`: two threads and a device, or two. */
function randomScripts(seed: number): string[] {
  const random = new Random(seed)
  const pick = (from: string) => from[random.below(from.length)]
  const piece = (isThread: boolean): string => {
    switch (random.below(isThread ? 6 : 2)) {
      case 0:
        return pick('abAB')
      case 1:
        return `${pick('aA')}${pick('01')}`
      case 2:
        return `[${pick('abAB')}${pick('abAB')}]`
      case 3:
        return `[${pick('bzy')}y${pick('AB')}]`
      case 4:
        return `[[${pick('ab')}]${pick('AB')}]`
      default:
        return pick('aAz')
    }
  }
  const script = (isThread: boolean) =>
    Array.from({ length: 1 + random.below(2) }, () => piece(isThread)).join('')
  return [`t${script(true)}`, `t${script(true)}`, `${1 + random.below(2)}${script(false)}`]
}

async function endsIn(scripts: readonly string[], strategy: string): Promise<Set<string>> {
  const machine = await load('interrupts', { args: scripts })
  const { ends } = outcomes(machine, { strategy, limit: 400_000, maxSteps: 5000 })
  const isStuck = (end: string) => /^(?:deadlock|livelock)/.test(end)
  return new Set([...ends.keys()].map((end) => (isStuck(end) ? 'stuck' : end.replace(/^ok /, ''))))
}

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
        expect(await endsIn(scripts, strategy), `${scripts.join(' ')} by ${strategy}`).toEqual(expected[i])
    }
  })

  it.each(['t[ab]', 't[az]', ...(isFull ? ['tab'] : [])])(
    'are the same without reduction: %s',
    async (script) => {
      const scripts = [script, '1Ab0']
      expect(await endsIn(scripts, 'dfs')).toEqual(endsOfScripts(scripts))
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
    const races = async (...scripts: string[]) => {
      const argv = [
        'check',
        'tests/c/interrupts.c',
        '--races',
        detector,
        '--ignore-races',
        'main',
        '--json',
        '--out',
        folderWith({}),
      ]
      const { out } = await faultline(resolve('.'), [...argv, '--', ...scripts])
      return (JSON.parse(out) as { races: { object: string }[] }).races.map(({ object }) => object)
    }
    expect(await races('t[a]', '1a')).toEqual([])
    expect(await races('ta', '1a')).toEqual(['a'])
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
  it.each([
    ['t[w]', /has to wait \(semaphore wait\) with interrupts off/],
    ['t[l]', /waits in a loop with interrupts off/],
    ['t[e]', /is in a loop for too long with interrupts off/],
    ['t[s]', /sleeps with interrupts off/],
    ['1w', /has to wait \(semaphore wait\) in an interrupt handler/],
    ['1s', /sleeps in an interrupt handler/],
    ['1z', /blocks in an interrupt handler/],
    ['1]', /enables interrupts in an interrupt handler/],
    ['1[', /returns from its handler in a region/],
    ['t]', /enables interrupts, which are on/],
    ['t[', /ends with interrupts off/],
  ])('%s', async (script, message) => {
    const { bugs } = outcomes(await load('interrupts', { args: [script], maxLoopVisits: 1000 }), {
      strategy: 'optimal',
    })
    expect(bugs.map(({ kind }) => kind)).toContain('interrupt-misuse')
    expect(bugs.map((bug) => bug.message).join('\n')).toMatch(message)
  })
})
