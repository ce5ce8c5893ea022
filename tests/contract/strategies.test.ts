import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Runner } from '../../src/execution/runner.js'
import { parseSchedule, recordSchedule } from '../../src/execution/schedule.js'
import type { ChoicePoint, Saved, Strategy } from '../../src/execution/strategy.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'
import type { ObjectKind } from '../../src/machine/names.js'
import { everywhere, type PointSet, parsePoints } from '../../src/machine/points.js'
import { createStrategy, findStrategy, loadStrategy, strategies } from '../../src/strategies/index.js'
import type { OptionOrder } from '../../src/strategies/option-order.js'
import { replay } from '../../src/strategies/replay.js'
import { isFull, times } from '../support/effort.js'
import * as known from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { eventTexts } from './recording.js'

/** Arguments to try as well, where the strategy takes any. */
const argumentsOf: Readonly<Record<string, readonly string[]>> = {
  dpor: ['no-sleep'],
  'best-first': ['rand,pb', 'no-sleep,mdpor', 'var(x),method(t0)'],
  pct: ['2', '3,12', '3,distinct'],
  pos: ['strict'],
  surw: ['object'],
}

const specs = strategies.flatMap(({ name, argument }) => [
  name,
  ...(argument === undefined ? [] : (argumentsOf[name] ?? [])).map((words) => `${name}:${words}`),
])

const promiseOf = (spec: string) => findStrategy(spec).entry.promise
const samplers = specs.filter((spec) => promiseOf(spec) === 'sample')
const searches = specs.filter((spec) => promiseOf(spec) !== 'sample')

/** Exempt from the rule that nothing runs twice, with the reason. */
const mayRepeat: Readonly<Record<string, string>> = Object.fromEntries(
  samplers.map((spec) => [spec, 'draws with replacement']),
)

const knownPrograms: readonly Program[] = [
  known.readers(2),
  known.inc(2),
  known.mutexCounter(2),
  known.ainc(2),
  known.lastzero(2),
]

const randomPrograms: readonly Program[] = fc.sample(randomProgram({ maxInterleavings: 200 }), {
  seed: 29,
  numRuns: times(5),
})

const programs = [...knownPrograms, ...randomPrograms]

/** Executions looked at; most of the programs have fewer. */
const LIMIT = 120
const MAX_STEPS = 300

interface Settings {
  readonly seed?: number
  readonly order?: OptionOrder
  readonly points?: PointSet
}

function start(
  spec: string,
  program: Program,
  { seed = 1, order = 'stay', points = everywhere }: Settings = {},
) {
  const machine = modelMachine(program)
  machine.usePoints(points)
  return { machine, strategy: createStrategy(spec, { machine, seed, order }) }
}

/** Up to `limit` executions; the last element is `end` if the strategy has nothing left. */
function run(machine: Machine, strategy: Strategy, limit: number): string[] {
  const runner = new Runner(machine, { maxSteps: MAX_STEPS })
  const texts: string[] = []
  while (texts.length < limit) {
    if (!runner.run(strategy)) {
      texts.push('end')
      break
    }
    texts.push(describeExecution(runner, strategy))
  }
  return texts
}

function describeExecution({ machine, trace, status, bug }: Runner, strategy: Strategy): string {
  const choices = Array.from(
    { length: trace.length },
    (_, i) => `${machine.threads.names[trace.thread[i]]}=${trace.value[i]}`,
  )
  const rerun = strategy.rerun ? 'rerun ' : ''
  return `${rerun}${status} ${bug?.message ?? ''} ${choices.join(' ')}`
}

describe.each(specs)('%s', (spec) => {
  const limit = promiseOf(spec) === 'sample' ? 40 : LIMIT

  test('does the same with the same seed', () => {
    for (const program of programs) {
      const runs = [1, 2].map(() => {
        const { machine, strategy } = start(spec, program, { seed: 4 })
        return run(machine, strategy, limit)
      })
      expect(runs[1]).toEqual(runs[0])
    }
  })

  test('chooses what there is to choose', () => {
    for (const program of programs) {
      const { machine, strategy } = start(spec, program)
      const choose = strategy.choose.bind(strategy)
      strategy.choose = (point: ChoicePoint) => {
        const option = choose(point)
        const least = promiseOf(spec) === 'sample' ? 0 : -1
        if (!Number.isInteger(option) || option < least || option >= point.count)
          expect.fail(`chose ${option} of ${point.count}`)
        return option
      }
      run(machine, strategy, limit)
    }
  })

  test('has its executions reproduced by their schedules, event by event', () => {
    for (const [i, program] of programs.entries()) {
      const points = i % 3 === 2 ? parsePoints('lock,sync') : everywhere
      checkReplay(spec, program, points)
    }
  })

  test('goes on exactly after being written out and read back', () => {
    for (const program of programs) {
      const { machine, strategy } = start(spec, program, { seed: 5 })
      const all = run(machine, strategy, limit)
      const middle = Math.floor(all.length / 2)
      const cuts = isFull ? [0, 1, 5, middle, all.length - 1] : [0, middle]
      for (const cut of new Set(cuts)) {
        if (cut >= all.length) continue
        const first = start(spec, program, { seed: 5 })
        expect(run(first.machine, first.strategy, cut)).toEqual(all.slice(0, cut))
        const second = move(spec, program, first.machine, first.strategy)
        expect(run(second.machine, second.strategy, limit - cut)).toEqual(all.slice(cut))
        // Being written out does not disturb it.
        expect(run(first.machine, first.strategy, limit - cut)).toEqual(all.slice(cut))
      }
    }
  })

  test('goes on exactly if written out after each execution', () => {
    for (const program of knownPrograms) {
      const { machine, strategy } = start(spec, program, { seed: 3 })
      const all = run(machine, strategy, 40)
      let hop = start(spec, program, { seed: 3 })
      const hopping: string[] = []
      while (hopping.length < 40 && hopping.at(-1) !== 'end') {
        hopping.push(...run(hop.machine, hop.strategy, 1))
        hop = move(spec, program, hop.machine, hop.strategy)
      }
      expect(hopping).toEqual(all)
    }
  })
})

