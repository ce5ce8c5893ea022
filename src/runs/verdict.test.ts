import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evidenceOfOne, type OneSearch, wholeSearch } from '../../tests/support/evidence.js'
import { everywhere, parsePoints } from '../machine/points.js'
import { findStrategy } from '../strategies/index.js'
import { judge } from './verdict.js'

const judgeOne = (change: Partial<OneSearch>) => judge(evidenceOfOne({ ...wholeSearch, ...change }))

describe('judge', () => {
  it('says verified when every schedule was explored', () => {
    expect(judgeOne({})).toEqual({
      verdict: 'verified',
      guarantee: 'every schedule was explored; none shows a bug',
      caveats: [],
    })
  })

  it.each<[string, Partial<OneSearch>, string, RegExp]>([
    ['a bug', { foundBug: true }, 'bug', /^$/],
    ['a PP set', { points: parsePoints('lock') }, 'bounded', /only at yield,lock was explored/],
    [
      'a rule',
      { points: parsePoints('everywhere', [{ accept: false, function: 'f' }]) },
      'bounded',
      /yield,everywhere without f/,
    ],
    ['a bound', { promise: 'bounded', bound: 2 }, 'bounded', /with at most 2 preemptions was explored/],
    [
      'a bound that left nothing out',
      { promise: 'bounded', bound: 1, completedBound: Infinity, boundUnit: 'delay' },
      'bounded',
      /at most 1 delay \(none needs more\) was explored/,
    ],
    [
      'no bound asked for',
      { promise: 'bounded', completedBound: Infinity },
      'verified',
      /^every schedule was/,
    ],
    [
      'executions without reduction, cut before the limit',
      { cut: 2, cutEarly: 1, strategy: 'dfs', everyPrefix: true },
      'budget',
      /none shows a bug, others may/,
    ],
    [
      'cut executions without reduction',
      { cut: 2, strategy: 'dfs', everyPrefix: true },
      'bounded',
      /^every schedule up to 1000 steps long was explored/,
    ],
    ['cut executions', { cut: 2 }, 'budget', /^12 schedules explored to their end; none shows a bug, others/],
    [
      'cut executions after a bound was done',
      { cut: 2, promise: 'bounded', bound: 2, completedBound: 1 },
      'budget',
      /^every schedule with at most 1 preemption was explored; in all 12 schedules explored to their end/,
    ],
    [
      'cut executions and the budget',
      { cut: 2, stopped: 'budget' },
      'budget',
      /not every schedule was explored when the budget ran out/,
    ],
    [
      'assumptions that stopped every execution',
      { executions: 0, stoppedByAssume: 3 },
      'bounded',
      /^every schedule was explored/,
    ],
    ['assumptions that stopped some', { stoppedByAssume: 3 }, 'verified', /^every schedule was explored/],
    ['unjoined threads', { unfinished: 1 }, 'bounded', /^every schedule was explored/],
    [
      'the budget',
      { stopped: 'budget' },
      'budget',
      /not every schedule was explored when the budget ran out/,
    ],
    ['Ctrl-C', { stopped: 'interrupted' }, 'budget', /when it was interrupted/],
    ['a limit of executions', { stopped: 'executions' }, 'budget', /number of executions asked for/],
    [
      'the budget within a bound',
      { stopped: 'budget', promise: 'bounded', completedBound: 1, boundUnit: 'preemption' },
      'budget',
      /^every schedule with at most 1 preemption was explored; in all 12 schedules/,
    ],
    [
      'samples',
      { promise: 'sample', stopped: 'executions', strategy: 'pos' },
      'bounded',
      /^12 schedules sampled by pos/,
    ],
    ['samples cut by the budget', { promise: 'sample', stopped: 'budget' }, 'budget', /others may/],
  ])('weighs %s', (_, change, verdict, guarantee) => {
    const judgement = judgeOne(change)
    expect(judgement.verdict).toBe(verdict)
    expect(judgement.guarantee ?? '').toMatch(guarantee)
  })

  it('names what weakens the guarantee', () => {
    const { caveats } = judgeOne({ cut: 1, unfinished: 2, unfinishedThreads: ['f (0.1)', 'g (0.2)'] })
    expect(caveats[0]).toMatch(/^1 execution cut after 1000 steps/)
    expect(caveats[1]).toMatch(/ended while 2 threads \(f \(0\.1\), g \(0\.2\)\) had not/)
  })

  it.each(['dpor', 'source', 'optimal', 'icb', 'best-first'])(
    'says nothing of every schedule once an execution of %s was cut',
    (strategy) => {
      const { entry } = findStrategy(strategy)
      const { promise, everyPrefix } = entry
      const { verdict, guarantee } = judgeOne({ strategy, promise, everyPrefix, cut: 1 })
      expect(verdict).toBe('budget')
      expect(guarantee).not.toMatch(/every schedule|steps long/)
    },
  )

  it('says verified only if nothing at all was left out', () => {
    const evidence = fc.record({
      ...Object.fromEntries(Object.entries(wholeSearch).map(([key, value]) => [key, fc.constant(value)])),
      cut: fc.constantFrom(0, 0, 1),
      unfinished: fc.constantFrom(0, 0, 1),
      promise: fc.constantFrom('all', 'bounded', 'sample'),
      stopped: fc.constantFrom('exhausted', 'exhausted', 'bug', 'executions', 'budget', 'interrupted'),
      foundBug: fc.constantFrom(false, false, true),
      points: fc.constantFrom(
        everywhere,
        parsePoints('sync'),
        parsePoints('everywhere', [{ accept: true, function: 'f' }]),
      ),
      bound: fc.constantFrom(undefined, 1),
    }) as fc.Arbitrary<OneSearch>
    fc.assert(
      fc.property(evidence, (e) => {
        const isAll =
          e.cut === 0 &&
          e.unfinished === 0 &&
          e.promise !== 'sample' &&
          e.stopped === 'exhausted' &&
          !e.foundBug &&
          e.points === everywhere &&
          e.bound === undefined
        expect(judgeOne(e).verdict === 'verified').toBe(isAll)
        expect(judgeOne(e).verdict === 'bug').toBe(e.foundBug)
      }),
      { seed: 1, numRuns: 2000 },
    )
  })
})
