import fc from 'fast-check'
import { expect, test } from 'vitest'
import { times } from '../support/effort.js'
import { inc, lastzero } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { schedules } from '../support/resumed.js'

const specs = ['dfs', 'dpor', 'dpor:no-sleep', 'source', 'optimal', 'icb', 'delay']

test.each(specs)(
  '%s: saved and resumed at every tenth execution, the same executions and none twice',
  (spec) => {
    for (const program of [inc(3), lastzero(4)]) {
      const whole = schedules({ spec, program })
      expect(schedules({ spec, program, interval: 10 })).toEqual(whole)
      expect(new Set(whole).size).toBe(whole.length)
    }
  },
)

test.each(specs)('%s: the same on random programs, resumed after every execution', (spec) => {
  // Without a reduction, small programs have as many executions as larger ones have with it.
  const maxInterleavings = spec === 'dfs' || spec === 'delay' ? 50 : 300
  const property = fc.property(randomProgram({ maxInterleavings }), (program) => {
    expect(schedules({ spec, program, interval: 1 })).toEqual(schedules({ spec, program }))
  })
  fc.assert(property, { seed: 5, numRuns: times(60) })
})
