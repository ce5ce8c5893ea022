import { describe, expect, it } from 'vitest'
import type { Program } from '../../src/frontends/model/program.js'
import type { BugReport, Walk } from '../../src/reports/report.js'
import { deadlock, racyCounter } from '../cli/programs.js'
import { faultline, folderWith } from '../cli/run.js'

async function bugOf(program: Program, ...argv: string[]): Promise<BugReport> {
  const folder = folderWith({ 'p.json': program })
  const { out } = await faultline(folder, ['check', 'p.json', '--json', ...argv])
  return JSON.parse(out).bugs[0]
}

/** `waiter lock mutex m`, with what is held before it in braces. */
const told = ({ threads, steps }: Walk) =>
  steps.map(({ thread, operation, object, locks }) =>
    [threads[thread], operation, object, locks.length > 0 ? `{${locks.join(', ')}}` : '']
      .filter(Boolean)
      .join(' '),
  )

const edges = ({ edges: list }: Walk) => list.map(({ from, to, kind }) => `${from + 1}→${to + 1} ${kind}`)

/** Woken up, it finds what it takes for an error; `own` is its own. */
const signalled: Program = {
  name: 'signalled',
  variables: { ready: 0, own: 0 },
  mutexes: { m: 'plain' },
  conditions: ['c'],
  threads: {
    waiter: [
      { op: 'lock', mutex: 'm' },
      { op: 'wait', condition: 'c', mutex: 'm' },
      { op: 'load', var: 'ready', into: 'r' },
      { op: 'store', var: 'own', value: 5 },
      { op: 'assert', condition: ['==', 'r', 0], message: 'not ready' },
      { op: 'unlock', mutex: 'm' },
    ],
    setter: [
      { op: 'lock', mutex: 'm' },
      { op: 'fetchAdd', var: 'ready', value: 3 },
      { op: 'signal', condition: 'c' },
      { op: 'unlock', mutex: 'm' },
    ],
  },
}

describe('the walk through a failing execution', () => {
  it('has values, what they were before, and why a thread was preempted', async () => {
    const { walk } = await bugOf(racyCounter())
    expect(told(walk)).toEqual(['t1 read counter', 't2 read counter', 't2 write counter', 't1 write counter'])
    expect(walk.steps.map(({ value, before }) => [value, before])).toEqual([
      ['0', null],
      ['0', null],
      ['1', '0'],
      // Its own read is out of date: that is the bug.
      ['1', '1'],
    ])
    expect(walk.steps.map(({ switched }) => switched)).toEqual([
      null,
      { reason: 't1 is preempted', isPreemption: true, point: 'access', next: 'write counter', conflict: 1 },
      null,
      { reason: 't2 has ended', isPreemption: false, point: null, next: null, conflict: null },
    ])
    // Only from one operation to the next that conflicts: the others follow.
    expect(edges(walk)).toEqual(['1→3 memory', '3→4 memory'])
  })

  it('has locks held, who wakes whom, and what only one thread uses', async () => {
    const { walk } = await bugOf(signalled, '--ignore', 'deadlock')
    expect(told(walk)).toEqual([
      'waiter lock mutex m',
      'waiter wait condition variable condition c {mutex m}',
      'waiter unlock mutex m {mutex m}',
      'setter lock mutex m',
      'setter atomic update ready {mutex m}',
      'setter signal condition variable condition c {mutex m}',
      'setter unlock mutex m {mutex m}',
      'waiter reacquire mutex m',
      'waiter read ready {mutex m}',
      'waiter write own {mutex m}',
      'waiter assertion: waiter fails its assertion: not ready {mutex m}',
    ])
    expect(edges(walk)).toEqual(['3→4 sync', '2→6 sync', '6→8 thread', '7→8 sync', '5→9 memory'])
    expect(walk.steps.flatMap(({ isPrivate, object }) => (isPrivate ? [object] : []))).toEqual(['own'])
    expect(walk.steps.map(({ switched }) => switched?.reason ?? '').filter(Boolean)).toEqual([
      'waiter waits for a signal on c',
      'setter has ended',
    ])
    expect(walk.steps.map(({ failed }) => failed).indexOf(true)).toBe(10)
    expect(walk.steps.at(-1)).toMatchObject({ location: 'waiter:4', event: null })
  })

  it('ends with what every thread waits for, in a deadlock', async () => {
    const { walk } = await bugOf(deadlock)
    expect(told(walk).slice(-2).sort()).toEqual([
      'left waits for mutex b {mutex a}',
      'right waits for mutex a {mutex b}',
    ])
    const last = walk.steps.filter(({ failed }) => failed)
    expect(last).toHaveLength(2)
    // Nobody goes on, so nobody makes way.
    expect(last.map(({ switched }) => switched)).toEqual([null, null])
  })

  it('goes along with the steps that the explanation names, and with the execution that passes', async () => {
    const { walk, explanation, passing } = await bugOf(racyCounter())
    const named = explanation.steps.map(({ step, operation, object }) => {
      const at = walk.steps.find(({ event }) => event === step)!
      return [operation, object, at.operation, at.object]
    })
    expect(named.length).toBeGreaterThan(1)
    for (const [operation, object, shown, on] of named) expect([operation, object]).toEqual([shown, on])
    const { common, walk: twin } = passing!
    expect(
      twin.steps.slice(0, common).map(({ operation, object, value }) => [operation, object, value]),
    ).toEqual(walk.steps.slice(0, common).map(({ operation, object, value }) => [operation, object, value]))
    expect(twin.steps.every(({ failed }) => !failed)).toBe(true)
    expect(twin.threads[twin.steps[common].thread]).not.toBe(walk.threads[walk.steps[common].thread])
  })
})
