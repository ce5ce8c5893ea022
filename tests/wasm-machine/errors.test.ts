import { describe, expect, it } from 'vitest'
import { parsePoints } from '../../src/machine/points.js'
import { lineOf, loadCase, outcomes } from './support.js'

const expected: [number: number, kind: string, message: RegExp][] = [
  [1, 'assertion', /^assertion zero == 1 && "one is not zero" failed at tests\/c\/errors\.c:\d+$/],
  [2, 'trap', /abort/],
  [3, 'trap', /division by zero/],
  [4, 'trap', /null pointer/],
  [5, 'trap', /outside memory/],
  [6, 'trap', /must not be reached/],
  [7, 'trap', /stack overflow/],
  [8, 'trap', /not a function of that type/],
  [9, 'livelock', /loop makes no progress/],
  [10, 'livelock', /prints without end/],
  [11, 'exit-code', /exit code 4/],
  [12, 'trap', /stack overflow/],
  [13, 'livelock', /loop makes no progress/],
  [14, 'trap', /not a function of that type/],
  [15, 'trap', /null pointer/],
]

describe('errors of programs', () => {
  it.each(expected)('case %i is a %s', async (number, kind, message) => {
    const line = lineOf('errors', `error ${number} `)
    const machine = await loadCase('errors', number, { maxLoopVisits: 100_000 })
    // Twice: the first must leave nothing behind.
    for (const points of ['yield', 'yield,sync']) {
      machine.usePoints(parsePoints(points))
      const { bugs, executions } = outcomes(machine)
      expect(executions).toBeLessThan(10)
      expect(bugs).toHaveLength(1)
      expect(bugs[0].kind).toBe(kind)
      expect(bugs[0].message).toMatch(message)
      expect(bugs[0].thread).toBe(1)
      expect(machine.sites[bugs[0].site]?.line).toBe(line)
    }
  })
})
