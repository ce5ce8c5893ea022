import { describe, expect, test } from 'vitest'
import { explore } from '../../src/execution/explore.js'
import type { Observer } from '../../src/execution/observer.js'
import { DivergenceError, Runner } from '../../src/execution/runner.js'
import { emptyScript, type Strategy } from '../../src/execution/strategy.js'
import type { Status, Trace } from '../../src/execution/trace.js'
import {
  choose,
  create,
  fetchAdd,
  join,
  load,
  lock,
  semwait,
  signal,
  store,
  timedlock,
  timedwait,
  unlock,
  wait,
  whileLoop,
  yieldNow,
} from '../../src/frontends/model/build.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { inc, mutexCounter } from '../support/known-programs.js'
import { runScript, scripted } from './scripted.js'

/** Two threads of two stores each. */
const stores: Program = {
  variables: { x: 0, y: 0 },
  threads: { a: [store('x', 1), store('y', 1)], b: [store('x', 2), store('y', 2)] },
}

/** Counts for ever. */
const endless: Program = {
  variables: { x: 0 },
  threads: { a: [whileLoop(1, [fetchAdd('x', 1)])] },
}

describe('an execution', () => {
  test('ends when every thread has', () => {
    const { status, bug, trace } = runScript(stores, 'a b a b')
    expect({ status, bug, length: trace.length }).toEqual({ status: 'completed', bug: null, length: 4 })
  })

  test('is given up when the strategy says so', () => {
    const { status, bug, trace } = runScript(stores, 'a b')
    expect({ status, bug, length: trace.length }).toEqual({ status: 'blocked', bug: null, length: 2 })
  })

  test('is cut after the largest number of steps', () => {
    const machine = modelMachine(endless)
    const result = explore({
      machine,
      strategy: createStrategy('dfs', { machine }),
      maxSteps: 50,
      maxExecutions: 1,
    })
    expect(result).toMatchObject({ cut: 1, executions: 0, blocked: 0, steps: 50, failures: 0 })
  })

  test('is not cut when it ends with its last step', () => {
    const machine = modelMachine(stores)
    const runner = new Runner(machine, { maxSteps: 4 })
    runner.run(createStrategy('random', { machine }))
    expect(runner.status).toBe('completed')
    const shorter = new Runner(machine, { maxSteps: 3 })
    shorter.run(createStrategy('random', { machine }))
    expect(shorter.status).toBe('cut')
    expect(shorter.trace.length).toBe(3)
  })

  test('fails with the bug of the thread that failed', () => {
    const program: Program = { mutexes: { m: 'plain' }, threads: { a: [unlock('m')], b: [lock('m')] } }
    const { status, bug, trace } = runScript(program, 'a')
    expect(status).toBe('failed')
    expect(bug).toMatchObject({ kind: 'lock-misuse', thread: 0 })
    expect(trace.length).toBe(1)
  })

  test('that completed can still break a check at the end', () => {
    const { status, bug } = runScript({ ...stores, atEnd: { 'x is 1': ['==', 'x', 1] } }, 'a b a b')
    expect(status).toBe('completed')
    expect(bug).toMatchObject({ kind: 'invariant' })
  })

  test('is not checked at the end when it did not complete', () => {
    const atEnd = { never: 0 }
    expect(runScript({ ...stores, atEnd }, 'a').bug).toBeNull()
    const stuck: Program = { semaphores: { s: 0 }, threads: { a: [semwait('s')] }, atEnd }
    expect(runScript(stuck, '').bug).toMatchObject({ kind: 'deadlock' })
  })

  test('offers each thread that can run and each alternative, in order', () => {
    const program: Program = {
      mutexes: { m: 'plain' },
      threads: { a: [lock('m'), unlock('m')], b: [lock('m')], c: [choose(3, 'r')] },
    }
    const { points } = runScript(program, 'a a c=2 b')
    expect(points).toEqual(['a b c=0 c=1 c=2', 'a c=0 c=1 c=2', 'b c=0 c=1 c=2', 'b'])
  })

  test('follows the script of the strategy without asking', () => {
    const machine = modelMachine(stores)
    const asked: number[] = []
    const strategy: Strategy = {
      ...scripted('a b b a'),
      script: { thread: Int32Array.of(0, 1, 1), value: new Int32Array(3), length: 3 },
      choose(point) {
        asked.push(point.depth)
        return 0
      },
    }
    const runner = new Runner(machine)
    runner.run(strategy)
    expect(asked).toEqual([3])
    expect([...runner.trace.thread.subarray(0, 4)]).toEqual([0, 1, 1, 0])
  })

  test('whose script cannot be followed diverges, naming step, expected and found', () => {
    const program: Program = {
      mutexes: { m: 'plain' },
      threads: { a: [lock('m')], b: [lock('m'), unlock('m')] },
    }
    const follow = (thread: number[], value: number[]) => () =>
      new Runner(modelMachine(program)).run({
        ...scripted(''),
        script: { thread: Int32Array.from(thread), value: Int32Array.from(value), length: thread.length },
      })
    expect(follow([1, 0, 1], [0, 0, 0])).toThrow('step 1: expected thread 0 to be able to run, found only 1')
    expect(follow([0, 0], [0, 0])).toThrow(
      'step 1: expected thread 0 to be able to run, found no thread that can',
    )
    expect(follow([1, 1, 0, 0], [0, 0, 0, 0])).toThrow(
      'step 3: expected thread 0 to be able to run, found the end of the program',
    )
    expect(follow([0, 1], [1, 0])).toThrow(
      'step 0: expected thread 0 with alternative 1 to be able to run, found only 0, 1',
    )
    expect(follow([7], [0])).toThrow(DivergenceError)
  })
})

