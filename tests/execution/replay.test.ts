import { describe, expect, test } from 'vitest'
import { DivergenceError, Runner } from '../../src/execution/runner.js'
import {
  parseSchedule,
  recordSchedule,
  type Schedule,
  ScheduleError,
  scheduleDigest,
} from '../../src/execution/schedule.js'
import { choose, lock, signal, store, unlock, wait } from '../../src/frontends/model/build.js'
import { modelMachine, type Program } from '../../src/frontends/model/index.js'
import { everywhere, parsePoints } from '../../src/machine/points.js'
import { replay } from '../../src/strategies/replay.js'
import { inc } from '../support/known-programs.js'
import { runScript } from './scripted.js'

const program: Program = {
  name: 'two waiters',
  mutexes: { m: 'plain' },
  conditions: ['c'],
  variables: { x: 0 },
  threads: {
    a: [lock('m'), wait('c', 'm'), unlock('m')],
    b: [lock('m'), wait('c', 'm'), unlock('m')],
    c: [signal('c'), choose(2, 'r'), store('x', 'r')],
  },
}

const words = 'b b a a c=1 c=1 c a a'

function recorded(text = words): Schedule {
  const { machine, trace } = runScript(program, text)
  return recordSchedule(machine, trace.thread.slice(0, trace.length), trace.value.slice(0, trace.length))
}

function replayed(schedule: Schedule, on: Program = program) {
  const machine = modelMachine(on)
  const runner = new Runner(machine)
  const strategy = replay(schedule, machine)
  runner.run(strategy)
  return { runner, strategy }
}

function divergence(schedule: Schedule): DivergenceError {
  try {
    replayed(schedule)
  } catch (error) {
    if (error instanceof DivergenceError) return error
    throw error
  }
  throw new Error('it did not diverge')
}

/** A copy with some steps changed. */
function edited(change: (steps: Record<string, string>[]) => void): Schedule {
  const copy = JSON.parse(JSON.stringify(recorded()))
  change(copy.steps)
  return parseSchedule(copy)
}

describe('a schedule', () => {
  test('holds names, not numbers', () => {
    const { steps, ...rest } = recorded()
    expect(rest).toEqual({
      format: 'faultline-schedule/1',
      program: 'two waiters',
      hash: modelMachine(program).hash,
      points: everywhere,
    })
    expect(steps[0]).toEqual({ thread: '1', operation: 'lock', site: 'b:0' })
    // b waits first: a is the second in the queue. The signal wakes it by name.
    expect(steps[4]).toEqual({ thread: '2', value: 'wakes 0', operation: 'signal', site: 'c:0' })
    expect(steps[5]).toEqual({ thread: '2', value: '1', operation: 'choose', site: 'c:1' })
  })

  test('leads to the same execution again, once', () => {
    const { runner, strategy } = replayed(recorded())
    expect(runner.status).toBe('stuck')
    expect(runner.machine.finalState()).toContain('x = 1')
    expect(runner.run(strategy)).toBe(false)
  })

  test('brings its points with it', () => {
    const points = parsePoints('lock')
    const machine = modelMachine(inc(2))
    machine.usePoints(points)
    const schedule = recordSchedule(machine, [0, 1], [0, 0], points)
    expect(schedule.steps).toHaveLength(2)
    const fresh = modelMachine(inc(2))
    const runner = new Runner(fresh)
    runner.run(replay(schedule, fresh))
    expect(runner.trace.length).toBe(2)
    expect(fresh.points).toEqual(points)
  })

  test('of choices that cannot be made again diverges when it is recorded', () => {
    const machine = modelMachine(program)
    expect(() => recordSchedule(machine, [0, 1], [0, 0])).toThrow(
      'step 1: expected thread 1 to be able to run, found thread 0 to wait at a:1, or thread 2 to signal at c:0',
    )
    expect(() => recordSchedule(machine, [0], [0])).toThrow('step 1: expected the program to end, found')
  })

  test('has a digest that tells it from others', () => {
    const one = recorded()
    expect(scheduleDigest(one)).toMatch(/^[0-9a-f]{10}$/)
    expect(scheduleDigest(recorded())).toBe(scheduleDigest(one))
    expect(scheduleDigest(recorded('b b a a c=0 c=1 c b b'))).not.toBe(scheduleDigest(one))
    expect(scheduleDigest({ ...one, hash: 'another' })).not.toBe(scheduleDigest(one))
    expect(scheduleDigest({ ...one, points: parsePoints('lock') })).not.toBe(scheduleDigest(one))
  })
})

