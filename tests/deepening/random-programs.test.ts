import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bruteForce } from '../support/brute-force.js'
import { isFull, times } from '../support/effort.js'
import { engine } from '../support/engine.js'
import { randomProgram } from '../support/random-program.js'
import { type Deepened, deepen } from './deepen.js'

const runs = times(30)
const maxInterleavings = isFull ? 2000 : 500
const seed = 20261116
const timeout = 3_600_000

/** Distinct places: a bug of the brute force is told with state and thread, which jobs do not keep apart. */
function places(bugs: Iterable<string>, deepened: Deepened): string[] {
  const sites = new Set(deepened.machine.sites.map((site) => site.name))
  return [...bugs].map((text) => {
    const [line] = text.split('\n')
    const [kind, , site] = line.split(' ')
    return sites.has(site) ? `${kind} ${site}` : kind
  })
}

function kindsAndSites(deepened: Deepened): Set<string> {
  return new Set(
    deepened.run.bugs.map(({ found }) => (found.site === null ? found.kind : `${found.kind} ${found.site}`)),
  )
}

test.each([
  { races: 'limited', trial: 0 },
  { races: 'limited', trial: 0.25 },
  { races: 'pure', trial: 0 },
  { races: 'pure', trial: 0.25 },
] as const)(
  'run to its end, deepening reaches what preempting everywhere reaches: $races, maximal trial $trial',
  async ({ races, trial }) => {
    let programs = 0
    const property = fc.asyncProperty(randomProgram({ maxInterleavings }), async (program) => {
      const all = bruteForce(engine.modelMachine(program), 4000)
      if (all === null) return
      programs++
      const found = await deepen(program, { races, board: { trial } })
      expect(found.stopped).toBe('exhausted')
      expect(found.isWhole).toBe(true)
      // Verified exactly when there is no bug; a thread that the end of the program cut short is said, not passed over.
      const isAll = found.run.counters.unfinished === 0
      expect(found.verdict).toBe(all.bugs.size > 0 ? 'bug' : isAll ? 'verified' : 'bounded')
      expect([...found.finalStates].sort()).toEqual([...all.finalStates].sort())
      expect([...kindsAndSites(found)].sort()).toEqual([...new Set(places(all.bugs, found))].sort())
    })
    await fc.assert(property, { seed, numRuns: runs })
    expect(programs).toBeGreaterThan(runs * 0.7)
  },
  timeout,
)