describe('strategies', () => {
  test('are asked to begin, choose and end in that order, once per execution', () => {
    const machine = modelMachine(inc(2))
    const calls: string[] = []
    let left = 2
    const strategy: Strategy = {
      name: 'logged',
      footprints: false,
      script: emptyScript,
      begin() {
        calls.push('begin')
        return left-- > 0
      },
      choose() {
        calls.push('choose')
        return 0
      },
      end(_: Trace, status: Status) {
        calls.push(`end ${status}`)
      },
      save: () => ({}),
    }
    const result = explore({ machine, strategy })
    const once = ['begin', 'choose', 'choose', 'choose', 'choose', 'end completed']
    expect(calls).toEqual([...once, ...once, 'begin'])
    expect(result).toMatchObject({ executions: 2, exhausted: true })
  })

  test('that read no events leave them out, unless an observer reads them', () => {
    const machine = modelMachine(stores)
    const strategy = { ...scripted('a b a b'), footprints: false }
    new Runner(machine).run(strategy)
    expect(machine.events.count).toBe(0)
    new Runner(machine, { observers: [{ footprints: true }] }).run(strategy)
    expect(machine.events.count).toBeGreaterThan(4)
  })
})

describe('preemptions', () => {
  const count = (program: Program, words: string, points?: string) => {
    const machine = modelMachine(program)
    if (points !== undefined) machine.usePoints(parsePoints(points))
    const { trace, status } = runScript(machine, words)
    expect(status).not.toBe('blocked')
    return { preemptions: trace.preemptions, switches: trace.switches }
  }

  test('are switches away from a thread that could go on', () => {
    expect(count(stores, 'a a b b')).toEqual({ preemptions: 0, switches: 1 })
    expect(count(stores, 'a b b a')).toEqual({ preemptions: 1, switches: 2 })
    expect(count(stores, 'a b a b')).toEqual({ preemptions: 2, switches: 3 })
  })

  test('are not switches away from a thread that has to wait', () => {
    const program: Program = {
      variables: { x: 0 },
      mutexes: { m: 'plain' },
      threads: { a: [lock('m'), store('x', 1), unlock('m')], b: [store('x', 2), lock('m'), unlock('m')] },
    }
    // b is preempted by nobody: it runs into the mutex that a, which was preempted, holds.
    expect(count(program, 'a b a a b b')).toEqual({ preemptions: 1, switches: 3 })
    expect(count(program, 'a b a b a b b'.replace('a b a b', 'a b a'))).toEqual({
      preemptions: 1,
      switches: 3,
    })
  })

  test('are not switches away from a thread that has ended', () => {
    expect(count(mutexCounter(2), 't0 t0 t0 t0 t1 t1 t1 t1')).toEqual({ preemptions: 0, switches: 1 })
  })

  test('are not switches away from a thread that yields', () => {
    const program: Program = {
      variables: { x: 0 },
      threads: { a: [store('x', 1), yieldNow(), store('x', 2)], b: [store('x', 3)] },
    }
    expect(count(program, 'a b a a')).toEqual({ preemptions: 0, switches: 2 })
    // Once it has yielded, it could go on.
    expect(count(program, 'a a b a')).toEqual({ preemptions: 1, switches: 2 })
  })

  test('are not switches away from a thread inside a wait, timed or not', () => {
    const waiting = (timed: boolean): Program => ({
      mutexes: { m: 'plain' },
      conditions: ['c'],
      threads: {
        a: [lock('m'), timed ? timedwait('c', 'm') : wait('c', 'm'), unlock('m')],
        b: [lock('m'), signal('c'), unlock('m')],
      },
    })
    // a: lock, wait; b: lock, signal, unlock; a: (return,) reacquire, unlock.
    expect(count(waiting(false), 'a a b b b a a')).toEqual({ preemptions: 0, switches: 2 })
    expect(count(waiting(true), 'a a b b b a a a')).toEqual({ preemptions: 0, switches: 2 })
  })

  test('are switches away from a timed lock, which can always go on', () => {
    const program: Program = {
      variables: { x: 0 },
      mutexes: { m: 'plain' },
      threads: { a: [store('x', 1), timedlock('m')], b: [store('x', 2)] },
    }
    expect(count(program, 'a b a')).toEqual({ preemptions: 1, switches: 2 })
  })

  test('are not switches away from a spinner that waits for a change', () => {
    const program: Program = {
      variables: { x: 0 },
      threads: { a: [whileLoop(['!', 'r'], [load('x', 'r')])], b: [store('x', 1)] },
    }
    expect(count(program, 'a b a')).toEqual({ preemptions: 0, switches: 2 })
  })

  test('are told to strategies in advance, as they will be counted', () => {
    const machine = modelMachine({
      variables: { x: 0 },
      threads: { a: [store('x', 1), yieldNow(), store('x', 2)], b: [store('x', 3), store('x', 4)] },
    })
    const runner = new Runner(machine)
    // One that always has options listed.
    const rapos = createStrategy('rapos', { machine, seed: 3 })
    let told = 0
    const choose = rapos.choose.bind(rapos)
    rapos.choose = (point) => {
      const option = choose(point)
      if (point.preempts(option)) told++
      return option
    }
    let counted = 0
    for (let i = 0; i < 100; i++) {
      runner.run(rapos)
      counted += runner.trace.preemptions
    }
    expect(told).toBe(counted)
    expect(told).toBeGreaterThan(50)
  })
})

