import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Saved } from '../../src/execution/strategy.js'
import type { Program } from '../../src/frontends/model/program.js'
import { engine } from '../support/engine.js'
import { inc, lastzero } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'

const limit = 400

/** Schedules of all executions, in order; saved through JSON and read back in a fresh machine at every `interval`. */
function schedules(spec: string, program: Program, interval: number): string[] {
  const found: string[] = []
  let machine = engine.modelMachine(program)
  let strategy = engine.createStrategy(spec, { machine })
  while (found.length < limit) {
    const result = engine.explore({
      machine,
      strategy,
      keepGoing: true,
      maxExecutions: Math.min(interval, limit - found.length),
      maxSteps: 400,
      onExecution({ trace, status, machine: { threads } }) {
        const steps = Array.from(
          { length: trace.length },
          (_, i) => `${threads.names[trace.thread[i]]}=${trace.value[i]}`,
        )
        found.push(`${status} ${steps.join(' ')}`)
      },
    })
    if (result.exhausted) return found
    const saved = JSON.parse(JSON.stringify(strategy.save())) as Saved
    const threads = [...machine.threads.names]
    const locations = machine.locations.entries()
    machine = engine.modelMachine(program)
    // Discovered in another order here: indexes differ, names do not.
    const threadMap = machine.threads.preload(threads)
    const locationMap = machine.locations.preload(locations)
    strategy = engine.loadStrategy(spec, saved, {
      machine,
      order: 'stay',
      threadHere: (t) => threadMap[t],
      locationHere: (l) => locationMap[l],
    })
  }
  return found
}

const specs = ['dfs', 'dpor', 'dpor:no-sleep', 'source', 'optimal', 'icb', 'delay']

test.each(specs)(
  '%s: saved and resumed at every tenth execution, the same executions and none twice',
  (spec) => {
    for (const program of [inc(3), lastzero(4)]) {
      const whole = schedules(spec, program, Infinity)
      expect(schedules(spec, program, 10)).toEqual(whole)
      expect(new Set(whole).size).toBe(whole.length)
    }
  },
)

test.each(specs)('%s: the same on random programs, resumed after every execution', (spec) => {
  const property = fc.property(randomProgram({ maxInterleavings: 300 }), (program) => {
    expect(schedules(spec, program, 1)).toEqual(schedules(spec, program, Infinity))
  })
  fc.assert(property, { seed: 5, numRuns: 60 })
})
