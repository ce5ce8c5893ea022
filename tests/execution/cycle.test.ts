import { describe, expect, it } from 'vitest'
import { type ExploreOptions, explore } from '../../src/execution/explore.js'
import { Runner } from '../../src/execution/runner.js'
import { recordSchedule } from '../../src/execution/schedule.js'
import {
  choose,
  load,
  lock,
  output,
  set,
  store,
  unlock,
  whileLoop,
  yieldNow,
} from '../../src/frontends/model/build.js'
import { modelMachine, type Statement } from '../../src/frontends/model/index.js'
import { parsePoints } from '../../src/machine/points.js'
import { createStrategy } from '../../src/strategies/index.js'
import { replay } from '../../src/strategies/replay.js'
import { stepwise } from '../../src/strategies/stepwise.js'

const maxSteps = 100

function look(
  threads: Record<string, readonly Statement[]>,
  points = 'everywhere',
  more: Partial<ExploreOptions> = {},
) {
  const machine = modelMachine({
    variables: { x: 0, y: 0, stop: 0 },
    mutexes: { m: 'plain' },
    threads,
  })
  machine.usePoints(parsePoints(points))
  const create = () => createStrategy('optimal', { machine })
  const found = explore({
    machine,
    strategy: stepwise({ create, maxSteps }),
    maxSteps,
    maxExecutions: 200,
    ...more,
  })
  return { machine, ...found }
}

/** Raises its flag, and takes it down as long as the other one's is up. */
const polite = (mine: string, other: string, inRound: readonly Statement[] = []): Statement[] => [
  store(mine, 1),
  load(other, 'r'),
  whileLoop(['!=', 'r', 0], [store(mine, 0), ...inRound, store(mine, 1), load(other, 'r')]),
  store(mine, 0),
]

describe('an execution that was cut', () => {
  it('is a livelock if its threads have come round to the same state', () => {
    const { machine, firstBug } = look({ a: polite('x', 'y'), b: polite('y', 'x') })
    expect(firstBug?.bug).toMatchObject({ kind: 'livelock', thread: 0 })
    expect(firstBug?.bug.message).toMatch(/for ever.*: a spins on y; b spins on x$/)
    expect(firstBug!.thread.length).toBeLessThanOrEqual(64)
    const schedule = recordSchedule(machine, firstBug!.thread, firstBug!.value)
    expect(schedule.steps).toHaveLength(firstBug!.thread.length)
    const runner = new Runner(machine)
    runner.run(replay(schedule, machine))
    expect(runner.bug).toEqual(firstBug!.bug)
    const shorter = { ...schedule, steps: schedule.steps.slice(0, 5) }
    expect(() => runner.run(replay(shorter, machine))).toThrow('expected the program to end')
  })

  it('counts as cut where livelocks are stepped over: what follows was not seen', () => {
    const threads = { a: polite('x', 'y'), b: polite('y', 'x') }
    const { firstBug, cut } = look(threads, 'everywhere', { ignores: ({ kind }) => kind === 'livelock' })
    expect(firstBug).toBeNull()
    expect(cut).toBeGreaterThan(0)
  })

  it('names who waits beside', () => {
    const { firstBug } = look({
      a: [lock('m'), ...polite('x', 'y'), unlock('m')],
      b: polite('y', 'x'),
      c: [lock('m'), unlock('m')],
    })
    expect(firstBug?.bug.message).toMatch(/: a spins on y; b spins on x; c waits for mutex m$/)
  })

  const others: [what: string, threads: Record<string, readonly Statement[]>, points?: string][] = [
    [
      'something counts',
      { a: polite('x', 'y', [set('n', ['+', 'n', 1])]), b: polite('y', 'x', [set('n', ['+', 'n', 1])]) },
    ],
    ['something is printed', { a: polite('x', 'y', [output('r')]), b: polite('y', 'x', [output('r')]) }],
    [
      'an outcome that was not chosen may lead out',
      {
        a: polite('x', 'y', [choose(2, 'c')]),
        b: polite('y', 'x', [choose(2, 'c')]),
      },
    ],
    [
      'a third thread can always run, and makes an end of it',
      {
        a: [set('s', 0), whileLoop(['==', 's', 0], [store('x', 1), store('x', 0), load('stop', 's')])],
        b: [set('s', 0), whileLoop(['==', 's', 0], [store('y', 1), store('y', 0), load('stop', 's')])],
        c: [store('stop', 1)],
      },
    ],
    [
      'a third thread could run for a moment within a step',
      {
        a: [
          lock('m'),
          store('x', 1),
          yieldNow(),
          load('y', 'r'),
          whileLoop(
            ['>', 'r', 's'],
            [
              store('x', 0),
              store('x', 1),
              unlock('m'),
              lock('m'),
              yieldNow(),
              load('y', 'r'),
              load('stop', 's'),
            ],
          ),
          store('x', 0),
          unlock('m'),
        ],
        b: [
          store('y', 1),
          yieldNow(),
          load('x', 'r'),
          whileLoop(['!=', 'r', 0], [store('y', 0), store('y', 1), yieldNow(), load('x', 'r')]),
        ],
        c: [lock('m'), store('stop', 1), unlock('m')],
      },
      'yield',
    ],
  ]
  it.each(others)('is none if %s', (_, threads, points) => {
    const { firstBug, postponed } = look(threads, points)
    expect(firstBug).toBeNull()
    expect(postponed).toBeGreaterThan(0)
  })
})