describe('observers', () => {
  /** Writes down what it is told, and how many events each transition had by then. */
  class Log implements Observer {
    readonly footprints = true
    readonly lines: string[] = []
    begin(): void {
      this.lines.push('begin')
    }
    transition(trace: Trace, transition: number): void {
      const events = trace.eventEnd[transition] - trace.eventStart(transition)
      this.lines.push(`${transition}: thread ${trace.thread[transition]}, ${events} events`)
    }
    end(trace: Trace, status: Status): void {
      this.lines.push(`end ${status} after ${trace.length}`)
    }
  }

  const observe = (program: Program, words: string, maxSteps = 100) => {
    const log = new Log()
    runScript(program, words, { observers: [log], maxSteps })
    return log.lines
  }

  const deadlock: Program = {
    mutexes: { m: 'plain' },
    threads: { a: [lock('m')], b: [lock('m')] },
  }

  test('see every transition once, however the execution ends', () => {
    const step = (i: number, thread: number, events = 1) => `${i}: thread ${thread}, ${events} events`
    expect(observe(stores, 'a b a b')).toEqual([
      'begin',
      step(0, 0),
      step(1, 1),
      step(2, 0, 2),
      step(3, 1, 2),
      'end completed after 4',
    ])
    expect(observe(deadlock, 'a')).toEqual(['begin', step(0, 0, 2), 'end stuck after 1'])
    expect(observe(stores, 'a b')).toEqual(['begin', step(0, 0), step(1, 1), 'end blocked after 2'])
    expect(observe(stores, 'a b', 1)).toEqual(['begin', step(0, 0), 'end cut after 1'])
    const fails: Program = { mutexes: { m: 'plain' }, threads: { a: [lock('m'), lock('m')] } }
    expect(observe(fails, 'a a')).toEqual(['begin', step(0, 0), step(1, 0, 0), 'end failed after 2'])
  })

  test('see executions of any strategy from their first step', () => {
    const machine = modelMachine(inc(2))
    const log = new Log()
    const result = explore({ machine, strategy: createStrategy('dpor', { machine }), observers: [log] })
    const begun = log.lines.filter((line) => line === 'begin').length
    expect(begun).toBe(result.executions + result.blocked)
    expect(log.lines.filter((line) => line.startsWith('0: '))).toHaveLength(begun)
    expect(log.lines.filter((line) => /^\d/.test(line))).toHaveLength(result.steps)
  })
})

