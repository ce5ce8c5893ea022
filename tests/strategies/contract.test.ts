import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { parseSchedule, recordSchedule } from '../../src/execution/schedule.js'
import type { ChoicePoint, Strategy } from '../../src/execution/strategy.js'
import { modelMachine } from '../../src/frontends/model/index.js'
import type { Program } from '../../src/frontends/model/program.js'
import type { Machine } from '../../src/program/machine.js'
import { everywhere } from '../../src/program/points.js'
import { createStrategy, loadStrategy, strategies } from '../../src/strategies/index.js'
import { replay } from '../../src/strategies/replay.js'
import { randomProgram } from '../support/random-program.js'

/** What every strategy of the registry must do, on random programs over all primitives. */

const executions = 25
const programs = { seed: 11, numRuns: 30 }

function machineOf(program: Program): Machine {
  const machine = modelMachine(program)
  machine.usePoints(everywhere)
  return machine
}

/** Everything an execution did, by name. */
function describeExecution({ trace, machine, status, bug }: Runner): string {
  const { events } = trace
  const steps = Array.from(
    { length: trace.length },
    (_, i) => `${machine.threads.names[trace.thread[i]]}=${trace.value[i]}`,
  )
  const log = Array.from({ length: events.count }, (_, i) => {
    const location = events.location[i] < 0 ? '' : machine.locations.keys[events.location[i]]
    return `${events.kind[i]} ${events.mode[i]} ${location} ${machine.sites[events.site[i]]?.name} ${events.aux[i]}`
  })
  return JSON.stringify({ steps, log, status, bug: bug?.message, state: machine.finalState() })
}

/** Runs up to `limit` executions; each as text. */
function run(machine: Machine, strategy: Strategy, limit = executions): string[] {
  const runner = new Runner(machine, { observers: [{ footprints: true }] })
  const ran: string[] = []
  while (ran.length < limit && runner.run(strategy)) ran.push(describeExecution(runner))
  return ran
}

/** Fails if a choice is not an option of its point. */
function checkingRange(inner: Strategy): Strategy {
  const choose = inner.choose.bind(inner)
  inner.choose = (point: ChoicePoint) => {
    expect(point.count).toBeGreaterThan(0)
    const option = choose(point)
    expect(Number.isInteger(option)).toBe(true)
    expect(option).toBeGreaterThanOrEqual(-1)
    expect(option).toBeLessThan(point.count)
    return option
  }
  return inner
}

describe.each(strategies.map((entry) => entry.name))('%s', (name) => {
  const each = (check: (program: Program) => void) => {
    fc.assert(fc.property(randomProgram({ maxInterleavings: 500 }), check), programs)
  }

  it('does the same again with the same seed, and chooses among the options', () => {
    each((program) => {
      const [one, two] = [machineOf(program), machineOf(program)]
      const first = run(one, checkingRange(createStrategy(name, { machine: one, seed: 5 })))
      expect(first.length).toBeGreaterThan(0)
      expect(run(two, createStrategy(name, { machine: two, seed: 5 }))).toEqual(first)
    })
  })

  it('goes on exactly after being saved and read back in another process', () => {
    each((program) => {
      const whole = machineOf(program)
      const all = run(whole, createStrategy(name, { machine: whole, seed: 5 }))
      const before = machineOf(program)
      const strategy = createStrategy(name, { machine: before, seed: 5 })
      const first = run(before, strategy, 7)
      const saved = JSON.parse(JSON.stringify(strategy.save()))
      const after = machineOf(program)
      // Discovered in another order, indexes differ.
      run(after, createStrategy('random', { machine: after, seed: 99 }), 3)
      const threads = after.threads.preload(before.threads.names)
      const locations = after.locations.preload(before.locations.entries())
      const loaded = loadStrategy(name, saved, {
        machine: after,
        order: 'stay',
        threadHere: (index) => threads[index],
        locationHere: (index) => locations[index],
      })
      expect([...first, ...run(after, loaded, executions - first.length)]).toEqual(all)
    })
  })

  it('makes executions that replay, by name, in another process', () => {
    each((program) => {
      const machine = machineOf(program)
      const runner = new Runner(machine, { observers: [{ footprints: true }] })
      const strategy = createStrategy(name, { machine, seed: 5 })
      for (let i = 0; i < 5 && runner.run(strategy); i++) {
        if (runner.status === 'blocked') continue
        const expected = describeExecution(runner)
        const { thread, value, length } = runner.trace
        const [threads, values] = [thread.slice(0, length), value.slice(0, length)]
        const recorder = machineOf(program)
        const names = recorder.threads.preload(machine.threads.names)
        const schedule = recordSchedule(
          recorder,
          threads.map((t) => names[t]),
          values,
        )
        const other = machineOf(program)
        const replayed = run(other, replay(parseSchedule(JSON.parse(JSON.stringify(schedule))), other))
        expect(replayed).toEqual([expected])
      }
    })
  })
})
