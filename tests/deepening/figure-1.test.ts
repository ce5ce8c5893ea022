import { describe, expect, it } from 'vitest'
import { assert, load, lock, store, unlock, yieldNow } from '../../src/frontends/model/build.js'
import type { Program } from '../../src/frontends/model/program.js'
import { formatPoints, includesPoints } from '../../src/machine/points.js'
import type { Job } from '../../src/runs/job.js'
import { deepen } from './deepen.js'

const increment = [load('x', 'r'), store('x', ['+', 'r', 1])]

/** Figure 1 of Quicksand, its atomic additions as plain accesses: the detectors let atomics race with nobody. */
const figure1: Program = {
  variables: { x: 0 },
  mutexes: { m: 'plain' },
  threads: {
    one: [lock('m'), load('x', 'tmp'), store('x', ['+', 'tmp', 1]), unlock('m')],
    two: [...increment, yieldNow(), ...increment, load('x', 'r'), assert(['>=', 'r', 2])],
  },
}

describe.each(['pure', 'limited'] as const)('figure 1 of Quicksand, %s happens-before', (races) => {
  it('is found only through points at racing accesses', async () => {
    const { run, board, isWhole } = await deepen(figure1, { races, board: { trial: 0 } })
    const [bug] = run.bugs
    expect(bug.found.kind).toBe('assertion')
    expect(bug.isOfJob).toBe(true)
    expect(bug.found.schedule.points.races.length).toBeGreaterThan(0)
    const buggy = board.jobs.filter((job) => job.hasBug).map((job) => formatPoints(job.points))
    // Two points at once are needed: before the write of one and before the last read of the other.
    for (const points of buggy) expect(points).toMatch(/race:.*race:|everywhere/)
    const seeds = board.jobs.filter((job) => job.origin.kind === 'seed')
    expect(seeds.every((job) => !job.hasBug)).toBe(true)
    expect(seeds.filter((job) => job.status === 'complete').length).toBeGreaterThan(0)
    expect(isWhole).toBe(true)
    // Sets that contain one that failed go last: many are part of another by the time it is their turn.
    const failed = board.jobs.filter((job) => job.hasBug && job.origin.kind !== 'maximal')
    const contain = (job: Job) => failed.some((f) => f !== job && includesPoints(job.points, f.points))
    const late = board.jobs.filter(contain)
    const leftOut = late.filter((job) => job.status === 'pruned' && job.counters.executions === 0)
    expect(leftOut.length).toBeGreaterThan(late.length / 3)
  })

  it('is verified once the second thread takes the lock too', async () => {
    const two = [lock('m'), ...increment, unlock('m'), yieldNow(), lock('m'), ...increment, unlock('m')]
    const { run, board, stopped } = await deepen(
      { ...figure1, threads: { ...figure1.threads, two } },
      { races, keepGoing: false },
    )
    expect(stopped).toBe('exhausted')
    expect(run.bugs).toEqual([])
    expect(board.maximal.status).toBe('complete')
    expect(board.maximal.points.races).toEqual([])
  })
})