describe('exploring', () => {
  const racy: Program = { ...stores, atEnd: { same: ['==', 'x', 'y'] } }

  test('stops at the first bug, and keeps the choices that lead there', () => {
    const machine = modelMachine(racy)
    const { firstBug, failures, exhausted } = explore({
      machine,
      strategy: createStrategy('dfs', { machine }),
    })
    expect(failures).toBe(1)
    expect(exhausted).toBe(false)
    expect(firstBug).toMatchObject({ bug: { kind: 'invariant' } })
    const words = [...firstBug!.thread].map((t) => 'ab'[t]).join(' ')
    expect(runScript(racy, words).bug).toEqual(firstBug!.bug)
    expect(runScript(racy, words).trace.preemptions).toBe(firstBug!.preemptions)
  })

  test('goes on after bugs when asked to, and counts them', () => {
    const machine = modelMachine(racy)
    const strategy = createStrategy('dfs', { machine })
    const result = explore({ machine, strategy, keepGoing: true })
    // Of the 6 orders those fail in which x and y are written last by different threads.
    expect(result).toMatchObject({ executions: 6, failures: 2, exhausted: true })
    expect(result.firstBug?.execution).toBeGreaterThan(1)
  })

  test('stops when time is up or enough has been run', () => {
    const machine = modelMachine(endless)
    const strategy = createStrategy('random', { machine })
    let asked = 0
    const outOfTime = () => ++asked > 3
    expect(explore({ machine, strategy, maxSteps: 10_000, outOfTime }).exhausted).toBe(false)
    expect(asked).toBe(4)
    expect(explore({ machine, strategy, maxSteps: 10, maxExecutions: 7 }).cut).toBe(7)
  })

  test('counts no rerun', () => {
    const machine = modelMachine(inc(2))
    const delay = createStrategy('delay', { machine })
    let visited = 0
    const result = explore({ machine, strategy: delay, onExecution: () => visited++ })
    // All interleavings of twice two operations, each once, whatever its number of delays.
    expect(result).toMatchObject({ executions: 6, exhausted: true })
    expect(visited).toBe(6)
  })

  test('names threads left over when the program ended', () => {
    const program: Program = {
      semaphores: { s: 0 },
      threads: { main: [create('child'), join('child')], child: [] },
      roots: ['main'],
    }
    const machine = modelMachine(program)
    expect(explore({ machine, strategy: createStrategy('dfs', { machine }) }).unfinished).toBe(0)
  })
})