/** What writes a search to a file, and reads it back in another process: through JSON, on a machine that is new. */
function move(
  spec: string,
  program: Program,
  machine: Machine,
  strategy: Strategy,
  order: OptionOrder = 'stay',
) {
  const text = JSON.stringify({
    state: strategy.save(),
    threads: machine.threads.names,
    locations: machine.locations.entries(),
  })
  const saved = JSON.parse(text) as { state: Saved; threads: string[]; locations: [ObjectKind, string][] }
  const fresh = modelMachine(program)
  // What is discovered in another order has other indexes.
  run(fresh, createStrategy('random', { machine: fresh, seed: 99 }), 2)
  const threads = fresh.threads.preload(saved.threads)
  const locations = fresh.locations.preload(saved.locations)
  const loaded = loadStrategy(spec, saved.state, {
    machine: fresh,
    order,
    threadHere: (index) => threads[index],
    locationHere: (index) => locations[index],
  })
  return { machine: fresh, strategy: loaded }
}

function checkReplay(spec: string, program: Program, points: PointSet): void {
  const { machine, strategy } = start(spec, program, { points })
  const runner = new Runner(machine, { maxSteps: MAX_STEPS, observers: [{ footprints: true }] })
  const seen: { thread: number[]; value: number[]; text: string }[] = []
  const tell = ({ machine, trace, status, bug }: Runner) =>
    [status, bug?.message, ...eventTexts(machine, trace), machine.finalState(), machine.output].join('\n')
  for (let i = 0; i < 10 && runner.run(strategy); i++) {
    const { trace, status } = runner
    // Given up in the middle: no schedule leads there and ends.
    if (status === 'blocked' || status === 'cut') continue
    seen.push({
      thread: [...trace.thread.subarray(0, trace.length)],
      value: [...trace.value.subarray(0, trace.length)],
      text: tell(runner),
    })
  }
  for (const { thread, value, text } of seen) {
    const schedule = parseSchedule(JSON.parse(JSON.stringify(recordSchedule(machine, thread, value, points))))
    const fresh = modelMachine(program)
    const again = new Runner(fresh)
    const strategyAgain = replay(schedule, fresh)
    expect(again.run(strategyAgain)).toBe(true)
    expect(tell(again)).toBe(text)
    expect(again.run(strategyAgain)).toBe(false)
  }
}

describe.each(searches)('%s', (spec) => {
  test('comes to an end, and stays there', () => {
    for (const program of programs) {
      const { machine, strategy } = start(spec, program)
      const texts = run(machine, strategy, 20_000)
      expect(texts.at(-1)).toBe('end')
      expect(strategy.completedBound ?? Infinity).toBe(Infinity)
      expect(run(machine, strategy, 1)).toEqual(['end'])
    }
  })
})

describe.each(specs.filter((spec) => !mayRepeat[spec]))('%s', (spec) => {
  test('runs nothing twice', () => {
    for (const program of programs) {
      const { machine, strategy } = start(spec, program)
      const counted = run(machine, strategy, 20_000).filter((text) => !text.startsWith('rerun '))
      expect(new Set(counted).size).toBe(counted.length)
    }
  })
})

describe.each(samplers)('%s', (spec) => {
  test('does something else with another seed', () => {
    const texts = [1, 2].map((seed) => {
      const { machine, strategy } = start(spec, known.figure2(), { seed })
      return run(machine, strategy, 50)
    })
    expect(texts[0]).not.toEqual(texts[1])
  })
})

describe('dfs', () => {
  test.each<OptionOrder>(['stay', 'preempt', 'random'])(
    'runs the same executions in the order %s',
    (order) => {
      for (const program of programs.slice(0, 12)) {
        const inOrder = (o: OptionOrder) => {
          const { machine, strategy } = start('dfs', program, { order: o })
          return run(machine, strategy, 5000)
        }
        const all = inOrder('stay')
        if (all.at(-1) === 'end') expect(new Set(inOrder(order))).toEqual(new Set(all))
      }
    },
  )

  test.each<OptionOrder>(['preempt', 'random'])('goes on exactly in the order %s', (order) => {
    for (const program of programs) {
      const { machine, strategy } = start('dfs', program, { order, seed: 7 })
      const all = run(machine, strategy, 200)
      const first = start('dfs', program, { order, seed: 7 })
      const cut = Math.min(40, all.length - 1)
      run(first.machine, first.strategy, cut)
      const second = move('dfs', program, first.machine, first.strategy, order)
      expect(run(second.machine, second.strategy, 200 - cut)).toEqual(all.slice(cut))
    }
  })
})
