import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asNondeterminism, checkDeterminism, NondeterminismError } from '../../src/execution/determinism.js'
import { explore } from '../../src/execution/explore.js'
import { Runner } from '../../src/execution/runner.js'
import type { Strategy } from '../../src/execution/strategy.js'
import { type GeneratorProgram, modelMachine } from '../../src/frontends/model/index.js'
import type { Machine } from '../../src/machine/machine.js'
import { createStrategy, strategies } from '../../src/strategies/index.js'
import { inc } from '../support/known-programs.js'
import { randomProgram } from '../support/random-program.js'
import { scripted } from './scripted.js'

/** Runs executions, each twice, and returns what the check has to say. */
function checked(machine: Machine, strategy: Strategy, executions = 5): NondeterminismError {
  try {
    const twice = checkDeterminism(strategy, machine, executions)
    explore({ machine, strategy: twice, maxExecutions: executions, keepGoing: true })
  } catch (error) {
    const named = asNondeterminism(error)
    if (named instanceof NondeterminismError) return named
    throw error
  }
  throw new Error('no difference was found')
}

/** A thread that does something else each time its code runs; another one that only stores. */
function whimsical(
  whim: (
    round: number,
    t: Parameters<GeneratorProgram['threads'][string]>[0],
  ) => ReturnType<GeneratorProgram['threads'][string]>,
): Machine {
  let rounds = 0
  return modelMachine({
    variables: { x: 0, y: 0, z: 0 },
    mutexes: { m: 'plain' },
    threads: {
      *a(t) {
        yield t.store('z', 1)
        yield* whim(rounds++, t)
      },
      *b(t) {
        yield t.at('first').store('z', 2)
        yield t.at('second').store('z', 3)
      },
    },
  })
}

describe('a program that is not deterministic is caught, with step and operation, if it', () => {
  test('uses another object', () => {
    const machine = whimsical(function* (round, t) {
      yield t.at('whim').store(round % 2 === 0 ? 'x' : 'y', 1)
    })
    const error = checked(machine, scripted('a b a b'))
    expect(error.step).toBe(2)
    expect(error.expected).toMatch(/^write x .* at a:whim$/)
    expect(error.found).toMatch(/^write y .* at a:whim$/)
    expect(error.message).toMatch(
      /^the program is not deterministic: .* step 2 was write y .* instead of write x .* at a:whim\. Look there/,
    )
  })

  test('does another operation', () => {
    const machine = whimsical(function* (round, t) {
      if (round % 2 === 0) yield t.load('x')
      else yield t.store('x', 1)
    })
    expect(checked(machine, scripted('a b a b'))).toMatchObject({
      step: 2,
      expected: expect.stringMatching(/^read x/),
      found: expect.stringMatching(/^write x/),
    })
  })

  test('writes another value', () => {
    const machine = whimsical(function* (round, t) {
      yield t.store('x', round)
    })
    expect(checked(machine, scripted('a a b b'))).toMatchObject({
      step: 1,
      expected: 'write x (writes) [-1], finds 0, leaves 0 at a:store-x',
      found: 'write x (writes) [-1], finds 0, leaves 1 at a:store-x',
    })
  })

  test('does more the second time', () => {
    const machine = whimsical(function* (round, t) {
      if (round % 2 === 1) yield t.load('x')
    })
    const error = checked(machine, scripted('a b b'))
    expect(error).toMatchObject({ step: 0, expected: expect.stringContaining('exit') })
    expect(error.found).toBe('the end of the step')
  })

  test('does less the second time', () => {
    const machine = whimsical(function* (round, t) {
      if (round % 2 === 0) yield t.load('x')
    })
    const error = checked(machine, scripted('a b b a'))
    expect(error).toMatchObject({ step: 0, expected: 'the end of the step' })
    expect(error.found).toContain('exit')
  })

  test('has to wait the second time', () => {
    let rounds = 0
    const machine = modelMachine({
      variables: { x: 0 },
      mutexes: { m: 'plain', n: 'plain' },
      threads: {
        *a(t) {
          yield t.lock('m')
          yield t.unlock('m')
        },
        *b(t) {
          yield t.at('whim').lock(rounds++ % 2 === 0 ? 'n' : 'm')
        },
      },
    })
    const error = checked(machine, scripted('a b a'))
    expect(error.step).toBe(1)
    expect(error.expected).toMatch(/^thread 1 to lock n .* at b:whim$/)
    expect(error.found).toBe('thread 0 to unlock at a:unlock-m')
  })

  test('fails the second time', () => {
    const machine = whimsical(function* (round, t) {
      yield t.load('x')
      t.assert(round % 2 === 0)
    })
    const error = checked(machine, scripted('a b b a'))
    expect(error.step).toBe(3)
    expect(error.expected).toContain('exit')
  })

  test('fails the first time only', () => {
    const machine = whimsical(function* (round, t) {
      yield t.load('x')
      t.assert(round % 2 === 1)
    })
    const error = checked(machine, scripted('b b a a'))
    expect(error).toMatchObject({ step: 3, expected: 'the end of the step' })
    expect(error.found).toContain('exit')
  })

  test('fails for another reason', () => {
    const machine = whimsical(function* (round, t) {
      yield t.load('x')
      t.assert(false, `reason ${round}`)
    })
    const error = checked(machine, scripted('a a'))
    expect(error.step).toBe(1)
    expect(error.expected).toContain('reason 0')
    expect(error.found).toContain('reason 1')
  })

  test('prints something else', () => {
    const machine = whimsical(function* (round, t) {
      yield t.output(round)
    })
    const error = checked(machine, scripted('a b b'))
    expect(error.step).toBe(2)
    expect(error.expected).toContain('printed "0\\n"')
    expect(error.found).toContain('printed "1\\n"')
  })

  test('lets a search go astray that does not check', () => {
    const machine = whimsical(function* (round, t) {
      for (let i = 2 * round; i < 2; i++) yield t.load('x')
    })
    const search = () => explore({ machine, strategy: createStrategy('dfs', { machine }) })
    expect(search).toThrow(/step \d+: expected thread 0 to be able to run, found/)
  })
})