describe('replay names the step, what was expected and what was found, if', () => {
  test('the thread cannot run', () => {
    const error = divergence(
      edited((steps) => {
        steps[2] = { thread: '1', operation: 'reacquire', site: 'b:1' }
      }),
    )
    expect(error).toMatchObject({
      step: 2,
      expected: 'thread 1 to reacquire at b:1',
      found: 'thread 0 to lock at a:0, or thread 2 to signal at c:0',
    })
    expect(error.message).toBe(`step 2: expected ${error.expected}, found ${error.found}`)
  })

  test('the thread is about to do something else', () => {
    expect(divergence(edited((steps) => void (steps[0].operation = 'unlock')))).toMatchObject({
      step: 0,
      expected: 'thread 1 to unlock at b:0',
      found: expect.stringContaining('thread 1 to lock at b:0'),
    })
  })

  test('the thread is somewhere else', () => {
    expect(divergence(edited((steps) => void (steps[1].site = 'b:0')))).toMatchObject({
      step: 1,
      expected: 'thread 1 to wait at b:0',
    })
  })

  test('the alternative is not there', () => {
    expect(divergence(edited((steps) => void (steps[4].value = 'wakes 2')))).toMatchObject({
      step: 4,
      expected: 'thread 2 to signal (wakes 2) at c:0',
      found: expect.stringContaining(
        'thread 2 to signal (wakes 1) at c:0, or thread 2 to signal (wakes 0) at c:0',
      ),
    })
  })

  test('the program goes on after the last step', () => {
    expect(divergence(edited((steps) => void steps.pop()))).toMatchObject({
      step: 8,
      expected: 'the program to end',
      found: 'thread 0 to unlock at a:2',
    })
  })

  test('the program ends before the last step', () => {
    const machine = modelMachine(inc(2))
    const schedule = recordSchedule(machine, [0, 0, 1, 1], [0, 0, 0, 0])
    const longer = { ...schedule, steps: [...schedule.steps, schedule.steps[0]] }
    expect(() => new Runner(machine).run(replay(longer, machine))).toThrow(
      'step 4: expected thread 0 to atomic load at t0:0, found the end of the program',
    )
  })

  test('the program does something else though its text is the same', () => {
    let rounds = 0
    const machine = modelMachine({
      variables: { x: 0, y: 0 },
      threads: {
        *a(t) {
          yield rounds++ < 2 ? t.load('x') : t.load('y')
        },
      },
    })
    // The first run records, the second is the replay of that.
    const schedule = recordSchedule(machine, [0], [0])
    new Runner(machine).run(replay(schedule, machine))
    expect(() => new Runner(machine).run(replay(schedule, machine))).toThrow(
      'step 0: expected thread 0 to read at a:load-x, found thread 0 to read at a:load-y',
    )
  })
})

describe('a schedule is refused', () => {
  test('on another program', () => {
    const other = { ...program, variables: { x: 5 } }
    expect(() => replayed(recorded(), other)).toThrow(ScheduleError)
    expect(() => replayed(recorded(), other)).toThrow(/recorded on two waiters \([0-9a-f]{12}\), but this is/)
  })

  test('not on the same program under another name', () => {
    expect(replayed(recorded(), { ...program, name: 'renamed' }).runner.status).toBe('stuck')
  })

  test.each<[string, unknown, RegExp]>([
    ['that is no object', 7, /not a schedule: expected a JSON object/],
    ['that is null', null, /expected a JSON object/],
    ['of another format', { format: 'x' }, /"format" is "x", expected "faultline-schedule\/1"/],
    ['without a format', {}, /"format" is missing/],
    ['without a program', { ...recorded(), program: undefined }, /"program" must be a string/],
    ['without a hash', { ...recorded(), hash: 1 }, /"hash" must be a string/],
    ['without points', { ...recorded(), points: null }, /"points" must be a PP set/],
    ['with half its points', { ...recorded(), points: { kinds: [] } }, /"points" must be .* races and rules/],
    ['that was cut off', { ...recorded(), steps: undefined }, /"steps" must be an array; .* truncated/],
    [
      'with a broken step',
      { ...recorded(), steps: [{ thread: '0' }] },
      /step 0 needs "thread" and "operation"/,
    ],
  ])('%s', (_, data, message) => {
    expect(() => parseSchedule(data)).toThrow(ScheduleError)
    expect(() => parseSchedule(data)).toThrow(message)
  })
})