describe('a program that is deterministic', () => {
  test.each(strategies.map((entry) => entry.name))('is explored by %s as if nobody looked', (name) => {
    for (const program of fc.sample(randomProgram({ maxInterleavings: 100 }), { seed: 19, numRuns: 6 })) {
      const run = (check: boolean) => {
        const machine = modelMachine(program)
        const inner = createStrategy(name, { machine, seed: 2 })
        const strategy = check ? checkDeterminism(inner, machine, 10) : inner
        const texts: string[] = []
        const onExecution = ({ trace, status }: Runner) =>
          texts.push(
            `${status} ${trace.thread.subarray(0, trace.length)} ${trace.value.subarray(0, trace.length)}`,
          )
        explore({ machine, strategy, keepGoing: true, maxExecutions: 40, maxSteps: 60, onExecution })
        return texts
      }
      expect(run(true)).toEqual(run(false))
    }
  })

  test('is run twice as often as asked for, and no more', () => {
    const machine = modelMachine(inc(2))
    let runs = 0
    const run = machine.run.bind(machine)
    machine.run = (driver) => {
      runs++
      run(driver)
    }
    let watched = 0
    const observers = [{ footprints: false, begin: () => void watched++ }]
    const strategy = checkDeterminism(createStrategy('dfs', { machine }), machine, 4)
    const { executions } = explore({ machine, strategy, observers })
    expect(executions).toBe(6)
    expect(runs).toBe(10)
    expect(watched, 'observers are not shown reruns').toBe(6)
  })

  test('is left alone when no check is asked for', () => {
    const machine = modelMachine(inc(2))
    const strategy = createStrategy('dfs', { machine })
    expect(checkDeterminism(strategy, machine, 0)).toBe(strategy)
  })

  test('leaves a rerun owed after its last execution', () => {
    const machine = modelMachine(inc(2))
    const strategy = checkDeterminism(scripted('t0 t0 t1 t1'), machine, 1)
    const runner = new Runner(machine)
    runner.run(strategy)
    expect(strategy.owesRerun).toBe(true)
    expect(strategy.rerun).toBe(false)
    runner.run(strategy)
    expect(strategy.owesRerun).toBe(false)
    expect(strategy.rerun).toBe(true)
  })

  test('may be given up or cut', () => {
    for (const maxSteps of [2, 100]) {
      const machine = modelMachine(inc(2))
      const strategy = checkDeterminism(scripted('t0 t1 t0'), machine, 1)
      const runner = new Runner(machine, { maxSteps })
      runner.run(strategy)
      runner.run(strategy)
      expect(runner.status).toBe(maxSteps === 2 ? 'cut' : 'blocked')
    }
  })
})
